/* Linear transfers: clEnqueueRead/Write/Copy/FillBuffer and clEnqueueMigrateMemObjects. */
#include <stdlib.h>
#include <string.h>

#include "enqueue.h"
#include "transfer.h"

/* A copy of bytes; retains the buffers that it works on. */
struct copy {
  cl_mem from, to; /* either may be null: then it is host memory */
  const void *source;
  void *target;
  size_t size;
};

static int run_copy(void *data, struct mpl_device *device) {
  const struct copy *copy = data;
  if (copy->size) memmove(copy->target, copy->source, copy->size);
  return 0;
}

static void release_copy(void *data) {
  struct copy *copy = data;
  if (copy->from) clReleaseMemObject(copy->from);
  if (copy->to) clReleaseMemObject(copy->to);
  free(copy);
}

static cl_int enqueue_copy(cl_command_queue queue, cl_command_type type, const struct copy *what,
                           bool blocking, const struct mpl_deps *deps) {
  struct copy *copy = malloc(sizeof *copy);
  if (!copy) return CL_OUT_OF_HOST_MEMORY;
  *copy = *what;
  if (copy->from) clRetainMemObject(copy->from);
  if (copy->to) clRetainMemObject(copy->to);
  struct mpl_work_desc work = {.run = run_copy,
                               .release = release_copy,
                               .data = copy,
                               .weight = mpl_transfer_weight(copy->size)};
  return mpl_enqueue_command(queue, type, &work, 0, blocking, deps);
}

cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                       size_t offset, size_t size, void *ptr, cl_uint num_waits,
                                       const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error) error = mpl_validate_buffer(__func__, queue, buffer);
  if (!error && !ptr) error = mpl_refuse(CL_INVALID_VALUE, __func__, "ptr is null");
  if (!error) error = mpl_validate_range(__func__, buffer, offset, size);
  if (!error) error = mpl_validate_host_access(__func__, buffer, true, false);
  if (error) return error;
  struct copy copy = {buffer, NULL, (char *)buffer->data + offset, ptr, size};
  return enqueue_copy(queue, CL_COMMAND_READ_BUFFER, &copy, blocking, &deps);
}

cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                        size_t offset, size_t size, const void *ptr,
                                        cl_uint num_waits, const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error) error = mpl_validate_buffer(__func__, queue, buffer);
  if (!error && !ptr) error = mpl_refuse(CL_INVALID_VALUE, __func__, "ptr is null");
  if (!error) error = mpl_validate_range(__func__, buffer, offset, size);
  if (!error) error = mpl_validate_host_access(__func__, buffer, false, true);
  if (error) return error;
  struct copy copy = {NULL, buffer, ptr, (char *)buffer->data + offset, size};
  return enqueue_copy(queue, CL_COMMAND_WRITE_BUFFER, &copy, blocking, &deps);
}

cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                       size_t from_offset, size_t to_offset, size_t size,
                                       cl_uint num_waits, const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error) error = mpl_validate_buffer(__func__, queue, from);
  if (!error) error = mpl_validate_buffer(__func__, queue, to);
  if (!error) error = mpl_validate_range(__func__, from, from_offset, size);
  if (!error) error = mpl_validate_range(__func__, to, to_offset, size);
  if (error) return error;
  struct copy copy = {from, to, (char *)from->data + from_offset, (char *)to->data + to_offset,
                      size};
  if (mpl_same_storage(from, to) && mpl_ranges_overlap(copy.source, copy.target, size))
    return mpl_refuse(CL_MEM_COPY_OVERLAP, __func__, "source and target overlap");
  return enqueue_copy(queue, CL_COMMAND_COPY_BUFFER, &copy, false, &deps);
}

struct fill {
  cl_mem mem;
  void *target;
  size_t size, pattern_size;
  unsigned char pattern[128];
};

static int run_fill(void *data, struct mpl_device *device) {
  const struct fill *fill = data;
  mpl_fill(fill->target, fill->size, fill->pattern, fill->pattern_size);
  return 0;
}

static void release_fill(void *data) {
  clReleaseMemObject(((struct fill *)data)->mem);
  free(data);
}

cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                       size_t pattern_size, size_t offset, size_t size,
                                       cl_uint num_waits, const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error) error = mpl_validate_buffer(__func__, queue, buffer);
  if (!error) error = mpl_validate_range(__func__, buffer, offset, size);
  if (!error) error = mpl_validate_pattern(__func__, pattern, pattern_size, offset, size);
  if (error) return error;
  struct fill *fill = malloc(sizeof *fill);
  if (!fill) return CL_OUT_OF_HOST_MEMORY;
  *fill = (struct fill){buffer, (char *)buffer->data + offset, size, pattern_size, {0}};
  memcpy(fill->pattern, pattern, pattern_size);
  clRetainMemObject(buffer);
  struct mpl_work_desc work = {
      .run = run_fill, .release = release_fill, .data = fill, .weight = mpl_transfer_weight(size)};
  return mpl_enqueue_command(queue, CL_COMMAND_FILL_BUFFER, &work, 0, false, &deps);
}

/* The host's memory is the device's: there is nothing to move, but the command keeps its place. */
cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint count,
                                              const cl_mem *list, cl_mem_migration_flags flags,
                                              cl_uint num_waits, const cl_event *waits,
                                              cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  struct mpl_work_desc nothing = {0};
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (error) return error;
  if (!count || !list)
    return mpl_refuse(CL_INVALID_VALUE, __func__, "%u memory objects at %p", count,
                      (const void *)list);
  if (flags & ~(cl_mem_migration_flags)(CL_MIGRATE_MEM_OBJECT_HOST |
                                        CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED))
    return mpl_refuse(CL_INVALID_VALUE, __func__, "unknown flags 0x%llx",
                      (unsigned long long)flags);
  for (cl_uint i = 0; i < count; i++)
    if ((error = mpl_validate_buffer(__func__, queue, list[i]))) return error;
  return mpl_enqueue_command(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, &nothing, 0, false, &deps);
}
