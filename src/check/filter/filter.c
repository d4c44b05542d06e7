#include "filter.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "abi/filter.h"
#include "check/engine/watchdog.h"
#include "check/report/progress.h"
#include "memories.h"
#include "prints.h"
#include "ranges.h"
#include "runtime/print/log.h"
#include "stamps.h"

enum { STAMP = sizeof(uint32_t), FEWEST_PHASES = 64, MOST_PHASES = 1 << 16 };
enum { MORE = 32 }; /* times as many, after a run with too few */
enum { FEWEST_STEPS = 2, MOST_STEPS = FEWEST_STEPS * MORE * MORE * MORE };

/* Numbers of global memory go down from group to group: so who went before has greater ones, and
 * what is in order, of other launches or of the group's own earlier phases, has lesser ones. */
struct mpl_filter_run {
  struct mpl_check_launch *check;
  const struct mpl_operation *operation;
  bool is_ready, is_unfit, stopped, out_of_phases, out_of_steps;
  struct mpl_filter_memories memories;
  uint32_t per_group, phases, steps, next,
      last,    /* numbers: next, of the next group; last: of the launch */
      atomics; /* the greatest */
  uint64_t items, groups;
  struct mpl_filter_prints prints;
  struct mpl_host host;   /* the launch's, but what is printed is kept */
  struct mpl_run watched; /* for the watchdog */
};

/* Groups run one after another: the stamps are plain memory. */
static pthread_mutex_t launch_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t group_lock = PTHREAD_MUTEX_INITIALIZER;

/* The group that the thread runs. */
struct run_group {
  struct mpl_filter_group given; /* first */
  struct mpl_filter_run *run;
  uint32_t items;
  uint32_t end; /* number that no phase of global memory may have */
  sigjmp_buf back;
};
static _Thread_local struct run_group *now __attribute__((tls_model("initial-exec")));

static void stop(struct mpl_filter_group *group) {
  siglongjmp(((struct run_group *)group)->back, 1);
}

void mpl_filter_fault(void) {
  if (now) siglongjmp(now->back, 1);
}

/* Numbers of a phase: each work-item's, those of steps, of several, and of those that are atomic.
 */
static uint32_t phase_step(uint64_t several) {
  return (uint32_t)several + 2;
}

/* In a phase each sub-group of eight may take so many steps; larger ones more. */
static uint64_t several_of(const struct mpl_filter_run *run, uint64_t items) {
  return items + run->steps * (items + items / 8 + 16);
}

/* --- Steps of sub-groups --- */

static struct mpl_filter_steps first_step(const struct mpl_filter_group *group, uint32_t kind,
                                          uint32_t next) {
  uint32_t phase = group->phase[kind];
  return (struct mpl_filter_steps){.own = phase,
                                   .several = next,
                                   .from = phase + group->first_item,
                                   .low = next,
                                   .next = next + 1};
}

static void stop_if_out_of_steps(struct run_group *own, uint32_t kind) {
  const struct mpl_filter_group *group = &own->given;
  own->run->out_of_steps = group->steps[kind].next > group->phase[kind] + group->several;
  if (own->run->out_of_steps) stop(&own->given);
}

/* Sub-groups run one after another until the work-group meets: so a sub-group's steps follow one
 * another. */
static void begin(struct mpl_filter_group *group, uint32_t first, uint32_t count) {
  group->first_item = first;
  group->num_items = count;
  for (uint32_t kind = 0; kind < MPL_FILTER_KINDS; kind++) {
    uint32_t next = group->steps[kind].next;
    group->steps[kind] = first_step(group, kind, next);
    stop_if_out_of_steps((struct run_group *)group, kind);
  }
}

static void step(struct mpl_filter_group *group, uint32_t memories) {
  for (uint32_t kind = 0; kind < MPL_FILTER_KINDS; kind++) {
    struct mpl_filter_steps *steps = &group->steps[kind];
    if (!(memories & 1u << kind)) continue;
    uint32_t from = steps->next;
    steps->before = group->num_items;
    steps->done = from - steps->low;
    steps->own = from - group->first_item;
    steps->several = from + group->num_items;
    steps->next = steps->several + 1;
    stop_if_out_of_steps((struct run_group *)group, kind);
  }
}

/* With a phase, in which nobody has taken a step. */
static void begin_steps(struct run_group *own, uint32_t kind) {
  struct mpl_filter_group *group = &own->given;
  group->steps[kind] = first_step(group, kind, group->phase[kind] + own->items);
}

/* --- Phases --- */

