/* Semaphores (cl_khr_semaphore). */
#ifndef MPL_OPENCL_SEMAPHORE_H
#define MPL_OPENCL_SEMAPHORE_H

#include "opencl/enqueue/enqueue.h"

struct mpl_semaphore_state; /* held by commands too: it may outlive the handle */

struct _cl_semaphore_khr {
  struct mpl_base base;
  cl_context context;  /* retained */
  cl_uint num_devices; /* that may wait for it and signal it: one that was asked for, */
  cl_device_id device; /* or this is null and they are the context's */
  cl_semaphore_properties_khr *properties;
  size_t num_properties; /* with the final 0 */
  struct mpl_semaphore_state *state;
};

cl_semaphore_khr CL_API_CALL clCreateSemaphoreWithPropertiesKHR(cl_context,
                                                                const cl_semaphore_properties_khr *,
                                                                cl_int *errcode_ret);
cl_int CL_API_CALL clEnqueueWaitSemaphoresKHR(cl_command_queue, cl_uint count,
                                              const cl_semaphore_khr *,
                                              const cl_semaphore_payload_khr *, cl_uint num_waits,
                                              const cl_event *waits, cl_event *event);
cl_int CL_API_CALL clEnqueueSignalSemaphoresKHR(cl_command_queue, cl_uint count,
                                                const cl_semaphore_khr *,
                                                const cl_semaphore_payload_khr *, cl_uint num_waits,
                                                const cl_event *waits, cl_event *event);
cl_int CL_API_CALL clRetainSemaphoreKHR(cl_semaphore_khr);
cl_int CL_API_CALL clReleaseSemaphoreKHR(cl_semaphore_khr);
cl_int CL_API_CALL clGetSemaphoreInfoKHR(cl_semaphore_khr, cl_semaphore_info_khr, size_t size,
                                         void *value, size_t *size_ret);
cl_int CL_API_CALL clGetSemaphoreHandleForTypeKHR(cl_semaphore_khr, cl_device_id,
                                                  cl_external_semaphore_handle_type_khr,
                                                  size_t size, void *value, size_t *size_ret);

#endif
