/* Sub-groups: clGetKernelSubGroupInfo (OpenCL 3.0, section 5.9.3) and the queries of
 * cl_intel_required_subgroup_size.  A kernel's sub-groups are of the size that it was compiled for,
 * whatever the local size; only the last of a work-group may have fewer work-items. */
#include "opencl/device/device.h"
#include "program.h"
#include "runtime/device.h"

static size_t sub_groups_of(const struct mpl_kernel *kernel, size_t items) {
  return (items + kernel->sub_group - 1) / kernel->sub_group;
}

/* The work-items of the largest work-group that the kernel can be launched with. */
static size_t most_items(const struct mpl_kernel *kernel, const struct mpl_device_info *info) {
  const uint32_t *required = kernel->reqd_local;
  return required[0] ? (size_t)required[0] * required[1] * required[2] : info->max_work_group_size;
}

/* Work-items of the local size that a query came with: 1 to 3 numbers.  0 if it is none. */
static size_t items_of(const size_t *local, size_t bytes) {
  size_t dims = bytes / sizeof *local, items = 1;
  if (!local || bytes % sizeof *local || dims < 1 || dims > 3) return 0;
  for (size_t d = 0; d < dims; d++)
    if (__builtin_mul_overflow(items, local[d], &items)) return 0;
  return items;
}

/* A local size that gives `count` full sub-groups: in one dimension, zeros if there is none. */
static cl_int local_size_for(const struct mpl_kernel *kernel, const struct mpl_device_info *info,
                             const size_t *count, size_t count_bytes, size_t size, void *value,
                             size_t *size_ret) {
  size_t local[3] = {0, 0, 0}, dims = size / sizeof *local, items;
  if (!count || count_bytes != sizeof *count) return CL_INVALID_VALUE;
  if (!value) dims = 3;
  if (dims < 1 || dims > 3 || (value && size % sizeof *local)) return CL_INVALID_VALUE;
  const uint32_t *required = kernel->reqd_local;
  bool possible = !__builtin_mul_overflow(*count, (size_t)kernel->sub_group, &items) && items &&
                  items <= info->max_work_group_size;
  if (required[0]) possible &= required[0] == items && required[1] == 1 && required[2] == 1;
  if (possible) local[0] = items, local[1] = local[2] = 1;
  return mpl_answer(local, dims * sizeof *local, size, value, size_ret);
}

cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                                           cl_kernel_sub_group_info param_name, size_t input_size,
                                           const void *input, size_t size, void *value,
                                           size_t *size_ret) {
  if (!mpl_valid(kernel, MPL_KERNEL)) return CL_INVALID_KERNEL;
  cl_program program = kernel->program;
  if (!device && program->num_devices == 1) device = program->devices[0];
  const struct mpl_kernel *k = mpl_kernel_on(kernel, device);
  if (!k) return CL_INVALID_DEVICE;
  const struct mpl_device_info *info = &device->device->info;
  size_t answer = 0, items = items_of(input, input_size);
  switch (param_name) {
  case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
    if (!items) return CL_INVALID_VALUE;
    answer = k->sub_group;
    break;
  case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
    if (!items) return CL_INVALID_VALUE;
    answer = sub_groups_of(k, items);
    break;
  case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
    return local_size_for(k, info, input, input_size, size, value, size_ret);
  case CL_KERNEL_MAX_NUM_SUB_GROUPS:
    answer = sub_groups_of(k, most_items(k, info));
    break;
  case CL_KERNEL_COMPILE_NUM_SUB_GROUPS: /* said in SPIR-V only */
    break;
  case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
    answer = k->reqd_sub_group;
    break;
  default:
    return CL_INVALID_VALUE;
  }
  return mpl_answer(&answer, sizeof answer, size, value, size_ret);
}

cl_int CL_API_CALL clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device,
                                              cl_kernel_sub_group_info param_name,
                                              size_t input_size, const void *input, size_t size,
                                              void *value, size_t *size_ret) {
  return clGetKernelSubGroupInfo(kernel, device, param_name, input_size, input, size, value,
                                 size_ret);
}
