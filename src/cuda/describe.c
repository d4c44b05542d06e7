/* The description of the GPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/gpu.h"
#include "cuda.h"
#include "runtime/print/log.h"

/* The chips that clang 19 compiles for, each with the oldest PTX that knows it.  A chip runs code
 * for those below it. */
static const struct {
  int major, minor;
  const char *target;
} chips[] = {
    {8, 0, MPL_NVPTX MPL_NVPTX_CHIP " " MPL_NVPTX_PTX},
    {8, 6, MPL_NVPTX "sm_86 ptx71"},
    {8, 9, MPL_NVPTX "sm_89 ptx78"},
    {9, 0, MPL_NVPTX "sm_90 ptx78"},
};

static int attribute(const struct mpl_cuda *cuda, int which) {
  int value = 0;
  mpl_cuda_check(cuda->driver->device_attribute(&value, which, cuda->ordinal),
                 "cuDeviceGetAttribute");
  return value;
}

static const char *choose_target(int major, int minor) {
  const char *target = NULL;
  for (size_t i = 0; i < sizeof chips / sizeof *chips; i++)
    if (major > chips[i].major || (major == chips[i].major && minor >= chips[i].minor))
      target = chips[i].target;
  return target;
}

bool mpl_cuda_describe(struct mpl_cuda *cuda) {
  enum { CLOCK = 13, PROCESSORS = 16, CACHE = 38, MAJOR = 75, MINOR = 76, MOST_SHARED = 97 };
  enum { ECC = 32, REGISTERS = 82, MANAGED = 83, AT_ONCE_WITH_HOST = 89 };
  enum { REGISTERED_AT_HOSTS_ADDRESS = 91 };
  /* Beside the local memory of a program: what collectives hand on (compiler/gpu/entry.c). */
  enum { SCRATCH = 6144, NVIDIA = 0x10de };
  struct mpl_device_info *info = &cuda->device.info;
  char name[256] = "";
  size_t memory = 0;
  int major = attribute(cuda, MAJOR), minor = attribute(cuda, MINOR);
  if (!mpl_cuda_check(cuda->driver->device_name(name, sizeof name, cuda->ordinal),
                      "cuDeviceGetName") ||
      !mpl_cuda_check(cuda->driver->device_memory(&memory, cuda->ordinal), "cuDeviceTotalMem"))
    return false;
  info->target = choose_target(major, minor);
  if (!info->target) {
    mpl_log(MPL_LOG_ERROR, "%s has compute capability %d.%d; 8.0 is needed", name, major, minor);
    return false;
  }
  info->name = strdup(name);
  info->vendor = "NVIDIA";
  info->vendor_id = NVIDIA;
  info->type = MPL_TYPE_GPU;
  info->compute_units = (uint32_t)attribute(cuda, PROCESSORS);
  info->max_work_group_size = 1024;
  info->clock_mhz = (uint32_t)attribute(cuda, CLOCK) / 1000;
  info->global_memory = memory;
  info->max_allocation = memory / 4;
  cuda->most_shared = (uint32_t)attribute(cuda, MOST_SHARED);
  cuda->registers = (uint32_t)attribute(cuda, REGISTERS);
  info->local_memory = cuda->most_shared - SCRATCH;
  info->own_local_memory = true;
  info->corrects_errors = attribute(cuda, ECC);
  info->global_cache = (uint64_t)attribute(cuda, CACHE);
  info->cache_line = 128;
  info->vector_bytes = 4;
  info->preferred_multiple = MPL_GPU_LANES;
  info->sub_group_size = MPL_GPU_LANES;
  info->offers = MPL_CUDA_OFFERS;
  info->refers_to_images = true;
  info->device_queues = 256; /* all may be arguments of one launch (launch.c) */
  info->svm = MPL_SVM_COARSE | MPL_SVM_FINE; /* our atomics and fences are of the device's scope */
  cuda->manages = cuda->driver->managed_allocate && attribute(cuda, MANAGED) &&
                  attribute(cuda, AT_ONCE_WITH_HOST);
  cuda->borrows = cuda->driver->host_register && cuda->driver->host_unregister &&
                  attribute(cuda, REGISTERED_AT_HOSTS_ADDRESS);
  return info->name != NULL;
}
