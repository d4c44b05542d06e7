/* Launches of kernels that are described by a record. */
#include <stdlib.h>
#include <string.h>

#include "abi/filter.h"
#include "abi/x86_64_level.h"
#include "host.h"
#include "runtime/clock.h"
#include "runtime/ndrange.h"
#include "runtime/options.h"
#include "runtime/print/print.h"
#include "runtime/trace/profile.h"
#include "runtime/trace/trace.h"

enum { ARGS_ALIGN = 64 };

/* One submitted kernel; a copied argument block follows, if there is one. */
struct job {
  struct mpl_launch launch;
  struct mpl_record_kernel kernel;
  struct mpl_kernel filter; /* without a function: it has none that can be run */
  uint64_t local_size;      /* local memory of a group */
  struct mpl_host places;         /* of a kernel on a GPU: where its variables are */
  struct mpl_operation operation; /* for a device beside the host */
  void *args;
  void (*release)(void *args);
};

static int run(void *data, struct mpl_device *device) {
  struct job *job = data;
  bool watched = mpl_profile_wanted();
  uint64_t before = watched ? mpl_clock() : 0;
  const struct mpl_kernel *filter = job->filter.run ? &job->filter : NULL;
  const struct mpl_operation launch = {
      .launch = {&job->kernel.kernel, &job->launch, job->local_size, NULL, filter}};
  int error = mpl_device_perform(device, &launch);
  if (watched) mpl_profile_launch(&launch, before, mpl_clock(), MPL_TRACE_UNKNOWN);
  return error;
}

static void release(void *data) {
  struct job *job = data;
  if (job->release) job->release(job->args);
  free(job);
}

/* --- The kernel --- */

static int check_record(const struct mpl_kernel_launch *ask) {
  const struct mpl_kernel_record *kernel = ask->kernel;
  if (!kernel || !kernel->version || kernel->version > MPL_KERNEL_RECORD_VERSION ||
      !kernel->item || !kernel->name)
    return mpl_host_fail(MPL_INVALID_KERNEL, "this is no kernel of maniple %s: %s", MPL_VERSION,
                         kernel ? "it was built with other headers" : "it is null");
  if (kernel->dims && kernel->dims != ask->dims)
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
  return record->group && (record->flags >> MPL_RECORD_LEVEL_SHIFT & 0xff) <= mpl_x86_64_level() &&
         !device->info.is_checked;
}

/* A record of the first version ends in front of its filter. */
static const struct mpl_record_filter *filter_of(const struct mpl_device *device,
                                                 const struct mpl_kernel_record *record) {
  const struct mpl_record_filter *filter = record->version > 1 ? record->filter : NULL;
  bool runs = filter && filter->version == MPL_RECORD_FILTER_VERSION &&
              filter->level <= mpl_x86_64_level();
  return device->info.takes_filters && runs ? filter : NULL;
}

static uint32_t sub_group_size(const struct mpl_device *device,
                               const struct mpl_kernel_record *kernel) {
  if (device->info.sub_group_size)
    return kernel->reqd_sub_group ? kernel->reqd_sub_group : device->info.sub_group_size;
  uint32_t compiled = kernel->flags >> MPL_RECORD_SUB_GROUP_SHIFT & 0xff;
  if (compiled && runs_compiled(device, kernel)) return compiled;
  return kernel->reqd_sub_group ? kernel->reqd_sub_group
                                : (uint32_t)mpl_option_number(MPL_OPTION_SUBGROUP_SIZE);
}

/* Its work-items have to be those that the engine would run. */
static void set_filter(const struct mpl_record_filter *filter, struct job *job) {
  struct mpl_kernel *kernel = &job->filter;
  if (!filter || (filter->sub_group && filter->sub_group != job->kernel.kernel.sub_group)) return;
  *kernel = job->kernel.kernel;
  kernel->run = filter->run;
  kernel->flags = filter->flags | (kernel->flags & MPL_KERNEL_UNIFORM);
  kernel->local_size = filter->local_size;
  kernel->scratch_per_item = filter->scratch_per_item;
  kernel->scratch_fixed = filter->scratch_fixed;
}

/* Only what was compiled with headers that have `instances` has variables. */
static int set_places(const struct mpl_kernel_launch *ask, struct job *job) {
  const struct mpl_record_gpu *gpu = mpl_variables_of(ask->kernel);
  if (!gpu) return 0;
  void *places = mpl_places_of_variables(ask->instances, gpu);
  job->places = (struct mpl_host){.enqueuer = (uintptr_t)places};
  job->launch.host = &job->places;
  return places ? 0
                : mpl_host_fail(MPL_OUT_OF_RESOURCES, "kernel %s: no memory for its device_globals",
                                ask->kernel->name);
}

