/* Scheduling of one work-group's fibres: who runs next, who waits, who has ended. */
#include "engine.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "check/filter/filter.h"
#include "check/memory/memory.h"
#include "check/report/diagnose_pointer.h"
#include "check/report/progress.h"
#include "fibre.h"
#include "runtime/threads/lock.h"
#include "schedule.h"
#include "watchdog.h"

enum { STACKS_AT_ONCE = 64 };

_Thread_local struct mpl_item *mpl_item_now __attribute__((tls_model("initial-exec")));

/* --- Runs: one for each thread that runs a group; kept for the next one --- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mpl_run *spare_runs;

static struct mpl_run *take_run(void) {
  mpl_lock(&lock);
  struct mpl_run *run = spare_runs;
  if (run) spare_runs = run->next;
  mpl_unlock(&lock);
  return run ? run : calloc(1, sizeof *run);
}

static void give_run(struct mpl_run *run) {
  mpl_lock(&lock);
  run->next = spare_runs;
  spare_runs = run;
  mpl_unlock(&lock);
}

/* --- Stacks --- */

static void keep_stack(struct mpl_run *run, struct mpl_stack *stack) {
  stack->next = run->stacks;
  run->stacks = stack;
}

/* One at first; all that the group may need when a second one is wanted. */
static void fetch_stacks(struct mpl_run *run) {
  size_t reserve = run->reserved ? run->count - run->reserved : 1;
  size_t wanted = run->reserved ? run->count - run->started : 1;
  if (reserve && !mpl_stacks_reserve(reserve)) return;
  run->reserved += reserve;
  run->stacks = mpl_stacks_take(wanted < STACKS_AT_ONCE ? wanted : STACKS_AT_ONCE);
}

/* Null if there is none: the launch then ends with an error. */
static struct mpl_stack *take_stack(struct mpl_run *run) {
  if (!run->stacks) fetch_stacks(run);
  struct mpl_stack *stack = run->stacks;
  if (stack)
    run->stacks = stack->next;
  else
    atomic_store(&run->check->error, MPL_OUT_OF_RESOURCES);
  return stack;
}

/* The one that began as number i; what is in `items` of others is an earlier group's. */
static struct mpl_item *started_item(const struct mpl_run *run, uint32_t i) {
  return &run->items[run->order ? run->order[i] : i];
}

/* Also those of fibres that will never go on. */
static void give_stacks(struct mpl_run *run) {
  for (uint32_t i = 0; i < run->started; i++) {
    struct mpl_item *item = started_item(run, i);
    if (item->ended || !item->stack) continue;
    mpl_sanitizer_forget(item->stack);
    keep_stack(run, item->stack);
  }
  mpl_stacks_give(run->stacks);
  run->stacks = NULL;
  if (run->reserved) mpl_stacks_unreserve(run->reserved);
  run->reserved = 0;
}

/* The second time, it is of the search for callers. */
void mpl_check_fault(struct mpl_fault *fault, void *context) {
  struct mpl_item *item = mpl_item_now;
  struct mpl_run *run = item ? item->run : NULL;
  if (mpl_fault_is_own(fault)) mpl_filter_fault();
  if (!run) return;
  if (run->faulted) mpl_run_abandon(run);
  uint16_t access = run->memory ? run->memory->last : 0;
  bool is_full = !fault->is_no_address && mpl_stack_guard_holds(item->stack, fault->address);
  if (!is_full && !mpl_fault_is_own(fault)) {
    mpl_report_lost();
    mpl_fault_tell_lost(run->check->kernel->name, item->linear);
    return;
  }
  mpl_memory_drop_doubt(run);
  if (is_full) {
    run->overflowed = item->stack;
  } else {
    run->fault = *fault;
    run->faulted = item;
    run->fault_access = access;
    mpl_fault_trace(&run->fault, context);
  }
  mpl_run_abandon(run);
}

/* --- Work-items --- */

static void fibre(void *data);

/* Of the one behind `last`, without a division. */
static void set_next_ids(struct mpl_run *run, struct mpl_item *item, const struct mpl_item *last) {
  uint32_t x = last->local[0] + 1, y = last->local[1], z = last->local[2];
  bool row_ends = x == run->group->size[0], plane_ends = row_ends && y + 1 == run->group->size[1];
  bool lanes_end = last->lane + 1 == run->sub_group_size;
  item->linear = last->linear + 1;
  item->local[0] = row_ends ? 0 : x;
  item->local[1] = plane_ends ? 0 : y + row_ends;
  item->local[2] = z + plane_ends;
  item->sub_group = last->sub_group + lanes_end;
  item->lane = lanes_end ? 0 : last->lane + 1;
}

