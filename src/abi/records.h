/* The records that a launch on a GPU leaves of its calls of enqueue_kernel and of calls on events:
 * they lie in host memory, one behind another in the order of the calls, and the host makes these
 * calls (abi/enqueue.h) once the launch has ended.  The answers are known before: the launch gets
 * the queues with their free room, the blocks, and events.
 *
 * Kernels know the kernel of a block by its number in the table, from 1 on; queues and events by
 * the host's handles.  Addresses are numbers. */
#ifndef MPL_ABI_RECORDS_H
#define MPL_ABI_RECORDS_H

#ifndef __OPENCL_C_VERSION__
#include <stddef.h>
#endif

#include "abi/enqueue.h"

#ifdef __OPENCL_C_VERSION__
typedef int int32_t;
#define MPL_RECORDS_COUNTER atomic_ulong
#else
#define MPL_RECORDS_COUNTER uint64_t
#endif

/* A clk_event_t is the address of one, in host memory that kernels may read: the host writes the
 * times first. */
struct mpl_records_event {
  int32_t status; /* CL_SUBMITTED, CL_COMPLETE, or an error */
  uint32_t reserved;
  uint64_t ran, took; /* ns, at least 1 */
};

/* Sorted by their handles. */
struct mpl_records_queue {
  uint64_t handle;
  MPL_RECORDS_COUNTER used; /* bytes, of what is pending */
  uint64_t size;            /* CL_QUEUE_SIZE */
};

struct mpl_records_block { /* a kernel of one */
  uint64_t local_size;
  uint64_t pending; /* the bytes that it takes of its queue, besides waits and literal */
  uint32_t num_args, uniform;
  uint32_t reqd_local[3], reserved;
};

struct mpl_records {
  MPL_RECORDS_COUNTER used; /* bytes of records */
  MPL_RECORDS_COUNTER events_used;
  uint64_t size, for_kernels; /* for all, and the limit for the large ones */
  uint64_t num_events, num_queues;
  uint64_t default_queue;
  uint64_t local_memory, max_group, sub_group; /* of the device */
  uint64_t marker;                                           /* as `pending` of a block */
  uint64_t lost; /* not 0: there was no room for a call on an event */
  uint64_t records, events, queues, blocks, num_blocks; /* where they are */
};

enum mpl_record_kind { MPL_RECORD_CHILD, MPL_RECORD_EVENT };

/* A call of a kernel.  Behind one of a child: the events it waits for, sizes of local arguments,
 * the literal. */
struct mpl_record {
  uint64_t size;            /* of the whole, a multiple of MPL_RECORD_ALIGN */
  uint32_t kind, call;      /* of an event: enum mpl_event_call */
  uint64_t event, argument; /* no event: nobody gets it */
  uint64_t queue, code;     /* of a child, as all that follows; no code: a marker */
  uint32_t flags, num_waits, num_locals, reserved;
  struct mpl_range range;
};

#define MPL_RECORD_ALIGN      16u
#define MPL_RECORD_EVENT_SIZE 32u /* of a call on an event: no more than it needs */
#define MPL_BLOCK_ALIGN       16u /* of a copy of a literal, at least */

#ifndef __OPENCL_C_VERSION__
_Static_assert(offsetof(struct mpl_record, queue) == MPL_RECORD_EVENT_SIZE, "records of events");
#endif

#endif
