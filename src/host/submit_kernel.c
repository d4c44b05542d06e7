/* Launches of kernels that are described by a record. */
#include <stdlib.h>
#include <string.h>

#include "abi/x86_64_level.h"
#include "host.h"
#include "runtime/clock.h"
#include "runtime/log.h"
#include "runtime/options.h"
#include "runtime/print.h"
#include "runtime/profile.h"

enum { LOCAL_ALIGN = 128, ARGS_ALIGN = 64 };

/* One submitted kernel; a copied argument block follows, if there is one. */
struct job {
  struct mpl_launch launch;
  struct mpl_record_kernel kernel;
  uint64_t local_size; /* local memory of a group */
  void *args;
  void (*release)(void *args);
};

static int run(void *data, struct mpl_device *device) {
  struct job *job = data;
  bool watched = mpl_option_number(MPL_OPTION_PROFILE) || mpl_log_wanted(MPL_LOG_LAUNCH);
  uint64_t before = watched ? mpl_clock() : 0;
  const struct mpl_operation launch = {
      .launch = {&job->kernel.kernel, &job->launch, job->local_size}};
  int error = mpl_device_perform(device, &launch);
  if (watched) {
    uint64_t ns = mpl_clock() - before;
    if (mpl_option_number(MPL_OPTION_PROFILE)) mpl_profile_add(job->kernel.record->name, ns);
    mpl_log(MPL_LOG_LAUNCH, "%s: %.3f us", job->kernel.record->name, (double)ns / 1e3);
  }
  return error;
}

static void release(void *data) {
  struct job *job = data;
  if (job->release) job->release(job->args);
  free(job);
}

/* --- Sizes --- */

static int set_global(const struct mpl_kernel_launch *ask, struct mpl_launch *sizes) {
  uint64_t total = 1, last;
  sizes->work_dim = ask->dims;
  for (uint32_t d = 0; d < 3; d++) {
    sizes->global_size[d] = d < ask->dims ? ask->global[d] : 1;
    sizes->global_offset[d] = d < ask->dims ? ask->offset[d] : 0;
    if (__builtin_add_overflow(sizes->global_size[d], sizes->global_offset[d], &last))
      return mpl_host_fail(MPL_INVALID_GLOBAL_OFFSET,
                           "offset plus global size overflows in dimension %u", d);
    if (__builtin_mul_overflow(total, sizes->global_size[d], &total))
      return mpl_host_fail(MPL_INVALID_GLOBAL_WORK_SIZE, "more than 2^64 work-items altogether");
  }
  return 0;
}

static int check_local(const struct mpl_device *device, const struct mpl_kernel_record *kernel,
                       const struct mpl_launch *sizes) {
  uint64_t items = 1, most = device->info.max_work_group_size;
  for (uint32_t d = 0; d < 3; d++) {
    uint64_t local = sizes->local_size[d];
    if (local > most)
      return mpl_host_fail(MPL_INVALID_WORK_ITEM_SIZE,
                           "local size %llu in dimension %u: the device's largest is %llu",
                           (unsigned long long)local, d, (unsigned long long)most);
    items *= local;
    if (!local || items > most)
      return mpl_host_fail(MPL_INVALID_WORK_GROUP_SIZE,
                           "work-groups of %llu work-items: 1 to %llu are possible",
                           (unsigned long long)items, (unsigned long long)most);
    if (kernel->reqd_local[0] && local != kernel->reqd_local[d])
      return mpl_host_fail(MPL_INVALID_WORK_GROUP_SIZE,
                           "kernel %s requires a local size of %u in dimension %u, not %llu",
                           kernel->name, kernel->reqd_local[d], d, (unsigned long long)local);
    if (kernel->flags & MPL_RECORD_EVEN && sizes->global_size[d] % local)
      return mpl_host_fail(MPL_INVALID_WORK_GROUP_SIZE,
                           "local size %llu does not divide global size %llu in dimension %u",
                           (unsigned long long)local, (unsigned long long)sizes->global_size[d], d);
  }
  return 0;
}

