/* The life of a command: its waits, its statuses, its run.
 *
 * Lists that others push to (dependents, callbacks) are stacks that are only ever pushed to or
 * taken whole, so that no node is reused while somebody looks at it. */
#include <stdlib.h>
#include <string.h>

#include "runtime/clock.h"
#include "runtime/commands/graph.h"
#include "runtime/device.h"
#include "runtime/errors.h"
#include "runtime/print/log.h"
#include "runtime/trace/trace.h"

enum { SPINS = 200 }; /* before a waiting thread sleeps: some microseconds */

static void run_task(struct mpl_task *task);
static void execute(struct mpl_command *command, struct mpl_ready *ready);

struct mpl_command *mpl_command_new(struct mpl_queue *queue, const struct mpl_work_desc *work,
                                    uint32_t num_edges) {
  struct mpl_command *command = malloc(sizeof *command + num_edges * sizeof *command->edges);
  if (!command) return NULL;
  command->task = (struct mpl_task){.run = run_task,
                                    .owner = queue,
                                    .rank = queue ? queue->rank : MPL_RANK_MEDIUM,
                                    .apart = work && work->of_host};
  atomic_init(&command->refs, 2);
  command->forks = mpl_generation();
  atomic_init(&command->status, MPL_QUEUED);
  atomic_init(&command->running, 1);
  atomic_init(&command->error, 0);
  atomic_init(&command->pending, 1);
  atomic_init(&command->sleepers, 0);
  atomic_init(&command->dependents, NULL);
  atomic_init(&command->followers, NULL);
  atomic_init(&command->callbacks, NULL);
  atomic_init(&command->lane, NULL);
  command->queue = queue;
  command->work = work ? *work : (struct mpl_work_desc){0};
  command->times = (struct mpl_times){0};
  command->number = 0;
  command->next = command->before = command->after = NULL;
  command->begin = NULL;
  atomic_init(&command->mark, NULL);
  command->asked = false;
  command->order = atomic_load_explicit(&mpl_sequences, memory_order_relaxed)
                       ? mpl_sequence_new(queue ? queue->order : MPL_SEQUENCE_QUEUES)
                       : NULL;
  command->num_edges = num_edges;
  command->num_queue_edges = 0;
  command->queue_edges = NULL;
  if (queue) {
    if (queue->num_lanes) memset(command->edges, 0, num_edges * sizeof *command->edges);
    atomic_fetch_add_explicit(&queue->refs, 1, memory_order_relaxed);
    if (queue->profiling) {
      command->times.queued = mpl_clock();
      if (mpl_tracing()) command->number = mpl_trace_number();
    }
  }
  return command;
}

void mpl_command_retain(struct mpl_command *command) {
  atomic_fetch_add_explicit(&command->refs, 1, memory_order_relaxed);
}

void mpl_command_release(struct mpl_command *command) {
  if (atomic_fetch_sub_explicit(&command->refs, 1, memory_order_acq_rel) != 1) return;
  for (struct mpl_on_status *next, *node = atomic_load(&command->callbacks); node; node = next) {
    next = node->next;
    free(node);
  }
  if (atomic_load_explicit(&command->lane, memory_order_relaxed)) mpl_lane_free_marks(command);
  struct mpl_queue *queue = command->queue;
  free(command->queue_edges);
  free(command->order);
  free(command);
  if (queue) mpl_queue_release(queue);
}

void mpl_command_note_failure(struct mpl_command *command, int status) {
  int none = 0;
  if (status < 0) atomic_compare_exchange_strong(&command->error, &none, status);
}

/* It had not ended at a fork(): the parent goes on with it.  Here it has failed, and nobody is
 * called or let go: what waits for it is lost too. */