static void next(struct mpl_filter_group *group, uint32_t memories) {
  struct run_group *own = (struct run_group *)group;
  uint32_t step = phase_step(group->several);
  if (memories & 1u << MPL_FILTER_GLOBAL) {
    group->phase[MPL_FILTER_GLOBAL] += step;
    own->run->out_of_phases = group->phase[MPL_FILTER_GLOBAL] + step > own->end;
    if (own->run->out_of_phases) stop(group);
    begin_steps(own, MPL_FILTER_GLOBAL);
  }
  if (memories & 1u << MPL_FILTER_LOCAL) {
    group->phase[MPL_FILTER_LOCAL] = mpl_filter_local_numbers(step);
    begin_steps(own, MPL_FILTER_LOCAL);
  }
  /* Numbers that began anew: those of before would seem to be another group's. */
  if (group->phase[MPL_FILTER_LOCAL] < group->first) stop(group);
}

static int print(const char *format, const void *args, uint64_t size) {
  int result = mpl_filter_keep_print(&now->run->prints, format, args, size);
  if (now->run->prints.full) stop(&now->given);
  return result;
}

static void range(struct mpl_filter_group *group, const char *at, uint64_t size, uint64_t item,
                  const char *base, uint64_t whole, uint32_t argument, uint32_t flags,
                  uint32_t shift, uint32_t is_local) {
  struct mpl_filter_range range = {base, whole, argument, flags, shift, is_local};
  if (!mpl_filter_look_at_range(group, at, size, (uint32_t)item, &range)) stop(group);
}

/* --- A group --- */

static bool begin_group(struct run_group *own, const struct mpl_group *group,
                        struct mpl_filter_view *views) {
  struct mpl_filter_run *run = own->run;
  size_t local = (size_t)((const char *)group->scratch - (const char *)group->local_base);
  char *stamps = mpl_filter_local_stamps(2 * STAMP * local);
  uint64_t count = group->size[0] * group->size[1] * group->size[2],
           several = several_of(run, count);
  uint32_t first = mpl_filter_local_numbers(phase_step(several));
  if (!stamps || !first) return false;
  mpl_filter_set_views(&run->memories, group, stamps, local, views);
  own->end = run->next;
  run->next -= run->per_group;
  own->given = (struct mpl_filter_group){.group = *group,
                                         .phase = {first, run->next},
                                         .first = first,
                                         .several = (uint32_t)several,
                                         .atomics = run->atomics,
                                         .earlier = run->groups > 1 ? run->last : UINT32_MAX,
                                         .views = views,
                                         .local_wrote = stamps,
                                         .local_read = stamps + STAMP * local,
                                         .stop = stop,
                                         .next = next,
                                         .begin = begin,
                                         .step = step,
                                         .range = range};
  own->items = (uint32_t)count;
  for (uint32_t kind = 0; kind < MPL_FILTER_KINDS; kind++) begin_steps(own, kind);
  run->items += count;
  return true;
}

static void run_group(struct mpl_filter_run *run, const struct mpl_launch *launch,
                      const struct mpl_group *group, mpl_group_fn *compiled,
                      const struct mpl_filter_use *uses) {
  struct mpl_filter_view views[MPL_FILTER_MOST];
  struct run_group own = {.run = run};
  if (run->stopped) return;
  bool is_first = !run->is_ready;
  run->is_ready = true; /* now it is known what the kernel does with its arguments */
  if ((is_first && !mpl_filter_find_memories(&run->memories, uses)) ||
      !begin_group(&own, group, views)) {
    run->is_unfit = run->stopped = true;
    return;
  }
  mpl_watchdog_turn(&run->watched);
  if (sigsetjmp(own.back, 0)) {
    run->stopped = true;
  } else {
    now = &own;
    compiled(launch, &own.given.group);
  }
  now = NULL;
  if (run->stopped) return;
  const uint64_t *groups = launch->num_groups;
  mpl_check_progress(run->check->kernel->name, atomic_fetch_add(&run->check->done, 1) + 1,
                     groups[0] * groups[1] * groups[2]);
}

void mpl_filter_group(const struct mpl_launch *launch, const struct mpl_group *group,
                      mpl_group_fn *compiled, const struct mpl_filter_use *uses) {
  struct mpl_filter_run *run = (struct mpl_filter_run *)((char *)(uintptr_t)launch->host -
                                                         offsetof(struct mpl_filter_run, host));
  pthread_mutex_lock(&group_lock);
  run_group(run, launch, group, compiled, uses);
  pthread_mutex_unlock(&group_lock);
}

/* --- The end --- */

