/* Commands that were issued to a device and have not ended.
 *
 * A command goes into a lane once all commands that it waits for on the device are issued; then the
 * stream, and no thread, waits for marks of other streams.  The thread that finds a command over
 * takes it from the front, one at a time, after those that it waited for, whose failure it takes
 * over. */
#include <stdlib.h>

#include "runtime/commands/graph.h"
#include "runtime/commands/loss.h"
#include "runtime/device.h"
#include "runtime/threads/lock.h"

static const struct mpl_device_ops *ops_of(const struct mpl_lane *lane) {
  return lane->queue->device->ops;
}

static void watch(struct mpl_task *task);

bool mpl_lanes_create(struct mpl_queue *queue) {
  uint32_t wanted = queue->in_order ? 1 : MPL_LANES;
  for (; queue->num_lanes < wanted; queue->num_lanes++) {
    struct mpl_lane *lane = &queue->lanes[queue->num_lanes];
    lane->queue = queue;
    lane->watch = (struct mpl_task){.run = watch, .owner = lane, .rank = MPL_RANK_MEDIUM};
    lane->stream = queue->device->ops->stream_create(queue->device, queue->profiling);
    if (!lane->stream) return false;
    pthread_mutex_init(&lane->lock, NULL);
  }
  return true;
}

void mpl_lanes_destroy(struct mpl_queue *queue) {
  for (uint32_t i = 0; i < queue->num_lanes; i++) {
    queue->device->ops->stream_destroy(queue->lanes[i].stream);
    pthread_mutex_destroy(&queue->lanes[i].lock);
  }
}

void mpl_lane_free_marks(struct mpl_command *command) {
  const struct mpl_device_ops *ops = command->queue->device->ops;
  if (command->begin) ops->mark_free(command->begin);
  if (command->mark) ops->mark_free(command->mark);
}

/* The edge with that number, of both lists; null behind the last. */
static struct mpl_edge *edge_at(struct mpl_command *command, uint32_t i) {
  if (i < command->num_edges) return &command->edges[i];
  i -= command->num_edges;
  return i < command->num_queue_edges ? &command->queue_edges[i] : NULL;
}

/* --- Into the lane --- */

/* The lane of a command that this waits for, if that is its last; else the next in turn. */
static struct mpl_lane *choose(struct mpl_command *command) {
  struct mpl_queue *queue = command->queue;
  struct mpl_edge *edge;
  if (queue->num_lanes == 1) return queue->lanes;
  for (uint32_t i = 0; (edge = edge_at(command, i)); i++) {
    if (!edge->before || edge->before->queue != queue) continue;
    struct mpl_lane *lane = atomic_load(&edge->before->lane);
    mpl_lock(&lane->lock);
    bool is_last = lane->last == edge->before;
    mpl_unlock(&lane->lock);
    if (is_last) return lane;
  }
  return &queue->lanes[atomic_fetch_add(&queue->next_lane, 1) % queue->num_lanes];
}

/* Sees to it that an issued command has a mark if it is not over: it may be one for later ones too.
 * Without memory for it, waits. */
static void make_mark(struct mpl_command *command) {
  struct mpl_lane *lane = atomic_load(&command->lane);
  mpl_lock(&lane->lock);
  bool running = atomic_load(&command->status) > 0;
  if (running && !command->mark) command->mark = ops_of(lane)->mark(lane->stream);
  bool made = !running || command->mark;
  mpl_unlock(&lane->lock);
  if (!made) ops_of(lane)->drain(lane->stream);
}

/* With the lane's lock held. */
static void wait_for_others(struct mpl_lane *lane, struct mpl_command *command) {
  struct mpl_edge *edge;
  for (uint32_t i = 0; (edge = edge_at(command, i)); i++) {
    struct mpl_lane *other = edge->before ? atomic_load(&edge->before->lane) : lane;
    if (other == lane || !edge->before->mark || atomic_load(&edge->before->status) <= 0) continue;
    if (ops_of(lane)->wait_for(lane->stream, edge->before->mark))
      ops_of(lane)->drain(other->stream);
  }
}

static void append(struct mpl_lane *lane, struct mpl_command *command) {
  command->next = NULL;
  if (lane->first)
    lane->last->next = command;
  else
    lane->first = command;
  lane->last = command;
  atomic_store(&command->lane, lane);
}

