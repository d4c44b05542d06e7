/* What transfers of buffers and of shared virtual memory share. */
#ifndef MPL_OPENCL_TRANSFER_H
#define MPL_OPENCL_TRANSFER_H

#include "objects.h"
#include "runtime/transfer.h"

/* Rough ns. */
static inline uint64_t mpl_transfer_weight(size_t size) {
  return size / 16;
}

/* True if both are, or lie in, one buffer. */
static inline bool mpl_same_storage(cl_mem a, cl_mem b) {
  return (a->parent ? a->parent : a) == (b->parent ? b->parent : b);
}

static inline bool mpl_ranges_overlap(const void *a, const void *b, size_t size) {
  uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
  return size && (x < y ? y - x : x - y) < size;
}

/* CL_INVALID_VALUE unless the pattern is there, its size is a power of two up to 128, and `offset`
 * (or an address) and `size` are multiples of it. */
cl_int mpl_validate_pattern(const char *function, const void *pattern, size_t pattern_size,
                            size_t offset, size_t size);

#endif