static void set_ids(struct mpl_run *run, struct mpl_item *item, uint32_t linear) {
  uint32_t x = (uint32_t)run->group->size[0], y = (uint32_t)run->group->size[1];
  item->linear = linear;
  item->local[0] = linear % x;
  item->local[1] = linear / x % y;
  item->local[2] = linear / x / y;
  item->sub_group = linear / run->sub_group_size;
  item->lane = linear % run->sub_group_size;
}

/* As an initialiser would, in single stores: compilers fill large structures by one instruction,
 * which what is read right behind it has to wait for. */
static void begin_item(struct mpl_item *item, struct mpl_run *run, struct mpl_stack *stack) {
  item->place = NULL;
  item->next = NULL;
  item->run = run;
  item->at = NULL;
  item->argument = 0;
  item->expected[0] = item->expected[1] = NULL;
  item->last = (struct mpl_place){0};
  item->left = item->function = NULL;
  item->place_next = NULL;
  item->flags_next = 0;
  item->gave_ids = false;
  item->turns = 0;
  item->reads = 0;
  item->ended = item->spins = item->unwritten = false;
  item->fenced = item->scope = 0;
  item->spins_at = NULL;
  item->stack = stack;
  stack->callers.depth = 0;
  stack->ended.count = 0;
}

/* The next work-item that has not begun, on that stack. */
static struct mpl_item *start(struct mpl_run *run, struct mpl_stack *stack) {
  uint32_t linear = run->order ? run->order[run->started] : run->started;
  struct mpl_item *item = &run->items[linear];
  run->started++;
  mpl_run_progress(run);
  run->start_first = false;
  begin_item(item, run, stack);
  if (linear && !run->order)
    set_next_ids(run, item, item - 1);
  else
    set_ids(run, item, linear);
  return item;
}

static bool should_start(struct mpl_run *run) {
  return run->started < run->count &&
         (!run->ready || run->start_first || mpl_schedule_prefers_start(run));
}

static void append(struct mpl_item **queue, struct mpl_item **end, struct mpl_item *first,
                   struct mpl_item *last) {
  if (*queue)
    (*end)->next = first;
  else
    *queue = first;
  *end = last;
}

/* One that spins looks again when nobody can go on without: what it waits for is done by one of
 * these, perhaps, who may come to several meetings before.  All of them look, behind who is ready
 * by now, when these do not come to an end. */
static struct mpl_item *first_spinning(struct mpl_run *run) {
  struct mpl_item *item = run->ready;
  if (!item) {
    item = run->spinning;
    run->spinning = item->next;
  } else {
    append(&run->ready, &run->last_ready, run->spinning, run->last_spinning);
    run->spinning = NULL;
    run->ready = item->next;
  }
  run->passed = 0;
  return item;
}

static struct mpl_item *first_ready(struct mpl_run *run) {
  enum { TURNS = 16 }; /* of all the group: one look takes up to three */
  if (run->spinning && (!run->ready || ++run->passed / TURNS > run->count))
    return first_spinning(run);
  struct mpl_item *item = run->ready;
  if (item) run->ready = item->next;
  return item;
}

static struct mpl_item *start_fibre(struct mpl_run *run) {
  struct mpl_stack *stack = take_stack(run);
  if (!stack) return NULL;
  struct mpl_item *item = start(run, stack);
  item->place = mpl_fibre_prepare(stack, fibre, item);
  return item;
}

/* Who runs next; null if nobody can. */
static inline struct mpl_item *next(struct mpl_run *run) {
  return should_start(run) ? start_fibre(run) : first_ready(run);
}

/* Stacks and work-items of a large group are more than the first-level cache holds. */
static inline void fetch(const struct mpl_item *item) {
  const char *stack = item->place;
  for (unsigned i = 0; i < 4; i++) __builtin_prefetch(stack + (size_t)64 * i, 1);
  if (!item->next) return;
  __builtin_prefetch(item->next, 1);
  __builtin_prefetch((const char *)item->next + 64, 1);
}

