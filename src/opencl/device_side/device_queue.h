/* Queues on the device (section 5.1, and OpenCL C 3.0, 6.15.17).
 *
 * A kernel enqueues kernels of blocks while it runs.  They are kept until all of its work-items
 * have ended, which every CLK_ENQUEUE_FLAGS_* allows, and then run by the kernel's command, which
 * ends when they, and the kernels that they enqueue in turn, have ended.  A queue on the device is
 * only a handle and a limit of the memory that is kept for it. */
#ifndef MPL_OPENCL_DEVICE_QUEUE_H
#define MPL_OPENCL_DEVICE_QUEUE_H

#include "opencl/objects.h"

struct mpl_operation;
struct mpl_device;

#define MPL_DEVICE_QUEUE_SIZE ((cl_uint)16 << 20) /* bytes, unless the program says how many */
#define MPL_DEVICE_QUEUE_MAX  ((cl_uint)256 << 20)
#define MPL_DEVICE_EVENTS     65536u

static inline bool mpl_is_on_device(cl_command_queue queue) {
  return queue->device_size != 0;
}

/* Takes a reference, which mpl_queue_handle_release gives back; false: the queue is being
 * destroyed. */
bool mpl_retain_queue(cl_command_queue);

/* Puts it on the list of its context, for its whole life. */
void mpl_list_device_queue(cl_command_queue);
void mpl_unlist_device_queue(cl_command_queue);

/* The default queue of a device in a context, or null. */
cl_command_queue mpl_default_queue(cl_context, cl_device_id);
/* Makes it the default queue if its device has none; otherwise returns the default queue, retained.
 * Null: no memory. */
cl_command_queue mpl_claim_default_queue(cl_command_queue);
cl_int mpl_set_default_queue(cl_context, cl_device_id, cl_command_queue);
/* It is a default queue no longer, since it is destroyed. */
void mpl_forget_default_queue(cl_command_queue);

/* Runs a launch of a kernel whose program has blocks, with all that it enqueues.  0 or an error.
 * `ended`, if not null: mpl_clock() when the kernel itself had ended, before what it enqueued. */
int mpl_launch_with_children(const struct mpl_operation *, struct mpl_device *, cl_kernel,
                             uint64_t *ended);
bool mpl_may_have_children(cl_kernel, const struct mpl_device *);

#endif
