/* Linear transfers: clEnqueueRead/Write/Copy/FillBuffer and clEnqueueMigrateMemObjects. */
#include <stdlib.h>
#include <string.h>

#include "enqueue_operation.h"

static cl_int enqueue_copy(cl_command_queue queue, cl_command_type type,
                           const struct mpl_operation *copy, const struct mpl_range *ranges,
                           unsigned num_ranges, bool blocking, const struct mpl_deps *deps) {
  return mpl_enqueue_operation(queue, type, copy, ranges, num_ranges, copy->copy.size[0], blocking,
                               deps);
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
  struct mpl_operation copy = {.kind = MPL_COPY,
                               .copy = {.to = mpl_host_location(ptr), .size = {size, 1, 1}}};
  if (!error) error = mpl_buffer_location(queue, buffer, offset, &copy.copy.from);
  if (error) return error;
  const struct mpl_range range = {buffer, offset, size, .reads = true};
  return enqueue_copy(queue, CL_COMMAND_READ_BUFFER, &copy, &range, 1, blocking, &deps);
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
  struct mpl_operation copy = {.kind = MPL_COPY,
                               .copy = {.from = mpl_host_location(ptr), .size = {size, 1, 1}}};
  if (!error) error = mpl_buffer_location(queue, buffer, offset, &copy.copy.to);
  if (error) return error;
  const struct mpl_range range = {buffer, offset, size, .writes = true};
  return enqueue_copy(queue, CL_COMMAND_WRITE_BUFFER, &copy, &range, 1, blocking, &deps);
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
  size_t a = from->origin + from_offset, b = to->origin + to_offset;
  if (mpl_same_storage(from, to) && mpl_overlap(a, b, size))
    return mpl_refuse(CL_MEM_COPY_OVERLAP, __func__, "source and target overlap");
  struct mpl_operation copy = {.kind = MPL_COPY, .copy = {.size = {size, 1, 1}}};
  error = mpl_buffer_location(queue, from, from_offset, &copy.copy.from);
  if (!error) error = mpl_buffer_location(queue, to, to_offset, &copy.copy.to);
  if (error) return error;
  const struct mpl_range ranges[] = {{from, from_offset, size, .reads = true},
                                     {to, to_offset, size, .writes = true}};
  return enqueue_copy(queue, CL_COMMAND_COPY_BUFFER, &copy, ranges, 2, false, &deps);
}

cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                       size_t pattern_size, size_t offset, size_t size,
                                       cl_uint num_waits, const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error) error = mpl_validate_buffer(__func__, queue, buffer);
  if (!error) error = mpl_validate_range(__func__, buffer, offset, size);
  if (!error) error = mpl_validate_pattern(__func__, pattern, pattern_size, offset, size);
  struct mpl_location place;
  if (!error) error = mpl_buffer_location(queue, buffer, offset, &place);
  if (error) return error;
  struct mpl_operation fill = mpl_make_fill(place.base, size, pattern, pattern_size);
  const struct mpl_range range = {buffer, offset, size, .writes = true};
  return mpl_enqueue_operation(queue, CL_COMMAND_FILL_BUFFER, &fill, &range, 1, size, false, &deps);
}

struct migration {
  bool to_host;
  cl_uint count;
  cl_mem list[]; /* retained */
};

static int migrate(void *data, struct mpl_device *device) {
  struct migration *migration = data;
  int error = 0;
  for (cl_uint i = 0; i < migration->count && !error; i++) {
    cl_mem mem = migration->list[i];
    const struct mpl_range all = {mem, 0, mem->size, .reads = true};
    error = mpl_buffer_acquire(&all, migration->to_host ? MPL_HOST_MEMORY
                                                        : mpl_memory_of(mem->context, device));
  }
  return error;
}

static void release_migration(void *data) {
  struct migration *migration = data;
  for (cl_uint i = 0; i < migration->count; i++) clReleaseMemObject(migration->list[i]);
  free(migration);
}

/* With the host's memory alone there is nothing to move, but the command keeps its place. */
cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint count,
                                              const cl_mem *list, cl_mem_migration_flags flags,
                                              cl_uint num_waits, const cl_event *waits,
                                              cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  struct mpl_work_desc work = {0};
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
  if (mpl_has_hidden_memory(queue->context) && !(flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)) {
    struct migration *migration = malloc(sizeof *migration + count * sizeof *list);
    if (!migration) return CL_OUT_OF_HOST_MEMORY;
    *migration = (struct migration){flags & CL_MIGRATE_MEM_OBJECT_HOST, count};
    for (cl_uint i = 0; i < count; i++) clRetainMemObject(migration->list[i] = list[i]);
    work =
        (struct mpl_work_desc){.run = migrate, .release = release_migration, .data = migration};
  }
  return mpl_enqueue_command(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, &work, 0, false, &deps);
}
