/* Memory and copies. */
#include <string.h>

#include "cuda.h"
#include "runtime/errors.h"

/* In the device's map: all that the host uses too, and what is not where the driver has placed it.  The
 * owner is the driver's address. */
enum { PINNED, MANAGED, HIDDEN };
enum { ALIGNED = 256 }; /* what the driver gives of the device's own is, at least */

/* Managed memory goes to where it is used, a page at a time.  What the GPU has no room for would go
 * to and fro, so there is no more of it than half of what it leaves free. */
static bool can_be_managed(struct mpl_cuda *cuda, size_t size) {
  size_t left = 0, all, managed = 0;
  if (!cuda->manages || cuda->driver->memory_left(&left, &all)) return false;
  pthread_mutex_lock(&cuda->memory_lock);
  for (size_t i = 0; i < cuda->memory.count; i++)
    if (cuda->memory.ranges[i].kind == MANAGED) managed += cuda->memory.ranges[i].size;
  pthread_mutex_unlock(&cuda->memory_lock);
  return size <= left / 2 && managed <= left / 2 - size;
}

static void release_block(struct mpl_cuda *cuda, void *block, unsigned kind) {
  int error = kind == PINNED ? cuda->driver->host_release(block)
                             : cuda->driver->release((CUdeviceptr)(uintptr_t)block);
  mpl_cuda_check(error, "the release of memory");
}

static void *allocate_block(struct mpl_cuda *cuda, size_t size, unsigned kind) {
  enum { PORTABLE = 1, OF_ALL_STREAMS = 1 };
  CUdeviceptr made = 0;
  void *pinned = NULL;
  if (kind == PINNED) return cuda->driver->host_allocate(&pinned, size, PORTABLE) ? NULL : pinned;
  int error = kind == MANAGED ? cuda->driver->managed_allocate(&made, size, OF_ALL_STREAMS)
                              : cuda->driver->allocate(&made, size);
  return error ? NULL : (void *)(uintptr_t)made;
}

/* The driver knows of no alignment: one that it does not give by itself takes more memory. */
static void *allocate_mapped(struct mpl_cuda *cuda, size_t size, size_t align, unsigned kind) {
  char *block = allocate_block(cuda, size, kind);
  size_t off = align ? (uintptr_t)block % align : 0;
  if (block && off) {
    release_block(cuda, block, kind);
    block = allocate_block(cuda, size += align - 1, kind);
    off = (uintptr_t)block % align;
  }
  if (!block) return NULL;
  struct mpl_mapped range = {.base = block, .size = size, .owner = block, .kind = kind};
  if (off) range.base += align - off;
  if (off) range.size -= align - off;
  pthread_mutex_lock(&cuda->memory_lock);
  bool added = mpl_map_add(&cuda->memory, range);
  pthread_mutex_unlock(&cuda->memory_lock);
  if (added) return range.base;
  release_block(cuda, block, kind);
  return NULL;
}

void *mpl_cuda_allocate(struct mpl_device *device, size_t size, size_t align,
                        enum mpl_storage storage, const char *what) {
  struct mpl_cuda *cuda = (struct mpl_cuda *)device;
  if (!mpl_cuda_enter(cuda)) return NULL;
  if (!size) size = 1;
  if (storage == MPL_STORAGE_DEVICE)
    return align > ALIGNED ? allocate_mapped(cuda, size, align, HIDDEN)
                           : allocate_block(cuda, size, HIDDEN);
  bool managed = storage == MPL_STORAGE_SHARED && can_be_managed(cuda, size);
  void *memory = managed ? allocate_mapped(cuda, size, align, MANAGED) : NULL;
  return memory ? memory : allocate_mapped(cuda, size, align, PINNED);
}

void mpl_cuda_release(struct mpl_device *device, void *memory, enum mpl_storage storage) {
  struct mpl_cuda *cuda = (struct mpl_cuda *)device;
  struct mpl_mapped range = {.owner = memory,
                             .kind = storage == MPL_STORAGE_DEVICE ? HIDDEN : PINNED};
  if (!mpl_cuda_enter(cuda)) return;
  pthread_mutex_lock(&cuda->memory_lock);
  const struct mpl_mapped *found = mpl_map_find(&cuda->memory, memory);
  if (found) range = *found;
  if (found) mpl_map_remove(&cuda->memory, found);
  pthread_mutex_unlock(&cuda->memory_lock);
  release_block(cuda, range.owner, range.kind);
}

static CUdeviceptr address_of(const struct mpl_location *place) {
  return (CUdeviceptr)(uintptr_t)place->base;
}

