#include "device_records.h"

#include <stdlib.h>
#include <string.h>

#include "abi/records.h"
#include "device_event.h"
#include "device_queue.h"
#include "opencl/enqueue/enqueue.h"
#include "runtime/device.h"
#include "runtime/threads/threads.h"

enum {
  MOST = 64 << 20,      /* bytes of records of what one launch enqueues, to however many queues */
  FOR_EVENTS = 8 << 20, /* and of its calls on events: four for each that it may make */
  ALIGN = 64,
};

/* Memory that the device and the host use; it grows. */
struct shared {
  void *at;
  size_t size;
};

/* One launch at a time leaves records: what it says of an event, as that it waits for it, is known
 * before another launch can have let go of that event. */
struct place {
  struct place *next;
  struct mpl_device *device;
  atomic_int turn;             /* 1: a launch has it, and what runs then may take long */
  struct mpl_recorder *unused; /* they keep their memory: it takes long to get */
};

struct mpl_recorder {
  struct mpl_recorder *next; /* of those that nobody uses */
  struct place *place;
  cl_context context;
  cl_device_id handle;
  struct mpl_device *device;
  const struct mpl_object *object;
  size_t pending;
  struct shared head; /* struct mpl_records, queues, blocks */
  struct mpl_event_pool pool;
  struct shared events; /* their numbers */
  struct shared records;
  struct shared literal;
  uint64_t num_events;      /* made for the launch, or for the next */
  cl_command_queue *queues; /* kept for the launch */
  size_t num_queues;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct place *places; /* and all that is unused there */

static struct place *place_of(struct mpl_device *device) {
  struct place *place = places;
  while (place && place->device != device) place = place->next;
  if (place || !(place = calloc(1, sizeof *place))) return place;
  place->device = device;
  place->next = places;
  return places = place;
}

static struct mpl_recorder *new_recorder(struct place *place) {
  struct mpl_recorder *recorder = calloc(1, sizeof *recorder);
  if (!recorder) return NULL;
  recorder->place = place;
  recorder->device = recorder->pool.device = place->device;
  pthread_mutex_init(&recorder->pool.lock, NULL);
  return recorder;
}

static struct mpl_recorder *take(struct mpl_device *device) {
  mpl_lock(&lock);
  struct place *place = place_of(device);
  struct mpl_recorder *recorder = place ? place->unused : NULL;
  if (recorder)
    place->unused = recorder->next;
  else if (place)
    recorder = new_recorder(place);
  mpl_unlock(&lock);
  return recorder;
}

struct mpl_recorder *mpl_recorder_open(cl_context context, cl_device_id handle,
                                       const struct mpl_object *object, size_t pending) {
  struct mpl_recorder *recorder = take(handle->device);
  if (!recorder) return NULL;
  recorder->context = context;
  recorder->handle = handle;
  recorder->object = object;
  recorder->pending = pending;
  return recorder;
}

void mpl_recorder_close(struct mpl_recorder *recorder) {
  if (!recorder) return;
  mpl_lock(&lock);
  recorder->next = recorder->place->unused;
  recorder->place->unused = recorder;
  mpl_unlock(&lock);
}

/* Growing loses the contents. */
static bool need(struct mpl_recorder *recorder, struct shared *memory, size_t size) {
  const struct mpl_device_ops *ops = recorder->device->ops;
  if (memory->at && memory->size >= size) return true;
  if (memory->at) ops->release(recorder->device, memory->at, MPL_STORAGE_PINNED);
  memory->at =
      ops->allocate(recorder->device, size, ALIGN, MPL_STORAGE_PINNED, "what kernels enqueue");
  memory->size = memory->at ? size : 0;
  return memory->at != NULL;
}

const void *mpl_recorder_literal(struct mpl_recorder *recorder, const void *literal) {
  const uint32_t *sizes = literal; /* its own, and its alignment */
  size_t align = sizes[1] < MPL_BLOCK_ALIGN ? MPL_BLOCK_ALIGN : sizes[1];
  if (!need(recorder, &recorder->literal, sizes[0] + align)) return NULL;
  uintptr_t place = ((uintptr_t)recorder->literal.at + align - 1) / align * align;
  return memcpy((void *)place, literal, sizes[0]);
}

/* --- Input of a launch --- */

static bool make_events(struct mpl_recorder *recorder) {
  if (!need(recorder, &recorder->events, MPL_DEVICE_EVENTS * sizeof(uint64_t))) return false;
  uint64_t *events = recorder->events.at;
  while (recorder->num_events < MPL_DEVICE_EVENTS &&
         (events[recorder->num_events] = mpl_device_event_new(&recorder->pool)))
    recorder->num_events++;
  return true;
}

/* Those that the launch has made are somebody's now; the others are for the next. */
static void forget_events(struct mpl_recorder *recorder, uint64_t used) {
  uint64_t *events = recorder->events.at;
  if (used > recorder->num_events) used = recorder->num_events;
  for (uint64_t i = 0; i < used; i++) events[i] = events[--recorder->num_events];
}

static int by_handle(const void *a, const void *b) {
  const cl_command_queue *first = a, *second = b;
  return ((uintptr_t)*first > (uintptr_t)*second) - ((uintptr_t)*first < (uintptr_t)*second);
}

static bool keep_queues(struct mpl_recorder *recorder) {
  size_t count = 0;
  mpl_lock(&recorder->context->lock);
  for (cl_command_queue q = recorder->context->device_queues; q; q = q->next_on_device) count++;
  recorder->queues = malloc((count + 1) * sizeof *recorder->queues);
  for (cl_command_queue q = recorder->context->device_queues; recorder->queues && q;
       q = q->next_on_device)
    if (mpl_retain_queue(q)) recorder->queues[recorder->num_queues++] = q;
  mpl_unlock(&recorder->context->lock);
  if (!recorder->queues) return false;
  qsort(recorder->queues, recorder->num_queues, sizeof *recorder->queues, by_handle);
  return true;
}

static void release_queues(struct mpl_recorder *recorder) {
  for (size_t i = 0; i < recorder->num_queues; i++) mpl_queue_handle_release(recorder->queues[i]);
  recorder->num_queues = 0;
  free(recorder->queues);
  recorder->queues = NULL;
}

static struct mpl_records_block block_of(const struct mpl_recorder *recorder,
                                         const struct mpl_kernel *kernel) {
  struct mpl_records_block block = {.local_size = kernel->local_size,
                                    .pending = recorder->pending +
                                               (kernel->args_size + MPL_BLOCK_ALIGN - 1) /
                                                   MPL_BLOCK_ALIGN * MPL_BLOCK_ALIGN,
                                    .num_args = kernel->num_args,
                                    .uniform = kernel->flags & MPL_KERNEL_UNIFORM};
  memcpy(block.reqd_local, kernel->reqd_local, sizeof block.reqd_local);
  return block;
}

static struct mpl_records head_of(const struct mpl_recorder *recorder) {
  const struct mpl_device_info *info = &recorder->device->info;
  struct mpl_records head = {.num_events = recorder->num_events,
                             .num_queues = recorder->num_queues,
                             .default_queue =
                                 (uintptr_t)mpl_default_queue(recorder->context, recorder->handle),
                             .local_memory = info->local_memory,
                             .max_group = info->max_work_group_size,
                             .sub_group = info->sub_group_size,
                             .marker = recorder->pending,
                             .num_blocks = recorder->object->num_blocks,
                             .events = (uintptr_t)recorder->events.at};
  /* The copies of pending launches take more room than their records. */
  for (size_t i = 0; i < recorder->num_queues; i++)
    head.for_kernels += recorder->queues[i]->device_size;
  if (head.for_kernels > MOST) head.for_kernels = MOST;
  head.size = head.for_kernels + FOR_EVENTS;
  return head;
}

static void take_turn(struct place *place) {
  struct mpl_pool *pool = mpl_pool_current();
  for (int none = 0; !atomic_compare_exchange_strong(&place->turn, &none, 1); none = 0) {
    if (pool) mpl_pool_block(pool);
    mpl_sleep(&place->turn, 1);
    if (pool) mpl_pool_unblock(pool);
  }
}

static void give_turn(struct place *place) {
  atomic_store(&place->turn, 0);
  mpl_wake(&place->turn);
}

uint64_t mpl_recorder_begin(struct mpl_recorder *recorder) {
  if (!make_events(recorder) || !keep_queues(recorder)) return 0;
  struct mpl_records head = head_of(recorder), *at;
  size_t size = sizeof head + head.num_queues * sizeof(struct mpl_records_queue) +
                head.num_blocks * sizeof(struct mpl_records_block);
  if (!need(recorder, &recorder->head, size) || !need(recorder, &recorder->records, head.size)) {
    release_queues(recorder);
    return 0;
  }
  at = recorder->head.at;
  struct mpl_records_queue *queues = (struct mpl_records_queue *)(at + 1);
  struct mpl_records_block *blocks = (struct mpl_records_block *)(queues + head.num_queues);
  head.records = (uintptr_t)recorder->records.at;
  head.queues = (uintptr_t)queues;
  head.blocks = (uintptr_t)blocks;
  take_turn(recorder->place);
  *at = head;
  for (size_t i = 0; i < recorder->num_queues; i++) {
    cl_command_queue queue = recorder->queues[i];
    queues[i] = (struct mpl_records_queue){.handle = (uintptr_t)queue,
                                           .used = atomic_load(&queue->device_used),
                                           .size = queue->device_size};
  }
  for (uint32_t i = 0; i < recorder->object->num_blocks; i++)
    blocks[i] = block_of(recorder, &recorder->object->blocks[i]);
  return (uintptr_t)at;
}

/* --- Output of a launch --- */

static int enqueue(const struct mpl_recorder *recorder, struct mpl_record *record,
                   const struct mpl_queue_host *host, uint64_t enqueuer) {
  struct mpl_device_event *event = record->event ? mpl_device_event(record->event) : NULL;
  uint64_t *waits = (uint64_t *)(record + 1), *sizes = waits + record->num_waits;
  const struct mpl_child child = {
      .queue = record->queue,
      .code = record->code ? (uintptr_t)&recorder->object->enqueued[record->code - 1] : 0,
      .block = (uintptr_t)(sizes + record->num_locals),
      .range = (uintptr_t)&record->range,
      .waits = record->num_waits ? (uintptr_t)waits : 0,
      .event = record->event ? (uintptr_t)&record->event : 0,
      .local_sizes = (uintptr_t)sizes,
      .flags = record->flags,
      .num_waits = record->num_waits,
      .num_locals = record->num_locals,
      .promised = true};
  if (!host->enqueue(enqueuer, &child)) return CL_SUCCESS;
  if (event) mpl_device_event_finish(event, CL_OUT_OF_RESOURCES, 0, 0);
  return CL_OUT_OF_RESOURCES;
}

int mpl_recorder_end(struct mpl_recorder *recorder, const struct mpl_queue_host *host,
                     uint64_t enqueuer) {
  const struct mpl_records *head = recorder->head.at;
  int error = head->lost ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
  for (uint64_t at = 0; at < head->used;) {
    struct mpl_record *record = (struct mpl_record *)((char *)recorder->records.at + at);
    int failed = 0;
    if (record->kind == MPL_RECORD_CHILD)
      failed = enqueue(recorder, record, host, enqueuer);
    else
      host->event(enqueuer, record->call, record->event, record->argument);
    if (!error) error = failed;
    at += record->size;
  }
  forget_events(recorder, head->events_used);
  mpl_recorder_drop(recorder);
  return error;
}

/* The events that it has made have no owner. */
void mpl_recorder_drop(struct mpl_recorder *recorder) {
  give_turn(recorder->place);
  release_queues(recorder);
}