static int set_local(struct mpl_device *device, const struct mpl_kernel_launch *ask,
                     struct job *job) {
  const struct mpl_kernel_record *kernel = ask->kernel;
  struct mpl_launch *sizes = &job->launch;
  bool given = ask->local[0] != 0, even = kernel->flags & MPL_RECORD_EVEN;
  for (uint32_t d = 0; d < 3; d++)
    sizes->local_size[d] = given && d < ask->dims            ? ask->local[d]
                           : given || !kernel->reqd_local[0] ? 1
                                                             : kernel->reqd_local[d];
  if (!given && !kernel->reqd_local[0])
    device->ops->suggest_local_size(device, &job->kernel.kernel, ask->dims, sizes->global_size, !even,
                                    sizes->local_size);
  int error = check_local(device, kernel, sizes);
  for (uint32_t d = 0; d < 3 && !error; d++)
    sizes->num_groups[d] = sizes->global_size[d] / sizes->local_size[d] +
                           (sizes->global_size[d] % sizes->local_size[d] != 0);
  return error;
}

static int set_sizes(struct mpl_device *device, const struct mpl_kernel_launch *ask,
                     struct job *job) {
  int error = set_global(ask, &job->launch);
  const uint64_t *global = job->launch.global_size;
  if (error || !global[0] || !global[1] || !global[2]) return error; /* no groups */
  return set_local(device, ask, job);
}

/* --- The kernel --- */

static int check_record(const struct mpl_kernel_launch *ask) {
  const struct mpl_kernel_record *kernel = ask->kernel;
  if (!kernel || kernel->version != MPL_KERNEL_RECORD_VERSION || !kernel->item || !kernel->name)
    return mpl_host_fail(MPL_INVALID_KERNEL, "this is no kernel of maniple %s: %s", MPL_VERSION,
                         kernel ? "it was built with other headers" : "it is null");
  if (ask->dims < 1 || ask->dims > 3 || (kernel->dims && kernel->dims != ask->dims))
    return mpl_host_fail(MPL_INVALID_WORK_DIMENSION, "kernel %s cannot run over %u dimensions",
                         kernel->name, ask->dims);
  if (kernel->reqd_sub_group & (kernel->reqd_sub_group - 1) || kernel->reqd_sub_group > 64)
    return mpl_host_fail(MPL_INVALID_KERNEL,
                         "kernel %s requires sub-groups of %u: powers of two up to 64 are possible",
                         kernel->name, kernel->reqd_sub_group);
  return 0;
}

/* Compiled, for this processor, and no check is asked for. */
static bool runs_compiled(const struct mpl_device *device, const struct mpl_kernel_record *record) {
  return record->group && (record->flags >> MPL_RECORD_LEVEL_SHIFT) <= mpl_x86_64_level() &&
         !device->info.is_checked;
}

static uint32_t sub_group_size(const struct mpl_device *device,
                               const struct mpl_kernel_record *kernel) {
  uint32_t compiled = kernel->flags >> MPL_RECORD_SUB_GROUP_SHIFT & 0xff;
  if (compiled && runs_compiled(device, kernel)) return compiled;
  return kernel->reqd_sub_group ? kernel->reqd_sub_group
                                : (uint32_t)mpl_option_number(MPL_OPTION_SUBGROUP_SIZE);
}

