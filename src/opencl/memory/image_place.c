/* Descriptors of images in the memory of devices whose kernels are given their addresses. */
#include <stdlib.h>

#include "buffer_memory.h"
#include "image.h"
#include "runtime/device.h"

/* One that has the pixels' place; null if there is no room. */
static void *make(cl_mem mem, struct mpl_device *device, unsigned memory) {
  struct mpl_image image = *mem->image;
  image.pixels = mpl_buffer_place(mem, memory);
  void *place = image.pixels
                    ? device->ops->allocate(device, sizeof image, _Alignof(struct mpl_image),
                                            MPL_STORAGE_DEVICE, "an image's descriptor")
                    : NULL;
  const struct mpl_operation write = {
      .kind = MPL_COPY,
      .copy = {.to = {.base = place},
               .from = {.base = &image, .on_host = true},
               .size = {sizeof image, 1, 1}}};
  if (!place || !device->ops->perform(device, &write)) return place;
  device->ops->release(device, place, MPL_STORAGE_DEVICE);
  return NULL;
}

void *mpl_image_descriptor(cl_mem mem, struct mpl_device *device) {
  unsigned memory = mpl_memory_of(mem->context, device);
  void *place = atomic_load_explicit(&mem->descriptors[memory], memory_order_acquire);
  if (place) return place;
  mpl_lock(&mem->lock);
  place = mem->descriptors[memory];
  if (!place) mem->descriptors[memory] = place = make(mem, device, memory);
  mpl_unlock(&mem->lock);
  return place;
}

void mpl_image_forget(cl_mem mem) {
  for (unsigned i = 0; mem->descriptors && i < mem->context->num_memories; i++)
    if (mem->descriptors[i]) {
      struct mpl_device *device = mem->context->memories[i];
      device->ops->release(device, mem->descriptors[i], MPL_STORAGE_DEVICE);
    }
  free(mem->descriptors);
}