static __attribute__((noinline)) void lose(struct mpl_command *command) {
  static atomic_bool told;
  int status = atomic_load(&command->status);
  if (atomic_load(&command->running) <= 0) return;
  while (status > 0 &&
         !atomic_compare_exchange_weak(&command->status, &status, MPL_OUT_OF_RESOURCES))
    continue;
  atomic_store(&command->dependents, MPL_CLOSED);
  atomic_store(&command->followers, MPL_CLOSED);
  if (!command->queue) atomic_store(&command->pending, 0);
  atomic_store(&command->running, 0);
  if (!atomic_exchange(&told, true))
    mpl_log(MPL_LOG_ERROR,
            "commands that had not ended at the fork() of this process end in its parent; "
            "here they, and queues that had them, answer CL_OUT_OF_RESOURCES");
}

void mpl_command_note_fork(struct mpl_command *command) {
  if (command->forks != mpl_generation()) lose(command);
}

void mpl_command_link(struct mpl_command *before, struct mpl_command *after, struct mpl_edge *edge,
                      bool passes_failure) {
  mpl_command_note_fork(before);
  bool follows = mpl_is_issued(before) && mpl_is_issued(after) &&
                 before->queue->device == after->queue->device;
  _Atomic(struct mpl_edge *) *list = follows ? &before->followers : &before->dependents;
  struct mpl_edge *head = atomic_load_explicit(list, memory_order_acquire);
  *edge = (struct mpl_edge){.waiter = after, .passes_failure = passes_failure};
  if (passes_failure) edge->number = before->number;
  if (follows && atomic_load(&before->status) > 0) {
    mpl_command_retain(before);
    edge->before = before;
  }
  if (head != MPL_CLOSED) {
    atomic_fetch_add_explicit(&after->pending, 1, memory_order_relaxed);
    do {
      edge->next = head;
      if (!atomic_compare_exchange_weak(list, &head, edge)) continue;
      struct mpl_lane *lane = follows ? NULL : atomic_load(&before->lane);
      if (lane) mpl_lane_watch(lane);
      return;
    } while (head != MPL_CLOSED);
    atomic_fetch_sub_explicit(&after->pending, 1, memory_order_relaxed); /* not submitted: not 0 */
  }
  edge->number = 0; /* there is nothing to wait for */
  if (after->order && before->order) mpl_sequence_follow(after->order, before->order);
  if (passes_failure) mpl_command_note_failure(after, atomic_load(&before->status));
}

void mpl_command_unblock(struct mpl_command *command, struct mpl_ready *ready) {
  if (atomic_fetch_sub_explicit(&command->pending, 1, memory_order_acq_rel) == 1)
    mpl_ready_add(ready, command);
}

void mpl_command_post(struct mpl_ready *ready) {
  while (ready->first) {
    struct mpl_task *task = ready->first;
    ready->first = task->next;
    if (mpl_is_issued((struct mpl_command *)task))
      execute((struct mpl_command *)task, ready);
    else
      mpl_pool_post(((struct mpl_command *)task)->queue->pool, task);
  }
}

/* In the order in which they were linked. */
static struct mpl_edge *close_list(_Atomic(struct mpl_edge *) *list) {
  struct mpl_edge *first = NULL;
  for (struct mpl_edge *next, *edge = atomic_exchange(list, MPL_CLOSED); edge; edge = next) {
    next = edge->next;
    edge->next = first;
    first = edge;
  }
  return first;
}

static void let_go(_Atomic(struct mpl_edge *) *list, const struct mpl_sequence *order, int status,
                   uint64_t ended, struct mpl_ready *ready) {
  for (struct mpl_edge *next, *edge = close_list(list); edge; edge = next) {
    next = edge->next; /* the waiter owns the edge and may be gone once it is unblocked */
    if (edge->passes_failure) mpl_command_note_failure(edge->waiter, status);
    if (order && edge->waiter->order) mpl_sequence_follow(edge->waiter->order, order);
    if (edge->number && ended) mpl_trace_let_go(edge->number, edge->waiter->number, ended);
    mpl_command_unblock(edge->waiter, ready);
  }
}

void mpl_command_let_follow(struct mpl_command *command, struct mpl_ready *ready) {
  let_go(&command->followers, command->order, 0, 0, ready);
}

