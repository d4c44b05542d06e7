/* What a launch on a GPU leaves of its calls of enqueue_kernel and of those on events: records in
 * memory of the host's, one behind another in the order in which they were made, which the host
 * takes for calls (abi/enqueue.h) once the launch has ended.  What such a call answers is known
 * before: the launch is given what can be enqueued to, what may be in it, and events.
 *
 * Kernels know the kernel of a block by its number in the table, from 1 on; queues and events by
 * the host's handles.  Addresses are numbers. */
#ifndef MPL_ABI_RECORDS_H
#define MPL_ABI_RECORDS_H

#include "abi/enqueue.h"

#ifdef __OPENCL_C_VERSION__
#define MPL_RECORDS_COUNTER atomic_ulong
#else
#define MPL_RECORDS_COUNTER uint64_t
#endif

struct mpl_records_queue {
  uint64_t handle;
  MPL_RECORDS_COUNTER used; /* bytes, of what is pending */
  uint64_t size;            /* CL_QUEUE_SIZE */
};

struct mpl_records_block { /* a kernel of one */
  uint64_t local_size;
  uint64_t pending; /* what it takes of its queue, but for waits and literal */
  uint32_t num_args, uniform;
  uint32_t reqd_local[3], reserved;
};

struct mpl_records {
  MPL_RECORDS_COUNTER used; /* bytes of records */
  MPL_RECORDS_COUNTER events_used;
  uint64_t size, for_kernels; /* for all, and how far the large ones may go */
  uint64_t num_events, num_queues;
  uint64_t default_queue;
  uint64_t local_memory, max_items[3], max_group, sub_group; /* of the device */
  uint64_t marker;                                           /* as `pending` of a block */
  uint64_t lost; /* not 0: there was no room for a call on an event */
  uint64_t records, events, queues, blocks, num_blocks; /* where they are */
};

enum mpl_record_kind { MPL_RECORD_CHILD, MPL_RECORD_EVENT };

/* Behind one of a child: the events it waits for, sizes of local arguments, the literal. */
struct mpl_record {
  uint64_t size;                         /* of the whole, a multiple of MPL_RECORD_ALIGN */
  uint32_t kind, call;                   /* of an event: enum mpl_event_call */
  uint64_t queue, code, event, argument; /* no code: a marker; no event: nobody gets it */
  uint32_t flags, num_waits, num_locals, reserved;
  struct mpl_range range;
};

#define MPL_RECORD_ALIGN 16u
#define MPL_BLOCK_ALIGN  16u /* of a copy of a literal, at least */

#endif
