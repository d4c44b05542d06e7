/* Commands and the graph that they form.
 *
 * A command is one piece of work with the commands it waits for.  An in-order queue is a chain:
 * each command waits for the one before it.  Times are ns on the device's clock.  A thread that
 * waits helps: it runs ready commands of the graph itself before it sleeps.
 *
 * A command is work of the host, which a thread does, or an operation of the device.  A device with
 * streams gets its operations ahead of time: an operation waits for another one of the same device
 * only until that is issued.  It ends when somebody looks (a wait, a question for the status), or
 * as soon as the device has done it if a callback or work elsewhere waits for it. */
#ifndef MPL_RUNTIME_COMMAND_H
#define MPL_RUNTIME_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/threads/threads.h"

struct mpl_device;
struct mpl_queue;
struct mpl_command;
struct mpl_operation; /* device.h */

enum mpl_status { /* the values of CL_QUEUED .. CL_COMPLETE; negative: an error code */
                  MPL_COMPLETE = 0,
                  MPL_RUNNING = 1,
                  MPL_SUBMITTED = 2,
                  MPL_QUEUED = 3,
};

struct mpl_times {
  uint64_t queued, submitted, started, ended, completed;
};

struct mpl_queue *mpl_queue_create(struct mpl_device *, bool in_order, bool profiling);
/* Sets the priority by which free threads take ready commands, before the first command.  Medium
 * without this call. */
void mpl_queue_set_rank(struct mpl_queue *, enum mpl_rank);
/* Whose queue it is, before the first command; and until all that was enqueued on the queues of one
 * owner has ended, released queues included.  False if out of memory. */
void mpl_queue_set_owner(struct mpl_queue *, const void *owner);
bool mpl_queues_finish(const void *owner);
/* Flushes the queue, which is freed once its last command has ended; a user event may prevent that.
 */
void mpl_queue_destroy(struct mpl_queue *);
struct mpl_device *mpl_queue_device(const struct mpl_queue *);

/* Does the work and returns 0 or a negative error code.  `release` frees `data` afterwards, also if
 * the command never ran because one that it waits for failed. */
typedef int mpl_work(void *data, struct mpl_device *);

struct mpl_work_desc {
  mpl_work *run; /* null: nothing to do (marker, barrier, user event) */
  void (*release)(void *data);
  void *data;
  uint64_t weight; /* rough ns of work: whether a worker is worth waking at once */
  /* The operation that a device with streams gets instead of `run`; null for work of the host. */
  const struct mpl_operation *operation;
  mpl_work *prepare; /* runs first, or null: moves memory to where it is needed */
  mpl_work *finish;  /* runs when the operation has ended without an error, or null */
  const char *label; /* its name in traces, which lives as long as the process; or null */
  /* `run` is a function of the application and may wait for a thread that waits for a command: no
   * waiting thread runs it. */
  bool of_host;
};

enum mpl_order {
  MPL_AFTER_ALL = 1,  /* everything enqueued before it on the queue ends first (marker, barrier) */
  MPL_BEFORE_ALL = 2, /* everything enqueued after it waits for it (barrier) */
  MPL_ASKED = 4,      /* the caller may ask for its end; without this bit it may end later */
};

/* Makes a command with one reference for the caller and puts it in the graph.  Null if out of
 * memory, or if the queue is lost (then `data` has been released).  If one of `waits` fails, the
 * command fails without running; the order of the queue itself passes no failure on.  `order`: enum
 * mpl_order bits, the first two for out-of-order queues. */
struct mpl_command *mpl_enqueue(struct mpl_queue *, const struct mpl_work_desc *,
                                struct mpl_command *const *waits, uint32_t num_waits,
                                unsigned order);

struct mpl_command *mpl_user_command(void); /* MPL_SUBMITTED until mpl_command_finish */
bool mpl_command_finish(struct mpl_command *, int status); /* false if it was finished before */

void mpl_command_retain(struct mpl_command *);
void mpl_command_release(struct mpl_command *);
int mpl_command_status(struct mpl_command *); /* also flushes the command */
struct mpl_times mpl_command_times(struct mpl_command *);

/* Calls `function` once the status is `when` or less (MPL_COMPLETE also on errors), at once if it
 * is so already, on the thread that sets the status.  `of_host`: the function is the application's;
 * a worker of the device calls it (except for user commands) and does nothing else meanwhile, and a
 * wait for this command waits for its return. */
bool mpl_command_on_status(struct mpl_command *, int when, bool of_host,
                           void (*function)(struct mpl_command *, int status, void *data),
                           void *data);

int mpl_command_wait(struct mpl_command *); /* final status */
void mpl_queue_flush(struct mpl_queue *);
bool mpl_queue_is_empty(struct mpl_queue *); /* all its commands have ended; starts none */
void mpl_queue_finish(struct mpl_queue *);
/* Waits for the callbacks of commands that have ended; in a callback it returns at once. */
void mpl_queue_finish_calls(struct mpl_queue *);

/* The reason why nothing can be enqueued any more, or null: its device is lost (loss.h), or, in a
 * child of fork(), it had unfinished commands, which are the parent's.  Commands that waited here
 * have failed. */
const char *mpl_queue_lost(const struct mpl_queue *);

#endif
