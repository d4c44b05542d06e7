/* Memory of the C interface: on a CPU, host and kernels share all of it, and only the owners of
 * addresses are kept.  A GPU's kernels reach what its driver has given. */
#include <pthread.h>

#include "host/host.h"
#include "runtime/memory/address_map.h"
#include "runtime/threads/lock.h"

enum { DEFAULT_ALIGN = 128 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mpl_address_map blocks; /* owner: its device; kind: enum mpl_memory_kind */

static bool add(struct mpl_mapped block) {
  mpl_lock(&lock);
  bool added = mpl_map_add(&blocks, block);
  mpl_unlock(&lock);
  return added;
}

/* What stays with the host is pinned there. */
static enum mpl_storage storage_of(const struct mpl_device *device, enum mpl_memory_kind kind) {
  if (!mpl_is_gpu(device)) return MPL_STORAGE_SHARED;
  return kind == MPL_MEMORY_HOST     ? MPL_STORAGE_PINNED
         : kind == MPL_MEMORY_DEVICE ? MPL_STORAGE_DEVICE
                                     : MPL_STORAGE_SHARED;
}

void *mpl_malloc(struct mpl_device *device, enum mpl_memory_kind kind, size_t size, size_t align) {
  if (!align) align = DEFAULT_ALIGN;
  if (align & (align - 1)) {
    mpl_host_fail(MPL_INVALID_VALUE, "alignment %zu is not a power of two", align);
    return NULL;
  }
  if (!size) return NULL;
  if (size > device->info.max_allocation) {
    mpl_host_fail(MPL_OUT_OF_RESOURCES, "%zu bytes at once: the device allows %llu", size,
                  (unsigned long long)device->info.max_allocation);
    return NULL;
  }
  static const char *const names[] = {[MPL_MEMORY_UNKNOWN] = "memory",
                                      [MPL_MEMORY_DEVICE] = "device memory",
                                      [MPL_MEMORY_SHARED] = "shared memory",
                                      [MPL_MEMORY_HOST] = "host memory"};
  if (kind >= sizeof names / sizeof *names) kind = MPL_MEMORY_UNKNOWN;
  enum mpl_storage storage = storage_of(device, kind);
  void *memory = device->ops->allocate(device, size, align, storage, names[kind]);
  if (memory && add((struct mpl_mapped){memory, size, device, kind})) return memory;
  if (memory) device->ops->release(device, memory, storage);
  mpl_host_fail(MPL_OUT_OF_HOST_MEMORY, "no memory for %zu bytes", size);
  return NULL;
}

int mpl_free(void *memory) {
  if (!memory) return 0;
  mpl_lock(&lock);
  const struct mpl_mapped *block = mpl_map_find(&blocks, memory);
  struct mpl_device *device = block && block->base == memory ? block->owner : NULL;
  enum mpl_memory_kind kind = device ? block->kind : MPL_MEMORY_UNKNOWN;
  if (device) mpl_map_remove(&blocks, block);
  mpl_unlock(&lock);
  if (!device) return mpl_host_fail(MPL_INVALID_VALUE, "%p was not returned by mpl_malloc", memory);
  device->ops->release(device, memory, storage_of(device, kind));
  return 0;
}

int mpl_lend_memory(struct mpl_device *device, void *memory, size_t size) {
  if (!mpl_is_gpu(device) || !size) return 0;
  int error = device->ops->lend ? device->ops->lend(device, memory, size) : MPL_INVALID_OPERATION;
  if (!error) return 0;
  return mpl_host_fail(error, "%s does not reach %zu bytes of the host's at %p: %s",
                       device->info.name, size, memory,
                       error == MPL_INVALID_OPERATION
                           ? "it or its driver cannot use the host's addresses"
                           : "its driver could not pin them");
}

void mpl_take_back_memory(struct mpl_device *device, void *memory, size_t size) {
  if (mpl_is_gpu(device) && size) device->ops->take_back(device, memory, size);
}

int mpl_is_checked(void) {
  const struct mpl_device *device = mpl_get_device(0);
  return device && device->info.is_checked;
}

int mpl_check_access(const void *at, size_t size, int writes) {
  struct mpl_device *device = mpl_get_device(0);
  if (!device || !device->ops->may_access || device->ops->may_access(device, at, size, writes))
    return 0;
  return mpl_host_fail(MPL_INVALID_VALUE, "a command %s %zu bytes, not all of them in its memory",
                       writes ? "writes" : "reads", size);
}

enum mpl_memory_kind mpl_get_memory_kind(const void *pointer, struct mpl_device **device) {
  enum mpl_memory_kind kind = MPL_MEMORY_UNKNOWN;
  mpl_lock(&lock);
  const struct mpl_mapped *block = mpl_map_find(&blocks, pointer);
  if (block) {
    kind = block->kind;
    if (device) *device = block->owner;
  }
  mpl_unlock(&lock);
  return kind;
}
