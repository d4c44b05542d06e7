/* Copies and fills by the queue's device, of buffers, the host's memory and SVM. */
#ifndef MPL_OPENCL_ENQUEUE_OPERATION_H
#define MPL_OPENCL_ENQUEUE_OPERATION_H

#include "buffer_memory.h"
#include "enqueue.h"
#include "runtime/device.h"

/* Enqueues it; of up to two buffers it uses the ranges, and keeps them until it has ended. */
cl_int mpl_enqueue_operation(cl_command_queue, cl_command_type, const struct mpl_operation *,
                             const struct mpl_range *, unsigned num_ranges, uint64_t bytes,
                             bool blocking, const struct mpl_deps *);

/* A place in a buffer as the queue's device addresses it: row and slice are 0. */
cl_int mpl_buffer_location(cl_command_queue, cl_mem, size_t offset, struct mpl_location *);

/* The same in the host's memory. */
static inline struct mpl_location mpl_host_location(const void *address) {
  return (struct mpl_location){.base = (void *)address, .on_host = true};
}

/* CL_INVALID_VALUE unless the pattern is there, its size is a power of two up to 128, and `offset`
 * (or an address) and `size` are multiples of it. */
cl_int mpl_validate_pattern(const char *function, const void *pattern, size_t pattern_size,
                            size_t offset, size_t size);
/* Of a good pattern. */
struct mpl_operation mpl_make_fill(void *target, size_t size, const void *pattern,
                                   size_t pattern_size);

/* True if two stretches of that size share a byte. */
static inline bool mpl_overlap(size_t a, size_t b, size_t size) {
  return size && (a < b ? b - a : a - b) < size;
}

/* True if both are, or lie in, one buffer. */
static inline bool mpl_same_storage(cl_mem a, cl_mem b) {
  return (a->parent ? a->parent : a) == (b->parent ? b->parent : b);
}

#endif
