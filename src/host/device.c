/* Devices, queues and errors of the C interface. */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "devices/devices.h"
#include "host/host.h"
#include "runtime/commands/loss.h"
#include "runtime/options.h"

static _Thread_local char sentence[512];

int mpl_host_fail(int code, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(sentence, sizeof sentence, format, list);
  va_end(list);
  return code;
}

const char *mpl_error_text(void) {
  return sentence;
}

static atomic_bool offers_gpus;

void mpl_offer_gpus(void) {
  atomic_store(&offers_gpus, true);
}

/* The nth device that can run the program's kernels; *count gets how many there are.  Behind the
 * host's those whose memory is another one, if the program has its kernels for them too. */
static struct mpl_device *find(uint32_t index, uint32_t *count) {
  struct mpl_device *found = NULL;
  *count = 0;
  for (int kind = 0; kind < MPL_DEVICE_KINDS; kind++) {
    uint32_t all;
    if (kind != MPL_KIND_CPU && !atomic_load(&offers_gpus)) continue;
    struct mpl_device *const *devices = mpl_devices((enum mpl_device_kind)kind, &all);
    for (uint32_t i = 0; i < all; i++) {
      if (kind == MPL_KIND_CPU && !devices[i]->info.host_memory) continue;
      if ((*count)++ == index) found = devices[i];
    }
  }
  return found;
}

uint32_t mpl_count_devices(void) {
  uint32_t count;
  find(0, &count);
  return count;
}

struct mpl_device *mpl_get_device(uint32_t index) {
  uint32_t count;
  struct mpl_device *device = find(index, &count);
  if (device) return device;
  mpl_host_fail(MPL_INVALID_VALUE, "there is no device %u: there are %u", index, count);
  return NULL;
}

_Static_assert((int)MPL_SAID_CPU == (int)MPL_TYPE_CPU && (int)MPL_SAID_GPU == (int)MPL_TYPE_GPU &&
                   (int)MPL_SAID_ACCELERATOR == (int)MPL_TYPE_ACCELERATOR,
               "mpl_said_type has the values of mpl_device_type");

void mpl_describe_device(struct mpl_device *device, struct mpl_device_properties *properties,
                         size_t size) {
  const struct mpl_device_info *info = &device->info;
  struct mpl_device_properties all = {
      .name = info->name,
      .vendor = info->vendor,
      .version = MPL_VERSION,
      .vendor_id = info->vendor_id,
      .compute_units = info->compute_units,
      .clock_mhz = info->clock_mhz,
      .max_work_group_size = info->max_work_group_size,
      .vector_bytes = info->vector_bytes,
      .sub_group_sizes = {MPL_SUB_GROUP_SIZES},
      .sub_group_size = (uint32_t)mpl_option_number(MPL_OPTION_SUBGROUP_SIZE),
      .global_memory = info->global_memory,
      .max_allocation = info->max_allocation,
      .local_memory = info->local_memory,
      .cache = info->global_cache,
      .cache_line = info->cache_line,
      .is_gpu = mpl_is_gpu(device),
      .type = info->type,
  };
  if (info->sub_group_size) {
    all.sub_group_size = info->sub_group_size;
    for (size_t i = 0; i < sizeof all.sub_group_sizes / sizeof *all.sub_group_sizes; i++)
      if (all.sub_group_sizes[i] > info->sub_group_size) all.sub_group_sizes[i] = 0;
  }
  memcpy(properties, &all, size < sizeof all ? size : sizeof all);
}

struct mpl_device *mpl_create_sub_device(struct mpl_device *device, uint32_t compute_units) {
  if (!compute_units || compute_units > device->info.compute_units) {
    mpl_host_fail(MPL_INVALID_VALUE, "%u compute units of a device that has %u", compute_units,
                  device->info.compute_units);
    return NULL;
  }
  struct mpl_device *part = mpl_device_partition(device, compute_units);
  if (!part) mpl_host_fail(MPL_OUT_OF_HOST_MEMORY, "no memory for a device");
  return part;
}

void mpl_release_sub_device(struct mpl_device *device) {
  mpl_device_destroy(device);
}

struct mpl_queue *mpl_create_queue(struct mpl_device *device, unsigned flags) {
  struct mpl_queue *queue =
      mpl_queue_create(device, flags & MPL_QUEUE_IN_ORDER, flags & MPL_QUEUE_PROFILING);
  if (!queue) mpl_host_fail(MPL_OUT_OF_HOST_MEMORY, "no memory for a queue");
  return queue;
}

void mpl_release_queue(struct mpl_queue *queue) {
  mpl_queue_destroy(queue);
}

void mpl_flush(struct mpl_queue *queue) {
  mpl_queue_flush(queue);
}

int mpl_is_empty(struct mpl_queue *queue) {
  return mpl_queue_is_empty(queue);
}

void mpl_finish(struct mpl_queue *queue) {
  mpl_queue_finish(queue);
  mpl_queue_finish_calls(queue);
}

const char *mpl_get_loss(struct mpl_device *device) {
  return mpl_device_lost(device);
}
