/* Unified shared memory: allocations and their properties. */
#include "usm.h"

#include <stdlib.h>

#include "opencl/device/device.h"
#include "runtime/commands/command.h"
#include "runtime/device.h"
#include "svm.h"

/* In the context's map: owner is the cl_device_id, or null; kind is the type and the flags. */
/* An alignment may be that of the largest type, a long16; programs ask for pages, which other
 * drivers give: chipStar for all host memory. */
enum { FLAGS_SHIFT = 16, TYPE_MASK = 0xffff, LARGEST_TYPE = 128, LARGEST_ALIGNMENT = 1 << 16 };

static bool offers(cl_device_id device) {
  return device->device->info.offers & MPL_OFFERS_USM;
}

static cl_device_id first_device(cl_context context) {
  for (cl_uint i = 0; i < context->num_devices; i++)
    if (offers(context->devices[i])) return context->devices[i];
  return NULL;
}

bool mpl_usm_offered(cl_context context) {
  return first_device(context);
}

/* Where such an allocation is. */
static enum mpl_storage storage_of(cl_unified_shared_memory_type_intel type) {
  return type == CL_MEM_TYPE_HOST_INTEL     ? MPL_STORAGE_PINNED
         : type == CL_MEM_TYPE_DEVICE_INTEL ? MPL_STORAGE_DEVICE
                                            : MPL_STORAGE_SHARED;
}

/* --- allocation --- */

struct request {
  const char *function;
  cl_context context;
  cl_device_id device; /* it belongs to, or null */
  cl_unified_shared_memory_type_intel type;
  cl_mem_alloc_flags_intel flags;
  size_t size;
  cl_uint alignment;
};

static cl_int read_properties(struct request *request, const cl_mem_properties_intel *list) {
  const cl_mem_alloc_flags_intel placements =
      CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;
  bool shared = request->type == CL_MEM_TYPE_SHARED_INTEL, good = true;
  for (size_t i = 0; list && list[i] && good; i += 2) {
    cl_mem_alloc_flags_intel flags = list[i + 1];
    good = list[i] == CL_MEM_ALLOC_FLAGS_INTEL && !i &&
           !(flags & ~(placements | CL_MEM_ALLOC_WRITE_COMBINED_INTEL)) &&
           (flags & placements) != placements && (shared || !(flags & placements));
    request->flags = flags;
  }
  if (good) return CL_SUCCESS;
  return mpl_refuse(CL_INVALID_PROPERTY, request->function,
                    "a property is unknown or repeated, or its flags are not for this sort of "
                    "memory");
}

static cl_int check(const struct request *request, bool needs_device) {
  cl_device_id device = request->device;
  if (!mpl_valid(request->context, MPL_CONTEXT))
    return mpl_refuse(CL_INVALID_CONTEXT, request->function, "%p is not a context",
                      (void *)request->context);
  if ((needs_device || device) &&
      (!mpl_valid(device, MPL_DEVICE) || !mpl_context_has(request->context, device)))
    return mpl_refuse(CL_INVALID_DEVICE, request->function, "%p is not a device of the context",
                      (void *)device);
  if (device ? !offers(device) : !mpl_usm_offered(request->context))
    return mpl_refuse(CL_INVALID_OPERATION, request->function,
                      "the device has no unified shared memory");
  if (request->alignment & (request->alignment - 1) || request->alignment > LARGEST_ALIGNMENT)
    return mpl_refuse(CL_INVALID_VALUE, request->function,
                      "alignment %u is not a power of two up to %d", request->alignment,
                      LARGEST_ALIGNMENT);
  return CL_SUCCESS;
}

static void *allocate(struct request *request, bool needs_device,
                      const cl_mem_properties_intel *properties, cl_int *errcode_ret) {
  cl_int error = check(request, needs_device);
  if (!error) error = read_properties(request, properties);
  if (error) return mpl_give(NULL, error, errcode_ret);
  cl_device_id handle = request->device ? request->device : first_device(request->context);
  struct mpl_device *device = handle->device;
  if (!request->size || request->size > device->info.max_allocation)
    return mpl_give(NULL,
                    mpl_refuse(CL_INVALID_BUFFER_SIZE, request->function,
                               "size %zu is 0, or more than CL_DEVICE_MAX_MEM_ALLOC_SIZE",
                               request->size),
                    errcode_ret);
  enum mpl_storage storage = storage_of(request->type);
  size_t alignment = request->alignment > LARGEST_TYPE ? request->alignment : LARGEST_TYPE;
  char *base =
      device->ops->allocate(device, request->size, alignment, storage, "unified shared memory");
  if (!base)
    return mpl_give(NULL,
                    storage == MPL_STORAGE_PINNED ? CL_OUT_OF_HOST_MEMORY : CL_OUT_OF_RESOURCES,
                    errcode_ret);
  struct mpl_mapped block = {base, request->size, request->device,
                             request->type | (unsigned)request->flags << FLAGS_SHIFT};
  mpl_lock(&request->context->lock);
  bool added = mpl_map_add(&request->context->usm, block);
  mpl_unlock(&request->context->lock);
  if (added) return mpl_give(base, CL_SUCCESS, errcode_ret);
  device->ops->release(device, base, storage);
  return mpl_give(NULL, CL_OUT_OF_HOST_MEMORY, errcode_ret);
}

