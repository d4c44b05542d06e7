#include "svm.h"

#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "runtime/device.h"

struct mpl_svm {
  size_t count, capacity;
  struct mpl_svm_block *blocks; /* by ascending address */
};

/* The first device that has it; null if none does. */
static struct mpl_device *home(cl_context context) {
  for (cl_uint i = 0; i < context->num_devices; i++)
    if (context->devices[i]->device->info.svm) return context->devices[i]->device;
  return NULL;
}

bool mpl_svm_offered(cl_context context) {
  return home(context);
}

/* Index of the first block that begins above `pointer`. */
static size_t upper(const struct mpl_svm *svm, const void *pointer) {
  size_t low = 0, high = svm->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if ((const char *)pointer < svm->blocks[middle].base)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

static bool add(cl_context context, struct mpl_svm_block block) {
  struct mpl_svm *svm = context->svm;
  if (!svm) svm = context->svm = calloc(1, sizeof *svm);
  if (!svm) return false;
  if (svm->count == svm->capacity) {
    size_t capacity = svm->capacity ? svm->capacity * 2 : 16;
    struct mpl_svm_block *blocks = realloc(svm->blocks, capacity * sizeof *blocks);
    if (!blocks) return false;
    svm->blocks = blocks;
    svm->capacity = capacity;
  }
  size_t at = upper(svm, block.base);
  memmove(svm->blocks + at + 1, svm->blocks + at, (svm->count - at) * sizeof *svm->blocks);
  svm->blocks[at] = block;
  svm->count++;
  return true;
}

bool mpl_svm_find(cl_context context, const void *pointer, size_t size,
                  struct mpl_svm_block *block) {
  bool found = false;
  pthread_mutex_lock(&context->lock);
  size_t at = context->svm && pointer ? upper(context->svm, pointer) : 0;
  if (at) {
    const struct mpl_svm_block *candidate = &context->svm->blocks[at - 1];
    size_t offset = (size_t)((const char *)pointer - candidate->base);
    found = offset < candidate->size && size <= candidate->size - offset;
    if (found && block) *block = *candidate;
  }
  pthread_mutex_unlock(&context->lock);
  return found;
}

bool mpl_svm_free(cl_context context, void *pointer) {
  bool found = false;
  pthread_mutex_lock(&context->lock);
  struct mpl_svm *svm = context->svm;
  size_t at = svm && pointer ? upper(svm, pointer) : 0;
  if (at && svm->blocks[at - 1].base == pointer) {
    found = true;
    memmove(svm->blocks + at - 1, svm->blocks + at, (svm->count - at) * sizeof *svm->blocks);
    svm->count--;
  }
  pthread_mutex_unlock(&context->lock);
  if (found) home(context)->ops->release(home(context), pointer, MPL_STORAGE_SHARED);
  return found;
}

void mpl_svm_free_all(cl_context context) {
  struct mpl_svm *svm = context->svm;
  for (size_t i = 0; svm && i < svm->count; i++)
    home(context)->ops->release(home(context), svm->blocks[i].base, MPL_STORAGE_SHARED);
  if (svm) free(svm->blocks);
  free(svm);
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
  struct mpl_device *device = home(context);
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
  pthread_mutex_lock(&context->lock);
  bool added = add(context, (struct mpl_svm_block){base, size, flags ? flags : CL_MEM_READ_WRITE});
  pthread_mutex_unlock(&context->lock);
  if (added) return base;
  device->ops->release(device, base, MPL_STORAGE_SHARED);
  return NULL;
}

void CL_API_CALL clSVMFree(cl_context context, void *pointer) {
  if (mpl_valid(context, MPL_CONTEXT) && pointer && !mpl_svm_free(context, pointer))
    mpl_refuse(CL_INVALID_VALUE, __func__, "%p is not an SVM allocation of this context", pointer);
}
