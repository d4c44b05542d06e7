/* Queries on kernels: clGetKernelInfo, clGetKernelArgInfo, clGetKernelWorkGroupInfo. */
#include <string.h>

#include "opencl/device/device.h"
#include "program.h"
#include "runtime/device.h"

cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t size,
                                   void *value, size_t *size_ret) {
  if (!mpl_valid(kernel, MPL_KERNEL)) return CL_INVALID_KERNEL;
  const struct mpl_kernel *info = kernel->kernel;
  switch (param_name) {
    MPL_QUERY_TEXT(CL_KERNEL_FUNCTION_NAME, info->name)
    MPL_QUERY(CL_KERNEL_NUM_ARGS, cl_uint, info->num_args)
    MPL_QUERY(CL_KERNEL_REFERENCE_COUNT, cl_uint, atomic_load(&kernel->base.refs))
    MPL_QUERY(CL_KERNEL_CONTEXT, cl_context, kernel->program->context)
    MPL_QUERY(CL_KERNEL_PROGRAM, cl_program, kernel->program)
    MPL_QUERY_TEXT(CL_KERNEL_ATTRIBUTES, info->attributes)
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint index,
                                      cl_kernel_arg_info param_name, size_t size, void *value,
                                      size_t *size_ret) {
  /* By mpl_arg.address_space and .access. */
  static const cl_kernel_arg_address_qualifier spaces[] = {
      CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_CONSTANT,
      CL_KERNEL_ARG_ADDRESS_LOCAL};
  static const cl_kernel_arg_access_qualifier accesses[] = {
      CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
      CL_KERNEL_ARG_ACCESS_READ_WRITE};
  if (!mpl_valid(kernel, MPL_KERNEL)) return CL_INVALID_KERNEL;
  if (index >= kernel->kernel->num_args) return CL_INVALID_ARG_INDEX;
  if (!(kernel->kernel->flags & MPL_KERNEL_HAS_ARG_INFO)) return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
  const struct mpl_arg *arg = &kernel->kernel->args[index];
  switch (param_name) {
    MPL_QUERY(CL_KERNEL_ARG_ADDRESS_QUALIFIER, cl_kernel_arg_address_qualifier,
              /* the IR's substitute for a sampler is no value of the program */
              spaces[arg->kind == MPL_ARG_SAMPLER ? 0 : arg->address_space & 3])
    MPL_QUERY(CL_KERNEL_ARG_ACCESS_QUALIFIER, cl_kernel_arg_access_qualifier,
              accesses[arg->access & 3])
    MPL_QUERY_TEXT(CL_KERNEL_ARG_TYPE_NAME, arg->type_name)
    MPL_QUERY(CL_KERNEL_ARG_TYPE_QUALIFIER, cl_kernel_arg_type_qualifier, arg->type_qualifier)
    MPL_QUERY_TEXT(CL_KERNEL_ARG_NAME, arg->name)
  default:
    return CL_INVALID_VALUE;
  }
}

/* Static local memory and the local arguments that are set, as they lie in a group's. */
static cl_ulong local_memory(cl_kernel kernel, const struct mpl_kernel *own) {
  cl_ulong bytes = own->local_size;
  mpl_lock(&kernel->lock);
  for (uint32_t i = 0; i < kernel->kernel->num_args; i++)
    if (kernel->args[i].local_size)
      bytes = (bytes + MPL_MEM_BASE_ALIGN - 1) / MPL_MEM_BASE_ALIGN * MPL_MEM_BASE_ALIGN +
              kernel->args[i].local_size;
  mpl_unlock(&kernel->lock);
  return bytes;
}

cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                            cl_kernel_work_group_info param_name, size_t size,
                                            void *value, size_t *size_ret) {
  if (!mpl_valid(kernel, MPL_KERNEL)) return CL_INVALID_KERNEL;
  cl_program program = kernel->program;
  if (!device && program->num_devices == 1) device = program->devices[0];
  const struct mpl_kernel *own = mpl_kernel_on(kernel, device);
  if (!own) return CL_INVALID_DEVICE;
  const struct mpl_device_info *info = &device->device->info;
  const uint32_t *required = own->reqd_local;
  const size_t compile_size[3] = {required[0], required[1], required[2]};
  switch (param_name) {
    MPL_QUERY(CL_KERNEL_WORK_GROUP_SIZE, size_t, info->max_work_group_size)
    MPL_QUERY_ARRAY(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, size_t, 3, compile_size)
    MPL_QUERY(CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong, local_memory(kernel, own))
  case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
    return clGetDeviceInfo(device, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size, value,
                           size_ret);
    MPL_QUERY(CL_KERNEL_PRIVATE_MEM_SIZE, cl_ulong, own->private_size)
    /* Memory for values that do not fit the registers. */
    MPL_QUERY(CL_KERNEL_SPILL_MEM_SIZE_INTEL, cl_ulong, own->private_size)
  default:
    return CL_INVALID_VALUE; /* GLOBAL_WORK_SIZE: of built-in kernels only */
  }
}
