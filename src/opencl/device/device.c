/* Devices: clGetDeviceIDs, clGetDeviceInfo (from device_queries.def), timers, reference counts. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"
#include "devices/devices.h"
#include "opencl/device_side/device_queue.h"
#include "runtime/commands/loss.h"
#include "runtime/options.h"
#include "toolchain/cache/binary.h"
#include "toolchain/hash.h"

static struct roots {
  cl_device_id *list;
  cl_uint count;
  bool made;
} roots[MPL_DEVICE_KINDS];
static pthread_mutex_t roots_lock = PTHREAD_MUTEX_INITIALIZER;

static void make_roots(struct roots *roots, cl_platform_id platform) {
  uint32_t count = 0;
  struct mpl_device *const *devices = mpl_devices((enum mpl_device_kind)platform->kind, &count);
  struct _cl_device_id *objects = calloc(count ? count : 1, sizeof *objects);
  roots->made = true;
  roots->list = calloc(count ? count : 1, sizeof *roots->list);
  if (!objects || !roots->list) return;
  for (uint32_t i = 0; i < count; i++) {
    mpl_base_init(&objects[i].base, MPL_DEVICE);
    objects[i].platform = platform;
    objects[i].device = devices[i];
    roots->list[i] = &objects[i];
  }
  roots->count = count;
}

cl_device_id const *mpl_root_devices(cl_platform_id platform, cl_uint *count) {
  struct roots *own = &roots[platform->kind];
  mpl_lock(&roots_lock);
  if (!own->made) make_roots(own, platform);
  mpl_unlock(&roots_lock);
  *count = own->count;
  return own->list;
}

/* A type is a bit-field: the union of what its bits name, of which DEFAULT is the first device. */
cl_uint mpl_devices_of_type(cl_platform_id platform, cl_device_type type, cl_uint max,
                            cl_device_id *out) {
  cl_uint count;
  cl_device_id const *devices = mpl_root_devices(platform, &count);
  cl_uint found = 0;
  for (cl_uint i = 0; i < count; i++) {
    cl_device_type own = devices[i]->device->info.type | (i ? 0 : CL_DEVICE_TYPE_DEFAULT);
    if (!(type & own)) continue;
    if (out && found < max) out[found] = devices[i];
    found++;
  }
  return found;
}

cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint num_entries,
                                  cl_device_id *devices, cl_uint *num_devices) {
  if (platform && !mpl_valid(platform, MPL_PLATFORM)) return CL_INVALID_PLATFORM;
  const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                               CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
  if (type != CL_DEVICE_TYPE_ALL && (!type || (type & ~known))) return CL_INVALID_DEVICE_TYPE;
  if ((!devices && !num_devices) || (devices && num_entries == 0)) return CL_INVALID_VALUE;
  cl_uint count =
      mpl_devices_of_type(platform ? platform : mpl_platform(), type, num_entries, devices);
  if (num_devices) *num_devices = count;
  return count ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

static cl_uint vector_width(const struct mpl_device_info *info, uint32_t element) {
  return info->vector_bytes > element ? info->vector_bytes / element : 1;
}

/* All or none of the answers of cl_khr_integer_dot_product. */
static const cl_device_integer_dot_product_acceleration_properties_khr dot_is_fast[] = {
    {0}, {CL_TRUE, CL_TRUE, CL_TRUE, CL_TRUE, CL_TRUE, CL_TRUE}};

size_t mpl_image_buffer_max(const struct mpl_device_info *info) {
  const size_t most = (size_t)1 << 27;
  return info->max_allocation < most ? info->max_allocation : most;
}

static const size_t sub_group_sizes[] = {MPL_SUB_GROUP_SIZES};

/* Those up to the device's largest. */
static size_t num_sub_group_sizes(const struct mpl_device_info *info) {
  size_t count = sizeof sub_group_sizes / sizeof *sub_group_sizes;
  while (info->sub_group_size && sub_group_sizes[count - 1] > info->sub_group_size) count--;
  return count;
}

/* Of the smallest size; none without sub-groups. */
static cl_uint most_sub_groups(const struct mpl_device_info *info) {
  size_t size = sub_group_sizes[0];
  if (!(info->offers & MPL_OFFERS_SUB_GROUPS)) return 0;
  return (cl_uint)((info->max_work_group_size + size - 1) / size);
}

static const cl_device_partition_property partition_kinds[] = {CL_DEVICE_PARTITION_EQUALLY,
                                                               CL_DEVICE_PARTITION_BY_COUNTS};
static const cl_device_partition_property no_partition[] = {0};

static bool can_be_divided(const struct mpl_device *device) {
  return device->ops->partition && device->info.compute_units > 1;
}

/* The same for every process that sees the same device through the same driver. */
static const cl_uchar *uuid_of(const char *text, cl_uchar uuid[MPL_HASH_SIZE]) {
  mpl_hash(text, strlen(text), uuid);
  uuid[6] = (uuid[6] & 0x0f) | 0x80; /* RFC 9562: version 8, made by the vendor's own means */
  uuid[8] = (uuid[8] & 0x3f) | 0x80;
  return uuid;
}

static const cl_uchar *device_uuid(cl_device_id device, cl_uchar uuid[MPL_HASH_SIZE]) {
  return uuid_of(device->device->info.target, uuid);
}

/* Programs keep binaries under the driver's version and take a refused one for an error, so drivers
 * that refuse each other's have different ones (toolchain/cache/binary.c). */
enum { DRIVER_VERSION_SIZE = sizeof MPL_VERSION + 40 };
static const char *driver_version(char text[DRIVER_VERSION_SIZE]) {
  static const char *const checked[] = {"", ".check", ".check.memory"}; /* mpl_option_checks() */
  snprintf(text, DRIVER_VERSION_SIZE, "%s.%u.%u%s", MPL_VERSION, MPL_ABI_VERSION,
           MPL_CONTAINER_VERSION, checked[mpl_option_checks()]);
  return text;
}

static const cl_uchar *driver_uuid(cl_uchar uuid[MPL_HASH_SIZE]) {
  char version[DRIVER_VERSION_SIZE];
  return uuid_of(driver_version(version), uuid);
}

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info param_name, size_t size,
                                   void *value, size_t *size_ret) {
  if (!mpl_valid(device, MPL_DEVICE)) return CL_INVALID_DEVICE;
  const struct mpl_device_info *info = &device->device->info;
  cl_uchar uuid[MPL_HASH_SIZE];
  char version[DRIVER_VERSION_SIZE];
  cl_name_version list[MPL_MOST_FEATURES];
  const char *names[MPL_MOST_SPIRV];
  cl_uint numbers[MPL_MOST_SPIRV];
  char text[MPL_FEATURES_TEXT];
  const cl_bool images = (info->offers & MPL_OFFERS_IMAGES) != 0; /* else all of theirs is 0 */
  const cl_bool pipes = (info->offers & MPL_OFFERS_PIPES) != 0;   /* the same of these */
  const cl_bool enqueue = (info->offers & MPL_OFFERS_ENQUEUE) != 0;
  switch (param_name) {
#include "tables/device_queries.def"
  default:
    return CL_INVALID_VALUE;
  }
}

void mpl_device_handle_retain(cl_device_id device) {
  if (device->parent) atomic_fetch_add(&device->base.refs, 1);
}

void mpl_device_handle_release(cl_device_id device) {
  if (!device->parent || atomic_fetch_sub(&device->base.refs, 1) != 1) return;
  mpl_device_destroy(device->device);
  mpl_device_handle_release(device->parent);
  free(device->partition);
  mpl_object_free(device);
}

cl_int CL_API_CALL clRetainDevice(cl_device_id device) {
  if (!mpl_valid(device, MPL_DEVICE)) return CL_INVALID_DEVICE;
  mpl_device_handle_retain(device);
  return CL_SUCCESS;
}

cl_int CL_API_CALL clReleaseDevice(cl_device_id device) {
  if (!mpl_valid(device, MPL_DEVICE)) return CL_INVALID_DEVICE;
  mpl_device_handle_release(device);
  return CL_SUCCESS;
}

/* Device and host share the clock that all event times are on. */
cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_time,
                                           cl_ulong *host_time) {
  if (!mpl_valid(device, MPL_DEVICE)) return CL_INVALID_DEVICE;
  if (!device_time || !host_time) return CL_INVALID_VALUE;
  *device_time = *host_time = device->device->ops->now(device->device);
  return CL_SUCCESS;
}

cl_int CL_API_CALL clGetHostTimer(cl_device_id device, cl_ulong *host_time) {
  if (!mpl_valid(device, MPL_DEVICE)) return CL_INVALID_DEVICE;
  if (!host_time) return CL_INVALID_VALUE;
  *host_time = device->device->ops->now(device->device);
  return CL_SUCCESS;
}
