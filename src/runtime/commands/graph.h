/* Inside of the graph of commands: shared by command.c (one command's life), on_status.c (what it
 * calls), queue.c (the order of a queue) and lane.c (what was issued to a device); nobody else includes it. */
#ifndef MPL_RUNTIME_GRAPH_H
#define MPL_RUNTIME_GRAPH_H

#include <pthread.h>
#include <stdatomic.h>

#include "runtime/commands/command.h"
#include "runtime/commands/sequence.h"
#include "runtime/threads/fork.h"
#include "runtime/threads/lock.h"
#include "runtime/threads/threads.h"

/* `waiter` waits for the command in whose list this stands. */
struct mpl_edge {
  struct mpl_edge *next;
  struct mpl_command *waiter;
  struct mpl_command
      *before;         /* counted; where both are issued to one device, until one has ended */
  bool passes_failure; /* an explicit wait, not the order of a queue */
  uint64_t number;     /* of the command that is waited for, if that is traced */
};

struct mpl_on_status {
  struct mpl_task task; /* where a worker is to call */
  struct mpl_on_status *next;
  struct mpl_command *command; /* the same, and counted then */
  bool of_host;
  int when, status;
  atomic_bool fired;
  void (*function)(struct mpl_command *, int, void *);
  void *data;
};

struct mpl_command {
  struct mpl_task task; /* in a pool's or a local list once it is ready */
  atomic_uint refs;     /* who holds it, and the graph until it has ended */
  unsigned forks;       /* mpl_generation() when it was made */
  atomic_int status;
  atomic_int running;  /* 1 until it has ended, and callbacks that have not returned */
  atomic_int error;    /* of what it waited for */
  atomic_uint pending; /* what it still waits for, and 1 until it is submitted */
  atomic_uint sleepers;
  _Atomic(struct mpl_edge *) dependents; /* MPL_CLOSED once it has ended */
  _Atomic(struct mpl_edge *) followers;  /* the same, of those that wait until it is issued */
  _Atomic(struct mpl_on_status *) callbacks;
  struct mpl_queue *queue; /* null for a user command; counted */
  struct mpl_work_desc work;
  struct mpl_times times;
  uint64_t number; /* in the trace; 0: it is not traced */
  struct mpl_command *next;           /* unsubmitted, or in its lane */
  struct mpl_command *before, *after; /* in the queue's list of commands that have not ended */
  _Atomic(struct mpl_lane *) lane;    /* once it is issued */
  struct mpl_mark *begin;             /* before it, or null */
  _Atomic(struct mpl_mark *) mark;    /* behind it, or null; made under the lane's lock */
  bool asked;                         /* MPL_ASKED */
  struct mpl_sequence *order;            /* under the check, or null */
  uint32_t num_edges, num_queue_edges;
  struct mpl_edge *queue_edges; /* of MPL_AFTER_ALL */
  struct mpl_edge edges[];      /* of its explicit waits, and two for the order of the queue */
};

#define MPL_CLOSED ((struct mpl_edge *)1)

/* A stream, and the commands that were issued to it and have not ended, in order. */
struct mpl_lane {
  struct mpl_task watch; /* ends them as they are over, without being asked */
  bool watched;
  pthread_mutex_t lock;
  struct mpl_queue *queue;
  struct mpl_stream *stream;
  struct mpl_command *first, *last;
  struct mpl_command *over; /* the device is done with all up to it; null: not known */
  int reached;              /* what the device said of it */
  uint64_t ended; /* when the last one with times did */
};

enum { MPL_LANES = 4 }; /* of an out-of-order queue; one of the others */

struct mpl_queue {
  struct mpl_queue *next_of_all, **link_of_all; /* in the list of all queues */
  const void *owner;
  atomic_uint refs; /* the creator, and every command */
  struct mpl_device *device;
  struct mpl_pool *pool;
  uint64_t number; /* in the trace */
  bool in_order;
  bool lost;      /* had commands that go on in the process this one was forked from */
  bool profiling; /* commands have their times */
  enum mpl_rank rank;
  pthread_mutex_t lock;        /* all below; commands take themselves out when they end */
  _Atomic(struct mpl_command *) last; /* not ended, else null: the next waits for it, if in order */
  struct mpl_command *barrier; /* the same for the last barrier of an out-of-order queue */
  struct mpl_command *live;    /* all that have not ended, if out of order, and how many */
  uint32_t num_live;
  struct mpl_command *unsubmitted, **unsubmitted_last;
  uint64_t unsubmitted_weight;
  unsigned order; /* its place (sequence.h) */
  uint32_t num_lanes; /* 0: the device has no streams */
  atomic_uint next_lane;
  struct mpl_lane lanes[MPL_LANES];
  atomic_int calling;     /* commands that have ended and whose callbacks have not all returned */
  atomic_uint call_waits; /* threads that sleep until there are none */
};