/* With the lane's lock held, and the marks that somebody may ask for. */
static void issue(struct mpl_lane *lane, struct mpl_command *command) {
  const struct mpl_device_ops *ops = ops_of(lane);
  const struct mpl_operation *operation = command->work.operation;
  bool timed = command->queue->profiling, does = operation && !atomic_load(&command->error);
  if (timed && does && ops->issue_timed) {
    struct mpl_mark *end = NULL;
    mpl_command_note_failure(command,
                             ops->issue_timed(lane->stream, operation, &command->begin, &end));
    command->mark = end;
    return;
  }
  if (timed) command->begin = ops->mark(lane->stream);
  if (does) mpl_command_note_failure(command, ops->issue(lane->stream, operation));
  if (timed || command->asked) command->mark = ops->mark(lane->stream);
}

/* One that the lane's first command waited for and that has not been ended, or null.  With the
 * lane's lock held. */
static struct mpl_command *unsettled(struct mpl_command *first) {
  struct mpl_edge *edge;
  for (uint32_t i = 0; (edge = edge_at(first, i)); i++)
    if (edge->before && atomic_load(&edge->before->status) > 0) return edge->before;
  return NULL;
}

/* CL_RUNNING (OpenCL API, 5.11): what is behind others in a stream is submitted until they have ended.  With the
 * lane's lock held.  Whose callbacks are to be called, with a reference; or null. */
static struct mpl_command *begin_first(struct mpl_lane *lane) {
  struct mpl_command *first = lane->first;
  if (!first || atomic_load(&first->status) <= MPL_RUNNING || atomic_load(&first->error) || unsettled(first))
    return NULL;
  atomic_store(&first->status, MPL_RUNNING);
  if (!atomic_load(&first->callbacks)) return NULL;
  mpl_command_retain(first);
  return first;
}

static void tell_begun(struct mpl_command *command) {
  if (!command) return;
  mpl_command_call_back(command, MPL_RUNNING, atomic_load(&command->callbacks));
  mpl_command_release(command);
}

void mpl_lane_begin(struct mpl_lane *lane) {
  mpl_lock(&lane->lock);
  struct mpl_command *begun = begin_first(lane);
  mpl_unlock(&lane->lock);
  tell_begun(begun);
}

void mpl_lane_issue(struct mpl_command *command, struct mpl_ready *ready) {
  struct mpl_lane *lane = choose(command);
  struct mpl_edge *edge;
  for (uint32_t i = 0; (edge = edge_at(command, i)); i++) {
    if (edge->before && atomic_load(&edge->before->lane) != lane) make_mark(edge->before);
    if (edge->before && edge->passes_failure) /* what is known of it by now */
      mpl_command_note_failure(command, atomic_load(&edge->before->error));
  }
  mpl_command_retain(command); /* once it is in the lane others end it */
  mpl_lock(&lane->lock);
  wait_for_others(lane, command);
  issue(lane, command);
  append(lane, command);
  struct mpl_command *begun = begin_first(lane);
  mpl_unlock(&lane->lock);
  tell_begun(begun);
  if (atomic_load(&command->error)) mpl_loss_look(lane->queue->device);
  mpl_command_let_follow(command, ready);
  if (atomic_load(&command->sleepers) || atomic_load(&command->callbacks) ||
      atomic_load(&command->dependents))
    mpl_lane_watch(lane);
  mpl_command_release(command);
}

/* --- Out of it --- */

static int final_status(struct mpl_lane *lane, struct mpl_command *command, int reached) {
  struct mpl_work_desc *work = &command->work;
  struct mpl_edge *edge;
  if (reached < 0) mpl_command_note_failure(command, reached);
  for (uint32_t i = 0; (edge = edge_at(command, i)); i++)
    if (edge->before && edge->passes_failure)
      mpl_command_note_failure(command, atomic_load(&edge->before->status));
  int status = atomic_load(&command->error);
  if (!status && work->finish) status = work->finish(work->data, lane->queue->device);
  struct mpl_times *times = &command->times;
  if (command->begin && command->mark && reached > 0) {
    ops_of(lane)->times(command->begin, command->mark, &times->started, &times->ended);
    uint64_t earliest = times->submitted > lane->ended ? times->submitted : lane->ended;
    if (times->started < earliest) { /* the device's clock drifts; what it took is right */
      times->ended += earliest - times->started;
      times->started = earliest;
    }
    if (times->ended < times->started) times->ended = times->started;
    lane->ended = times->ended;
  } else {
    times->ended = times->started; /* of when it was issued */
  }
  times->completed = times->ended;
  return status;
}