static void set_kernel(struct mpl_device *device, const struct mpl_kernel_record *record,
                       struct job *job) {
  static const struct mpl_host host = {.print = mpl_print};
  struct mpl_kernel *kernel = &job->kernel.kernel;
  job->kernel.record = record;
  job->launch.host = &host;
  kernel->name = record->name;
  kernel->sub_group = sub_group_size(device, record);
  kernel->flags = MPL_KERNEL_HAS_SYNC | MPL_KERNEL_PER_ITEM;
  if (!runs_compiled(device, record)) return;
  kernel->run = record->group;
  kernel->flags = record->flags & MPL_RECORD_HAS_SYNC ? MPL_KERNEL_HAS_SYNC : 0;
  kernel->scratch_per_item = record->scratch_per_item;
  kernel->scratch_fixed = record->scratch_fixed;
  job->local_size = (record->local_size + LOCAL_ALIGN - 1) / LOCAL_ALIGN * LOCAL_ALIGN;
}

static int fill_in(struct mpl_device *device, const struct mpl_kernel_launch *ask,
                   struct job *job) {
  set_kernel(device, ask->kernel, job);
  int error = set_sizes(device, ask, job);
  job->local_size += ask->local_memory;
  if (!error && job->local_size > device->info.local_memory)
    error = mpl_host_fail(MPL_OUT_OF_RESOURCES,
                          "kernel %s needs %llu bytes of local memory, the device has %llu",
                          ask->kernel->name, (unsigned long long)job->local_size,
                          (unsigned long long)device->info.local_memory);
  return error;
}

/* A job with the arguments in it, or in the caller's block; null if out of memory. */
static struct job *new_job(const struct mpl_kernel_launch *ask) {
  size_t head = (sizeof(struct job) + ARGS_ALIGN - 1) / ARGS_ALIGN * ARGS_ALIGN;
  size_t copied = ask->release ? 0 : ask->kernel->args_size;
  struct job *job = NULL;
  void *memory;
  if (!posix_memalign(&memory, ARGS_ALIGN, head + copied)) job = memory;
  if (!job) return NULL;
  *job = (struct job){.args = ask->args, .release = ask->release};
  if (copied) memcpy(job->args = (char *)job + head, ask->args, copied);
  job->launch.args = job->args;
  return job;
}

int mpl_submit_kernel(struct mpl_queue *queue, const struct mpl_kernel_launch *ask,
                      struct mpl_event *const *waits, uint32_t num_waits,
                      struct mpl_event **event) {
  int error = check_record(ask);
  struct job *job = error ? NULL : new_job(ask);
  if (!error && !job) error = mpl_host_fail(MPL_OUT_OF_HOST_MEMORY, "no memory for a launch");
  if (error) {
    if (ask->release) ask->release(ask->args);
    return error;
  }
  if ((error = fill_in(mpl_queue_device(queue), ask, job))) {
    release(job);
    return error;
  }
  const uint64_t *global = job->launch.global_size;
  struct mpl_work_desc work = {
      .run = run, .release = release, .data = job, .weight = global[0] * global[1] * global[2]};
  return mpl_host_submit(queue, &work, 0, waits, num_waits, event);
}

int mpl_run_kernel(const struct mpl_kernel_launch *ask) {
  struct mpl_device *device = mpl_get_device(0);
  int error = device ? check_record(ask) : MPL_OUT_OF_RESOURCES;
  struct job job = {.args = ask->args, .launch.args = ask->args};
  if (!error) error = fill_in(device, ask, &job);
  if (!error) error = run(&job, device);
  if (error == MPL_INVALID_OPERATION)
    mpl_host_fail(error, "kernel %s: a mistake was found, see the message", ask->kernel->name);
  if (ask->release) ask->release(ask->args);
  return error;
}

void mpl_describe_kernel(struct mpl_device *device, const struct mpl_kernel_record *record,
                         struct mpl_kernel_properties *properties, size_t size) {
  struct mpl_kernel_properties all = {
      .max_work_group_size = device->info.max_work_group_size,
      .preferred_multiple = device->info.vector_bytes / 4,
      .sub_group_size = sub_group_size(device, record),
      .is_compiled = runs_compiled(device, record),
      .local_size = record->local_size,
      .private_size = record->private_size,
  };
  memcpy(properties, &all, size < sizeof all ? size : sizeof all);
}
