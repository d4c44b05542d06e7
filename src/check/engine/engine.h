/* The checking engine: each work-item of a work-group is a fibre that really calls the collectives.
 *
 * A work-group runs on one thread.  Its work-items run one after another; one that has to wait at a
 * collective hands over to the next that can run.  Work-items of a unit (the work-group, or one of
 * its sub-groups) that stand at a call together are a meeting; the last to arrive computes the
 * result, once. When none can run and not all have ended, the work-items have missed one another:
 * diagnose.c says how. */
#ifndef MPL_CHECK_ENGINE_H
#define MPL_CHECK_ENGINE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "abi/items.h"
#include "check/memory/allocations.h"
#include "check/report/report.h"
#include "fault.h"
#include "maniple/kernel.h"
#include "runtime/errors.h"

struct mpl_stack;
struct mpl_memory;
struct mpl_run;

struct mpl_expected { /* a value that all have to bring to the next meeting (mpl_work_group_same) */
  struct mpl_expected *next;
  const char *what;
  uint64_t value;
  bool is_text; /* the address of a text */
};

struct mpl_item {
  /* One line of cache: what each call reads. */
  _Alignas(64) void *place; /* where its fibre stands, while another runs */
  struct mpl_item *next;
  struct mpl_run *run;
  struct mpl_meeting *at;           /* where it waits, or null */
  uint64_t argument;                /* what it brought to `at` */
  struct mpl_expected *expected[2]; /* for its next meeting of the work-group, of the sub-group */
  uint32_t linear, lane;
  /* A second one. */
  struct mpl_place last;               /* the last collective that it left; line 0: none */
  const struct mpl_function *left;     /* the same */
  const struct mpl_function *function; /* of an OpenCL kernel: what it calls next, and where */
  const struct mpl_place *place_next;
  uint64_t flags_next;
  bool gave_ids; /* to the next broadcast: not a linear one */
  uint8_t scope; /* given to the next atomic access or fence: enum mpl_reach and 1; 0: none */
  uint32_t sub_group, reads; /* reads: of memory that it may be waiting for */
  bool ended, spins;         /* spins: others run until it looks again, at place_next */
  const void *spins_at;      /* code that it did not leave (watchdog.c) */
  struct mpl_stack *stack;
  uint32_t local[3];
  uint8_t fenced; /* memory.c: enum mpl_reach of its widest release fence */
  bool unwritten; /* it was told that the variable that it read last was not written */
  uint64_t turns; /* which iterations of loops it is in, MPL_TURN_BITS for each */
};

/* A work-group (sub_group false) or a sub-group: the linear ids first to first + count - 1. */
struct mpl_unit {
  struct mpl_meeting *open; /* in order of opening */
  uint32_t first, count;
  bool sub_group;
};

struct mpl_meeting {
  struct mpl_meeting *next;
  struct mpl_meeting *made; /* the list of all that the run has made */
  struct mpl_unit *unit;
  const struct mpl_function *function;
  const char *called; /* mpl_site.function, the first's */
  struct mpl_place place;
  struct mpl_item *waiting, *last; /* who waits, in order of arrival */
  uint32_t arrived, inside;        /* inside: have not left yet */
  const struct mpl_item *first;
  uint64_t argument;                     /* the first's */
  uint64_t turns;                        /* the first's */
  bool differ;                           /* another brought another argument */
  bool turns_differ;                     /* or came in another iteration of a loop */
  bool has_ids;                          /* `argument` is what an id of the range's dimensions came to */
  bool complete;                         /* all are there who will come */
  bool expects;                          /* somebody brought a value that all have to bring */
  void (*compute)(struct mpl_meeting *); /* function->compute at first */
  const struct mpl_item_meeting *call;   /* what `compute` needs besides: of OpenCL kernels */
  mpl_combine_fn *combine;               /* of the C interface: the first's, while it waits */
  const void *state;
  uint64_t active;               /* of a sub-group: bit for each lane that takes part */
  uint32_t size;                 /* of an operand */
  _Alignas(16) char result[128]; /* the one for all, of those that have one */
  void *operands;                /* one for each of the unit, by place in it */
  size_t capacity;
};

/* The record of a work-item at a branch (abi/items.h). */
struct mpl_trail {
  const struct mpl_branch *branch; /* null: it has not been there */
  uint32_t times, stays;           /* how often; how often it stayed in the loop */
  uint64_t value;                  /* of the condition, the last time */
};

