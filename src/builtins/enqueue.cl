/* Enqueuing kernels (OpenCL C 3.0, 6.15.17).  clang makes a kernel of each block that is enqueued,
 * and calls of __enqueue_kernel_basic and the like; all that is done here is to hand them to the
 * host (abi/enqueue.h), for one work-item after another (`cold`, compiler/source/helpers.c). */
#include "abi/enqueue.h"
#include "sync.h"

#define BY_ITEM __attribute__((cold, noinline))
#define INLINE  __attribute__((always_inline))
#define OVER    __attribute__((overloadable, always_inline))

typedef private char *handle;

#define NUMBER_OF(object)       ((ulong)__builtin_astype(object, handle))
#define OBJECT_OF(type, number) __builtin_astype((handle)(number), type)

#ifndef HOST /* a GPU's (nvptx/enqueue.cl) is another */
#define GATHERED BY_ITEM
typedef const private struct mpl_host *host_at;
#define HOST() ((host_at)__mpl_launch()->host)

/* Nothing is there to enqueue to in a program that is only being loaded. */
BY_ITEM int __mpl_queue_enqueue(host_at host, const private struct mpl_child *child) {
  return host->queues ? host->queues->enqueue(host->enqueuer, child) : CLK_ENQUEUE_FAILURE;
}
BY_ITEM ulong __mpl_queue_ask(host_at host, uint question, ulong code, ulong range) {
  return host->queues ? host->queues->ask(host->enqueuer, question, code, range) : 0;
}
BY_ITEM ulong __mpl_queue_event(host_at host, uint call, ulong event, ulong argument) {
  return host->queues ? host->queues->event(host->enqueuer, call, event, argument) : 0;
}
#else
#define GATHERED INLINE
BY_ITEM int __mpl_queue_enqueue(host_at, const private struct mpl_child *);
BY_ITEM ulong __mpl_queue_ask(host_at, uint question, ulong code, ulong range);
BY_ITEM ulong __mpl_queue_event(host_at, uint call, ulong event, ulong argument);
#endif

GATHERED int __mpl_queue_block(host_at host, handle queue, int flags, handle range, uint num_waits,
                               const generic void *waits, generic void *event, generic void *code,
                               generic void *block, uint num_locals,
                               const private ulong *local_sizes) {
  const struct mpl_child child = {.queue = (ulong)queue,
                                  .code = (ulong)code,
                                  .block = (ulong)block,
                                  .range = (ulong)range,
                                  .waits = (ulong)waits,
                                  .event = (ulong)event,
                                  .local_sizes = (ulong)local_sizes,
                                  .flags = (uint)flags,
                                  .num_waits = num_waits,
                                  .num_locals = num_locals};
  return __mpl_queue_enqueue(host, &child);
}
INLINE int __enqueue_kernel_basic(handle queue, int flags, handle range, generic void *code,
                                  generic void *block) {
  return __mpl_queue_block(HOST(), queue, flags, range, 0, 0, 0, code, block, 0, 0);
}
INLINE int __enqueue_kernel_basic_events(handle queue, int flags, handle range, uint num_waits,
                                         const generic void *waits, generic void *event,
                                         generic void *code, generic void *block) {
  return __mpl_queue_block(HOST(), queue, flags, range, num_waits, waits, event, code, block, 0, 0);
}
INLINE int __enqueue_kernel_varargs(handle queue, int flags, handle range, generic void *code,
                                    generic void *block, uint num_locals,
                                    const private ulong *local_sizes) {
  return __mpl_queue_block(HOST(), queue, flags, range, 0, 0, 0, code, block, num_locals,
                           local_sizes);
}
INLINE int __enqueue_kernel_events_varargs(handle queue, int flags, handle range, uint num_waits,
                                           const generic void *waits, generic void *event,
                                           generic void *code, generic void *block, uint num_locals,
                                           const private ulong *local_sizes) {
  return __mpl_queue_block(HOST(), queue, flags, range, num_waits, waits, event, code, block,
                           num_locals, local_sizes);
}

/* A marker whose event nobody gets is nothing. */
OVER int enqueue_marker(queue_t queue, uint num_waits, const clk_event_t *waits,
                        clk_event_t *event) {
  if (!event) return CLK_SUCCESS;
  return __mpl_queue_block(HOST(), __builtin_astype(queue, handle), 0, 0, num_waits, waits, event,
                           0, 0, 0, 0);
}

