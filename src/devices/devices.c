#include "devices.h"

#include <pthread.h>
#include <string.h>

#include "check/device.h"
#include "cpu/cpu.h"
#include "cuda/cuda.h"
#include "runtime/options.h"

enum { MOST_GPUS = 16 };

static struct mpl_device *cpus[1], *gpus[MOST_GPUS];
static uint32_t num_cpus, num_gpus;
static pthread_once_t cpus_once = PTHREAD_ONCE_INIT, gpus_once = PTHREAD_ONCE_INIT;

static const char *const words[] = {
#define MPL_DEVICE_KIND(id, word, name) word,
#include "tables/device_kinds.def"
};

static bool is_wanted(enum mpl_device_kind kind) {
  const char *list = mpl_option_text(MPL_OPTION_DEVICES);
  size_t length = strlen(words[kind]);
  for (; *list; list += strcspn(list, ","), list += *list == ',')
    if (strcspn(list, ",") == length && !strncmp(list, words[kind], length)) return true;
  return false;
}

/* The checking engine runs kernels on the CPU only. */
bool mpl_has_devices(enum mpl_device_kind kind) {
  if (!is_wanted(kind)) return false;
  return kind == MPL_KIND_CPU || (!mpl_option_number(MPL_OPTION_CHECK) && mpl_cuda_is_there());
}

static void find_cpus(void) {
  struct mpl_device *device = mpl_cpu_create();
  if (device && mpl_check_device(device)) cpus[num_cpus++] = device;
}

static void find_gpus(void) {
  struct mpl_device *device;
  while (num_gpus < MOST_GPUS && (device = mpl_cuda_create(num_gpus))) gpus[num_gpus++] = device;
}

struct mpl_device *const *mpl_devices(enum mpl_device_kind kind, uint32_t *count) {
  *count = 0;
  if (!mpl_has_devices(kind)) return cpus;
  pthread_once(kind == MPL_KIND_CPU ? &cpus_once : &gpus_once,
               kind == MPL_KIND_CPU ? find_cpus : find_gpus);
  *count = kind == MPL_KIND_CPU ? num_cpus : num_gpus;
  return kind == MPL_KIND_CPU ? cpus : gpus;
}

uint32_t mpl_kind_offers(enum mpl_device_kind kind) {
  uint32_t count, offers = MPL_OFFERS_ALL;
  if (kind == MPL_KIND_CUDA) return MPL_CUDA_OFFERS;
  struct mpl_device *const *devices = mpl_devices(kind, &count);
  for (uint32_t i = 0; i < count; i++) offers &= devices[i]->info.offers;
  return offers;
}
