#include "enqueue_transfer.h"

#include <stdlib.h>
#include <string.h>

#include "opencl/memory/mem_watch.h"
#include "opencl/memory/svm.h"
#include "opencl/memory/svm_maps.h"
#include "runtime/commands/sequence.h"
#include "runtime/device.h"
#include "runtime/memory/transfer.h"
#include "runtime/mistakes/host_mistake.h"
#include "runtime/trace/trace.h"

struct transfer {
  struct mpl_operation operation; /* first */
  const char *label;
  uint64_t bytes;
  struct mpl_range ranges[2];
  unsigned char held[2]; /* what mpl_mem_hold said of their objects */
  bool by_host;          /* none of it is the device's */
  cl_context context;    /* retained where no range's object holds it: shared memory ends with it */
};

static int prepare(void *data, struct mpl_device *device) {
  const struct transfer *transfer = data;
  int error = 0;
  for (unsigned i = 0; i < 2 && !error; i++) {
    const struct mpl_range *range = &transfer->ranges[i];
    if (range->mem) error = mpl_buffer_acquire(range, mpl_memory_of(range->mem->context, device));
  }
  return error;
}

/* Of a range with gaps it is not said which of its bytes are used. */
static void watch_end(const struct transfer *transfer, const struct mpl_range *range) {
  if (range->size == transfer->bytes)
    mpl_mem_watch_used_range(range->mem, transfer->label, range->offset, range->size,
                             range->writes);
  mpl_mem_watch_end(range->mem, range->writes);
}

static void watch_begin(const struct transfer *transfer, unsigned i,
                        const struct mpl_location *location, const uint64_t size[3]) {
  const struct mpl_range *range = &transfer->ranges[i];
  const struct mpl_box box = {
      range->offset, {size[0], size[1], size[2]}, location->row, location->slice};
  if (range->mem) {
    mpl_mem_watch_begin(range->mem, range->writes);
    mpl_mem_watch_command(range->mem, transfer->label, &box, range->writes);
  }
  if (transfer->context || (range->mem && range->mem->uses_svm))
    mpl_svm_maps_look(transfer->context ?: range->mem->context, transfer->label, location->base,
                      &box, range->size, range->writes);
}

static void watch_begins(const struct transfer *transfer) {
  const struct mpl_operation *operation = &transfer->operation;
  bool copies = operation->kind == MPL_COPY;
  const uint64_t *size = copies ? operation->copy.size : operation->fill.size;
  watch_begin(transfer, 0, copies ? &operation->copy.from : &operation->fill.to, size);
  if (copies) watch_begin(transfer, 1, &operation->copy.to, size);
}

static int run(void *data, struct mpl_device *device) {
  const struct transfer *transfer = data;
  uint64_t start = mpl_trace_begin();
  const struct mpl_range *ranges = transfer->ranges;
  if (transfer->context) mpl_sequence_share(); /* who shares the memory may see it */
  int error = 0;
  if (mpl_host_is_checked()) watch_begins(transfer);
  if (transfer->by_host)
    mpl_transfer(&transfer->operation);
  else
    error = device->ops->perform(device, data);
  for (unsigned i = 0; i < 2; i++)
    if (ranges[i].mem) watch_end(transfer, &ranges[i]);
  if (mpl_tracing()) mpl_trace_transfer(transfer->label, start, transfer->bytes);
  return error;
}

static void release(void *data) {
  struct transfer *transfer = data;
  for (unsigned i = 0; i < 2; i++)
    if (transfer->ranges[i].mem) mpl_mem_let(transfer->ranges[i].mem, transfer->held[i]);
  if (transfer->context) clReleaseContext(transfer->context);
  free(transfer);
}

static cl_int enqueue(cl_command_queue queue, cl_command_type type, const struct transfer *what,
                      size_t bytes, bool blocking, const struct mpl_deps *deps) {
  struct transfer *transfer = malloc(sizeof *transfer);
  if (!transfer) return CL_OUT_OF_HOST_MEMORY;
  *transfer = *what;
  transfer->label = mpl_command_label(type);
  transfer->bytes = bytes;
  for (unsigned i = 0; i < 2; i++)
    if (transfer->ranges[i].mem) transfer->held[i] = mpl_mem_hold(transfer->ranges[i].mem);
  if (!transfer->ranges[0].mem && !transfer->ranges[1].mem)
    clRetainContext(transfer->context = queue->context);
  struct mpl_work_desc work = {
      .run = run,
      .release = release,
      .data = transfer,
      .weight = bytes / 16,
      .operation = transfer->by_host ? NULL : &transfer->operation,
      .prepare = mpl_has_hidden_memory(queue->context) ? prepare : NULL,
  };
  return mpl_enqueue_command(queue, type, &work, 0, blocking, deps);
}

