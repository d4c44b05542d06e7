/* Operations of the queue's device as commands. */
#include "enqueue_operation.h"

#include <stdlib.h>
#include <string.h>

struct command {
  struct mpl_operation operation;
  struct mpl_range ranges[2];
};

static int prepare(void *data, struct mpl_device *device) {
  struct command *command = data;
  int error = 0;
  for (unsigned i = 0; i < 2 && !error; i++) {
    const struct mpl_range *range = &command->ranges[i];
    if (range->mem) error = mpl_buffer_acquire(range, mpl_memory_of(range->mem->context, device));
  }
  return error;
}

static int run(void *data, struct mpl_device *device) {
  return device->ops->perform(device, data);
}

static void release(void *data) {
  struct command *command = data;
  for (unsigned i = 0; i < 2; i++)
    if (command->ranges[i].mem) clReleaseMemObject(command->ranges[i].mem);
  free(command);
}

cl_int mpl_enqueue_operation(cl_command_queue queue, cl_command_type type,
                             const struct mpl_operation *operation, const struct mpl_range *ranges,
                             unsigned num_ranges, uint64_t bytes, bool blocking,
                             const struct mpl_deps *deps) {
  struct command *command = malloc(sizeof *command);
  if (!command) return CL_OUT_OF_HOST_MEMORY;
  *command = (struct command){.operation = *operation};
  for (unsigned i = 0; i < num_ranges; i++) {
    command->ranges[i] = ranges[i];
    clRetainMemObject(ranges[i].mem);
  }
  struct mpl_work_desc work = {
      .run = run,
      .release = release,
      .data = command,
      .weight = bytes / 16,
      .operation = &command->operation,
      .prepare = num_ranges && mpl_has_hidden_memory(queue->context) ? prepare : NULL,
  };
  return mpl_enqueue_command(queue, type, &work, 0, blocking, deps);
}

cl_int mpl_buffer_location(cl_command_queue queue, cl_mem mem, size_t offset,
                  struct mpl_location *location) {
  char *place = mpl_buffer_place(mem, mpl_memory_of(queue->context, queue->device->device));
  *location = (struct mpl_location){.base = place + offset};
  return place ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

cl_int mpl_validate_pattern(const char *function, const void *pattern, size_t pattern_size,
                            size_t offset, size_t size) {
  if (!pattern || !pattern_size || pattern_size > 128 || (pattern_size & (pattern_size - 1)))
    return mpl_refuse(CL_INVALID_VALUE, function,
                      "a pattern of %zu bytes at %p: 1, 2, 4 ... 128 bytes are possible",
                      pattern_size, pattern);
  if (offset % pattern_size || size % pattern_size)
    return mpl_refuse(CL_INVALID_VALUE, function,
                      "offset and size are not multiples of the pattern's %zu bytes", pattern_size);
  return CL_SUCCESS;
}

struct mpl_operation mpl_make_fill(void *target, size_t size, const void *pattern,
                                   size_t pattern_size) {
  struct mpl_operation fill = {.kind = MPL_FILL,
                               .fill = {target, size, (uint32_t)pattern_size, {0}}};
  memcpy(fill.fill.pattern, pattern, pattern_size);
  return fill;
}
