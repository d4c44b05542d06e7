/* The list of devices, and the counting of partitions. */
#include "runtime/device.h"

#include <pthread.h>

#include "cpu/cpu.h"

static struct mpl_device *devices[1];
static uint32_t num_devices;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_devices(void) {
  struct mpl_device *cpu = mpl_cpu_create();
  if (cpu) devices[num_devices++] = cpu;
}

struct mpl_device *const *mpl_devices(uint32_t *count) {
  pthread_once(&once, find_devices);
  *count = num_devices;
  return devices;
}

struct mpl_device *mpl_device_partition(struct mpl_device *device, uint32_t compute_units) {
  return device->ops->partition(device, compute_units);
}

void mpl_device_retain(struct mpl_device *device) {
  atomic_fetch_add(&device->refs, 1);
}

/* The devices of the list keep the reference that they were made with. */
void mpl_device_destroy(struct mpl_device *device) {
  if (atomic_fetch_sub(&device->refs, 1) == 1) device->ops->destroy(device);
}