/* Leaves the fibre, for another or (null) for the thread's own stack; for ever if place is null. */
static inline void hand_over(struct mpl_run *run, void **place, struct mpl_item *item) {
  mpl_memory_settle(run);
  struct mpl_item *after = run->ready ? run->ready : run->spinning;
  if (after) fetch(after); /* it comes after `item` */
  mpl_item_now = item;
  if (item && run->memory) mpl_memory_resume(run, item);
  mpl_fibre_change(place, item ? item->place : run->main, item ? item->stack : NULL);
}

/* Runs work-items to their ends, one after another as long as no other fibre can go on. */
static void fibre(void *data) {
  struct mpl_item *item = data;
  struct mpl_run *run = item->run;
  struct mpl_stack *stack = item->stack;
  mpl_fibre_begun();
  for (;;) {
    if (run->item)
      run->item(run->launch, run->group);
    else
      run->check->record->item((void *)run->launch->args);
    mpl_memory_settle(run);
    item->ended = true;
    run->ended++;
    mpl_run_progress(run);
    mpl_join_without(item);
    if (atomic_load_explicit(&run->check->error, memory_order_relaxed)) mpl_run_abandon(run);
    if (!should_start(run)) break;
    mpl_item_now = item = start(run, stack);
    if (run->memory) mpl_memory_resume(run, item);
  }
  keep_stack(run, stack);
  hand_over(run, NULL, first_ready(run));
  abort(); /* nobody comes back */
}

void mpl_item_wait(struct mpl_item *item) {
  struct mpl_run *run = item->run;
  struct mpl_item *other = next(run);
  if (other != item) hand_over(run, &item->place, other);
}

void mpl_items_ready(struct mpl_run *run, struct mpl_item *first, struct mpl_item *last) {
  mpl_schedule_shuffle(run, &first, &last);
  last->next = NULL;
  append(&run->ready, &run->last_ready, first, last);
}

void mpl_items_next(struct mpl_run *run, struct mpl_item *first, struct mpl_item *last) {
  mpl_schedule_shuffle(run, &first, &last);
  last->next = run->ready;
  if (!run->ready) run->last_ready = last;
  run->ready = first;
}

/* One that spins until others have done something: also those who wait for a part of their
 * sub-group, where all who can run may be spinning. */
void mpl_item_yield(struct mpl_item *item) {
  struct mpl_run *run = item->run;
  run->start_first = item->spins = true;
  if (atomic_load_explicit(&run->overdue, memory_order_relaxed)) mpl_run_abandon(run);
  if (run->started == run->count && ++run->yields > run->count) {
    run->yields = 0;
    atomic_fetch_add_explicit(&run->rounds, 1, memory_order_relaxed);
    if (!mpl_meet_partly(run)) sched_yield();
  }
  item->next = NULL;
  append(&run->spinning, &run->last_spinning, item, item);
  mpl_item_wait(item);
  item->spins = false;
}

/* Every so many reads: mostly nobody waits. */
void mpl_wait_hint(const struct mpl_site *site) {
  enum { READS = 8 };
  struct mpl_item *item = mpl_item_now;
  if (!item || ++item->reads % READS) return;
  struct mpl_place place = mpl_place_of(site);
  item->place_next = &place;
  mpl_item_yield(item);
  item->place_next = NULL;
}

void mpl_run_abandon(struct mpl_run *run) {
  hand_over(run, NULL, NULL);
  abort();
}

/* --- A group --- */

static bool make_room(struct mpl_run *run, uint64_t count) {
  uint32_t lanes = run->sub_group_size;
  run->num_lanes = (uint32_t)((count + lanes - 1) / lanes);
  if (count > run->capacity) {
    free(run->items);
    free(run->order);
    run->items = aligned_alloc(_Alignof(struct mpl_item), count * sizeof *run->items);
    run->order = NULL;
    run->capacity = run->items ? (uint32_t)count : 0;
    if (!run->items) return false;
  }
  if (run->num_lanes > run->lanes_capacity) {
    free(run->lanes);
    run->lanes = calloc(run->num_lanes, sizeof *run->lanes);
    run->lanes_capacity = run->lanes ? run->num_lanes : 0;
  }
  return run->lanes != NULL;
}

/* Nobody has been at any branch. */
static bool clear_trails(struct mpl_run *run) {
  size_t count = (size_t)run->num_branches * run->count;
  if (count > run->trails_capacity) {
    free(run->trails);
    run->trails = malloc(count * sizeof *run->trails);
    run->trails_capacity = run->trails ? count : 0;
    if (!run->trails) return false;
  }
  if (count) memset(run->trails, 0, count * sizeof *run->trails);
  return true;
}

