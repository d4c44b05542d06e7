#include "device_event.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "objects.h"
#include "runtime/device.h"
#include "runtime/fork.h"
#include "runtime/threads.h"

enum { MAGIC = 0x6d706c76 };

struct mpl_device_event {
  uint32_t magic; /* 0 once it is freed */
  atomic_uint refs;
  atomic_int status;
  uint64_t ran, took;
  uint64_t captured; /* where they go, or 0 */
  struct mpl_device *captured_by;
  pthread_mutex_t lock;
};

atomic_int mpl_device_events_completed;

uint64_t mpl_device_event_new(void) {
  struct mpl_device_event *event = calloc(1, sizeof *event);
  if (!event) return 0;
  event->magic = MAGIC;
  atomic_init(&event->refs, 1);
  atomic_init(&event->status, CL_SUBMITTED);
  pthread_mutex_init(&event->lock, NULL);
  return (uintptr_t)event;
}

struct mpl_device_event *mpl_device_event(uint64_t number) {
  struct mpl_device_event *event = (void *)(uintptr_t)number;
  bool possible = number && number != UINT64_MAX && !(number & 7);
  return possible && event->magic == MAGIC ? event : NULL;
}

void mpl_device_event_retain(struct mpl_device_event *event) {
  atomic_fetch_add(&event->refs, 1);
}

void mpl_device_event_release(struct mpl_device_event *event) {
  if (atomic_fetch_sub(&event->refs, 1) != 1) return;
  event->magic = 0;
  pthread_mutex_destroy(&event->lock);
  free(event);
}

int mpl_device_event_status(const struct mpl_device_event *event) {
  return atomic_load(&event->status);
}

/* Through the device, whose memory it may be. */
static void store_times(struct mpl_device_event *event) {
  uint64_t times[] = {event->ran ? event->ran : 1, event->took ? event->took : 1};
  struct mpl_operation copy = {.kind = MPL_COPY,
                               .copy = {.to = {.base = (void *)(uintptr_t)event->captured},
                                        .from = {.base = times, .on_host = true},
                                        .size = {sizeof times, 1, 1}}};
  if (!event->captured) return;
  copy.copy.to.shared = !event->captured_by->info.host_memory;
  mpl_device_perform(event->captured_by, &copy);
}

void mpl_device_event_finish(struct mpl_device_event *event, int status, uint64_t ran,
                             uint64_t took) {
  mpl_lock(&event->lock);
  if (atomic_load(&event->status) > CL_COMPLETE) {
    event->ran = ran;
    event->took = took;
    store_times(event);
    atomic_store(&event->status, status);
  }
  mpl_unlock(&event->lock);
  atomic_fetch_add(&mpl_device_events_completed, 1);
  mpl_wake(&mpl_device_events_completed);
}

void mpl_device_event_capture(struct mpl_device_event *event, struct mpl_device *device,
                              uint64_t place) {
  mpl_lock(&event->lock);
  event->captured = place;
  event->captured_by = device;
  if (atomic_load(&event->status) <= CL_COMPLETE) store_times(event);
  mpl_unlock(&event->lock);
}
