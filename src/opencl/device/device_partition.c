/* clCreateSubDevices (OpenCL 3.0, section 4.3): equally and by counts. */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "runtime/device.h"

/* Number of properties with the final 0; for counts their own end mark comes before it. */
static size_t property_count(const cl_device_partition_property *properties) {
  size_t n = 0;
  while (properties[n]) n++;
  if (properties[0] == CL_DEVICE_PARTITION_BY_COUNTS) n++; /* the mark is a 0 too */
  return n + 1;
}

static cl_device_id make_sub_device(cl_device_id parent, cl_uint units,
                                    const cl_device_partition_property *properties) {
  size_t count = property_count(properties);
  cl_device_id device = calloc(1, sizeof *device);
  if (!device) return NULL;
  device->partition = malloc(count * sizeof *properties);
  device->device = device->partition ? mpl_device_partition(parent->device, units) : NULL;
  if (!device->device) {
    free(device->partition);
    free(device);
    return NULL;
  }
  mpl_base_init(&device->base, MPL_DEVICE);
  memcpy(device->partition, properties, count * sizeof *properties);
  device->num_partition = count;
  device->parent = parent;
  device->platform = parent->platform;
  mpl_device_handle_retain(parent);
  return device;
}

/* Sets *count and returns how many compute units device i gets, or 0 with an error code. */
static cl_int plan(cl_device_id device, const cl_device_partition_property *properties,
                   cl_uint *count) {
  cl_uint units = device->device->info.compute_units;
  if (properties[0] == CL_DEVICE_PARTITION_EQUALLY) {
    if (properties[1] <= 0 || properties[2] != 0) return CL_INVALID_VALUE;
    if ((uint64_t)properties[1] > units) return CL_INVALID_DEVICE_PARTITION_COUNT;
    if ((uint64_t)properties[1] == units) return CL_DEVICE_PARTITION_FAILED; /* the whole device */
    *count = units / (cl_uint)properties[1];
    return CL_SUCCESS;
  }
  if (properties[0] != CL_DEVICE_PARTITION_BY_COUNTS) return CL_INVALID_VALUE;
  uint64_t total = 0;
  for (*count = 0; properties[1 + *count] != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; ++*count) {
    if (properties[1 + *count] < 0) return CL_INVALID_DEVICE_PARTITION_COUNT;
    total += (uint64_t)properties[1 + *count];
    if (*count >= units || total > units) return CL_INVALID_DEVICE_PARTITION_COUNT;
  }
  return *count ? CL_SUCCESS : CL_INVALID_DEVICE_PARTITION_COUNT;
}

cl_int CL_API_CALL clCreateSubDevices(cl_device_id device,
                                      const cl_device_partition_property *properties,
                                      cl_uint num_devices, cl_device_id *out, cl_uint *num_ret) {
  if (!mpl_valid(device, MPL_DEVICE)) return CL_INVALID_DEVICE;
  if (!properties || !properties[0] || (out && !num_devices)) return CL_INVALID_VALUE;
  if (!device->device->ops->partition)
    return mpl_refuse(CL_INVALID_VALUE, __func__, "the device cannot be partitioned");
  cl_uint count;
  cl_int error = plan(device, properties, &count);
  if (error)
    return mpl_refuse(error, __func__,
                      "the scheme is unknown, or its compute units are not those of the device");
  if (device->device->info.compute_units < 2)
    return mpl_refuse(CL_DEVICE_PARTITION_FAILED, __func__,
                      "the device has one compute unit: it cannot be partitioned");
  if (out && num_devices < count) return CL_INVALID_VALUE;
  bool equally = properties[0] == CL_DEVICE_PARTITION_EQUALLY;
  for (cl_uint i = 0; out && i < count; i++) {
    out[i] = make_sub_device(device, (cl_uint)properties[equally ? 1 : 1 + i], properties);
    if (out[i]) continue;
    while (i) mpl_device_handle_release(out[--i]);
    return CL_OUT_OF_HOST_MEMORY;
  }
  if (num_ret) *num_ret = count;
  return CL_SUCCESS;
}