static int copy_alike(struct mpl_cuda *cuda, const struct mpl_location *to,
                      const struct mpl_location *from, size_t size, CUstream stream) {
  const struct mpl_cuda_driver *driver = cuda->driver;
  if (to->shared || from->shared) /* the driver knows where it is */
    return driver->copy_any(address_of(to), address_of(from), size, stream);
  if (to->on_host) return driver->copy_out(to->base, address_of(from), size, stream);
  if (from->on_host) return driver->copy_in(address_of(to), from->base, size, stream);
  return driver->copy_within(address_of(to), address_of(from), size, stream);
}

/* Of `size` bytes on each side as many as the driver copies at a time. */
static size_t alike(struct mpl_cuda *cuda, const struct mpl_location *to,
                    const struct mpl_location *from, size_t size) {
  if (to->on_host) size = mpl_cuda_alike(cuda, to->base, size);
  if (from->on_host) size = mpl_cuda_alike(cuda, from->base, size);
  return size;
}

static int copy_line(struct mpl_cuda *cuda, const struct mpl_location *to,
                     const struct mpl_location *from, size_t size, CUstream stream) {
  struct mpl_location to_rest = *to, from_rest = *from;
  while (size) {
    size_t now = alike(cuda, &to_rest, &from_rest, size);
    int error = copy_alike(cuda, &to_rest, &from_rest, now, stream);
    if (error && alike(cuda, &to_rest, &from_rest, now) < now) continue; /* lent meanwhile */
    if (error) return error;
    to_rest.base = (char *)to_rest.base + now;
    from_rest.base = (char *)from_rest.base + now;
    size -= now;
  }
  return 0;
}

static int type_of(const struct mpl_location *place) {
  return place->shared ? MPL_CUDA_EITHER : place->on_host ? MPL_CUDA_HOST : MPL_CUDA_DEVICE;
}

static bool rows_are_alike(struct mpl_cuda *cuda, const struct mpl_location *place, size_t width,
                           size_t height) {
  size_t size = (height - 1) * place->row + width;
  return !place->on_host || mpl_cuda_alike(cuda, place->base, size) == size;
}

/* One slice. */
static int copy_rows(struct mpl_cuda *cuda, const struct mpl_location *to,
                     const struct mpl_location *from, size_t width, size_t height,
                     CUstream stream) {
  struct mpl_cuda_rows rows = {
      .from_type = type_of(from),
      .from_host = from->on_host ? from->base : NULL,
      .from_device = from->on_host ? 0 : address_of(from),
      .from_pitch = from->row,
      .to_type = type_of(to),
      .to_host = to->on_host ? to->base : NULL,
      .to_device = to->on_host ? 0 : address_of(to),
      .to_pitch = to->row,
      .width = width,
      .height = height,
  };
  int error = 0;
  if (rows_are_alike(cuda, to, width, height) && rows_are_alike(cuda, from, width, height) &&
      !cuda->driver->copy_rows(&rows, stream))
    return 0;
  struct mpl_location row_to = *to, row_from = *from; /* or farther apart than a pitch may be */
  for (size_t y = 0; y < height; y++) {
    error = copy_line(cuda, &row_to, &row_from, width, stream);
    if (error) return error;
    row_to.base = (char *)row_to.base + to->row;
    row_from.base = (char *)row_from.base + from->row;
  }
  return 0;
}

void mpl_cuda_join_dimensions(uint64_t size[3], struct mpl_location *to, struct mpl_location *from) {
  bool is_one_plane = to->slice == to->row * size[1] && (!from || from->slice == from->row * size[1]);
  if (size[1] == 1) {
    to->row = to->slice;
    if (from) from->row = from->slice;
  }
  if (size[1] == 1 || is_one_plane) size[1] *= size[2], size[2] = 1;
  if (to->row == size[0] && (!from || from->row == size[0])) size[0] *= size[1], size[1] = 1;
}

int mpl_cuda_copy(struct mpl_cuda *cuda, const struct mpl_operation *operation, CUstream stream) {
  const uint64_t *given = operation->copy.size;
  uint64_t size[3] = {given[0], given[1], given[2]};
  struct mpl_location to = operation->copy.to, from = operation->copy.from;
  int error = 0;
  if (!size[0] || !size[1] || !size[2]) return 0;
  mpl_cuda_join_dimensions(size, &to, &from);
  for (uint64_t z = 0; z < size[2] && !error; z++) {
    error = size[1] == 1 ? copy_line(cuda, &to, &from, size[0], stream)
                         : copy_rows(cuda, &to, &from, size[0], size[1], stream);
    to.base = (char *)to.base + to.slice;
    from.base = (char *)from.base + from.slice;
  }
  return mpl_cuda_error(cuda, error, "a copy");
}
