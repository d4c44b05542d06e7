/* The records of launches that enqueue kernels, on a device that cannot call the host
 * (abi/records.h). */
#ifndef MPL_OPENCL_DEVICE_RECORDS_H
#define MPL_OPENCL_DEVICE_RECORDS_H

#include "abi/enqueue.h"
#include "opencl/objects.h"

/* For one launch at a time.  Null: no memory.  `pending`: what a child takes of its queue, but for
 * its arguments, waits and literal. */
struct mpl_recorder *mpl_recorder_open(cl_context, cl_device_id, const struct mpl_object *,
                                       size_t pending);
void mpl_recorder_close(struct mpl_recorder *); /* may be null */

/* What the launch is given as mpl_host.enqueuer, or 0: no memory.  Until its end queues are kept,
 * and other launches that begin wait. */
uint64_t mpl_recorder_begin(struct mpl_recorder *);
/* Takes the records for calls; 0 or an error. */
int mpl_recorder_end(struct mpl_recorder *, const struct mpl_queue_host *, uint64_t enqueuer);
void mpl_recorder_drop(struct mpl_recorder *); /* or not: the launch has failed */

/* A copy of a block's literal where the next launch can read it, or null. */
const void *mpl_recorder_literal(struct mpl_recorder *, const void *literal);

#endif