/* Waiting commands go on, callbacks are called, then waiting threads return. */
void mpl_command_end(struct mpl_command *command, int status, struct mpl_ready *ready) {
  struct mpl_queue *queue = command->queue;
  unsigned forks = mpl_generation();
  atomic_store(&command->status, status);
  struct mpl_on_status *callbacks = atomic_load(&command->callbacks);
  if (callbacks && queue) atomic_fetch_add(&queue->calling, 1); /* before it seems to be over */
  if (queue) mpl_queue_forget(queue, command);
  let_go(&command->dependents, command->order, status, command->times.ended, ready);
  if (callbacks) {
    if (atomic_load(&command->sleepers)) mpl_wake(&command->status); /* waits inside callbacks */
    mpl_command_post(ready); /* a callback may take its time */
    mpl_command_call_back(command, status, callbacks);
    if (queue) mpl_queue_end_calls(queue, forks);
  }
  if (atomic_load(&command->sleepers)) mpl_wake(&command->status);
  mpl_command_end_part(command);
  mpl_command_release(command);
}

void mpl_command_trace(const struct mpl_command *command, bool here) {
  const struct mpl_times *times = &command->times;
  mpl_trace_command(&(struct mpl_trace_command){command->work.label, command->number,
                                                command->queue->number, times->queued,
                                                times->submitted, times->started, times->ended,
                                                here});
  for (uint32_t i = 0; here && i + 2 < command->num_edges; i++)
    if (command->edges[i].number)
      mpl_trace_waited(command->edges[i].number, command->number, times->started);
}

static int run_work(const struct mpl_work_desc *work, struct mpl_device *device) {
  if (!work->run) return 0;
  struct mpl_pool *worker_of = work->of_host ? mpl_pool_current() : NULL;
  if (worker_of) mpl_pool_block(worker_of);
  int status = work->run(work->data, device);
  if (worker_of) mpl_pool_unblock(worker_of);
  return status;
}

static void execute(struct mpl_command *command, struct mpl_ready *ready) {
  struct mpl_queue *queue = command->queue;
  int status = atomic_load(&command->error);
  const struct mpl_sequence *outer = command->order ? mpl_sequence_begin(command->order) : NULL;
  if (queue->profiling) command->times.started = mpl_clock();
  if (!status) {
    if (!mpl_is_issued(command)) mpl_command_set_status(command, MPL_RUNNING);
    if (command->work.prepare) status = command->work.prepare(command->work.data, queue->device);
  }
  if (mpl_is_issued(command)) {
    if (command->order) mpl_sequence_end(command->order, outer);
    mpl_command_note_failure(command, status);
    mpl_lane_issue(command, ready);
    return;
  }
  if (!status) status = run_work(&command->work, queue->device);
  if (queue->profiling) command->times.ended = command->times.completed = mpl_clock();
  if (command->number) mpl_command_trace(command, true);
  if (command->work.release) command->work.release(command->work.data);
  if (command->order) mpl_sequence_end(command->order, outer);
  mpl_command_end(command, status, ready);
}

/* Whether a thread that waits on `until` runs it behind a command of the queue. */
static bool goes_on(const struct mpl_command *command, const struct mpl_queue *queue,
                    const atomic_int *until) {
  return atomic_load(until) > 0 && command->queue == queue && !command->task.apart;
}

/* Runs a ready command and then what becomes ready by it, one after another; what more becomes
 * ready at once goes to other threads.  With `until`, only that command's queue is followed, and
 * no further than to it. */
static void run_chain(struct mpl_command *command, const atomic_int *until) {
  while (command) {
    struct mpl_ready ready = {0};
    const struct mpl_queue *queue = command->queue;
    struct mpl_pool *pool = queue->pool;
    execute(command, &ready); /* the queue may be gone now: only its address is used */
    command = (struct mpl_command *)ready.first;
    if (!command) break;
    if (until ? goes_on(command, queue, until) : command->queue->pool == pool)
      ready.first = command->task.next;
    else
      command = NULL;
    mpl_command_post(&ready);
  }
}

