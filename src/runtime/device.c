/* Partitions and how they are counted. */
#include "runtime/device.h"

struct mpl_device *mpl_device_partition(struct mpl_device *device, uint32_t compute_units) {
  return device->ops->partition(device, compute_units);
}

void mpl_device_retain(struct mpl_device *device) {
  atomic_fetch_add(&device->refs, 1);
}

/* Those of mpl_devices keep the reference that they were made with. */
void mpl_device_destroy(struct mpl_device *device) {
  if (atomic_fetch_sub(&device->refs, 1) == 1) device->ops->destroy(device);
}
