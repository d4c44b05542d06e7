/* The calls of a running kernel to its host on queues on the device: through mpl_host.queues, with
 * mpl_host.enqueuer.  Addresses are numbers, since OpenCL C has pointers of several kinds; queues
 * are the host's handles, and the host makes events.
 *
 * The kernels of blocks stand in the object's table behind the program's own.  A block is a
 * literal, which begins with its size and its alignment, two uint32_t; the kernel gets its address,
 * and then its local arguments. */
#ifndef MPL_ABI_ENQUEUE_H
#define MPL_ABI_ENQUEUE_H

#include "abi/kernel.h"

#ifdef __OPENCL_C_VERSION__
#define MPL_OF_HOST private
#else
#define MPL_OF_HOST
#endif

struct mpl_range { /* OpenCL C's ndrange_t */
  uint32_t dims;
  uint64_t offset[3], whole[3], group[3]; /* global and local sizes, of which 0 is any */
};

struct mpl_child { /* a call of enqueue_kernel or enqueue_marker */
  uint64_t queue;
  uint64_t code;        /* a struct mpl_kernel of the object's table; 0: a marker */
  uint64_t block;       /* the literal */
  uint64_t range;       /* a struct mpl_range */
  uint64_t waits;       /* events, or 0 */
  uint64_t event;       /* where the new one goes, or 0 */
  uint64_t local_sizes; /* num_locals times uint64_t */
  uint32_t flags;       /* CLK_ENQUEUE_FLAGS_*; of a marker 0 or MPL_MARKER_OF_QUEUE */
  uint32_t num_waits, num_locals;
  uint32_t promised; /* of a GPU's (abi/records.h): there is room for it, and its event, if any, is made */
};

enum { MPL_MARKER_OF_QUEUE = 1 }; /* it waits for all commands of its queue, and has no events */

enum mpl_queue_question {
  MPL_ASK_DEFAULT_QUEUE,
  MPL_ASK_WORK_GROUP_SIZE, /* of a kernel, as all that follow */
  MPL_ASK_MULTIPLE,
  MPL_ASK_SUB_GROUP_COUNT,
  MPL_ASK_SUB_GROUP_SIZE,
};
enum mpl_event_call {
  MPL_EVENT_CREATE, /* a user event */
  MPL_EVENT_RETAIN,
  MPL_EVENT_RELEASE,
  MPL_EVENT_SET,      /* the argument: its status */
  MPL_EVENT_IS_VALID, /* 0 or 1 */
  MPL_EVENT_CAPTURE,  /* the argument: the place for two uint64_t, written once it is complete */
};

struct mpl_queue_host {
  /* 0, or one of CLK_*; `enqueuer` is the calling kernel's. */
  int (*enqueue)(uint64_t enqueuer, const MPL_OF_HOST struct mpl_child *);
  uint64_t (*ask)(uint64_t enqueuer, uint32_t question, uint64_t code, uint64_t range);
  uint64_t (*event)(uint64_t enqueuer, uint32_t call, uint64_t event, uint64_t argument);
};

#ifdef __OPENCL_C_VERSION__
struct mpl_host { /* as C has it */
  ulong print, items;
  const private struct mpl_queue_host *queues;
  ulong enqueuer;
};
#endif

#endif
