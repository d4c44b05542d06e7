#include "devices.h"

#include <pthread.h>

#include "check/device.h"
#include "cpu/cpu.h"

static struct mpl_device *(*const makers[])(void) = {mpl_cpu_create};
static struct mpl_device *devices[sizeof makers / sizeof *makers];
static uint32_t num_devices;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_devices(void) {
  for (unsigned i = 0; i < sizeof makers / sizeof *makers; i++) {
    struct mpl_device *device = makers[i]();
    if (device && mpl_check_device(device)) devices[num_devices++] = device;
  }
}

struct mpl_device *const *mpl_devices(uint32_t *count) {
  pthread_once(&once, find_devices);
  *count = num_devices;
  return devices;
}
