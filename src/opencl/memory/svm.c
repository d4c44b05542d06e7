#include "svm.h"

#include <stdlib.h>

#include "opencl/device/device.h"
#include "runtime/device.h"
#include "svm_maps.h"

/* The device whose memory such SVM of the context is: the first that offers it, or null. */
static struct mpl_device *owner(cl_context context, uint32_t wanted) {
  for (cl_uint i = 0; i < context->num_devices; i++)
    if ((context->devices[i]->device->info.svm & wanted) == wanted)
      return context->devices[i]->device;
  return NULL;
}

bool mpl_svm_offered(cl_context context) {
  return owner(context, MPL_SVM_COARSE);
}

bool mpl_svm_everywhere(cl_context context) {
  bool all = true;
  for (cl_uint i = 0; i < context->num_devices; i++)
    all &= context->devices[i]->device->info.svm != 0;
  return all;
}

bool mpl_svm_block(cl_context context, const void *pointer, struct mpl_mapped *block) {
  mpl_lock(&context->lock);
  const struct mpl_mapped *found = mpl_map_find(&context->svm, pointer);
  if (found) *block = *found;
  mpl_unlock(&context->lock);
  return found;
}

bool mpl_svm_find(cl_context context, const void *pointer, size_t size) {
  struct mpl_mapped block;
  return mpl_svm_block(context, pointer, &block) &&
         size <= block.size - (size_t)((const char *)pointer - block.base);
}

bool mpl_address_is_shared(cl_context context, const void *pointer) {
  mpl_lock(&context->lock);
  bool shared = mpl_map_find(&context->svm, pointer) || mpl_map_find(&context->usm, pointer);
  mpl_unlock(&context->lock);
  return shared;
}

/* `owner` of a block is the device, `kind` its storage. */
static void release(const struct mpl_mapped *block) {
  struct mpl_device *device = block->owner;
  device->ops->release(device, block->base, block->kind);
}

bool mpl_svm_free(cl_context context, void *pointer) {
  mpl_lock(&context->lock);
  const struct mpl_mapped *found = mpl_map_find(&context->svm, pointer);
  struct mpl_mapped block = found && found->base == pointer ? *found : (struct mpl_mapped){0};
  if (block.base) mpl_map_remove(&context->svm, found);
  mpl_unlock(&context->lock);
  if (block.base) {
    mpl_svm_maps_forget(context, block.base, block.size);
    release(&block);
  }
  return block.base;
}

void mpl_svm_free_all(cl_context context) {
  for (size_t i = 0; i < context->svm.count; i++) {
    const struct mpl_mapped *block = &context->svm.ranges[i];
    mpl_svm_maps_forget(context, block->base, block->size);
    release(block);
  }
  free(context->svm.ranges);
}

static bool flags_good(cl_svm_mem_flags flags) {
  const cl_svm_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  const cl_svm_mem_flags svm = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
  if (flags & ~(access | svm)) return false;
  if ((flags & access) & ((flags & access) - 1)) return false; /* more than one */
  return !(flags & CL_MEM_SVM_ATOMICS) || (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER);
}

void *CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                             cl_uint alignment) {
  const cl_uint largest = 2 << 20; /* a huge page: nothing asks for more */
  if (!mpl_valid(context, MPL_CONTEXT)) return NULL;
  uint32_t wanted = MPL_SVM_COARSE | (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER ? MPL_SVM_FINE : 0) |
                    (flags & CL_MEM_SVM_ATOMICS ? MPL_SVM_ATOMICS : 0);
  struct mpl_device *device = owner(context, wanted);
  if (!device || !flags_good(flags) || !size || size > device->info.max_allocation ||
      (alignment & (alignment - 1)) || alignment > largest) {
    mpl_refuse(CL_INVALID_VALUE, __func__,
               "the flags are not possible, the size is 0 or too large, the alignment is not a "
               "power of two up to 2 MiB, or no device of the context has such memory");
    return NULL;
  }
  if (alignment < MPL_MEM_BASE_ALIGN) alignment = MPL_MEM_BASE_ALIGN;
  enum mpl_storage storage = wanted & MPL_SVM_FINE ? MPL_STORAGE_PINNED : MPL_STORAGE_SHARED;
  struct mpl_mapped block = {.size = size, .owner = device, .kind = storage};
  block.base = device->ops->allocate(device, size, alignment, storage, "shared virtual memory");
  if (!block.base) return NULL;
  mpl_lock(&context->lock);
  bool added = mpl_map_add(&context->svm, block);
  mpl_unlock(&context->lock);
  if (added) return block.base;
  release(&block);
  return NULL;
}

void CL_API_CALL clSVMFree(cl_context context, void *pointer) {
  if (mpl_valid(context, MPL_CONTEXT) && pointer && !mpl_svm_free(context, pointer))
    mpl_refuse(CL_INVALID_VALUE, __func__, "%p is not an SVM allocation of this context", pointer);
}
