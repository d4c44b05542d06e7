/* Command-buffers (cl_khr_command_buffer): a list of commands that is enqueued as one. */
#ifndef MPL_OPENCL_COMMAND_BUFFER_H
#define MPL_OPENCL_COMMAND_BUFFER_H

#include "objects.h"

/* The parameters that all commands begin and end with. */
#define MPL_RECORD_TO                                                                              \
  cl_command_buffer_khr buffer, cl_command_queue queue, const cl_command_properties_khr *properties
#define MPL_RECORD_POINTS                                                                          \
  cl_uint num_points, const cl_sync_point_khr *points, cl_sync_point_khr *point,                   \
      cl_mutable_command_khr *handle

cl_command_buffer_khr CL_API_CALL clCreateCommandBufferKHR(cl_uint num_queues,
                                                           const cl_command_queue *queues,
                                                           const cl_command_buffer_properties_khr *,
                                                           cl_int *errcode_ret);
cl_int CL_API_CALL clFinalizeCommandBufferKHR(cl_command_buffer_khr);
cl_int CL_API_CALL clRetainCommandBufferKHR(cl_command_buffer_khr);
cl_int CL_API_CALL clReleaseCommandBufferKHR(cl_command_buffer_khr);
cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues,
                                             cl_command_buffer_khr, cl_uint num_waits,
                                             const cl_event *waits, cl_event *event);
cl_int CL_API_CALL clGetCommandBufferInfoKHR(cl_command_buffer_khr, cl_command_buffer_info_khr,
                                             size_t size, void *value, size_t *size_ret);

#define MPL_RECORDED(name, enqueue, ...)                                                           \
  cl_int CL_API_CALL name(MPL_RECORD_TO __VA_OPT__(, ) __VA_ARGS__, MPL_RECORD_POINTS);
#include "tables/recorded.def"

#endif
