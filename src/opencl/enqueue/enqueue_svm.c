/* Shared virtual memory as commands (section 5.6). */
#include <stdlib.h>
#include <string.h>

#include "enqueue_transfer.h"
#include "opencl/memory/svm.h"
#include "opencl/memory/svm_maps.h"
#include "runtime/commands/sequence.h"
#include "runtime/device.h"
#include "runtime/mistakes/host_mistake.h"

static cl_int validate(const char *function, cl_command_queue queue, const struct mpl_deps *deps) {
  cl_int error = mpl_validate_enqueue(function, queue, deps);
  if (error || queue->device->device->info.svm) return error;
  return mpl_refuse(CL_INVALID_OPERATION, function, "the device has no shared virtual memory");
}

struct free_list {
  cl_command_queue queue; /* retained: the callback gets it */
  void(CL_CALLBACK *function)(cl_command_queue, cl_uint, void **, void *);
  void *user_data;
  cl_uint count;
  void *pointers[];
};

static int run_free(void *data, struct mpl_device *device) {
  struct free_list *list = data;
  mpl_sequence_share();
  if (list->function)
    list->function(list->queue, list->count, list->pointers, list->user_data);
  else
    for (cl_uint i = 0; i < list->count; i++) clSVMFree(list->queue->context, list->pointers[i]);
  return 0;
}

static void release_free(void *data) {
  mpl_queue_handle_release(((struct free_list *)data)->queue);
  free(data);
}

cl_int CL_API_CALL clEnqueueSVMFree(cl_command_queue queue, cl_uint count, void *pointers[],
                                    void(CL_CALLBACK *function)(cl_command_queue, cl_uint, void **,
                                                                void *),
                                    void *user_data, cl_uint num_waits, const cl_event *waits,
                                    cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  cl_int error = validate(__func__, queue, &deps);
  if (error) return error;
  if (!count != !pointers)
    return mpl_refuse(CL_INVALID_VALUE, __func__, "%u pointers at %p: at least one is needed",
                      count, (void *)pointers);
  struct free_list *list = malloc(sizeof *list + count * sizeof *pointers);
  if (!list) return CL_OUT_OF_HOST_MEMORY;
  *list = (struct free_list){queue, function, user_data, count};
  if (count) memcpy(list->pointers, pointers, count * sizeof *pointers);
  clRetainCommandQueue(queue);
  struct mpl_work_desc work = {
      .run = run_free, .release = release_free, .data = list, .weight = 1, .of_host = function};
  return mpl_enqueue_command(queue, CL_COMMAND_SVM_FREE, &work, 0, false, &deps);
}

cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *target,
                                      const void *source, size_t size, cl_uint num_waits,
                                      const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  cl_int error = validate(__func__, queue, &deps);
  if (error) return error;
  if (!target || !source) return mpl_refuse(CL_INVALID_VALUE, __func__, "source or target is null");
  if (mpl_overlap((uintptr_t)target, (uintptr_t)source, size))
    return mpl_refuse(CL_MEM_COPY_OVERLAP, __func__, "source and target overlap");
  const struct mpl_side to = mpl_pointer_side(queue, target, size),
                        from = mpl_pointer_side(queue, source, size);
  const size_t bytes[] = {size, 1, 1};
  return mpl_enqueue_copy(queue, CL_COMMAND_SVM_MEMCPY, &to, &from, bytes, blocking, &deps);
}

cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue queue, void *target, const void *pattern,
                                       size_t pattern_size, size_t size, cl_uint num_waits,
                                       const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  cl_int error = validate(__func__, queue, &deps);
  if (!error && !target) error = mpl_refuse(CL_INVALID_VALUE, __func__, "the pointer is null");
  if (error) return error;
  const struct mpl_side to = mpl_pointer_side(queue, target, size);
  return mpl_enqueue_linear_fill(__func__, queue, CL_COMMAND_SVM_MEMFILL, &to, pattern,
                                 pattern_size, &deps);
}

/* Under the check: what is mapped. */
static int mapped(void *data, struct mpl_device *device) {
  mpl_svm_map_made(data);
  return 0;
}

static void release_map(void *data) {
  mpl_svm_map_let(data);
}

struct unmap {
  cl_context context; /* retained */
  const void *pointer;
};

static int unmapped(void *data, struct mpl_device *device) {
  const struct unmap *unmap = data;
  mpl_svm_unmapped(unmap->context, unmap->pointer);
  return 0;
}

static void release_unmap(void *data) {
  clReleaseContext(((struct unmap *)data)->context);
  free(data);
}

cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking, cl_map_flags flags,
                                   void *pointer, size_t size, cl_uint num_waits,
                                   const cl_event *waits, cl_event *event) {
  const cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  struct mpl_deps deps = {num_waits, waits, event};
  struct mpl_work_desc work = {0};
  cl_int error = validate(__func__, queue, &deps);
  if (error) return error;
  if (!pointer || !size || (flags & ~known) ||
      ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & (CL_MAP_READ | CL_MAP_WRITE))))
    return mpl_refuse(
        CL_INVALID_VALUE, __func__,
        "%zu bytes at %p with flags 0x%llx: the size is 0, the pointer null, or the flags are "
        "unknown or exclude one another",
        size, pointer, (unsigned long long)flags);
  struct mpl_svm_map *map = mpl_svm_map_new(queue->context, pointer, size, flags & ~CL_MAP_READ);
  if (map) work = (struct mpl_work_desc){.run = mapped, .release = release_map, .data = map};
  return mpl_enqueue_command(queue, CL_COMMAND_SVM_MAP, &work, 0, blocking, &deps);
}

cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue queue, void *pointer, cl_uint num_waits,
                                     const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  struct mpl_work_desc work = {0};
  cl_int error = validate(__func__, queue, &deps);
  if (error) return error;
  if (!pointer) return mpl_refuse(CL_INVALID_VALUE, __func__, "the pointer is null");
  struct unmap *unmap = mpl_host_is_checked() ? malloc(sizeof *unmap) : NULL;
  if (unmap) {
    clRetainContext(queue->context);
    *unmap = (struct unmap){queue->context, pointer};
    work = (struct mpl_work_desc){.run = unmapped, .release = release_unmap, .data = unmap};
  }
  return mpl_enqueue_command(queue, CL_COMMAND_SVM_UNMAP, &work, 0, false, &deps);
}

cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint count,
                                          const void **pointers, const size_t *sizes,
                                          cl_mem_migration_flags flags, cl_uint num_waits,
                                          const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  struct mpl_work_desc nothing = {0};
  cl_int error = validate(__func__, queue, &deps);
  if (error) return error;
  if (!count || !pointers ||
      (flags & ~(cl_mem_migration_flags)(CL_MIGRATE_MEM_OBJECT_HOST |
                                         CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)))
    return mpl_refuse(CL_INVALID_VALUE, __func__,
                      "there are no pointers, or flags 0x%llx are unknown",
                      (unsigned long long)flags);
  for (cl_uint i = 0; i < count; i++)
    if (!mpl_svm_find(queue->context, pointers[i], sizes && sizes[i] ? sizes[i] : 1))
      return mpl_refuse(CL_INVALID_VALUE, __func__,
                        "svm_pointers[%u] is not inside an SVM allocation of this context", i);
  return mpl_enqueue_command(queue, CL_COMMAND_SVM_MIGRATE_MEM, &nothing, 0, false, &deps);
}
