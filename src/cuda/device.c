#include <stdio.h>
#include <stdlib.h>

#include "cuda.h"
#include "runtime/clock.h"
#include "runtime/errors.h"
#include "runtime/threads/threads.h"

enum { NON_BLOCKING = 1 };

bool mpl_cuda_is_there(void) {
  return mpl_cuda_driver() != NULL;
}

/* What is missing, in the context that is this thread's; after a failure the next use goes on. */
static bool make_all(struct mpl_cuda *cuda) {
  const struct mpl_cuda_driver *driver = cuda->driver;
  return (cuda->stream ||
          mpl_cuda_check(driver->stream_create(&cuda->stream, NON_BLOCKING), "cuStreamCreate")) &&
         (cuda->idle ||
          mpl_cuda_check(driver->stream_create(&cuda->idle, NON_BLOCKING), "cuStreamCreate")) &&
         (cuda->spare || mpl_cuda_check(driver->allocate(&cuda->spare, 1), "cuMemAlloc")) &&
         mpl_cuda_start_clock(cuda);
}

static bool start(struct mpl_cuda *cuda) {
  const struct mpl_cuda_driver *driver = cuda->driver;
  pthread_mutex_lock(&cuda->start_lock);
  bool good =
      cuda->context ||
      ((cuda->retained || mpl_cuda_check(driver->context_retain(&cuda->retained, cuda->ordinal),
                                         "cuDevicePrimaryCtxRetain")) &&
       mpl_cuda_check(driver->context_set(cuda->retained), "cuCtxSetCurrent") && make_all(cuda));
  if (good) atomic_store(&cuda->context, cuda->retained);
  pthread_mutex_unlock(&cuda->start_lock);
  return good;
}

bool mpl_cuda_enter(struct mpl_cuda *cuda) {
  static _Thread_local CUcontext current;
  CUcontext wanted = atomic_load_explicit(&cuda->context, memory_order_acquire);
  if (wanted && current == wanted) return true;
  current = NULL; /* it is not this thread's while another is made */
  if (!wanted && !start(cuda)) return false;
  wanted = cuda->context;
  if (mpl_cuda_error(cuda, cuda->driver->context_set(wanted), "cuCtxSetCurrent")) return false;
  current = wanted;
  return true;
}

/* After these, CUDA's documentation says (CUresult), all further work returns the same error, and
 * the process must be ended and launched again. */
static bool is_for_good(int error) {
  enum { ECC = 214, LINK = 220, ADDRESS = 700, TIMEOUT = 702, ASSERT = 710, STACK = 714 };
  enum { LAUNCH_FAILED = 719 };
  return error == ECC || error == LINK || error == ADDRESS || error == TIMEOUT || error == ASSERT ||
         (error >= STACK && error <= LAUNCH_FAILED);
}

int mpl_cuda_error(struct mpl_cuda *cuda, int error, const char *what) {
  if (mpl_cuda_check(error, what)) return 0;
  if (is_for_good(error)) atomic_store(&cuda->lost, error);
  return error == MPL_CUDA_OUT_OF_MEMORY ? MPL_MEM_OBJECT_ALLOCATION_FAILURE : MPL_OUT_OF_RESOURCES;
}

/* What a kernel has done, where the driver's name of the error leaves that open. */
static const char *fault_of(int error, bool is_known) {
  enum { ADDRESS = 700, MISALIGNED = 716 };
  if (error == ADDRESS)
    return is_known ? ", an address outside its memory: "
                    : ", an address outside its memory, as the host's heap and stack are";
  return error == MISALIGNED ? ", an address that is not aligned" : is_known ? "; " : "";
}

/* The sentence, with the reason for it or before that is known.  It stays as it is until there is
 * another error: threads have little room for texts of their own in a library that is loaded late. */
static const char *say_loss(struct mpl_cuda *cuda, int error) {
  const char *name = "an unknown error", *reason = cuda->device.reason;
  bool is_known = atomic_load(&cuda->device.has_reason);
  pthread_mutex_lock(&cuda->lost_lock);
  struct mpl_cuda_loss *loss = &cuda->losses[is_known];
  if (loss->error != error) {
    loss->error = error;
    cuda->driver->error_name(error, &name);
    snprintf(loss->text, sizeof loss->text,
             "the GPU is lost to this process by a kernel's fault: %s (%d)%s%s; what was in its "
             "memory is gone, and a new process can use it",
             name, error, fault_of(error, is_known), is_known ? reason : "");
  }
  pthread_mutex_unlock(&cuda->lost_lock);
  return loss->text;
}