/* Of the numbers that there are, each group gets those of so many phases. */
static bool take_numbers(struct mpl_filter_run *run) {
  const struct mpl_launch *launch = run->operation->launch.launch;
  const uint64_t *groups = launch->num_groups, *local = launch->local_size;
  uint64_t several = several_of(run, local[0] * local[1] * local[2]), per_group, count;
  if (several + 2 > UINT32_MAX) return false;
  per_group = phase_step(several) * (uint64_t)run->phases;
  run->groups = groups[0] * groups[1] * groups[2];
  if (__builtin_mul_overflow(per_group, run->groups, &count)) return false;
  run->last = mpl_filter_numbers(count + 1);
  run->per_group = (uint32_t)per_group;
  run->next = run->atomics = run->last + (uint32_t)count;
  return run->last;
}

/* Of an OpenCL kernel it was compiled by itself, and might be another one's. */
static bool is_of(const struct mpl_kernel *filter, const struct mpl_operation *operation) {
  const struct mpl_kernel *kernel = operation->launch.kernel;
  return operation->launch.args && kernel->num_args <= MPL_FILTER_MOST &&
         filter->num_args == kernel->num_args && filter->args_size == kernel->args_size &&
         filter->local_size == kernel->local_size;
}

static bool is_wanted(const struct mpl_operation *operation, const struct mpl_check_launch *check) {
  const struct mpl_kernel *filter = operation->launch.filter;
  return filter && (check->record || is_of(filter, operation));
}

static bool try_with(struct mpl_device *device, const struct mpl_device_ops *inner,
                     const struct mpl_operation *asked, struct mpl_check_launch *check,
                     struct mpl_filter_run *run, int *error) {
  struct mpl_launch launch = *asked->launch.launch;
  struct mpl_kernel kernel = *asked->launch.filter;
  struct mpl_operation operation = *asked;
  kernel.flags |= MPL_KERNEL_PER_ITEM; /* its faults are not the device's (cpu/launch.c) */
  operation.launch.kernel = &kernel;
  operation.launch.launch = &launch;
  if (check->record) operation.launch.local_size += mpl_local_end(kernel.local_size);
  run->host = check->host;
  run->host.print = print;
  launch.host = &run->host;
  check->filter = run;
  run->check = check;
  run->operation = asked;
  run->memories = (struct mpl_filter_memories){
      .operation = &operation,
      .record = check->record ? check->record->filter : NULL,
      .count = check->record ? check->record->filter->num_roots : kernel.num_args};
  run->is_unfit = !take_numbers(run);
  if (run->is_unfit) return false;
  run->watched.check = check;
  mpl_watchdog_begin_filter(&run->watched);
  *error = inner->perform(device, &operation);
  mpl_watchdog_end(&run->watched);
  if (*error) run->is_unfit = run->stopped = true; /* no memory for it: the engine may need less */
  *error = 0;
  if (!run->stopped) mpl_filter_tell_uses(&run->memories, check, run->last, run->atomics);
  mpl_filter_end_memories(&run->memories, run->stopped, run->last);
  mpl_filter_end_prints(&run->prints, !run->stopped);
  if (run->stopped) atomic_store(&check->done, 0); /* the engine begins anew */
  return !run->stopped;
}

bool mpl_filter_launch(struct mpl_device *device, const struct mpl_device_ops *inner,
                       const struct mpl_operation *operation, struct mpl_check_launch *check,
                       int *error) {
  bool done = false, again = true;
  if (!is_wanted(operation, check)) return false;
  struct mpl_filter_run *run = malloc(sizeof *run);
  if (!run) return false;
  /* Functions of sub-groups are no phases. */
  uint32_t flags = operation->launch.filter->flags, steps = 0;
  bool meets = flags & MPL_KERNEL_HAS_SYNC && !(flags & MPL_KERNEL_USES_LANES);
  uint32_t phases = meets ? FEWEST_PHASES : 1;
  pthread_mutex_lock(&launch_lock);
  while (again && phases <= MOST_PHASES && steps <= MOST_STEPS) {
    *run = (struct mpl_filter_run){.phases = phases, .steps = steps};
    done = try_with(device, inner, operation, check, run, error);
    again = run->out_of_phases || run->out_of_steps;
    if (run->out_of_phases) phases *= MORE;
    if (run->out_of_steps) steps = steps ? steps * MORE : FEWEST_STEPS;
  }
  pthread_mutex_unlock(&launch_lock);
  check->filter = NULL;
  if (done) mpl_report_items(run->items);
  mpl_log(MPL_LOG_LAUNCH, "checking '%s': %s", operation->launch.kernel->name,
          done            ? "its filter found nothing suspicious"
          : run->is_unfit ? "its filter cannot be run with these arguments"
                          : "its filter stopped, so the engine has it");
  free(run);
  return done;
}

void mpl_filter_after_fork(void) {
  pthread_mutex_init(&launch_lock, NULL);
  pthread_mutex_init(&group_lock, NULL);
}
