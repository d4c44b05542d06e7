/* Copies and fills of memory that a GPU's driver has given.  MPL_MEMORY_DEVICE is at addresses that
 * only its device reaches. */
#include <stdlib.h>
#include <string.h>

#include "host/host.h"
#include "runtime/memory/transfer.h"

struct mpl_device *mpl_gpu_alone_at(const void *at) {
  struct mpl_device *device;
  return mpl_get_memory_kind(at, &device) == MPL_MEMORY_DEVICE && mpl_is_gpu(device) ? device
                                                                                     : NULL;
}

bool mpl_is_of_gpu(const void *at) {
  struct mpl_device *device;
  return mpl_get_memory_kind(at, &device) != MPL_MEMORY_UNKNOWN && mpl_is_gpu(device);
}

/* As commands on that GPU see it: another one's memory its driver finds by the address. */
static struct mpl_location place_of(const void *at, struct mpl_device *device) {
  bool shared = mpl_is_of_gpu(at) && mpl_gpu_alone_at(at) != device;
  return (struct mpl_location){
      .base = (void *)(uintptr_t)at, .on_host = !mpl_is_of_gpu(at), .shared = shared};
}

struct mpl_operation mpl_gpu_copy(struct mpl_device *device, void *to, const void *from,
                                  size_t size) {
  return (struct mpl_operation){
      .kind = MPL_COPY, .copy = {place_of(to, device), place_of(from, device), {size, 1, 1}}};
}

bool mpl_gpu_fill(struct mpl_device *device, void *to, size_t size, const void *pattern,
                  size_t pattern_size, struct mpl_operation *made) {
  if (pattern_size > sizeof made->fill.pattern) return false;
  *made = (struct mpl_operation){.kind = MPL_FILL,
                                 .fill = {.to = place_of(to, device),
                                          .size = {size, 1, 1},
                                          .pattern_size = (uint32_t)pattern_size}};
  memcpy(made->fill.pattern, pattern, pattern_size);
  return true;
}

static int copy(struct mpl_device *device, void *to, const void *from, size_t size) {
  struct mpl_operation operation = mpl_gpu_copy(device, to, from, size);
  return mpl_device_perform(device, &operation);
}

int mpl_copy_by_gpu(struct mpl_device *device, void *to, const void *from, size_t size) {
  if ((char *)to >= (const char *)from + size || (const char *)from >= (char *)to + size)
    return copy(device, to, from, size);
  void *between = malloc(size); /* they overlap */
  int error = between ? copy(device, between, from, size) : MPL_OUT_OF_HOST_MEMORY;
  if (!error) error = copy(device, to, between, size);
  free(between);
  return error;
}

int mpl_fill_by_gpu(struct mpl_device *device, void *to, size_t size, const void *pattern,
                    size_t pattern_size) {
  enum { PIECE = 1 << 20 };
  struct mpl_operation operation;
  if (mpl_gpu_fill(device, to, size, pattern, pattern_size, &operation))
    return mpl_device_perform(device, &operation);
  size_t piece = pattern_size < PIECE ? PIECE / pattern_size * pattern_size : pattern_size;
  if (piece > size) piece = size;
  char *filled = malloc(piece);
  int error = filled ? 0 : MPL_OUT_OF_HOST_MEMORY;
  if (filled) mpl_fill(filled, piece, pattern, pattern_size);
  for (size_t done = 0; done < size && !error; done += piece) {
    size_t left = size - done;
    error = copy(device, (char *)to + done, filled, left < piece ? left : piece);
  }
  free(filled);
  return error;
}