static bool set_up(struct mpl_run *run, const struct mpl_launch *launch,
                   const struct mpl_group *group, mpl_group_fn *item, uint32_t sub_group_size) {
  uint64_t count = group->size[0] * group->size[1] * group->size[2];
  run->launch = launch;
  run->given = (struct mpl_watch){*group, &run->watch};
  run->group = &run->given.group;
  run->check = (struct mpl_check_launch *)launch->host;
  run->item = item;
  run->sub_group_size = sub_group_size;
  run->started = run->ended = run->yields = 0;
  run->start_first = run->given_up = run->knows_sub_groups = run->reduces = false;
  run->ready = run->last_ready = run->spinning = NULL;
  run->passed = 0;
  run->overflowed = NULL;
  run->faulted = NULL;
  run->fault_object.size = 0;
  if (!make_room(run, count)) return false;
  run->count = (uint32_t)count;
  run->work = (struct mpl_unit){.count = run->count};
  uint32_t lanes = run->sub_group_size;
  for (uint32_t i = 0; i < run->num_lanes; i++) {
    uint32_t first = i * lanes, left = run->count - first;
    run->lanes[i] =
        (struct mpl_unit){.first = first, .count = left < lanes ? left : lanes, .sub_group = true};
  }
  return clear_trails(run) && mpl_schedule_order(run);
}

static bool is_over(const struct mpl_run *run) {
  return run->overflowed || run->faulted || run->given_up || atomic_load(&run->overdue) ||
         atomic_load(&run->check->error);
}

static void diagnose(struct mpl_run *run) {
  atomic_store(&run->check->incomplete, true);
  if (run->overflowed) {
    for (uint32_t i = 0; i < run->started; i++) {
      const struct mpl_item *item = started_item(run, i);
      if (item->stack == run->overflowed && !item->ended) mpl_diagnose_overflow(run, item);
    }
  } else if (run->faulted) {
    mpl_diagnose_fault(run);
  } else if (atomic_load(&run->overdue)) {
    mpl_diagnose_spin(run);
  } else if (!is_over(run)) {
    mpl_diagnose_stuck(run);
  }
}

void mpl_check_group(const struct mpl_launch *launch, const struct mpl_group *group) {
  const struct mpl_check_launch *check = (const struct mpl_check_launch *)launch->host;
  mpl_check_group_of(launch, group, NULL, check->kernel->sub_group, 0, mpl_accesses_are_told);
}

void mpl_check_group_of(const struct mpl_launch *launch, const struct mpl_group *group,
                        mpl_group_fn *item, uint32_t sub_group_size, uint32_t num_branches,
                        uint32_t tells) {
  struct mpl_check_launch *check = (struct mpl_check_launch *)launch->host;
  if (atomic_load_explicit(&check->error, memory_order_relaxed)) return;
  struct mpl_run *run = take_run();
  if (run) run->num_branches = num_branches;
  if (!run || !set_up(run, launch, group, item, sub_group_size)) {
    atomic_store(&check->error, MPL_OUT_OF_RESOURCES);
    if (run) give_run(run);
    return;
  }
  mpl_report_items(run->count);
  if (tells) mpl_memory_begin(run, !(tells & MPL_TELLS_NO_ATOMICS));
  mpl_faults_watch();
  mpl_watchdog_begin(run);
  /* A fibre comes back here when nobody can go on, or the group is abandoned. */
  while (run->ended < run->count && !is_over(run)) {
    struct mpl_item *item = next(run);
    if (!item && (atomic_load(&check->error) || !mpl_meet_partly(run))) break;
    if (!item) continue;
    mpl_item_now = item;
    if (run->memory) mpl_memory_resume(run, item);
    mpl_fibre_change(&run->main, item->place, item->stack);
  }
  mpl_item_now = NULL;
  mpl_watchdog_end(run);
  if (run->memory) mpl_memory_end(run);
  if (run->ended < run->count) diagnose(run);
  mpl_remark_one_sub_group(run);
  give_stacks(run);
  mpl_meetings_reset(run);
  give_run(run);
  const uint64_t *groups = launch->num_groups;
  mpl_check_progress(check->kernel->name, atomic_fetch_add(&check->done, 1) + 1,
                     groups[0] * groups[1] * groups[2]);
}
