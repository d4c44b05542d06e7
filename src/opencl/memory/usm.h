/* Unified shared memory (cl_intel_unified_shared_memory 1.1): three kinds of allocations, which are
 * the three storages of a device.  On a device in the host's memory only the answers of queries
 * differ. */
#ifndef MPL_OPENCL_USM_H
#define MPL_OPENCL_USM_H

#include "opencl/objects.h"

void *CL_API_CALL clHostMemAllocINTEL(cl_context, const cl_mem_properties_intel *, size_t size,
                                      cl_uint alignment, cl_int *errcode_ret);
void *CL_API_CALL clDeviceMemAllocINTEL(cl_context, cl_device_id, const cl_mem_properties_intel *,
                                        size_t size, cl_uint alignment, cl_int *errcode_ret);
void *CL_API_CALL clSharedMemAllocINTEL(cl_context, cl_device_id, const cl_mem_properties_intel *,
                                        size_t size, cl_uint alignment, cl_int *errcode_ret);
cl_int CL_API_CALL clMemFreeINTEL(cl_context, void *pointer);
cl_int CL_API_CALL clMemBlockingFreeINTEL(cl_context, void *pointer);
cl_int CL_API_CALL clGetMemAllocInfoINTEL(cl_context, const void *pointer, cl_mem_info_intel,
                                          size_t size, void *value, size_t *size_ret);
cl_int CL_API_CALL clSetKernelArgMemPointerINTEL(cl_kernel, cl_uint index, const void *value);

/* cl_ext_buffer_device_address */
cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel, cl_uint index,
                                                  cl_mem_device_address_ext);

#define MPL_USM_DEPS cl_uint num_waits, const cl_event *waits, cl_event *event
cl_int CL_API_CALL clEnqueueMemFillINTEL(cl_command_queue, void *target, const void *pattern,
                                         size_t pattern_size, size_t size, MPL_USM_DEPS);
cl_int CL_API_CALL clEnqueueMemsetINTEL(cl_command_queue, void *target, cl_int value, size_t size,
                                        MPL_USM_DEPS);
cl_int CL_API_CALL clEnqueueMemcpyINTEL(cl_command_queue, cl_bool blocking, void *target,
                                        const void *source, size_t size, MPL_USM_DEPS);
cl_int CL_API_CALL clEnqueueMigrateMemINTEL(cl_command_queue, const void *pointer, size_t size,
                                            cl_mem_migration_flags, MPL_USM_DEPS);
cl_int CL_API_CALL clEnqueueMemAdviseINTEL(cl_command_queue, const void *pointer, size_t size,
                                           cl_mem_advice_intel, MPL_USM_DEPS);

#endif