/* All queues that there are, one after another, under a lock. */
void mpl_queues_visit(void (*visit)(struct mpl_queue *, void *data), void *data);

/* Ready commands on their way to a thread, in order. */
struct mpl_ready {
  struct mpl_task *first, **last;
};

static inline void mpl_ready_add(struct mpl_ready *list, struct mpl_command *command) {
  if (!list->first) list->last = &list->first;
  command->task.next = NULL;
  *list->last = &command->task;
  list->last = &command->task.next;
}

struct mpl_command *mpl_command_new(struct mpl_queue *, const struct mpl_work_desc *,
                                    uint32_t num_edges);
void mpl_command_link(struct mpl_command *before, struct mpl_command *after, struct mpl_edge *,
                      bool passes_failure);
/* One thing less to wait for; adds the command to the list if that was the last. */
void mpl_command_unblock(struct mpl_command *, struct mpl_ready *);
void mpl_command_set_status(struct mpl_command *, int status);
void mpl_command_post(struct mpl_ready *); /* leaves the list empty */
/* As mpl_command_status, but nobody sees what it is. */
int mpl_command_poke(struct mpl_command *);
/* Its status is final: the others go on.  Takes the graph's reference. */
void mpl_command_end(struct mpl_command *, int status, struct mpl_ready *);
/* Lets go who waited until it is issued. */
void mpl_command_let_follow(struct mpl_command *, struct mpl_ready *);
void mpl_command_note_failure(struct mpl_command *, int status);
/* To be asked before anybody waits: one that had not ended at a fork() has failed in the child. */
void mpl_command_note_fork(struct mpl_command *);
/* One thing less that keeps it running. */
void mpl_command_end_part(struct mpl_command *);
/* Records one that is traced and has its times; `here`: this thread did it. */
void mpl_command_trace(const struct mpl_command *, bool here);

/* The host has seen that it has ended. */
static inline void mpl_command_note_seen(const struct mpl_command *command) {
  if (command->order) mpl_sequence_seen(command->order);
}

/* --- on_status.c --- */

/* Those of the list that are for this status and have not been called. */
void mpl_command_call_back(struct mpl_command *, int status, struct mpl_on_status *);
bool mpl_in_callback(void); /* the calling thread is in one */
/* One less of what mpl_queue_finish_calls waits for; `forks`: mpl_generation() when it was counted.  In
 * a child of fork() nobody calls back any more, and the queue counts from nothing. */
void mpl_queue_end_calls(struct mpl_queue *, unsigned forks);

/* --- lane.c --- */

/* True for what goes into a lane and not to a thread. */
static inline bool mpl_is_issued(const struct mpl_command *command) {
  return command->queue && command->queue->num_lanes &&
         (command->work.operation || !command->work.run);
}

bool mpl_lanes_create(struct mpl_queue *); /* false if out of memory */
void mpl_lanes_destroy(struct mpl_queue *);

/* Gives a ready command to the device; one that has failed only keeps its place. */
void mpl_lane_issue(struct mpl_command *, struct mpl_ready *);
/* Tells the first command in the lane that it runs, if nothing that it waits for is left. */
void mpl_lane_begin(struct mpl_lane *);
/* Ends the first command in the lane if it is over, or sleeps until it is.  False if it is not, or
 * there is none. */
bool mpl_lane_reap(struct mpl_lane *, bool sleep);
/* Somebody waits who will not ask. */
void mpl_lane_watch(struct mpl_lane *);
void mpl_lane_free_marks(struct mpl_command *);

void mpl_queue_submit(struct mpl_queue *, struct mpl_ready *);
void mpl_queue_forget(struct mpl_queue *, struct mpl_command *); /* it has ended */
void mpl_queue_release(struct mpl_queue *);

#endif
