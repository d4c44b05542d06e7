/* Names of OpenCL 3.1 and of extensions (OpenCL registry, cl.xml) that OpenCL's headers lack or
 * hide: headers of any version since January 2022 will do.  Functions of extensions are declared
 * here or where they are ours, since newer headers hide them together with those of
 * command-buffers. */
#ifndef MPL_OPENCL_EXTENSIONS_H
#define MPL_OPENCL_EXTENSIONS_H

#include "tables/cl_headers.h"

#ifndef CL_VERSION_3_1
cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue queue, cl_kernel kernel,
                                                     cl_uint dims, const size_t *offset,
                                                     const size_t *global, size_t *suggested);
#endif

cl_program CL_API_CALL clCreateProgramWithILKHR(cl_context, const void *il, size_t length,
                                                cl_int *errcode_ret);
cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue, cl_kernel, cl_uint dims,
                                                        const size_t *offset, const size_t *global,
                                                        size_t *suggested);
cl_int CL_API_CALL clGetKernelSubGroupInfoKHR(cl_kernel, cl_device_id,
                                              cl_kernel_sub_group_info param, size_t input_size,
                                              const void *input, size_t size, void *value,
                                              size_t *size_ret);
cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                                          cl_uint *num_platforms);

#ifndef cl_khr_kernel_clock
#define CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR     0x1076
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR     (1 << 0)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR (1 << 1)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR  (1 << 2)
typedef cl_bitfield cl_device_kernel_clock_capabilities_khr;
#endif

#ifndef cl_khr_spirv_queries
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS_KHR                0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES_KHR              0x12BB
#endif

/* cl_khr_command_buffer as of 0.9.8: its functions have properties, states are three. */
#ifndef CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR 0x129A
#endif
#ifndef CL_COMMAND_BUFFER_CONTEXT_KHR
#define CL_COMMAND_BUFFER_CONTEXT_KHR 0x1299
#endif
typedef cl_properties cl_command_properties_khr;
#ifndef CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
#define CL_COMMAND_BUFFER_STATE_FINALIZED_KHR 2
#endif

#ifndef cl_khr_command_buffer_mutable_dispatch /* before September 2022 */
typedef cl_bitfield cl_mutable_dispatch_fields_khr;
typedef cl_uint cl_mutable_command_info_khr;
typedef struct {
  cl_uint arg_index;
  size_t arg_size;
  const void *arg_value;
} cl_mutable_dispatch_arg_khr;
typedef struct {
  cl_uint param_name;
  size_t param_value_size;
  const void *param_value;
} cl_mutable_dispatch_exec_info_khr;
#define CL_INVALID_MUTABLE_COMMAND_KHR              -1141
#define CL_COMMAND_BUFFER_MUTABLE_KHR               (1 << 1)
#define CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR       (1 << 0)
#define CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR         (1 << 1)
#define CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR          (1 << 2)
#define CL_MUTABLE_DISPATCH_ARGUMENTS_KHR           (1 << 3)
#define CL_MUTABLE_DISPATCH_EXEC_INFO_KHR           (1 << 4)
#define CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR        0x12A0
#define CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR       0x12A1
#define CL_MUTABLE_DISPATCH_KERNEL_KHR              0x12A3
#define CL_MUTABLE_DISPATCH_DIMENSIONS_KHR          0x12A4
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR  0x12A5
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR    0x12A6
#define CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR     0x12A7
#define CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR         0x12AD
#define CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR 0x12B0
#define CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR    0x12B1
#endif

/* cl_khr_command_buffer_mutable_dispatch as of 0.9.5. */
#ifndef CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR           0x12B7
#define CL_MUTABLE_DISPATCH_ASSERTS_KHR                          0x12B8
#define CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR (1 << 0)
#endif
#ifndef CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR
#define CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR 0x12A2
#endif
typedef cl_uint cl_command_buffer_update_type_khr;
enum { MPL_UPDATE_DISPATCH = 0 }; /* CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR; it was 1 */
struct mpl_dispatch_update {      /* cl_mutable_dispatch_config_khr */
  cl_mutable_command_khr command;
  cl_uint num_args, num_svm_args, num_exec_infos, work_dim;
  const cl_mutable_dispatch_arg_khr *arg_list, *arg_svm_list;
  const cl_mutable_dispatch_exec_info_khr *exec_info_list;
  const size_t *global_work_offset, *global_work_size, *local_work_size;
};

#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR /* cl_khr_semaphore as of 0.9.1 */
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR     0x2053
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR 0
#endif

#ifndef cl_ext_float_atomics
#define CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT 0x4231
#define CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT 0x4232
#define CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT   0x4233
#define CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT   (1 << 0)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT          (1 << 1)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT      (1 << 2)
#define CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT    (1 << 16)
#define CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT           (1 << 17)
#define CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT       (1 << 18)
typedef cl_bitfield cl_device_fp_atomic_capabilities_ext;
#endif

#ifndef cl_ext_buffer_device_address
#define CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT   0x5000
#define CL_MEM_DEVICE_ADDRESS_EXT           0x5001
#define CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT 0x5002
typedef cl_ulong cl_mem_device_address_ext;
#endif

#endif
