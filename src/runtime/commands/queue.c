/* The order of a queue, and when its commands get going. */
#include <stdlib.h>

#include "runtime/clock.h"
#include "runtime/commands/graph.h"
#include "runtime/commands/loss.h"
#include "runtime/device.h"
#include "runtime/errors.h"
#include "runtime/print/log.h"
#include "runtime/threads/apart.h"
#include "runtime/threads/fork.h"
#include "runtime/threads/lock.h"
#include "runtime/trace/trace.h"

enum {
  HEAVY = 40000,  /* ns of work together that are worth waking a worker without being asked */
  OVERHEAD = 100, /* ns that any command takes */
};

/* All queues that have not been freed. */
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static struct mpl_queue *all;

static void join_all(struct mpl_queue *queue) {
  mpl_lock(&all_lock);
  queue->next_of_all = all;
  queue->link_of_all = &all;
  if (all) all->link_of_all = &queue->next_of_all;
  all = queue;
  mpl_unlock(&all_lock);
}

static void leave_all(struct mpl_queue *queue) {
  mpl_lock(&all_lock);
  *queue->link_of_all = queue->next_of_all;
  if (queue->next_of_all) queue->next_of_all->link_of_all = queue->link_of_all;
  mpl_unlock(&all_lock);
}

/* Of those that had nothing to do, all is as it was, and nobody calls back; but a device beside the
 * host is the parent's. */
void mpl_queues_after_fork(void) {
  mpl_sequence_seen_all(); /* what has not ended is the parent's, and uses nothing here */
  for (struct mpl_queue *queue = all; queue; queue = queue->next_of_all) {
    atomic_store(&queue->calling, 0);
    if (!queue->num_lanes && !queue->last && !queue->live && !queue->unsubmitted) continue;
    queue->lost = true;
    queue->last = queue->barrier = queue->live = queue->unsubmitted = NULL;
    queue->unsubmitted_last = &queue->unsubmitted;
    queue->num_live = 0;
  }
}

const char *mpl_queue_lost(const struct mpl_queue *queue) {
  return queue->lost ? "the command-queue had commands when the process was forked; they, and it, "
                       "are the parent's"
                     : mpl_device_lost(queue->device);
}

void mpl_queues_visit(void (*visit)(struct mpl_queue *, void *data), void *data) {
  mpl_lock(&all_lock);
  for (struct mpl_queue *queue = all; queue; queue = queue->next_of_all) visit(queue, data);
  mpl_unlock(&all_lock);
}

void mpl_queue_set_owner(struct mpl_queue *queue, const void *owner) {
  mpl_lock(&all_lock); /* the queue is on the list, where others look for owners */
  queue->owner = owner;
  mpl_unlock(&all_lock);
}

/* One with no reference left is about to leave the list: all on it has ended. */
static bool retain_live(struct mpl_queue *queue) {
  unsigned refs = atomic_load(&queue->refs);
  while (refs && !atomic_compare_exchange_weak(&queue->refs, &refs, refs + 1))
    ;
  return refs;
}

bool mpl_queues_finish(const void *owner) {
  size_t count = 0, room = 0;
  mpl_lock(&all_lock);
  for (struct mpl_queue *queue = all; queue; queue = queue->next_of_all) room++;
  struct mpl_queue **list = malloc((room + 1) * sizeof *list);
  for (struct mpl_queue *queue = all; list && queue; queue = queue->next_of_all)
    if (queue->owner == owner && retain_live(queue)) list[count++] = queue;
  mpl_unlock(&all_lock);
  for (size_t i = 0; i < count; i++) {
    mpl_queue_finish(list[i]);
    mpl_queue_release(list[i]);
  }
  free(list);
  return list;
}

