/* Unified shared memory as commands: any memory of the process will do. */
#include "enqueue_transfer.h"
#include "opencl/memory/usm.h"
#include "runtime/device.h"

static cl_int validate(const char *function, cl_command_queue queue, const struct mpl_deps *deps) {
  cl_int error = mpl_validate_enqueue(function, queue, deps);
  if (error || queue->device->device->info.offers & MPL_OFFERS_USM) return error;
  return mpl_refuse(CL_INVALID_OPERATION, function, "the device has no unified shared memory");
}

static cl_int fill(const char *function, cl_command_queue queue, void *target, const void *pattern,
                   size_t pattern_size, size_t size, const struct mpl_deps *deps) {
  cl_int error = validate(function, queue, deps);
  if (!error && !target) error = mpl_refuse(CL_INVALID_VALUE, function, "the pointer is null");
  if (error) return error;
  const struct mpl_side to = mpl_pointer_side(queue, target, size);
  return mpl_enqueue_linear_fill(function, queue, CL_COMMAND_MEMFILL_INTEL, &to, pattern,
                                 pattern_size, deps);
}

cl_int CL_API_CALL clEnqueueMemFillINTEL(cl_command_queue queue, void *target, const void *pattern,
                                         size_t pattern_size, size_t size, cl_uint num_waits,
                                         const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  return fill(__func__, queue, target, pattern, pattern_size, size, &deps);
}

/* Deprecated: a fill of bytes. */
cl_int CL_API_CALL clEnqueueMemsetINTEL(cl_command_queue queue, void *target, cl_int value,
                                        size_t size, cl_uint num_waits, const cl_event *waits,
                                        cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  cl_uchar byte = (cl_uchar)value;
  return fill(__func__, queue, target, &byte, 1, size, &deps);
}

cl_int CL_API_CALL clEnqueueMemcpyINTEL(cl_command_queue queue, cl_bool blocking, void *target,
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
  return mpl_enqueue_copy(queue, CL_COMMAND_MEMCPY_INTEL, &to, &from, bytes, blocking, &deps);
}

/* Each allocation is where it should be, or goes there when it is used. */
static cl_int nothing(cl_command_queue queue, cl_command_type type, const struct mpl_deps *deps) {
  struct mpl_work_desc none = {0};
  return mpl_enqueue_command(queue, type, &none, 0, false, deps);
}

cl_int CL_API_CALL clEnqueueMigrateMemINTEL(cl_command_queue queue, const void *pointer,
                                            size_t size, cl_mem_migration_flags flags,
                                            cl_uint num_waits, const cl_event *waits,
                                            cl_event *event) {
  const cl_mem_migration_flags known =
      CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
  struct mpl_deps deps = {num_waits, waits, event};
  cl_int error = validate(__func__, queue, &deps);
  if (error) return error;
  if (!pointer || (flags & ~known))
    return mpl_refuse(CL_INVALID_VALUE, __func__,
                      "the pointer is null, or flags 0x%llx are unknown",
                      (unsigned long long)flags);
  return nothing(queue, CL_COMMAND_MIGRATEMEM_INTEL, &deps);
}

/* Advice that a device does not know is ignored. */
cl_int CL_API_CALL clEnqueueMemAdviseINTEL(cl_command_queue queue, const void *pointer, size_t size,
                                           cl_mem_advice_intel advice, cl_uint num_waits,
                                           const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  cl_int error = validate(__func__, queue, &deps);
  if (!error && !pointer) error = mpl_refuse(CL_INVALID_VALUE, __func__, "the pointer is null");
  return error ? error : nothing(queue, CL_COMMAND_MEMADVISE_INTEL, &deps);
}