/* Takes the command out if it still is the first; false if it is not.  What it waited for is over
 * on the device, and is ended before. */
static bool take_out(struct mpl_lane *lane, struct mpl_command *first, int reached) {
  for (;;) {
    mpl_lock(&lane->lock);
    bool mine = lane->first == first;
    struct mpl_command *before = mine ? unsettled(first) : NULL;
    if (before) {
      mpl_command_retain(before);
    } else if (mine) {
      atomic_store(&first->status, final_status(lane, first, reached));
      lane->first = first->next;
      if (!lane->first) lane->last = NULL;
      if (lane->over == first) lane->over = NULL;
    }
    mpl_unlock(&lane->lock);
    if (!before) return mine;
    while (atomic_load(&before->status) > 0) mpl_lane_reap(atomic_load(&before->lane), true);
    mpl_command_release(before);
  }
}

/* Takes it out and ends it.  Its status is set in the order of the lane; callbacks may come in
 * another one. */
static void retire(struct mpl_lane *lane, struct mpl_command *first, int reached) {
  struct mpl_ready ready = {0};
  struct mpl_edge *edge;
  /* Whoever has found it out: what was running is told before any of it ends. */
  if (reached < 0 || atomic_load(&first->error)) mpl_loss_look(lane->queue->device);
  if (!take_out(lane, first, reached)) return;
  for (uint32_t i = 0; (edge = edge_at(first, i)); i++)
    if (edge->before) mpl_command_release(edge->before);
  if (first->number) mpl_command_trace(first, false);
  if (first->work.release) first->work.release(first->work.data);
  mpl_command_end(first, atomic_load(&first->status), &ready);
  mpl_command_post(&ready);
  mpl_lane_begin(lane);
}

/* Waits for a mark, or for all that was issued if there is none, which may be a little more than
 * when the lane was looked at; or asks whether it is reached.  0, 1, or an error. */
static int ask(struct mpl_lane *lane, struct mpl_mark *mark, bool sleep) {
  const struct mpl_device_ops *ops = ops_of(lane);
  if (mark) return ops->reached(mark, sleep);
  if (!sleep) return 0; /* no memory for a mark */
  int error = ops->drain(lane->stream);
  return error ? error : 1;
}

bool mpl_lane_reap(struct mpl_lane *lane, bool sleep) {
  mpl_lock(&lane->lock);
  struct mpl_command *first = lane->first, *marked = lane->over ? lane->over : first;
  int reached = lane->over ? lane->reached : 0;
  if (!first) {
    mpl_unlock(&lane->lock);
    return false;
  }
  while (!reached && !marked->mark && marked->next) marked = marked->next;
  if (!reached && !marked->mark && !sleep) marked->mark = ops_of(lane)->mark(lane->stream);
  struct mpl_mark *mark = marked->mark; /* null: it is the last, and nobody has asked for one */
  mpl_command_retain(first);
  mpl_command_retain(marked); /* and with it the queue */
  mpl_unlock(&lane->lock);
  if (!reached && (reached = ask(lane, mark, sleep))) {
    mpl_lock(&lane->lock);
    if (atomic_load(&marked->status) > 0) { /* it is in the lane still */
      lane->over = marked;
      lane->reached = reached;
    }
    mpl_unlock(&lane->lock);
  }
  if (reached) retire(lane, first, reached);
  mpl_command_release(first);
  mpl_command_release(marked);
  return reached;
}

/* On a thread of the pool: until nothing is left in the lane. */
static void watch(struct mpl_task *task) {
  struct mpl_lane *lane = (struct mpl_lane *)task;
  struct mpl_queue *queue = lane->queue;
  struct mpl_pool *pool = queue->pool;
  mpl_pool_block(pool); /* this one sleeps: there may be another */
  for (bool more = true; more;) {
    while (mpl_lane_reap(lane, true)) continue;
    mpl_lock(&lane->lock);
    more = lane->watched = lane->first;
    mpl_unlock(&lane->lock);
  }
  mpl_pool_unblock(pool);
  mpl_queue_release(queue);
}

void mpl_lane_watch(struct mpl_lane *lane) {
  mpl_lock(&lane->lock);
  bool start = lane->first && !lane->watched;
  if (start) lane->watched = true;
  mpl_unlock(&lane->lock);
  if (!start) return;
  atomic_fetch_add(&lane->queue->refs, 1);
  mpl_pool_post(lane->queue->pool, &lane->watch);
}