/* The engine's part of a launch, reached through the host pointer of struct mpl_launch. */
struct mpl_check_launch {
  struct mpl_host host; /* first */
  const struct mpl_kernel *kernel;
  const struct mpl_arg_memory *args;      /* runtime/device.h; or null */
  const struct mpl_kernel_record *record; /* null: an OpenCL kernel */
  const void *block;                      /* of arguments */
  struct mpl_noted *noted;                /* arguments of whose uses somebody asks (memory/uses.h) */
  uint32_t num_noted;
  atomic_bool noted_atomics; /* of those that were, somewhere */
  atomic_int error; /* 0, or what the launch ends with; groups that have not begun do not run */
  _Atomic uint64_t done;         /* groups that have ended */
  atomic_bool incomplete;        /* a group was given up because of a mistake */
  uint32_t number;               /* mpl_shadow_begin's */
  uint32_t first_phase;          /* none of its own is less */
  struct mpl_filter_run *filter; /* that runs (filter/filter.c), or null */
  bool is_on_one_thread;
};

/* Where the kernel is defined; line 0 if that is not known. */
static inline struct mpl_place mpl_kernel_place(const struct mpl_check_launch *check) {
  const struct mpl_kernel_record *record = check->record;
  return record ? (struct mpl_place){.file = record->file, .line = record->line}
                : (struct mpl_place){0};
}

/* The program has not asked for work-groups. */
static inline bool mpl_has_no_groups(const struct mpl_check_launch *check) {
  return check->record && check->record->flags & MPL_RECORD_NO_GROUPS;
}

/* The iterations of loops of its work-items are unknown, since another compiler has made it. */
static inline bool mpl_has_no_turns(const struct mpl_check_launch *check) {
  return check->record && !(check->record->flags & MPL_RECORD_COUNTS_TURNS);
}

/* One work-group while it runs. */
struct mpl_run {
  struct mpl_run *next; /* in the list of those not in use */
  const struct mpl_launch *launch;
  const struct mpl_group *group; /* given.group */
  struct mpl_watch given;
  struct mpl_watch_now watch;
  struct mpl_check_launch *check;
  mpl_group_fn *item; /* one work-item of an OpenCL kernel; null: the record's */
  uint32_t sub_group_size;
  void *main; /* where the thread's own stack stands */
  struct mpl_item *items;
  uint32_t *order; /* in which work-items start; null: as they are numbered */
  uint32_t count, capacity, started, ended;
  uint32_t yields;                     /* since the last time that nobody else did something */
  bool start_first;                    /* one spins: for one that has not begun, perhaps */
  bool given_up;                       /* because of a mistake that has been reported */
  bool knows_sub_groups, reduces;      /* one_sub_group.c: asked for their size or a lane; reduced */
  struct mpl_place reduced;            /* over a sub-group, there first */
  struct mpl_item *ready, *last_ready;       /* can go on */
  struct mpl_item *spinning, *last_spinning; /* look again when these have gone as far as they can */
  uint32_t passed;                           /* how many have gone on since those looked */
  struct mpl_memory
      *memory; /* memory.h; null: nothing tells of accesses.  Each change of fibres reads it */
  struct mpl_unit work, *lanes;
  uint32_t num_lanes, lanes_capacity;
  struct mpl_trail *trails; /* branch after branch, one for each work-item */
  uint32_t num_branches;
  size_t trails_capacity;
  struct mpl_meeting *meetings; /* all, by `made` */
  struct mpl_meeting *spare;    /* not in use, by `next` */
  struct mpl_stack *stacks;     /* taken, not in use */
  size_t reserved;
  struct mpl_expected *spare_expected;
  struct mpl_memory *spare_memory;
  const struct mpl_stack *overflowed;
  struct mpl_item *faulted; /* null, or whose fault it is */
  struct mpl_fault fault;
  struct mpl_allocation fault_object; /* size 0, or the variable that it was to stay in */
  uint16_t fault_access;              /* mpl_access_number's of the access, or 0 */
  uint64_t random;
  /* watchdog.c: what it looks at, and what only it knows. */
  atomic_uint progress; /* work-items that have begun or ended, meetings that were complete */
  atomic_bool overdue;  /* there was none for too long */
  atomic_uint rounds;   /* in which all who could run only looked again */
  uint32_t seen_progress, seen_rounds, signals;
  uint64_t seen_time, seen_cpu_time;
  pthread_t thread;
  clockid_t cpu_clock;
  struct mpl_run *next_running;
};

/* By the thread that runs the group only. */
static inline void mpl_run_progress(struct mpl_run *run) {
  uint32_t n = atomic_load_explicit(&run->progress, memory_order_relaxed);
  atomic_store_explicit(&run->progress, n + 1, memory_order_relaxed);
}

