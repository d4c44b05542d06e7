/* Async copies and prefetch (OpenCL C 3.0, 6.15.11).  All work-items of a group call a copy with the
 * same arguments, and none may look at the result before wait_group_events: so the first one does
 * all of it, at once, and the wait is a barrier. */
#include "value.h"

MPL_HELPER bool first_of_group(void) {
  return (get_local_id(0) | get_local_id(1) | get_local_id(2)) == 0;
}

/* The stride is that of the global side. */
#define COPY(Tn, to_space, to_index, from_space, from_index) \
  MPL_WRITES event_t async_work_group_copy(to_space Tn *to, const from_space Tn *from, \
                                           size_t count, event_t event) { \
    if (first_of_group()) __builtin_memcpy(to, from, count * sizeof(Tn)); \
    return event; \
  } \
  MPL_WRITES event_t async_work_group_strided_copy(to_space Tn *to, const from_space Tn *from, \
                                                   size_t count, size_t stride, event_t event) { \
    if (first_of_group()) \
      for (size_t i = 0; i < count; i++) to[to_index] = from[from_index]; \
    return event; \
  }
#define BOTH_WAYS(n, T) \
  COPY(T##n, local, i, global, i * stride) COPY(T##n, global, i * stride, local, i) \
  MPL_WRITES void prefetch(const global T##n *p, size_t count) {}
#define COPIES(T, ...) MPL_WIDTHS(BOTH_WAYS, T)
MPL_TYPES(COPIES)

MPL_WRITES void wait_group_events(int count, private event_t *events) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
MPL_WRITES void wait_group_events(int count, generic event_t *events) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