/* OpEnqueueMarker, which without events waits for all that is in the queue; OpenCL C's must not. */
INLINE int __mpl_spirv_enqueue_marker(handle queue, uint num_waits, const generic void *waits,
                                      generic void *event) {
  if (!event) return CLK_SUCCESS;
  return __mpl_queue_block(HOST(), queue, num_waits ? 0 : MPL_MARKER_OF_QUEUE, 0, num_waits,
                           num_waits ? waits : 0, event, 0, 0, 0, 0);
}

OVER queue_t get_default_queue(void) {
  return OBJECT_OF(queue_t, __mpl_queue_ask(HOST(), MPL_ASK_DEFAULT_QUEUE, 0, 0));
}

#define ASK(name, question)                                                                        \
  INLINE uint __get_kernel_##name##_impl(generic void *code, generic void *block) {                \
    return (uint)__mpl_queue_ask(HOST(), question, (ulong)code, 0);                                \
  }
#define ASK_FOR_RANGE(name, question)                                                              \
  INLINE uint __get_kernel_##name##_for_ndrange_impl(handle range, generic void *code,             \
                                                     generic void *block) {                        \
    return (uint)__mpl_queue_ask(HOST(), question, (ulong)code, (ulong)range);                     \
  }
ASK(work_group_size, MPL_ASK_WORK_GROUP_SIZE)
ASK(preferred_work_group_size_multiple, MPL_ASK_MULTIPLE)
ASK_FOR_RANGE(sub_group_count, MPL_ASK_SUB_GROUP_COUNT)
ASK_FOR_RANGE(max_sub_group_size, MPL_ASK_SUB_GROUP_SIZE)

/* --- Events --- */

#define EVENT(call, event, argument) __mpl_queue_event(HOST(), MPL_EVENT_##call, event, argument)
OVER clk_event_t create_user_event(void) {
  return OBJECT_OF(clk_event_t, EVENT(CREATE, 0, 0));
}
OVER void retain_event(clk_event_t event) {
  EVENT(RETAIN, NUMBER_OF(event), 0);
}
OVER void release_event(clk_event_t event) {
  EVENT(RELEASE, NUMBER_OF(event), 0);
}
OVER bool is_valid_event(clk_event_t event) {
  return EVENT(IS_VALID, NUMBER_OF(event), 0) != 0;
}
OVER void set_user_event_status(clk_event_t event, int status) {
  EVENT(SET, NUMBER_OF(event), (ulong)status);
}
OVER void capture_event_profiling_info(clk_event_t event, clk_profiling_info name,
                                       global void *value) {
  if (name == CLK_PROFILING_COMMAND_EXEC_TIME) EVENT(CAPTURE, NUMBER_OF(event), (ulong)value);
}

/* OpCaptureEventProfilingInfo: OpenCL C's name tells of address spaces by the target. */
INLINE void __mpl_spirv_capture(handle event, uint name, global void *value) {
  if (name == CLK_PROFILING_COMMAND_EXEC_TIME) EVENT(CAPTURE, (ulong)event, (ulong)value);
}

/* --- ND-ranges; a local size of 0: whatever suits --- */

static INLINE ndrange_t range_of(uint dims, const private size_t *offset,
                                 const private size_t *whole, const private size_t *group) {
  ndrange_t range = {.workDimension = dims};
  for (uint d = 0; d < 3; d++) {
    range.globalWorkOffset[d] = d < dims && offset ? offset[d] : 0;
    range.globalWorkSize[d] = d < dims ? whole[d] : 1;
    range.localWorkSize[d] = d < dims && group ? group[d] : 0;
  }
  return range;
}
OVER ndrange_t ndrange_1D(size_t whole) {
  return range_of(1, 0, &whole, 0);
}
OVER ndrange_t ndrange_1D(size_t whole, size_t group) {
  return range_of(1, 0, &whole, &group);
}
OVER ndrange_t ndrange_1D(size_t offset, size_t whole, size_t group) {
  return range_of(1, &offset, &whole, &group);
}
#define RANGES(n)                                                                                  \
  OVER ndrange_t ndrange_##n##D(const private size_t whole[n]) {                                   \
    return range_of(n, 0, whole, 0);                                                               \
  }                                                                                                \
  OVER ndrange_t ndrange_##n##D(const private size_t whole[n], const private size_t group[n]) {    \
    return range_of(n, 0, whole, group);                                                           \
  }                                                                                                \
  OVER ndrange_t ndrange_##n##D(const private size_t offset[n], const private size_t whole[n],     \
                                const private size_t group[n]) {                                   \
    return range_of(n, offset, whole, group);                                                      \
  }
RANGES(2)
RANGES(3)
