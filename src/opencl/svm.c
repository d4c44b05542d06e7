#include "svm.h"

#include <stdlib.h>

#include "device.h"
#include "runtime/device.h"

/* The device whose memory all SVM of the context is: the first that offers it, or null. */
static struct mpl_device *owner(cl_context context) {
  for (cl_uint i = 0; i < context->num_devices; i++)
    if (context->devices[i]->device->info.svm) return context->devices[i]->device;
  return NULL;
}

bool mpl_svm_offered(cl_context context) {
  return owner(context);
}

bool mpl_svm_find(cl_context context, const void *pointer, size_t size) {
  mpl_lock(&context->lock);
  const struct mpl_mapped *block = mpl_map_find(&context->svm, pointer);
  bool found = block && size <= block->size - (size_t)((const char *)pointer - block->base);
  mpl_unlock(&context->lock);
  return found;
}

bool mpl_svm_free(cl_context context, void *pointer) {
  mpl_lock(&context->lock);
  const struct mpl_mapped *block = mpl_map_find(&context->svm, pointer);
  bool found = block && block->base == pointer;
  if (found) mpl_map_remove(&context->svm, block);
  mpl_unlock(&context->lock);
  if (found) owner(context)->ops->release(owner(context), pointer, MPL_STORAGE_SHARED);
  return found;
}

void mpl_svm_free_all(cl_context context) {
  for (size_t i = 0; i < context->svm.count; i++)
    owner(context)->ops->release(owner(context), context->svm.ranges[i].base, MPL_STORAGE_SHARED);
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
  struct mpl_device *device = owner(context);
  if (!device || !flags_good(flags) || !size || size > device->info.max_allocation ||
      (alignment & (alignment - 1)) || alignment > largest) {
    mpl_refuse(CL_INVALID_VALUE, __func__,
               "flags, size or alignment (a power of two up to 2 MiB), or no device has it");
    return NULL;
  }
  if (alignment < MPL_MEM_BASE_ALIGN) alignment = MPL_MEM_BASE_ALIGN;
  void *base =
      device->ops->allocate(device, size, alignment, MPL_STORAGE_SHARED, "shared virtual memory");
  if (!base) return NULL;
  mpl_lock(&context->lock);
  bool added = mpl_map_add(&context->svm, (struct mpl_mapped){.base = base, .size = size});
  mpl_unlock(&context->lock);
  if (added) return base;
  device->ops->release(device, base, MPL_STORAGE_SHARED);
  return NULL;
}

void CL_API_CALL clSVMFree(cl_context context, void *pointer) {
  if (mpl_valid(context, MPL_CONTEXT) && pointer && !mpl_svm_free(context, pointer))
    mpl_refuse(CL_INVALID_VALUE, __func__, "%p is not an SVM allocation of this context", pointer);
}