struct mpl_queue *mpl_queue_create(struct mpl_device *device, bool in_order, bool profiling) {
  if (device->ops->issue && mpl_pool_is_inherited(device->pool)) {
    mpl_log(MPL_LOG_ERROR, "a device beside the host, as a GPU is, cannot be used after fork()");
    return NULL;
  }
  struct mpl_queue *queue = mpl_allocate_apart(sizeof *queue);
  if (!queue) return NULL;
  atomic_init(&queue->refs, 1);
  atomic_init(&queue->calling, 0);
  atomic_init(&queue->call_waits, 0);
  mpl_device_retain(device);
  queue->device = device;
  queue->pool = device->pool;
  queue->in_order = in_order;
  queue->rank = MPL_RANK_MEDIUM;
  queue->profiling = mpl_trace_start() || profiling;
  if (mpl_tracing()) queue->number = mpl_trace_number();
  queue->unsubmitted_last = &queue->unsubmitted;
  queue->order = mpl_sequence_join();
  pthread_mutex_init(&queue->lock, NULL);
  join_all(queue);
  if (!device->ops->issue || mpl_lanes_create(queue)) return queue;
  mpl_queue_release(queue);
  return NULL;
}

void mpl_queue_release(struct mpl_queue *queue) {
  if (atomic_fetch_sub_explicit(&queue->refs, 1, memory_order_acq_rel) != 1) return;
  leave_all(queue);
  mpl_lanes_destroy(queue);
  mpl_sequence_leave(queue->order);
  pthread_mutex_destroy(&queue->lock);
  mpl_device_destroy(queue->device);
  free(queue);
}

void mpl_queue_set_rank(struct mpl_queue *queue, enum mpl_rank rank) {
  queue->rank = rank;
}

struct mpl_device *mpl_queue_device(const struct mpl_queue *queue) {
  return queue->device;
}

void mpl_queue_destroy(struct mpl_queue *queue) {
  mpl_queue_flush(queue);
  mpl_queue_release(queue);
}

/* Everything of an out-of-order queue that has not ended; false if out of memory. */
static bool link_all(struct mpl_queue *queue, struct mpl_command *command) {
  uint32_t i = 0;
  if (!queue->num_live) return true;
  command->queue_edges = malloc(queue->num_live * sizeof *command->queue_edges);
  if (!command->queue_edges) return false;
  command->num_queue_edges = queue->num_live;
  for (struct mpl_command *live = queue->live; live; live = live->after)
    mpl_command_link(live, command, &command->queue_edges[i++], false);
  return true;
}

static bool put_in_order(struct mpl_queue *queue, struct mpl_command *command,
                         struct mpl_edge *edges, unsigned order) {
  bool good = true;
  if (queue->in_order) {
    if (queue->last) mpl_command_link(queue->last, command, &edges[0], false);
    atomic_store_explicit(&queue->last, command, memory_order_release);
    return true;
  }
  if (queue->barrier) mpl_command_link(queue->barrier, command, &edges[1], false);
  if (order & MPL_AFTER_ALL) good = link_all(queue, command);
  if (order & MPL_BEFORE_ALL) queue->barrier = command;
  command->after = queue->live;
  if (queue->live) queue->live->before = command;
  queue->live = command;
  queue->num_live++;
  return good;
}

/* Without the lock where the next command is enqueued already: this one is on no list then, and
 * never becomes the last again. */
void mpl_queue_forget(struct mpl_queue *queue, struct mpl_command *command) {
  if (queue->in_order && queue->last != command) return;
  struct mpl_thread *thread = mpl_lock_fast(&queue->lock);
  if (queue->last == command) queue->last = NULL;
  if (queue->barrier == command) queue->barrier = NULL;
  if (!queue->in_order) {
    if (command->before)
      command->before->after = command->after;
    else
      queue->live = command->after;
    if (command->after) command->after->before = command->before;
    queue->num_live--;
  }
  mpl_unlock_fast(&queue->lock, thread);
}

/* True when enough has come together to get it going without being asked. */
static bool add_unsubmitted(struct mpl_queue *queue, struct mpl_command *command) {
  *queue->unsubmitted_last = command;
  queue->unsubmitted_last = &command->next;
  queue->unsubmitted_weight += command->work.weight + OVERHEAD;
  return queue->unsubmitted_weight >= HEAVY || queue->num_lanes;
}

/* With the lock held. */
static struct mpl_command *take_unsubmitted(struct mpl_queue *queue) {
  struct mpl_command *first = queue->unsubmitted;
  queue->unsubmitted = NULL;
  queue->unsubmitted_last = &queue->unsubmitted;
  queue->unsubmitted_weight = 0;
  return first;
}

