#include "runtime/ndrange.h"

#include <stdarg.h>
#include <stdio.h>

typedef unsigned long long llu;

__attribute__((format(printf, 3, 4))) static int refuse(struct mpl_refusal *refusal, int code,
                                                        const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(refusal->text, sizeof refusal->text, format, list);
  va_end(list);
  return refusal->code = code;
}

int mpl_ndrange_global(uint32_t dims, const size_t *global, const size_t *offset,
                       struct mpl_launch *launch, struct mpl_refusal *refusal) {
  uint64_t total = 1, last;
  if (dims < 1 || dims > 3)
    return refuse(refusal, MPL_INVALID_WORK_DIMENSION, "%u dimensions: 1 to 3 are possible", dims);
  launch->work_dim = dims;
  for (uint32_t d = 0; d < 3; d++) {
    uint64_t size = launch->global_size[d] = d >= dims ? 1 : global ? global[d] : 0;
    uint64_t first = launch->global_offset[d] = d < dims && offset ? offset[d] : 0;
    if (__builtin_add_overflow(size, first, &last))
      return refuse(refusal, MPL_INVALID_GLOBAL_OFFSET,
                    "offset %llu plus global size overflows in dimension %u", (llu)first, d);
    if (__builtin_mul_overflow(total, size, &total))
      return refuse(refusal, MPL_INVALID_GLOBAL_WORK_SIZE, "more than 2^64 work-items altogether");
  }
  return 0;
}

static int check_limits(const struct mpl_device *device, const struct mpl_launch *launch,
                        struct mpl_refusal *refusal) {
  uint64_t items = 1, most = device->info.max_work_group_size;
  for (uint32_t d = 0; d < 3; d++) {
    uint64_t local = launch->local_size[d];
    if (local > most)
      return refuse(refusal, MPL_INVALID_WORK_ITEM_SIZE,
                    "local size %llu in dimension %u: the device's largest is %llu", (llu)local, d,
                    (llu)most);
    items *= local;
    if (!local || items > most)
      return refuse(refusal, MPL_INVALID_WORK_GROUP_SIZE,
                    "work-groups of %llu work-items: 1 to %llu are possible %s", (llu)items,
                    (llu)most,
                    device->info.host_memory ? "(MANIPLE_MAX_WORK_GROUP_SIZE)" : "on this device");
  }
  return 0;
}

static int check_kernel(const struct mpl_kernel *kernel, const struct mpl_launch *launch,
                        struct mpl_refusal *refusal) {
  for (uint32_t d = 0; d < 3; d++) {
    uint64_t local = launch->local_size[d], global = launch->global_size[d];
    if (kernel->reqd_local[0] && local != kernel->reqd_local[d])
      return refuse(refusal, MPL_INVALID_WORK_GROUP_SIZE,
                    "kernel %s requires a local size of %u in dimension %u, not %llu", kernel->name,
                    kernel->reqd_local[d], d, (llu)local);
    if (kernel->flags & MPL_KERNEL_UNIFORM && global % local)
      return refuse(refusal, MPL_INVALID_WORK_GROUP_SIZE,
                    "local size %llu does not divide global size %llu in dimension %u; ragged "
                    "groups need -cl-std=CL2.0 or newer without -cl-uniform-work-group-size",
                    (llu)local, (llu)global, d);
  }
  return 0;
}

int mpl_ndrange_local(struct mpl_device *device, const struct mpl_kernel *kernel,
                      const size_t *local, struct mpl_launch *launch, struct mpl_refusal *refusal) {
  const uint64_t *global = launch->global_size;
  bool suggest = !local && !kernel->reqd_local[0];
  for (uint32_t d = 0; d < 3; d++)
    launch->local_size[d] = suggest || d >= launch->work_dim ? 1
                            : local                          ? local[d]
                                                             : kernel->reqd_local[d];
  if (!global[0] || !global[1] || !global[2]) return 0;
  if (suggest)
    device->ops->suggest_local_size(device, kernel, launch->work_dim, global,
                                    !(kernel->flags & MPL_KERNEL_UNIFORM), launch->local_size);
  int error = check_limits(device, launch, refusal);
  if (!error) error = check_kernel(kernel, launch, refusal);
  for (uint32_t d = 0; d < 3 && !error; d++)
    launch->num_groups[d] =
        d >= launch->work_dim
            ? 1
            : global[d] / launch->local_size[d] + (global[d] % launch->local_size[d] != 0);
  return error;
}

int mpl_ndrange_memory(const struct mpl_device *device, const struct mpl_kernel *kernel,
                       uint64_t size, struct mpl_refusal *refusal) {
  uint64_t most = device->info.local_memory;
  if (size <= most) return 0;
  return refuse(refusal, MPL_OUT_OF_RESOURCES,
                "kernel %s needs %llu bytes of local memory, the device has %llu", kernel->name,
                (llu)size, (llu)most);
}
