/* Linear transfers: clEnqueueRead/Write/Copy/FillBuffer and clEnqueueMigrateMemObjects. */
#include <stdlib.h>

#include "enqueue_transfer.h"

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
  const struct mpl_side from = {.mem = buffer, .start = offset, .extent = size}, to = {.host = ptr};
  const size_t bytes[] = {size, 1, 1};
  return mpl_enqueue_copy(queue, CL_COMMAND_READ_BUFFER, &to, &from, bytes, blocking, &deps);
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
  const struct mpl_side to = {.mem = buffer, .start = offset, .extent = size}, from = {.host = ptr};
  const size_t bytes[] = {size, 1, 1};
  return mpl_enqueue_copy(queue, CL_COMMAND_WRITE_BUFFER, &to, &from, bytes, blocking, &deps);
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
  const struct mpl_side source = {.mem = from, .start = from_offset, .extent = size},
                        target = {.mem = to, .start = to_offset, .extent = size};
  const size_t bytes[] = {size, 1, 1};
  return mpl_enqueue_copy(queue, CL_COMMAND_COPY_BUFFER, &target, &source, bytes, false, &deps);
}

cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                       size_t pattern_size, size_t offset, size_t size,
                                       cl_uint num_waits, const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error) error = mpl_validate_buffer(__func__, queue, buffer);
  if (!error) error = mpl_validate_range(__func__, buffer, offset, size);
  if (error) return error;
  const struct mpl_side to = {.mem = buffer, .start = offset, .extent = size};
  return mpl_enqueue_linear_fill(__func__, queue, CL_COMMAND_FILL_BUFFER, &to, pattern,
                                 pattern_size, &deps);
}

struct migration {
  bool to_host;
  cl_uint count;
  cl_mem list[]; /* retained */
};

static int migrate(void *data, struct mpl_device *device) {
  const struct migration *migration = data;
  cl_context context = migration->list[0]->context;
  return mpl_buffers_acquire(migration->list, migration->count, false,
                             migration->to_host ? MPL_HOST_MEMORY : mpl_memory_of(context, device));
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
    return mpl_refuse(CL_INVALID_VALUE, __func__, "%u memory objects at %p: at least one is needed",
                      count, (const void *)list);
  if (flags & ~(cl_mem_migration_flags)(CL_MIGRATE_MEM_OBJECT_HOST |
                                        CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED))
    return mpl_refuse(CL_INVALID_VALUE, __func__, "flags 0x%llx are not of cl_mem_migration_flags",
                      (unsigned long long)flags);
  for (cl_uint i = 0; i < count; i++)
    if ((error = mpl_validate_mem(__func__, queue, list[i]))) return error;
  if (mpl_has_hidden_memory(queue->context) && !(flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)) {
    struct migration *migration = malloc(sizeof *migration + count * sizeof *list);
    if (!migration) return CL_OUT_OF_HOST_MEMORY;
    *migration = (struct migration){flags & CL_MIGRATE_MEM_OBJECT_HOST, count};
    for (cl_uint i = 0; i < count; i++) clRetainMemObject(migration->list[i] = list[i]);
    work = (struct mpl_work_desc){.run = migrate, .release = release_migration, .data = migration};
  }
  return mpl_enqueue_command(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, &work, 0, false, &deps);
}