/* The device's own kernel, under the program's name for it. */
static int set_gpu_kernel(struct mpl_device *device, const struct mpl_kernel_record *record,
                          struct job *job) {
  const struct mpl_kernel *found = mpl_gpu_kernel(device, record);
  if (!found) return MPL_INVALID_KERNEL_DEFINITION;
  job->kernel.kernel = *found;
  job->kernel.kernel.name = record->name;
  job->local_size = mpl_local_end(found->local_size);
  return 0;
}

static int set_kernel(struct mpl_device *device, const struct mpl_kernel_record *record,
                      struct job *job) {
  static const struct mpl_host host = {.print = mpl_print};
  struct mpl_kernel *kernel = &job->kernel.kernel;
  job->kernel.record = record;
  job->launch.host = &host;
  if (mpl_is_gpu(device)) return set_gpu_kernel(device, record, job);
  kernel->name = record->name;
  kernel->sub_group = sub_group_size(device, record);
  kernel->flags = record->flags & MPL_RECORD_EVEN ? MPL_KERNEL_UNIFORM : 0;
  if (!(record->flags & MPL_RECORD_NO_GROUPS))
    memcpy(kernel->reqd_local, record->reqd_local, sizeof kernel->reqd_local);
  job->local_size = mpl_local_end(record->local_size);
  if (!runs_compiled(device, record)) {
    kernel->flags |= MPL_KERNEL_HAS_SYNC | MPL_KERNEL_PER_ITEM;
    set_filter(filter_of(device, record), job);
    return 0;
  }
  kernel->run = record->group;
  if (record->flags & MPL_RECORD_HAS_SYNC) kernel->flags |= MPL_KERNEL_HAS_SYNC;
  kernel->flags |= (record->flags >> MPL_RECORD_LANES_SHIFT) << MPL_KERNEL_LANES_SHIFT;
  kernel->scratch_per_item = record->scratch_per_item;
  kernel->scratch_fixed = record->scratch_fixed;
  return 0;
}

static int fill_in(struct mpl_device *device, const struct mpl_kernel_launch *ask,
                   struct job *job) {
  struct mpl_refusal refusal;
  const struct mpl_kernel *kernel = &job->kernel.kernel;
  int error = set_kernel(device, ask->kernel, job);
  if (!error && mpl_is_gpu(device)) error = set_places(ask, job);
  if (error) return error; /* it is said by now */
  job->local_size += ask->local_memory;
  if (!mpl_ndrange_global(ask->dims, ask->global, ask->offset, &job->launch, &refusal) &&
      !mpl_ndrange_local(device, kernel, ask->local[0] ? ask->local : NULL, &job->launch,
                         &refusal) &&
      !mpl_ndrange_memory(device, kernel, job->local_size, &refusal))
    return 0;
  return mpl_host_fail(refusal.code, "%s", refusal.text);
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
  if (mpl_is_gpu(mpl_queue_device(queue))) {
    job->operation = (struct mpl_operation){
        .launch = {&job->kernel.kernel, &job->launch, job->local_size, NULL, NULL}};
    work.operation = &job->operation;
  }
  if (mpl_tracing()) work.label = mpl_trace_name(ask->kernel->name);
  return mpl_host_submit(queue, &work, 0, waits, num_waits, event);
}

static _Thread_local struct mpl_device *chosen;

void mpl_use_device(struct mpl_device *device) {
  chosen = device;
}

int mpl_run_kernel(const struct mpl_kernel_launch *ask) {
  struct mpl_device *device = chosen ? chosen : mpl_get_device(0);
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
  const struct mpl_kernel *on_gpu =
      mpl_is_gpu(device) && mpl_runs_on_gpu(record) ? mpl_gpu_kernel(device, record) : NULL;
  struct mpl_kernel_properties all = {
      .max_work_group_size = device->info.max_work_group_size,
      .preferred_multiple = device->info.preferred_multiple,
      .sub_group_size = sub_group_size(device, record),
      .is_compiled = mpl_is_gpu(device) ? on_gpu != NULL : runs_compiled(device, record),
      .local_size = on_gpu ? on_gpu->local_size : record->local_size,
      .private_size = on_gpu ? on_gpu->private_size : record->private_size,
  };
  memcpy(properties, &all, size < sizeof all ? size : sizeof all);
}