static void submit(const struct mpl_queue *queue, struct mpl_command *command,
                   struct mpl_ready *ready) {
  struct mpl_command *next;
  uint64_t now = command && queue->profiling ? mpl_clock() : 0;
  for (; command; command = next) {
    next = command->next; /* it may run and be gone once it is unblocked */
    command->times.submitted = now;
    mpl_command_set_status(command, MPL_SUBMITTED);
    mpl_command_unblock(command, ready);
  }
}

void mpl_queue_submit(struct mpl_queue *queue, struct mpl_ready *ready) {
  struct mpl_thread *thread = mpl_lock_fast(&queue->lock);
  struct mpl_command *first = take_unsubmitted(queue);
  mpl_unlock_fast(&queue->lock, thread);
  submit(queue, first, ready);
}

static void start_all(struct mpl_queue *queue) {
  struct mpl_ready ready = {0};
  mpl_queue_submit(queue, &ready);
  mpl_command_post(&ready);
}

struct mpl_command *mpl_enqueue(struct mpl_queue *queue, const struct mpl_work_desc *work,
                                struct mpl_command *const *waits, uint32_t num_waits,
                                unsigned order) {
  struct mpl_command *command = queue->lost ? NULL : mpl_command_new(queue, work, num_waits + 2);
  if (!command) {
    if (work->release) work->release(work->data);
    return NULL;
  }
  command->asked = order & MPL_ASKED;
  for (uint32_t i = 0; i < num_waits; i++) {
    /* What this waits for gets going too: else it would hang on who flushes the other queue. */
    if (waits[i]->queue && waits[i]->queue != queue) mpl_command_poke(waits[i]);
    mpl_command_link(waits[i], command, &command->edges[i], true);
  }
  struct mpl_thread *thread = mpl_lock_fast(&queue->lock);
  bool good = put_in_order(queue, command, command->edges + num_waits, order);
  if (!good) atomic_store(&command->error, MPL_OUT_OF_HOST_MEMORY);
  bool start = add_unsubmitted(queue, command) || !good;
  struct mpl_command *first = start ? take_unsubmitted(queue) : NULL;
  mpl_unlock_fast(&queue->lock, thread);
  struct mpl_ready ready = {0};
  if (first) submit(queue, first, &ready);
  mpl_command_post(&ready);
  if (good) return command;
  mpl_command_release(command); /* it still ends in its place, without running */
  return NULL;
}

/* A thread that flushes may never wait: issued commands end without a wait. */
void mpl_queue_flush(struct mpl_queue *queue) {
  if (queue->lost) return;
  start_all(queue);
  for (uint32_t i = 0; i < queue->num_lanes; i++) mpl_lane_watch(&queue->lanes[i]);
}

/* A command that has not ended, with a reference; null if there is none. */
static struct mpl_command *last_command(struct mpl_queue *queue) {
  struct mpl_thread *thread = mpl_lock_fast(&queue->lock);
  struct mpl_command *last = queue->in_order ? queue->last : queue->live;
  if (last) mpl_command_retain(last);
  mpl_unlock_fast(&queue->lock, thread);
  return last;
}

bool mpl_queue_is_empty(struct mpl_queue *queue) {
  bool empty = true;
  struct mpl_thread *thread = mpl_lock_fast(&queue->lock);
  struct mpl_command *live = queue->in_order ? queue->last : queue->live;
  for (; live && empty; live = queue->in_order ? NULL : live->after)
    empty = atomic_load(&live->status) <= MPL_COMPLETE; /* its end may be known before it is out */
  mpl_unlock_fast(&queue->lock, thread);
  return empty;
}

static void wait_and_release(struct mpl_command *command) {
  mpl_command_wait(command);
  mpl_command_release(command);
}

void mpl_queue_finish(struct mpl_queue *queue) {
  if (queue->lost) return;
  struct mpl_work_desc nothing = {.label = "finish"};
  struct mpl_command *last =
      queue->in_order ? NULL : mpl_enqueue(queue, &nothing, NULL, 0, MPL_AFTER_ALL);
  if (last) {
    wait_and_release(last);
  } else if (queue->in_order) {
    if ((last = last_command(queue))) wait_and_release(last);
  } else { /* no memory for a marker */
    while ((last = last_command(queue))) wait_and_release(last);
  }
  mpl_sequence_seen_queue(queue->order);
}
