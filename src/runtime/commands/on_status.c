/* Functions that are called when a command gets to a status: at once, by the thread that sets the
 * status; but a function of the application is called by a worker.  It may wait for commands of any
 * queue, and for the next step of any thread: so it must not run in a thread that flushes, asks,
 * waits or has to end other commands of the device. */
#include <stdlib.h>

#include "runtime/commands/graph.h"

static _Thread_local unsigned in_callback;

bool mpl_in_callback(void) {
  return in_callback;
}

void mpl_queue_end_calls(struct mpl_queue *queue, unsigned forks) {
  if (forks != mpl_generation()) return;
  if (atomic_fetch_sub(&queue->calling, 1) == 1 && atomic_load(&queue->call_waits))
    mpl_wake(&queue->calling);
}

void mpl_command_end_part(struct mpl_command *command) {
  if (atomic_fetch_sub(&command->running, 1) == 1 && atomic_load(&command->sleepers))
    mpl_wake(&command->running);
}

static void call(struct mpl_on_status *node, struct mpl_command *command) {
  struct mpl_pool *worker_of = node->of_host ? mpl_pool_current() : NULL;
  if (worker_of) mpl_pool_block(worker_of);
  in_callback++;
  mpl_command_note_seen(command);
  node->function(command, node->status, node->data);
  in_callback--;
  if (worker_of) mpl_pool_unblock(worker_of);
}

static void call_apart(struct mpl_task *task) {
  struct mpl_on_status *node = (struct mpl_on_status *)task;
  struct mpl_command *command = node->command; /* has the node */
  unsigned forks = mpl_generation();
  call(node, command);
  mpl_queue_end_calls(command->queue, forks);
  mpl_command_end_part(command);
  mpl_command_release(command);
}

/* Once for each.  Those of user commands are called by who sets their status. */
static void fire(struct mpl_on_status *node, struct mpl_command *command, int status) {
  if (status > node->when || atomic_exchange(&node->fired, true)) return;
  node->status = status < 0 ? status : node->when;
  struct mpl_queue *queue = command->queue;
  if (!node->of_host || !queue || queue->lost) { /* a forked child has no workers of its parent's */
    call(node, command);
    return;
  }
  mpl_command_retain(command);
  atomic_fetch_add(&command->running, 1);
  atomic_fetch_add(&queue->calling, 1);
  node->command = command;
  node->task = (struct mpl_task){.run = call_apart, .rank = MPL_RANK_MEDIUM, .apart = true};
  mpl_pool_post(queue->pool, &node->task);
}

void mpl_command_call_back(struct mpl_command *command, int status, struct mpl_on_status *node) {
  for (; node; node = node->next) fire(node, command, status);
}

/* Against mpl_command_on_status: either this sees the new callback or that sees the new status. */
void mpl_command_set_status(struct mpl_command *command, int status) {
  atomic_store(&command->status, status);
  struct mpl_on_status *callbacks = atomic_load(&command->callbacks);
  if (callbacks) mpl_command_call_back(command, status, callbacks);
}

bool mpl_command_on_status(struct mpl_command *command, int when, bool of_host,
                           void (*function)(struct mpl_command *, int, void *), void *data) {
  struct mpl_on_status *node = malloc(sizeof *node);
  if (!node) return false;
  mpl_command_note_fork(command);
  *node = (struct mpl_on_status){
      .of_host = of_host, .when = when, .function = function, .data = data};
  mpl_command_retain(command); /* the call may release the caller's reference */
  node->next = atomic_load(&command->callbacks);
  while (!atomic_compare_exchange_weak(&command->callbacks, &node->next, node)) {
  }
  struct mpl_lane *lane = atomic_load(&command->lane);
  if (lane) mpl_lane_watch(lane);
  fire(node, command, mpl_command_status(command));
  mpl_command_release(command);
  return true;
}

void mpl_queue_finish_calls(struct mpl_queue *queue) {
  if (in_callback || !atomic_load(&queue->calling)) return;
  struct mpl_pool *worker_of = mpl_pool_current();
  if (worker_of) mpl_pool_block(worker_of);
  atomic_fetch_add(&queue->call_waits, 1);
  for (int value; (value = atomic_load(&queue->calling));) mpl_sleep(&queue->calling, value);
  atomic_fetch_sub(&queue->call_waits, 1);
  if (worker_of) mpl_pool_unblock(worker_of);
}