extern _Thread_local struct mpl_item *mpl_item_now __attribute__((tls_model("initial-exec")));

/* Runs a group of a launch whose host is a mpl_check_launch's. */
void mpl_check_group(const struct mpl_launch *, const struct mpl_group *); /* the record's item */
void mpl_check_group_of(const struct mpl_launch *, const struct mpl_group *, mpl_group_fn *item,
                        uint32_t sub_group_size, uint32_t num_branches, uint32_t tells);

extern const struct mpl_item_host mpl_check_items; /* opencl_items.c: for OpenCL kernels */

/* --- Meetings: meet.c ----------------------------------------------------------------------------
 */

/* Where the calling work-item meets others at that call: room for its operand of `size` bytes is at
 * operands + place * size.  Calls are told apart by their place in the source (C interface) or by
 * `call` (OpenCL kernels).  Null outside a kernel, which is reported; does not return if memory
 * has run out, which ends the launch. */
struct mpl_meeting *mpl_arrive(const struct mpl_function *, const struct mpl_site *,
                               uint64_t argument, size_t size, const struct mpl_item_meeting *call);
/* Its place among the operands. */
static inline uint32_t mpl_place(const struct mpl_meeting *m) {
  return m->unit->sub_group ? mpl_item_now->lane : mpl_item_now->linear;
}
/* Waits until all have arrived and `compute` has run. */
void mpl_meet(struct mpl_meeting *);
/* After it, results are gone. */
void mpl_leave(struct mpl_meeting *);

/* Of each sub-group in which nobody can run, lets the earliest meeting go on at which not all lanes
 * have to take part, with those that are there.  All of the group have started.  False if there is
 * none. */
bool mpl_meet_partly(struct mpl_run *);
/* The same for the sub-group of a work-item that has ended or waits, if all have started, where
 * lanes only come together again. */
void mpl_join_without(const struct mpl_item *);
void mpl_meetings_reset(struct mpl_run *);                 /* for the next group */
void mpl_expected_drop(struct mpl_item *, bool sub_group); /* expected_values.c */

/* --- one_sub_group.c --- */

void mpl_note_reduction(const struct mpl_meeting *);     /* all who will come are there */
void mpl_remark_one_sub_group(const struct mpl_run *); /* when the group ends */

/* --- Scheduling: engine.c ------------------------------------------------------------------------
 */

void mpl_item_wait(struct mpl_item *); /* returns when somebody made it ready */
/* A list of those who can go on, behind or in front of the others who can. */
void mpl_items_ready(struct mpl_run *, struct mpl_item *first, struct mpl_item *last);
void mpl_items_next(struct mpl_run *, struct mpl_item *first, struct mpl_item *last);
/* Lets the others run first: it waits in a loop, at item->place_next. */
void mpl_item_yield(struct mpl_item *);
_Noreturn void mpl_run_abandon(struct mpl_run *); /* called by a fibre: the group ends here */

/* --- diagnose.c
 * ----------------------------------------------------------------------------------- */

void mpl_diagnose_stuck(struct mpl_run *);         /* nobody can run, not all have ended */
void mpl_diagnose_arguments(struct mpl_meeting *); /* all are there and differ in an argument */
void mpl_diagnose_turns(struct mpl_meeting *);     /* all are there, in different iterations */
void mpl_diagnose_range(struct mpl_meeting *);     /* its argument is no work-item's id */
/* A shuffle from a lane that is not there, or does not take part. */
void mpl_diagnose_lane(const struct mpl_item *, const struct mpl_meeting *, int64_t lane,
                       bool is_there);
void mpl_diagnose_id(const struct mpl_item *, const size_t id[3], const struct mpl_site *);
/* No copy's, or one that a wait has released. */
void mpl_diagnose_event(const struct mpl_item *, const struct mpl_place *, bool is_released);
void mpl_diagnose_outside(const struct mpl_function *, const struct mpl_site *);
void mpl_diagnose_no_groups(const struct mpl_item *, const struct mpl_function *,
                            const struct mpl_site *);
void mpl_diagnose_overflow(struct mpl_run *, const struct mpl_item *);
void mpl_diagnose_spin(struct mpl_run *); /* overdue */
/* The line of a message that says which kernel and group. */
void mpl_say_where(struct mpl_report *, const struct mpl_run *, const struct mpl_unit *);
/* `item` null: the host's mistake. */
void mpl_diagnose_mistake(const struct mpl_item *item, enum mpl_check, const char *message,
                          const struct mpl_site *);

#endif
