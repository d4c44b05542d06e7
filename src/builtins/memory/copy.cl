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

/* Copies are done in the order of the calls, so there is nothing to wait for
 * (cl_khr_async_work_group_copy_fence). */
MPL_WRITES void async_work_group_copy_fence(cl_mem_fence_flags flags) {}

/* Rows of `row` bytes at distances, then planes of such (OpenCL C 3.1, 6.15.11.1). */
#define BLOCK(to_space, from_space) \
  MPL_WRITES event_t async_work_group_copy_3D3D( \
    to_space void *to, size_t to_offset, const from_space void *from, size_t from_offset, \
    size_t element, size_t row, size_t rows, size_t planes, size_t from_row, size_t from_plane, \
    size_t to_row, size_t to_plane, event_t event) { \
    to_space char *t = (to_space char *)to + to_offset * element; \
    const from_space char *f = (const from_space char *)from + from_offset * element; \
    if (first_of_group()) \
      for (size_t z = 0; z < planes; z++) \
        for (size_t y = 0; y < rows; y++) \
          __builtin_memcpy(t + (z * to_plane + y * to_row) * element, \
                           f + (z * from_plane + y * from_row) * element, row * element); \
    return event; \
  } \
  MPL_WRITES event_t async_work_group_copy_2D2D( \
    to_space void *to, size_t to_offset, const from_space void *from, size_t from_offset, \
    size_t element, size_t row, size_t rows, size_t from_row, size_t to_row, event_t event) { \
    return async_work_group_copy_3D3D(to, to_offset, from, from_offset, element, row, rows, 1, \
                                      from_row, 0, to_row, 0, event); \
  }
BLOCK(local, global)
BLOCK(global, local)
