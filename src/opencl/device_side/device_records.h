/* The records of launches that enqueue kernels, on a device that cannot call the host
 * (abi/records.h). */
#ifndef MPL_OPENCL_DEVICE_RECORDS_H
#define MPL_OPENCL_DEVICE_RECORDS_H

#include "abi/enqueue.h"
#include "opencl/objects.h"

/* A recorder for one launch at a time; null: no memory.  `pending`: the bytes that a child takes of
 * its queue, besides its arguments, waits and literal. */
struct mpl_recorder *mpl_recorder_open(cl_context, cl_device_id, const struct mpl_object *,
                                       size_t pending);
void mpl_recorder_close(struct mpl_recorder *); /* may be null */

/* Begins a launch and returns its mpl_host.enqueuer, or 0: no memory.  Until its end queues are
 * kept, and other launches wait to begin. */
uint64_t mpl_recorder_begin(struct mpl_recorder *);
/* Makes calls of the records; 0 or an error. */
int mpl_recorder_end(struct mpl_recorder *, const struct mpl_queue_host *, uint64_t enqueuer);
void mpl_recorder_drop(struct mpl_recorder *); /* instead, if the launch has failed */

/* A copy of a block's literal that the next launch can read, or null. */
const void *mpl_recorder_literal(struct mpl_recorder *, const void *literal);

#endif