void *CL_API_CALL clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel *properties,
                                      size_t size, cl_uint alignment, cl_int *errcode_ret) {
  struct request request = {__func__, context, NULL, CL_MEM_TYPE_HOST_INTEL, 0, size, alignment};
  return allocate(&request, false, properties, errcode_ret);
}

void *CL_API_CALL clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
                                        const cl_mem_properties_intel *properties, size_t size,
                                        cl_uint alignment, cl_int *errcode_ret) {
  struct request request = {__func__, context, device,   CL_MEM_TYPE_DEVICE_INTEL,
                            0,        size,    alignment};
  return allocate(&request, true, properties, errcode_ret);
}

void *CL_API_CALL clSharedMemAllocINTEL(cl_context context, cl_device_id device,
                                        const cl_mem_properties_intel *properties, size_t size,
                                        cl_uint alignment, cl_int *errcode_ret) {
  struct request request = {__func__, context, device,   CL_MEM_TYPE_SHARED_INTEL,
                            0,        size,    alignment};
  return allocate(&request, false, properties, errcode_ret);
}

/* --- the end --- */

static void release(cl_context context, const struct mpl_mapped *block) {
  cl_device_id handle = block->owner ? block->owner : first_device(context);
  handle->device->ops->release(handle->device, block->base, storage_of(block->kind & TYPE_MASK));
}

void mpl_usm_free_all(cl_context context) {
  for (size_t i = 0; i < context->usm.count; i++) release(context, &context->usm.ranges[i]);
  free(context->usm.ranges);
}

/* The allocation that has the address, or zeros. */
static struct mpl_mapped find(cl_context context, const void *pointer) {
  mpl_lock(&context->lock);
  const struct mpl_mapped *found = mpl_map_find(&context->usm, pointer);
  struct mpl_mapped block = found ? *found : (struct mpl_mapped){0};
  mpl_unlock(&context->lock);
  return block;
}

static cl_int free_memory(const char *function, cl_context context, void *pointer, bool blocking) {
  if (!mpl_valid(context, MPL_CONTEXT)) return CL_INVALID_CONTEXT;
  if (!pointer) return CL_SUCCESS;
  if (find(context, pointer).base != pointer)
    return mpl_refuse(CL_INVALID_VALUE, function, "%p is not in an allocation of this context",
                      pointer);
  if (blocking && !mpl_queues_finish(context)) return CL_OUT_OF_HOST_MEMORY;
  mpl_lock(&context->lock);
  const struct mpl_mapped *found = mpl_map_find(&context->usm, pointer);
  if (found && found->base != pointer) found = NULL; /* a newer one, where the old one was */
  struct mpl_mapped block = found ? *found : (struct mpl_mapped){0};
  if (found) mpl_map_remove(&context->usm, found);
  mpl_unlock(&context->lock);
  if (block.base) release(context, &block); /* else another thread was faster */
  return CL_SUCCESS;
}

cl_int CL_API_CALL clMemFreeINTEL(cl_context context, void *pointer) {
  return free_memory(__func__, context, pointer, false);
}

cl_int CL_API_CALL clMemBlockingFreeINTEL(cl_context context, void *pointer) {
  return free_memory(__func__, context, pointer, true);
}

cl_int CL_API_CALL clGetMemAllocInfoINTEL(cl_context context, const void *pointer,
                                          cl_mem_info_intel param_name, size_t size, void *value,
                                          size_t *size_ret) {
  if (!mpl_valid(context, MPL_CONTEXT)) return CL_INVALID_CONTEXT;
  struct mpl_mapped block = find(context, pointer);
  switch (param_name) {
    MPL_QUERY(CL_MEM_ALLOC_TYPE_INTEL, cl_unified_shared_memory_type_intel,
              block.base ? block.kind & TYPE_MASK : CL_MEM_TYPE_UNKNOWN_INTEL)
    MPL_QUERY(CL_MEM_ALLOC_BASE_PTR_INTEL, void *, block.base)
    MPL_QUERY(CL_MEM_ALLOC_SIZE_INTEL, size_t, block.size)
    MPL_QUERY(CL_MEM_ALLOC_DEVICE_INTEL, cl_device_id, block.owner)
    MPL_QUERY(CL_MEM_ALLOC_FLAGS_INTEL, cl_mem_alloc_flags_intel, block.kind >> FLAGS_SHIFT)
  default:
    return CL_INVALID_VALUE;
  }
}
