/* Copies and fills as commands: of buffers, the host's memory and SVM. */
#ifndef MPL_OPENCL_ENQUEUE_TRANSFER_H
#define MPL_OPENCL_ENQUEUE_TRANSFER_H

#include "enqueue.h"
#include "opencl/memory/buffer_memory.h"
#include "opencl/memory/mem.h"

/* One side of a transfer. */
struct mpl_side {
  cl_mem mem;           /* null: it is `host` */
  const void *host;     /* the host's memory or SVM */
  size_t start, extent; /* the bytes before it, and from its first to its last */
  size_t row, slice;    /* from one row or slice to the next */
  bool shared;          /* `host` is an address on the device too */
};

/* The memory at a pointer, which may be one of SVM or USM. */
struct mpl_side mpl_pointer_side(cl_command_queue, const void *pointer, size_t size);

/* Boxes of size[0] bytes, size[1] rows, size[2] slices; linear: {n, 1, 1}. */
cl_int mpl_enqueue_copy(cl_command_queue, cl_command_type, const struct mpl_side *to,
                        const struct mpl_side *from, const size_t size[3], bool blocking,
                        const struct mpl_deps *);

/* Likewise; the pattern has 1, 2, 4 ... 128 bytes, and size[0] is a multiple of that. */
cl_int mpl_enqueue_fill(cl_command_queue, cl_command_type, const struct mpl_side *to,
                        const size_t size[3], const void *pattern, size_t pattern_size,
                        const struct mpl_deps *);

/* A linear fill.  CL_INVALID_VALUE unless the pattern is not null, its size is one of these, and
 * the start (or address) and extent of the place are multiples of it. */
cl_int mpl_enqueue_linear_fill(const char *function, cl_command_queue, cl_command_type,
                               const struct mpl_side *to, const void *pattern, size_t pattern_size,
                               const struct mpl_deps *);

/* True if two stretches of that size share a byte. */
static inline bool mpl_overlap(size_t a, size_t b, size_t size) {
  return size && (a < b ? b - a : a - b) < size;
}

/* True if both have bytes of one memory object. */
static inline bool mpl_same_storage(cl_mem a, cl_mem b) {
  return mpl_mem_root(a) == mpl_mem_root(b);
}

#endif
