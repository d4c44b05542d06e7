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

/* What others have copied may be copied on (cl_khr_async_work_group_copy_fence). */
MPL_WRITES void async_work_group_copy_fence(cl_mem_fence_flags flags) { __mpl_sync_barrier(); }

/* Rows of `row` bytes at distances, then planes of such (OpenCL C 3.1, 6.15.11.1), in units of T.  One
 * side is local memory, of which there are less than 2^32 bytes. */
#define BLOCK_IN(T, to_space, from_space) \
  MPL_WRITES void copy_block(to_space T *to, const from_space T *from, uint row, uint rows, \
                             uint planes, size_t from_row, size_t from_plane, size_t to_row, \
                             size_t to_plane) { \
    uint step = get_local_size(0) * get_local_size(1) * get_local_size(2); \
    for (uint i = get_local_linear_id(); i < row * rows * planes; i += step) { \
      uint x = i % row, y = i / row % rows, z = i / row / rows; \
      to[z * to_plane + y * to_row + x] = from[z * from_plane + y * from_row + x]; \
    } \
  }
#define COPY_IN(T, to_space, from_space) \
  copy_block((to_space T *)t, (const from_space T *)f, row / sizeof(T), rows, planes, \
             from_row / sizeof(T), from_plane / sizeof(T), to_row / sizeof(T), \
             to_plane / sizeof(T))
#define BLOCK(to_space, from_space) \
  BLOCK_IN(char, to_space, from_space) BLOCK_IN(int, to_space, from_space) \
  MPL_WRITES event_t async_work_group_copy_3D3D( \
    to_space void *to, size_t to_offset, const from_space void *from, size_t from_offset, \
    size_t element, size_t row, size_t rows, size_t planes, size_t from_row, size_t from_plane, \
    size_t to_row, size_t to_plane, event_t event) { \
    to_space char *t = (to_space char *)to + to_offset * element; \
    const from_space char *f = (const from_space char *)from + from_offset * element; \
    row *= element, from_row *= element, from_plane *= element; \
    to_row *= element, to_plane *= element; \
    size_t all = (size_t)t | (size_t)f | row | from_row | from_plane | to_row | to_plane; \
    if (all % sizeof(int)) COPY_IN(char, to_space, from_space); \
    else COPY_IN(int, to_space, from_space); \
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