static cl_int locate(cl_command_queue queue, const struct mpl_side *side,
                     struct mpl_location *location) {
  unsigned memory = mpl_memory_of(queue->context, queue->device->device);
  const char *base = side->mem ? mpl_buffer_place(side->mem, memory) : side->host;
  if (!base) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  *location = (struct mpl_location){.base = (char *)base + side->start,
                                    .on_host = !side->mem && !side->shared,
                                    .row = side->row,
                                    .slice = side->slice,
                                    .shared = side->mem ? side->mem->data != NULL : side->shared};
  return CL_SUCCESS;
}

struct mpl_side mpl_pointer_side(cl_command_queue queue, const void *pointer, size_t size) {
  return (struct mpl_side){.host = pointer,
                           .extent = size,
                           .shared = mpl_has_hidden_memory(queue->context) &&
                                     mpl_address_is_shared(queue->context, pointer)};
}

cl_int mpl_enqueue_copy(cl_command_queue queue, cl_command_type type, const struct mpl_side *to,
                        const struct mpl_side *from, const size_t size[3], bool blocking,
                        const struct mpl_deps *deps) {
  size_t bytes = size[0] * size[1] * size[2];
  struct transfer copy = {
      .operation = {.kind = MPL_COPY, .copy = {.size = {size[0], size[1], size[2]}}},
      .ranges = {{from->mem, from->start, from->extent, .reads = true},
                 /* between the rows all stays as it is */
                 {to->mem, to->start, to->extent, .reads = bytes != to->extent, .writes = true}}};
  cl_int error = locate(queue, from, &copy.operation.copy.from);
  if (!error) error = locate(queue, to, &copy.operation.copy.to);
  copy.by_host = copy.operation.copy.to.on_host && copy.operation.copy.from.on_host &&
                 mpl_has_hidden_memory(queue->context);
  return error ? error : enqueue(queue, type, &copy, bytes, blocking, deps);
}

cl_int mpl_enqueue_fill(cl_command_queue queue, cl_command_type type, const struct mpl_side *to,
                        const size_t size[3], const void *pattern, size_t pattern_size,
                        const struct mpl_deps *deps) {
  size_t bytes = size[0] * size[1] * size[2];
  struct transfer fill = {
      .operation = {.kind = MPL_FILL,
                    .fill = {.size = {size[0], size[1], size[2]},
                             .pattern_size = (uint32_t)pattern_size}},
      .ranges = {{to->mem, to->start, to->extent, .reads = bytes != to->extent, .writes = true}}};
  cl_int error = locate(queue, to, &fill.operation.fill.to);
  if (error) return error;
  fill.by_host = fill.operation.fill.to.on_host && mpl_has_hidden_memory(queue->context);
  memcpy(fill.operation.fill.pattern, pattern, pattern_size);
  return enqueue(queue, type, &fill, bytes, false, deps);
}

cl_int mpl_enqueue_linear_fill(const char *function, cl_command_queue queue, cl_command_type type,
                               const struct mpl_side *to, const void *pattern, size_t pattern_size,
                               const struct mpl_deps *deps) {
  const size_t start = to->mem ? to->start : (uintptr_t)to->host, size[] = {to->extent, 1, 1};
  if (!pattern || !pattern_size || pattern_size > 128 || (pattern_size & (pattern_size - 1)))
    return mpl_refuse(CL_INVALID_VALUE, function,
                      "a pattern of %zu bytes at %p: it must have 1, 2, 4, ... or 128 bytes",
                      pattern_size, pattern);
  if (start % pattern_size || to->extent % pattern_size)
    return mpl_refuse(CL_INVALID_VALUE, function,
                      "offset and size are not multiples of the pattern's %zu bytes", pattern_size);
  return mpl_enqueue_fill(queue, type, to, size, pattern, pattern_size, deps);
}
