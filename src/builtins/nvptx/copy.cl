/* Async copies and prefetch on a GPU (OpenCL C 3.0, 6.15.11): each work-item copies its part of the
 * elements, and the wait is a barrier. */
#include "value.h"
#include "sync.h"

/* The stride is that of the global side. */
#define COPY(Tn, to_space, to_index, from_space, from_index) \
  MPL_WRITES event_t async_work_group_strided_copy(to_space Tn *to, const from_space Tn *from, \
                                                   size_t count, size_t stride, event_t event) { \
    size_t step = get_local_size(0) * get_local_size(1) * get_local_size(2); \
    for (size_t i = get_local_linear_id(); i < count; i += step) to[to_index] = from[from_index]; \
    return event; \
  } \
  MPL_WRITES event_t async_work_group_copy(to_space Tn *to, const from_space Tn *from, \
                                           size_t count, event_t event) { \
    return async_work_group_strided_copy(to, from, count, (size_t)1, event); \
  }
#define BOTH_WAYS(n, T) \
  COPY(T##n, local, i, global, i * stride) COPY(T##n, global, i * stride, local, i) \
  MPL_WRITES void prefetch(const global T##n *p, size_t count) {}
#define COPIES(T, ...) MPL_WIDTHS(BOTH_WAYS, T)
MPL_TYPES(COPIES)

MPL_WRITES void wait_group_events(int count, private event_t *events) { __mpl_sync_barrier(); }
MPL_WRITES void wait_group_events(int count, generic event_t *events) { __mpl_sync_barrier(); }
