#include "device.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check/engine/engine.h"
#include "check/engine/fibre.h"
#include "check/engine/watchdog.h"
#include "check/filter/filter.h"
#include "check/memory/allocations.h"
#include "check/memory/shadow.h"
#include "check/memory/uses.h"
#include "check/report/diagnose_host.h"
#include "check/report/diagnose_pointer.h"
#include "check/report/progress.h"
#include "runtime/commands/sequence.h"
#include "runtime/errors.h"
#include "runtime/options.h"
#include "runtime/print/print.h"

struct layer {
  struct mpl_device_ops ops; /* first: those that the device has */
  const struct mpl_device_ops *inner;
};

static const struct mpl_device_ops *inner(const struct mpl_device *device) {
  return ((const struct layer *)device->ops)->inner;
}

/* Bytes between memory and its guards.  A filter's masked access of lanes that are not there takes
 * a hundred times as long where it reaches a page that nobody may access.  OpenCL kernels' accesses
 * are compared with the memory's bounds; of others only the guards know, and theirs is shared
 * (host/memory.c) or local memory. */
static size_t margin_of(enum mpl_storage storage) {
  enum { MOST_LANES_SIZE = 512 };
  bool are_compared = storage != MPL_STORAGE_SHARED && mpl_option_number(MPL_OPTION_CHECK_MEMORY);
  return are_compared ? MOST_LANES_SIZE : 0;
}

static void *allocate(struct mpl_device *device, size_t size, size_t align,
                      enum mpl_storage storage, const char *what) {
  void *memory = mpl_allocation_create(size, align, margin_of(storage), what);
  return memory ? memory : inner(device)->allocate(device, size, align, storage, what);
}

static void release(struct mpl_device *device, void *memory, enum mpl_storage storage) {
  if (!mpl_allocation_release(memory)) inner(device)->release(device, memory, storage);
}

static bool may_access(struct mpl_device *device, const void *at, size_t size, bool writes) {
  return mpl_command_may_access(at, size, writes ? MPL_FAULT_WRITE : MPL_FAULT_READ);
}

static void begin(struct mpl_check_launch *check) {
  check->number = mpl_shadow_begin();
  check->first_phase = mpl_phase_now() + 1;
  mpl_report_launch(check->kernel->name);
  mpl_faults_catch();
  mpl_allocations_verify(NULL);
  mpl_uses_begin(check);
}

/* The status of the launch: with MANIPLE_CHECK the program goes on after a mistake. */
static int end(struct mpl_check_launch *check, bool goes_on, int error) {
  mpl_shadow_end();
  mpl_uses_end(check);
  mpl_check_progress_clear();
  mpl_allocations_verify(check);
  if (!error) error = atomic_load(&check->error);
  return error || goes_on || !atomic_load(&check->incomplete) ? error : MPL_INVALID_OPERATION;
}

static int perform_items(struct mpl_device *device, const struct mpl_operation *asked) {
  const struct mpl_kernel *kernel = asked->launch.kernel;
  struct mpl_kernel own = *kernel;
  struct mpl_launch launch = *asked->launch.launch;
  struct mpl_operation operation = {
      .launch = {&own, &launch, asked->launch.local_size, asked->launch.args, NULL}};
  struct mpl_check_launch check = {.host = {.print = mpl_print, .items = &mpl_check_items},
                                   .kernel = kernel,
                                   .args = asked->launch.args,
                                   .block = launch.args,
                                   .is_on_one_thread = device->info.compute_units == 1};
  if (!kernel->run) {
    check.record = ((const struct mpl_record_kernel *)kernel)->record;
    own.run = mpl_check_group;
  }
  if (launch.host) {
    check.host.queues = launch.host->queues;
    check.host.enqueuer = launch.host->enqueuer;
  }
  launch.host = &check.host;
  begin(&check);
  int error = 0;
  if (!mpl_filter_launch(device, inner(device), asked, &check, &error))
    error = inner(device)->perform(device, &operation);
  return end(&check, device->info.is_checked, error);
}

/* fork() has found no lock held that is held for a moment only; the rest begins anew. */
static void after_fork(void) {
  mpl_shadow_after_fork();
  mpl_stacks_after_fork();
  mpl_watchdog_after_fork();
  mpl_filter_after_fork();
  mpl_report_after_fork();
}

static void watch_forks(void) {
  pthread_atfork(NULL, NULL, after_fork);
}

/* A filter runs work-items in no order but its own. */
static bool wants_filters(void) {
  return mpl_option_number(MPL_OPTION_CHECK_FILTER) &&
         mpl_option_number(MPL_OPTION_CHECK_MEMORY) &&
         !strcmp(mpl_option_text(MPL_OPTION_CHECK_SCHEDULE), "order");
}

bool mpl_check_device(struct mpl_device *device) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  struct layer *layer = malloc(sizeof *layer); /* as long as the process */
  pthread_once(&once, watch_forks);
  if (!layer) return false;
  *layer = (struct layer){*device->ops, device->ops};
  layer->ops.perform_items = perform_items;
  device->info.is_checked = mpl_option_number(MPL_OPTION_CHECK) != 0;
  device->info.takes_filters = device->info.is_checked && wants_filters();
  if (device->info.is_checked) {
    layer->ops.allocate = allocate;
    layer->ops.release = release;
    layer->ops.may_access = may_access;
    atomic_store(&mpl_host_teller, mpl_diagnose_host);
    mpl_sequence_want();
  }
  device->ops = &layer->ops;
  return true;
}
