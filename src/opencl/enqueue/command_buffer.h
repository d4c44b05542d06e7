/* Command-buffers (cl_khr_command_buffer): a list of commands that is enqueued as one; and commands
 * in it that can be changed (cl_khr_command_buffer_mutable_dispatch). */
#ifndef MPL_OPENCL_COMMAND_BUFFER_H
#define MPL_OPENCL_COMMAND_BUFFER_H

#include "enqueue.h"

/* The parameters that all commands begin and end with. */
#define MPL_RECORD_TO                                                                              \
  cl_command_buffer_khr buffer, cl_command_queue queue, const cl_command_properties_khr *properties
#define MPL_RECORD_POINTS                                                                          \
  cl_uint num_points, const cl_sync_point_khr *points, cl_sync_point_khr *point,                   \
      cl_mutable_command_khr *handle

/* A recorded command; executions and older recordings hold it too. */
struct mpl_recorded {
  atomic_uint refs;
  struct mpl_work_desc work;
};

/* The commands of an execution.  They never change once enqueued: an update makes another
 * recording. */
struct mpl_recording {
  atomic_uint refs; /* the buffer's, and one for each execution */
  uint32_t count, room;
  struct mpl_recorded **commands; /* a sync point is a command's number, from 1 on */
};

struct mpl_recording *mpl_recording_new(void); /* null if out of memory */
void mpl_recording_drop(void *recording);
void mpl_recorded_drop(struct mpl_recorded *);

struct _cl_command_buffer_khr {
  struct mpl_base base;
  cl_command_queue queue; /* retained */
  struct _cl_command_queue recorder; /* hands commands that are enqueued on it to its recording */
  struct mpl_recording *recording;
  cl_command_buffer_properties_khr *properties;
  size_t num_properties; /* with the final 0 */
  cl_command_buffer_flags_khr flags;
  bool asserts_groups;   /* CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR */
  bool finalized;
  uint32_t num_incomplete; /* commands whose arguments are not all set */
  cl_mutable_command_khr changeable;
  pthread_mutex_t lock; /* what was recorded */
};

/* Begins a command: CL_SUCCESS with the buffer's lock held, or an error without; then ends it. */
cl_int mpl_record_begin(const char *function, cl_command_buffer_khr, cl_command_queue,
                        cl_uint num_points, const cl_sync_point_khr *points);
cl_int mpl_record_end(cl_command_buffer_khr, cl_int error, cl_sync_point_khr *point);

/* mutable_dispatch.c: frees the handles of a buffer's commands. */
void mpl_changeable_free(cl_mutable_command_khr list);

cl_int CL_API_CALL clUpdateMutableCommandsKHR(cl_command_buffer_khr, cl_uint num_configs,
                                              const cl_command_buffer_update_type_khr *types,
                                              const void **configs);
cl_int CL_API_CALL clGetMutableCommandInfoKHR(cl_mutable_command_khr, cl_mutable_command_info_khr,
                                              size_t size, void *value, size_t *size_ret);
cl_int CL_API_CALL clCommandNDRangeKernelKHR(MPL_RECORD_TO, cl_kernel, cl_uint dims,
                                             const size_t *offset, const size_t *global,
                                             const size_t *local, MPL_RECORD_POINTS);
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