static void run_task(struct mpl_task *task) {
  run_chain((struct mpl_command *)task, NULL);
}

struct mpl_command *mpl_user_command(void) {
  struct mpl_command *command = mpl_command_new(NULL, NULL, 0);
  if (command) atomic_store(&command->status, MPL_SUBMITTED);
  return command;
}

bool mpl_command_finish(struct mpl_command *command, int status) {
  mpl_command_note_fork(command);
  unsigned expected = 1; /* `pending` of a user command: 1 until it is finished */
  if (!atomic_compare_exchange_strong(&command->pending, &expected, 0)) return false;
  struct mpl_ready ready = {0};
  mpl_sequence_of_host(command->order);
  mpl_command_end(command, status, &ready);
  mpl_command_post(&ready);
  return true;
}

int mpl_command_status(struct mpl_command *command) {
  int status = mpl_command_poke(command);
  if (status <= 0) mpl_command_note_seen(command);
  return status;
}

int mpl_command_poke(struct mpl_command *command) {
  mpl_command_note_fork(command);
  if (atomic_load(&command->status) == MPL_QUEUED) mpl_queue_flush(command->queue);
  struct mpl_lane *lane = atomic_load(&command->lane);
  while (lane && atomic_load(&command->status) > 0 && mpl_lane_reap(lane, false)) continue;
  if (lane && atomic_load(&command->status) == MPL_SUBMITTED) mpl_lane_begin(lane);
  return atomic_load(&command->status);
}

struct mpl_times mpl_command_times(struct mpl_command *command) {
  return command->times;
}

/* Runs what it can of the command's queue, but for functions of the application's; returns when
 * there is nothing left to help with. */
static void help(struct mpl_command *command, const atomic_int *over) {
  struct mpl_queue *queue = command->queue;
  struct mpl_pool *pool = queue->pool;
  struct mpl_ready ready = {0};
  mpl_queue_submit(queue, &ready);
  struct mpl_command *first = (struct mpl_command *)ready.first;
  if (first && first->task.apart) first = NULL;
  if (first) ready.first = first->task.next;
  mpl_command_post(&ready);
  if (first) run_chain(first, over);
  while (atomic_load(over) > 0) {
    bool any = mpl_pool_current() == pool && !queue->num_lanes; /* no watch: it would keep us */
    struct mpl_task *task = mpl_pool_take(pool, any ? NULL : queue);
    if (task)
      run_chain((struct mpl_command *)task, over);
    else if (!mpl_pool_help(pool, over))
      break;
  }
}

static void sleep_until(struct mpl_command *command, const atomic_int *over) {
  struct mpl_pool *worker_of = mpl_pool_current();
  for (int i = 0; i < SPINS; i++) {
    if (atomic_load_explicit(over, memory_order_acquire) <= 0) return;
    mpl_relax();
  }
  if (worker_of) mpl_pool_block(worker_of);
  atomic_fetch_add(&command->sleepers, 1);
  struct mpl_lane *lane = atomic_load(&command->lane);
  if (lane) mpl_lane_watch(lane);
  for (int value; (value = atomic_load(over)) > 0;) mpl_sleep(over, value);
  atomic_fetch_sub(&command->sleepers, 1);
  if (worker_of) mpl_pool_unblock(worker_of);
}

int mpl_command_wait(struct mpl_command *command) {
  mpl_command_note_fork(command);
  /* A callback that waits for its own event must not wait for its own return. */
  const atomic_int *over = mpl_in_callback() ? &command->status : &command->running;
  if (atomic_load(over) <= 0) {
    mpl_command_note_seen(command);
    return atomic_load(&command->status);
  }
  mpl_command_retain(command);
  if (command->queue && !atomic_load(&command->lane)) help(command, over);
  struct mpl_lane *lane = atomic_load(&command->lane);
  while (lane && atomic_load(&command->status) > 0) mpl_lane_reap(lane, true);
  sleep_until(command, over);
  mpl_command_note_seen(command);
  int status = atomic_load(&command->status);
  mpl_command_release(command);
  return status;
}
