#include "filter.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "abi/filter.h"
#include "check/engine/watchdog.h"
#include "check/memory/allocations.h"
#include "check/report/progress.h"
#include "prints.h"
#include "ranges.h"
#include "runtime/log.h"
#include "runtime/options.h"
#include "stamps.h"

enum { MOST_ARGS = 64, STAMP = sizeof(uint32_t), FEWEST_PHASES = 64, MOST_PHASES = 1 << 16 };
enum { MORE = 32 }; /* times as many, after a run with too few */
enum { FEWEST_STEPS = 2, MOST_STEPS = FEWEST_STEPS * MORE * MORE * MORE };

/* The memory of an argument, and what it held before the launch. */
struct memory {
  struct mpl_filter_use use;
  char *low, *before; /* null: it is not written to */
  uint64_t size;
  char *wrote, *read;
};

/* Numbers of global memory go down from group to group: so who went before has greater ones, and
 * what is in order, of other launches or of the group's own earlier phases, has lesser ones. */
struct mpl_filter_run {
  struct mpl_check_launch *check;
  const struct mpl_operation *operation;
  bool is_ready, is_unfit, stopped, out_of_phases, out_of_steps;
  struct memory args[MOST_ARGS];
  struct mpl_filter_view views[MOST_ARGS];
  uint32_t num_args;
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

/* --- A launch --- */

static bool overlap(const struct memory *a, const struct memory *b) {
  return a->low < b->low + b->size && b->low < a->low + a->size;
}

/* One memory has one kind of stamps, and one set of them: a third argument may write what two read.
 */
static bool find_stamps(struct mpl_filter_run *run, struct memory *own, size_t *used) {
  for (struct memory *other = run->args; other < own; other++) {
    if (!other->use.uses || !other->wrote || !overlap(own, other)) continue;
    bool writes = (own->use.uses | other->use.uses) & MPL_FILTER_WRITES;
    if (own->low == other->low && own->size == other->size && own->use.shift == other->use.shift) {
      own->wrote = other->wrote;
      own->read = other->read;
    } else if (writes) {
      return false;
    }
  }
  if (own->wrote) return true;
  size_t size = (own->size >> own->use.shift) * STAMP;
  char *stamps = mpl_filter_stamps(*used + 2 * size);
  if (!stamps) return false;
  own->wrote = stamps + *used;
  own->read = own->wrote + size;
  /* Like places of memory are in one set of the cache. */
  *used += (2 * size + 4095) / 4096 * 4096 + 64;
  return true;
}

/* Once for arguments of one memory, which have one set of stamps. */
static bool keep(struct mpl_filter_run *run, struct memory *own) {
  if (!(own->use.uses & MPL_FILTER_WRITES)) return true;
  for (struct memory *other = run->args; other < own; other++)
    if (other->before && other->wrote == own->wrote) return true;
  own->before = malloc(own->size);
  if (own->before) memcpy(own->before, own->low, own->size);
  return own->before;
}

/* By a pointer: the whole of what was allocated there, as the engine has it; what is null nobody
 * may access. */
static bool find_memory(struct memory *own, const struct mpl_arg_memory *memory) {
  struct mpl_allocation found;
  own->size = memory->size;
  if (own->size || !own->low) return true;
  if (!mpl_allocation_at(own->low, &found) || found.is_freed || own->low < found.base ||
      own->low >= found.base + found.size)
    return false;
  own->low = (char *)(uintptr_t)found.base;
  own->size = found.size;
  return true;
}

/* Of these the filter has no looks (compiler/items/filter.c). */
static bool is_read_image(const struct mpl_filter_run *run, uint32_t i) {
  return run->check->kernel->args[i].kind == MPL_ARG_IMAGE &&
         run->args[i].use.uses == MPL_FILTER_READS;
}

/* Whole blocks at a time, of which each is vector code. */
static bool has_unwritten(const struct memory *own) {
  enum { BLOCK = 256 };
  const uint32_t *at = (const uint32_t *)(((uintptr_t)own->low + 3) & ~(uintptr_t)3),
                 *end = (const uint32_t *)((uintptr_t)(own->low + own->size) & ~(uintptr_t)3);
  for (; end - at >= BLOCK; at += BLOCK) {
    uint32_t found = 0;
    for (unsigned k = 0; k < BLOCK; k++) found |= at[k] == MPL_UNWRITTEN;
    if (found) return true;
  }
  for (; at < end; at++)
    if (*at == MPL_UNWRITTEN) return true;
  return false;
}

/* Somebody else may write to what is read of that argument. */
static bool is_written_besides(const struct mpl_filter_run *run, uint32_t read) {
  for (uint32_t i = 0; i < run->num_args; i++)
    if (run->args[i].use.uses & MPL_FILTER_WRITES && overlap(&run->args[i], &run->args[read]))
      return true;
  return false;
}

/* Of memory that the kernel only reads, and of which it is known before that nothing is wrong with
 * reading it, looks need but the size.  To know that takes time, and the kernel may read but little
 * of it. */
static bool is_known(const struct mpl_filter_run *run, uint32_t i) {
  enum { FOR_EACH = 256 }; /* bytes that a work-item is thought to read */
  const struct mpl_launch *launch = run->operation->launch.launch;
  const uint64_t *groups = launch->num_groups, *local = launch->local_size;
  const struct memory *own = &run->args[i];
  double items = (double)groups[0] * groups[1] * groups[2] * local[0] * local[1] * local[2];
  return own->use.uses == MPL_FILTER_READS && (double)own->size <= FOR_EACH * items &&
         !is_written_besides(run, i) && !has_unwritten(own);
}

static bool find_argument(struct mpl_filter_run *run, uint32_t i) {
  const struct mpl_arg *arg = &run->check->kernel->args[i];
  struct memory *own = &run->args[i];
  if (!own->use.uses || arg->kind == MPL_ARG_LOCAL) return true;
  memcpy(&own->low, (const char *)run->operation->launch.launch->args + arg->offset,
         sizeof own->low);
  return find_memory(own, &run->operation->launch.args[i]);
}

static bool set_up_argument(struct mpl_filter_run *run, uint32_t i, size_t *used) {
  const struct mpl_arg_memory *memory = &run->operation->launch.args[i];
  struct memory *own = &run->args[i];
  if (!own->size) return true;
  if (is_read_image(run, i)) return !is_written_besides(run, i) && !has_unwritten(own);
  bool known = is_known(run, i);
  if ((uintptr_t)own->low & (((uintptr_t)1 << own->use.shift) - 1) ||
      (!known && (!find_stamps(run, own, used) || !keep(run, own))))
    return false;
  uint64_t units = own->size >> own->use.shift;
  run->views[i] = (struct mpl_filter_view){.low = own->low,
                                           .units = units,
                                           .writable = memory->read_only ? 0 : units,
                                           .wrote = own->wrote,
                                           .read = own->read};
  return true;
}

/* With the first group it is known what the kernel does with its arguments. */
static bool set_up(struct mpl_filter_run *run, const struct mpl_filter_use *uses) {
  size_t used = 0;
  run->is_ready = true;
  for (uint32_t i = 0; i < run->num_args; i++) {
    run->args[i].use = uses[i];
    if (!find_argument(run, i)) return false;
  }
  for (uint32_t i = 0; i < run->num_args; i++)
    if (!set_up_argument(run, i, &used)) return false;
  return true;
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
  memcpy(views, run->views, run->num_args * sizeof *views);
  for (uint32_t i = 0; i < run->num_args; i++) {
    const struct mpl_arg *arg = &run->check->kernel->args[i];
    const struct memory *memory = &run->args[i];
    if (!memory->use.uses || arg->kind != MPL_ARG_LOCAL) continue;
    uint64_t offset, units = run->operation->launch.args[i].size >> memory->use.shift;
    memcpy(&offset, (const char *)run->operation->launch.launch->args + arg->offset, sizeof offset);
    char *wrote = stamps + STAMP * offset;
    views[i] = (struct mpl_filter_view){(const char *)group->local_base + offset, units, units,
                                        wrote, wrote + STAMP * local};
  }
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
  struct mpl_filter_view views[MOST_ARGS];
  struct run_group own = {.run = run};
  if (run->stopped) return;
  if ((!run->is_ready && !set_up(run, uses)) || !begin_group(&own, group, views)) {
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

/* What the launch has written, and nothing beside it. */
static void undo(const struct mpl_filter_run *run, const struct memory *own) {
  const uint32_t *wrote = (const uint32_t *)own->wrote;
  uint64_t units = own->size >> own->use.shift;
  size_t each = (size_t)1 << own->use.shift;
  for (uint64_t i = 0; i < units; i++)
    if (wrote[i] >= run->last) memcpy(own->low + i * each, own->before + i * each, each);
}

static void finish(struct mpl_filter_run *run) {
  for (uint32_t i = 0; i < run->num_args; i++) {
    struct memory *own = &run->args[i];
    if (own->before && run->stopped) undo(run, own);
    free(own->before);
    own->before = NULL;
  }
}

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

static bool is_wanted(const struct mpl_operation *operation) {
  static const char order[] = "order";
  const struct mpl_kernel *filter = operation->launch.filter, *kernel = operation->launch.kernel;
  return filter && operation->launch.args && kernel->num_args <= MOST_ARGS &&
         filter->num_args == kernel->num_args && filter->args_size == kernel->args_size &&
         filter->local_size == kernel->local_size &&
         !strcmp(mpl_option_text(MPL_OPTION_CHECK_SCHEDULE), order);
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
  run->host = check->host;
  run->host.print = print;
  launch.host = &run->host;
  check->filter = run;
  run->check = check;
  run->operation = asked;
  run->num_args = asked->launch.kernel->num_args;
  run->is_unfit = !take_numbers(run);
  if (run->is_unfit) return false;
  run->watched.check = check;
  mpl_watchdog_begin_filter(&run->watched);
  *error = inner->perform(device, &operation);
  mpl_watchdog_end(&run->watched);
  if (*error) run->is_unfit = run->stopped = true; /* no memory for it: the engine may need less */
  *error = 0;
  finish(run);
  mpl_filter_end_prints(&run->prints, !run->stopped);
  if (run->stopped) atomic_store(&check->done, 0); /* the engine begins anew */
  return !run->stopped;
}

bool mpl_filter_launch(struct mpl_device *device, const struct mpl_device_ops *inner,
                       const struct mpl_operation *operation, struct mpl_check_launch *check,
                       int *error) {
  bool done = false, again = true;
  if (!is_wanted(operation)) return false;
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
