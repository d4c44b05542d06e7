/* Memory of the C interface: on a CPU, host and kernels share all of it; what is kept is which
 * addresses are whose. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "host/host.h"

enum { DEFAULT_ALIGN = 128 };

struct block {
  char *base;
  size_t size;
  struct mpl_device *device;
  enum mpl_memory_kind kind;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *blocks; /* by ascending address */
static size_t num_blocks, capacity;

/* Index of the first block that begins above `pointer`; with the lock held. */
static size_t upper(const void *pointer) {
  size_t low = 0, high = num_blocks;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if ((const char *)pointer < blocks[middle].base)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

static bool add(struct block block) {
  pthread_mutex_lock(&lock);
  if (num_blocks == capacity) {
    size_t more = capacity ? capacity * 2 : 64;
    struct block *list = realloc(blocks, more * sizeof *list);
    if (list) {
      blocks = list;
      capacity = more;
    }
  }
  bool room = num_blocks < capacity;
  if (room) {
    size_t at = upper(block.base);
    memmove(blocks + at + 1, blocks + at, (num_blocks - at) * sizeof *blocks);
    blocks[at] = block;
    num_blocks++;
  }
  pthread_mutex_unlock(&lock);
  return room;
}

void *mpl_malloc(struct mpl_device *device, enum mpl_memory_kind kind, size_t size, size_t align) {
  if (!align) align = DEFAULT_ALIGN;
  if (align & (align - 1)) {
    mpl_host_fail(MPL_INVALID_VALUE, "alignment %zu is no power of two", align);
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
  void *memory = device->ops->allocate(device, size, align, MPL_STORAGE_SHARED, names[kind]);
  if (memory && add((struct block){memory, size, device, kind})) return memory;
  if (memory) device->ops->release(device, memory, MPL_STORAGE_SHARED);
  mpl_host_fail(MPL_OUT_OF_HOST_MEMORY, "no memory for %zu bytes", size);
  return NULL;
}

int mpl_free(void *memory) {
  if (!memory) return 0;
  pthread_mutex_lock(&lock);
  size_t at = upper(memory);
  struct mpl_device *device = at && blocks[at - 1].base == memory ? blocks[at - 1].device : NULL;
  if (device) {
    memmove(blocks + at - 1, blocks + at, (num_blocks - at) * sizeof *blocks);
    num_blocks--;
  }
  pthread_mutex_unlock(&lock);
  if (!device)
    return mpl_host_fail(MPL_INVALID_VALUE, "%p is not what mpl_malloc has returned", memory);
  device->ops->release(device, memory, MPL_STORAGE_SHARED);
  return 0;
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
  pthread_mutex_lock(&lock);
  size_t at = upper(pointer);
  if (at && (size_t)((const char *)pointer - blocks[at - 1].base) < blocks[at - 1].size) {
    kind = blocks[at - 1].kind;
    if (device) *device = blocks[at - 1].device;
  }
  pthread_mutex_unlock(&lock);
  return kind;
}