/* A new context of the same process meets the same error.  The driver is asked whether that is so
 * still: a query does not wait. */
const char *mpl_cuda_lost(struct mpl_device *device) {
  struct mpl_cuda *cuda = (struct mpl_cuda *)device;
  int error = atomic_load_explicit(&cuda->lost, memory_order_relaxed);
  if (!error) return NULL;
  if (!mpl_cuda_enter(cuda) || is_for_good(cuda->driver->stream_query(cuda->idle)))
    return say_loss(cuda, error);
  pthread_mutex_lock(&cuda->lost_lock);
  cuda->losses[0].error = cuda->losses[1].error = 0;
  pthread_mutex_unlock(&cuda->lost_lock);
  atomic_store(&cuda->lost, 0);
  return NULL;
}

static uint64_t now(struct mpl_device *device) {
  return mpl_clock();
}

static const struct mpl_device_ops cuda_ops = {
    .load = mpl_cuda_load,
    .table = mpl_cuda_table,
    .unload = mpl_cuda_unload,
    .allocate = mpl_cuda_allocate,
    .release = mpl_cuda_release,
    .lend = mpl_cuda_lend,
    .take_back = mpl_cuda_take_back,
    .has_given = mpl_cuda_has_given,
    .perform = mpl_cuda_perform,
    .now = now,
    .suggest_local_size = mpl_cuda_suggest,
    .stream_create = mpl_cuda_stream_create,
    .stream_destroy = mpl_cuda_stream_destroy,
    .issue = mpl_cuda_issue,
    .issue_timed = mpl_cuda_issue_timed,
    .wait_for = mpl_cuda_wait_for,
    .mark = mpl_cuda_mark,
    .reached = mpl_cuda_reached,
    .drain = mpl_cuda_drain,
    .times = mpl_cuda_times,
    .mark_free = mpl_cuda_mark_free,
    .lost = mpl_cuda_lost,
};

static bool find(struct mpl_cuda *cuda, unsigned ordinal) {
  const struct mpl_cuda_driver *driver = cuda->driver;
  int count = 0;
  return mpl_cuda_check(driver->init(0), "cuInit") &&
         mpl_cuda_check(driver->device_count(&count), "cuDeviceGetCount") &&
         ordinal < (unsigned)count &&
         mpl_cuda_check(driver->device_get(&cuda->ordinal, (int)ordinal), "cuDeviceGet") &&
         mpl_cuda_describe(cuda);
}

static struct mpl_cuda *last;

struct mpl_cuda *mpl_cuda_last(void) {
  return last;
}

/* One thread makes them all, before others have any. */
struct mpl_device *mpl_cuda_create(unsigned ordinal) {
  enum { HOST_THREADS = 2 };
  struct mpl_cuda *cuda = mpl_cuda_is_there() ? calloc(1, sizeof *cuda) : NULL;
  if (!cuda) return NULL;
  cuda->driver = mpl_cuda_driver();
  cuda->device.ops = &cuda_ops;
  pthread_mutex_init(&cuda->lock, NULL);
  pthread_mutex_init(&cuda->start_lock, NULL);
  pthread_mutex_init(&cuda->clock_lock, NULL);
  pthread_mutex_init(&cuda->lost_lock, NULL);
  pthread_mutex_init(&cuda->print_lock, NULL);
  pthread_mutex_init(&cuda->timed_lock, NULL);
  pthread_mutex_init(&cuda->fill_lock, NULL);
  pthread_mutex_init(&cuda->memory_lock, NULL);
  atomic_init(&cuda->device.refs, 1);
  if (mpl_cuda_quiet_start(cuda) && find(cuda, ordinal) &&
      (cuda->device.pool = mpl_pool_create(HOST_THREADS))) {
    cuda->next = last;
    last = cuda;
    return &cuda->device;
  }
  free(cuda); /* what the driver has given stays: there is one process for each failure */
  return NULL;
}
