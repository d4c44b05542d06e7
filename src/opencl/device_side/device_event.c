#include "device_event.h"

#include <limits.h>
#include <stdlib.h>

#include "abi/records.h"
#include "opencl/objects.h"
#include "runtime/device.h"
#include "runtime/threads/lock.h"
#include "runtime/threads/threads.h"

enum { MAGIC = 0x6d706c76 };

struct mpl_device_event {
  struct mpl_records_event seen; /* first: by kernels; its status is atomic */
  uint32_t magic;                /* 0 once it is freed */
  atomic_uint refs;
  uint64_t captured; /* where the times go, or 0 */
  struct mpl_device *captured_by;
  pthread_mutex_t lock;
  struct mpl_event_pool *pool;   /* or null */
  struct mpl_device_event *next; /* of its unused ones */
};

atomic_int mpl_device_events_completed;

/* With the pool's lock held. */
static void add_to(struct mpl_event_pool *pool, struct mpl_device_event *event) {
  event->next = pool->unused;
  pool->unused = event;
}

static void grow(struct mpl_event_pool *pool) {
  enum { MORE = 4096, ALIGN = 64 };
  struct mpl_device_event *events = pool->device->ops->allocate(
      pool->device, MORE * sizeof *events, ALIGN, MPL_STORAGE_PINNED, "events of kernels");
  for (size_t i = 0; events && i < MORE; i++) add_to(pool, &events[i]);
}

static struct mpl_device_event *take_from(struct mpl_event_pool *pool) {
  mpl_lock(&pool->lock);
  if (!pool->unused) grow(pool);
  struct mpl_device_event *event = pool->unused;
  if (event) pool->unused = event->next;
  mpl_unlock(&pool->lock);
  return event;
}

static void give_back(struct mpl_device_event *event) {
  struct mpl_event_pool *pool = event->pool;
  if (!pool) {
    free(event);
    return;
  }
  mpl_lock(&pool->lock);
  add_to(pool, event);
  mpl_unlock(&pool->lock);
}

uint64_t mpl_device_event_new(struct mpl_event_pool *pool) {
  struct mpl_device_event *event = pool ? take_from(pool) : malloc(sizeof *event);
  if (!event) return 0;
  *event = (struct mpl_device_event){.seen.status = CL_SUBMITTED, .magic = MAGIC, .pool = pool};
  atomic_init(&event->refs, 1);
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
  give_back(event);
}

int mpl_device_event_status(const struct mpl_device_event *event) {
  return __atomic_load_n(&event->seen.status, __ATOMIC_SEQ_CST);
}

/* Through the device, whose memory it may be. */
static void store_times(struct mpl_device_event *event) {
  uint64_t times[] = {event->seen.ran, event->seen.took};
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
  if (mpl_device_event_status(event) > CL_COMPLETE) {
    event->seen.ran = ran ? ran : 1;
    event->seen.took = took ? took : 1;
    store_times(event);
    __atomic_store_n(&event->seen.status, status, __ATOMIC_SEQ_CST);
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
  if (mpl_device_event_status(event) <= CL_COMPLETE) store_times(event);
  mpl_unlock(&event->lock);
}
