/* Shared by all clEnqueue* functions: the checks with which they begin, and the way into the graph.
 */
#ifndef MPL_OPENCL_ENQUEUE_H
#define MPL_OPENCL_ENQUEUE_H

#include "opencl/objects.h"
#include "runtime/commands/command.h"

/* The wait list of a call and where its event goes: the last three parameters of every clEnqueue*.
 */
struct mpl_deps {
  cl_uint count;
  const cl_event *list;
  cl_event *event;
};

/* CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_EVENT_WAIT_LIST or CL_SUCCESS. */
cl_int mpl_validate_enqueue(const char *function, cl_command_queue, const struct mpl_deps *);

/* CL_OUT_OF_RESOURCES if the queue is lost (runtime/commands/command.h), else CL_SUCCESS. */
cl_int mpl_check_lost(const char *function, cl_command_queue);

/* CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT or CL_SUCCESS for a memory object, or a buffer, that a
 * command of the queue uses. */
cl_int mpl_validate_mem(const char *function, cl_command_queue, cl_mem);
cl_int mpl_validate_buffer(const char *function, cl_command_queue, cl_mem);

/* CL_INVALID_OPERATION if the flags of the memory object forbid the host to read (`read`) or to
 * write (`write`) it. */
cl_int mpl_validate_host_access(const char *function, cl_mem, bool read, bool write);

/* CL_INVALID_VALUE unless [offset, offset + size) lies in the buffer. */
cl_int mpl_validate_range(const char *function, cl_mem, size_t offset, size_t size);

/* Puts the command in the graph, makes its event, and waits for it if `blocking`; a blocking
 * command that failed answers CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST.  `work->data` is
 * released in any case. */
cl_int mpl_enqueue_command(cl_command_queue, cl_command_type, const struct mpl_work_desc *work,
                           unsigned order, bool blocking, const struct mpl_deps *);

/* The same for a command that is not blocking and also waits for these commands. */
cl_int mpl_enqueue_behind(cl_command_queue, cl_command_type, const struct mpl_work_desc *work,
                          const struct mpl_deps *, struct mpl_command *const *follows,
                          cl_uint num_follows);

/* The name of such a command, in a word or two. */
const char *mpl_command_label(cl_command_type);

/* command_buffer.c: keeps the command, as if it were enqueued, for each execution of the buffer. */
cl_int mpl_record_command(struct mpl_recording *, const struct mpl_work_desc *);

/* An event with one reference for the caller, its command still null; or null. */
cl_event mpl_event_new(cl_context, cl_command_queue, cl_command_type);
void mpl_event_free(cl_event); /* one that nobody has seen yet */

/* queue.c: clReleaseCommandQueue without its flush, for objects that hold a queue. */
void mpl_queue_handle_release(cl_command_queue);

/* Enqueues a kernel, for clEnqueueNDRangeKernel and clEnqueueTask. */
cl_int mpl_enqueue_kernel(const char *function, cl_command_queue, cl_kernel, cl_command_type,
                          cl_uint dims, const size_t *offset, const size_t *global,
                          const size_t *local, const struct mpl_deps *);

/* enqueue_map.c: forgets the maps that a memory object still has when it is destroyed. */
void mpl_mappings_free(cl_mem);

#endif
