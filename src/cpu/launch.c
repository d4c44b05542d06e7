/* Running a launch: groups in order, x mostly fastest, on one thread or shared among several. */
#include <stdlib.h>
#include <string.h>

#include "cpu/cpu.h"
#include "cpu/faults.h"
#include "cpu/groups.h"
#include "cpu/stack.h"
#include "runtime/clock.h"
#include "runtime/errors.h"
#include "runtime/print/log.h"
#include "runtime/threads/lock.h"
#include "runtime/threads/slot.h"
#include "runtime/threads/threads.h"
#include "runtime/threads/unseen.h"
#include "runtime/trace/trace.h"

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

enum {
  ARENA_ALIGN = 4096,
  ARENA_STEP = 64 << 10,
  WORTH_SHARING = 10000, /* ns of work left that pay for waking another thread */
  SHARE_PER_HELPER = 5000,
  CHUNK_TIME = 3000,   /* ns that a chunk takes at least: its atomic then costs nothing */
  TRUSTED_STEP = 2000, /* ns that say what a group costs, after the first (cold) one */
  TRUSTED_FIRST = 20000,
  SLICED = 4000000, /* ns of work up to which caches may hold the data of a launch */
};

struct mpl_arena {
  struct mpl_arena *next;
  struct mpl_spare *spare; /* of who has it now */
  char *memory;
  size_t size;
  struct mpl_stack_memory stack; /* for kernels that need much of it */
};

struct job {
  struct mpl_share share; /* first */
  struct mpl_cpu *cpu;
  const struct mpl_kernel *kernel;
  const struct mpl_launch *launch;
  mpl_group_fn *run;
  const unsigned char *order; /* of the dimensions: the fastest first */
  size_t local_size, scratch_size;
  uint64_t total;
  atomic_bool *failed;       /* null: faults end the process */
  struct mpl_groups *groups; /* that several threads take from */
  unsigned publisher;        /* mpl_pool_number() of who has slice 0 */
};

static void give_back(struct mpl_cpu *cpu, struct mpl_arena *arena) {
  struct mpl_arena *none = NULL;
  if (atomic_compare_exchange_strong(&arena->spare->arena, &none, arena)) return;
  mpl_lock(&cpu->lock);
  arena->next = cpu->arenas;
  cpu->arenas = arena;
  mpl_unlock(&cpu->lock);
}

/* One that nobody uses: a thread's first, or its second where threads share a slot. */
static __attribute__((noinline)) struct mpl_arena *other_arena(struct mpl_cpu *cpu) {
  mpl_lock(&cpu->lock);
  struct mpl_arena *arena = cpu->arenas;
  if (arena) cpu->arenas = arena->next;
  mpl_unlock(&cpu->lock);
  return arena ? arena : mpl_allocate_apart(sizeof *arena);
}

static __attribute__((noinline)) bool grow(struct mpl_device *device, struct mpl_arena *arena,
                                           size_t size) {
  size = (size + ARENA_STEP - 1) / ARENA_STEP * ARENA_STEP;
  if (arena->memory) device->ops->release(device, arena->memory, MPL_STORAGE_SHARED);
  arena->memory =
      device->ops->allocate(device, size, ARENA_ALIGN, MPL_STORAGE_SHARED, "local memory");
  arena->size = arena->memory ? size : 0;
  return arena->memory;
}

static struct mpl_arena *take_arena(struct mpl_cpu *cpu, size_t size) {
  struct mpl_spare *spare = &cpu->spare[mpl_slot()];
  struct mpl_arena *arena = atomic_exchange(&spare->arena, NULL);
  if (!arena && !(arena = other_arena(cpu))) return NULL;
  arena->spare = spare;
  if ((arena->memory && arena->size >= size) || grow(&cpu->device, arena, size)) return arena;
  give_back(cpu, arena);
  return NULL;
}

static void free_arena(struct mpl_cpu *cpu, struct mpl_arena *arena) {
  if (!arena) return;
  if (arena->memory) cpu->device.ops->release(&cpu->device, arena->memory, MPL_STORAGE_SHARED);
  mpl_stack_free(&arena->stack);
  free(arena);
}

void mpl_cpu_free_arenas(struct mpl_cpu *cpu) {
  for (struct mpl_arena *next, *arena = cpu->arenas; arena; arena = next) {
    next = arena->next;
    free_arena(cpu, arena);
  }
  for (unsigned i = 0; i < MPL_SLOTS; i++) free_arena(cpu, atomic_load(&cpu->spare[i].arena));
}

/* Kernels run with the default floating-point environment, whatever the application's thread has
 * set, and leave the application's as it was. */
#if defined(__x86_64__) || defined(__i386__)
enum { DEFAULT_FP = 0x1f80 };
static unsigned enter_fp(void) {
  unsigned old = _mm_getcsr();
  if (old != DEFAULT_FP) _mm_setcsr(DEFAULT_FP);
  return old;
}
static void leave_fp(unsigned old) {
  if (_mm_getcsr() != old) _mm_setcsr(old);
}
#elif defined(__aarch64__)
static unsigned get_fpcr(void) {
  uint64_t value;
  __asm__ volatile("mrs %0, fpcr" : "=r"(value));
  return (unsigned)value;
}
static void set_fpcr(unsigned value) {
  __asm__ volatile("msr fpcr, %0" ::"r"((uint64_t)value));
}
static unsigned enter_fp(void) {
  unsigned old = get_fpcr();
  if (old) set_fpcr(0);
  return old;
}
static void leave_fp(unsigned old) {
  if (get_fpcr() != old) set_fpcr(old);
}
#else
static unsigned enter_fp(void) {
  return 0;
}
static void leave_fp(unsigned old) {}
#endif

static const unsigned char *order_of(const struct mpl_kernel *kernel) {
  static const unsigned char orders[3][3] = {{0, 1, 2}, {1, 0, 2}, {2, 0, 1}};
  return orders[kernel->flags & MPL_KERNEL_ALONG_Y   ? 1
                : kernel->flags & MPL_KERNEL_ALONG_Z ? 2
                                                     : 0];
}

/* Where the groups of a launch are in one dimension. */
struct position {
  uint64_t id, num_groups, global_size, local_size;
};

static void place_group(struct mpl_group *group, unsigned d, const struct position *at) {
  uint64_t left = at->global_size - at->id * at->local_size;
  group->id[d] = at->id;
  group->size[d] = left < at->local_size ? left : at->local_size;
}

/* The work-groups first to end - 1; returns mpl_group.ticks of them.  Positions are in registers, and
 * a group gets what is new in words of the size that it reads: else it would wait for the stores,
 * and with it for all of the group before. */
static uint64_t run_groups(const struct job *job, struct mpl_arena *arena, uint64_t first,
                       uint64_t end) {
  const struct mpl_launch *launch = job->launch;
  mpl_group_fn *run = job->run;
  const unsigned order[] = {job->order[0], job->order[1], job->order[2]};
  size_t used = mpl_local_end(job->local_size + job->scratch_size);
  /* At the end, so that an access behind it is found where memory is guarded. */
  char *local = arena->memory + (job->cpu->device.info.is_checked ? arena->size - used : 0);
  struct mpl_group group = {.local_base = local,
                            .scratch = local + job->local_size,
                            .scratch_end = local + job->local_size + job->scratch_size};
  struct position at[3];
  uint64_t before = first;
  for (unsigned k = 0; k < 3; k++) {
    unsigned d = order[k];
    at[k] = (struct position){.num_groups = launch->num_groups[d],
                              .global_size = launch->global_size[d],
                              .local_size = launch->local_size[d]};
    if (before) {
      at[k].id = before % at[k].num_groups;
      before /= at[k].num_groups;
    }
    place_group(&group, d, &at[k]);
  }
  for (;;) {
    run(launch, &group);
    if (++first >= end) return group.ticks;
    if (++at[0].id == at[0].num_groups) {
      at[0].id = 0;
      if (++at[1].id == at[1].num_groups) {
        at[1].id = 0;
        at[2].id++;
        place_group(&group, order[2], &at[2]);
      }
      place_group(&group, order[1], &at[1]);
    }
    place_group(&group, order[0], &at[0]);
  }
}

static __attribute__((noinline)) void report(const struct job *job, uint64_t index,
                                             const struct mpl_fault_place *place) {
  uint64_t id[3];
  char what[256];
  for (unsigned k = 0; k < 3; k++) {
    uint64_t count = job->launch->num_groups[job->order[k]];
    id[job->order[k]] = index % count;
    index /= count;
  }
  mpl_faults_describe(place, what);
  mpl_log_always("the kernel '%s' failed in work-group (%llu, %llu, %llu): %s; the rest of the command "
                 "is not done",
                 job->kernel->name, (unsigned long long)id[0], (unsigned long long)id[1],
                 (unsigned long long)id[2], what);
}

/* The application's own code, on fibres. */
static bool is_seen(const struct job *job) {
  return job->kernel->flags & MPL_KERNEL_PER_ITEM;
}

/* One by one, so that it is known which one fails.  ThreadSanitizer forgets what it was to overlook
 * when it calls a handler of signals. */
static __attribute__((noinline)) uint64_t run_guarded(const struct job *job,
                                                      struct mpl_arena *arena, uint64_t first,
                                                      uint64_t end) {
  struct mpl_fault_place place;
  volatile uint64_t at = first, ticks = 0;
  if (sigsetjmp(place.back, 1)) {
    if (!is_seen(job)) mpl_unseen_begin();
    if (!atomic_exchange(job->failed, true)) report(job, at, &place);
    return ticks;
  }
  mpl_faults_enter(&place);
  for (; at < end && !atomic_load_explicit(job->failed, memory_order_relaxed); at++)
    ticks += run_groups(job, arena, at, at + 1);
  mpl_faults_leave();
  return ticks;
}

static uint64_t run_some(const struct job *job, struct mpl_arena *arena, uint64_t first,
                         uint64_t end) {
  if (!is_seen(job)) mpl_unseen_begin();
  uint64_t ticks = (job->failed ? run_guarded : run_groups)(job, arena, first, end);
  if (!is_seen(job)) mpl_unseen_end();
  return ticks;
}

static bool has_failed(const struct job *job) {
  return job->failed && atomic_load_explicit(job->failed, memory_order_relaxed);
}

/* Groups that a thread runs one after another, as a trace has them. */
struct span {
  uint64_t start, cycles, ticks;
};

static uint64_t cycles_now(void) {
#if defined(__x86_64__) || defined(__i386__)
  return __rdtsc();
#else
  return 0; /* kernels count none either */
#endif
}

static struct span begin_span(void) {
  return (struct span){.start = mpl_clock(), .cycles = cycles_now()};
}

static __attribute__((noinline)) void end_span(const struct job *job, const struct span *span,
                                               uint64_t first, uint64_t end) {
  uint64_t of = job->kernel->flags & MPL_KERNEL_COUNTS ? cycles_now() - span->cycles : 0;
  mpl_trace_groups(job->kernel, span->start, first, end, span->ticks, of);
}

static __attribute__((noinline)) void trace_span(const struct job *job, struct mpl_arena *arena,
                                                 uint64_t first, uint64_t end) {
  struct span span = begin_span();
  span.ticks = run_some(job, arena, first, end);
  end_span(job, &span, first, end);
}

static void run_span(const struct job *job, struct mpl_arena *arena, uint64_t first,
                     uint64_t end) {
  if (mpl_tracing())
    trace_span(job, arena, first, end);
  else
    run_some(job, arena, first, end);
}

/* The publisher has the slice in front, and who has that otherwise the publisher's. */
static unsigned own_slice(const struct job *job) {
  unsigned own = mpl_pool_number();
  return own == job->publisher ? 0 : own ? own : job->publisher;
}

static void work_on(struct job *job, struct mpl_arena *arena, const atomic_int *until) {
  uint64_t first, end;
  unsigned own = own_slice(job);
  while (!(until && atomic_load_explicit(until, memory_order_relaxed) <= 0) && !has_failed(job) &&
         mpl_groups_take(job->groups, own, &first, &end))
    run_span(job, arena, first, end);
}

struct part { /* of a job, for one thread */
  struct job *job;
  struct mpl_arena *arena;
  const atomic_int *until;
};

static void join_part(void *data) {
  struct part *part = data;
  work_on(part->job, part->arena, part->until);
}

/* Is the thread's own stack large enough for the kernel?  If not, *needed is what it should have.
 * Of a kernel in the program itself, in C or SYCL, nothing is known: it is to have what a main
 * thread usually has, if the thread has little. */
static bool has_stack(const struct mpl_kernel *kernel, uint64_t *needed) {
  enum { LITTLE = 1 << 20, USUAL = 8 << 20 };
  *needed = kernel->stack_size;
  if (*needed || kernel->flags & MPL_KERNEL_PER_ITEM)
    return *needed <= MPL_STACK_SMALL || mpl_stack_has(*needed + MPL_STACK_MARGIN);
  *needed = USUAL;
  return mpl_stack_has(LITTLE);
}

/* On the thread's stack, or, if that is too small for the kernel, on the arena's. */
static bool run_part(struct part *part, void (*run)(void *)) {
  uint64_t needed;
  struct mpl_stack_memory *stack = &part->arena->stack;
  if (has_stack(part->job->kernel, &needed)) {
    run(part);
    return true;
  }
  if (!mpl_stack_grow(stack, needed + MPL_STACK_MARGIN)) {
    mpl_log(MPL_LOG_ERROR,
            "the kernel '%s' keeps %llu bytes on the stack, which is more than there is memory for: "
            "its private arrays are too large",
            part->job->kernel->name, (unsigned long long)needed);
    return false;
  }
  mpl_stack_call(stack, run, part);
  mpl_stack_trim(stack);
  return true;
}

static void join(struct mpl_share *share, const atomic_int *until) {
  struct part part = {.job = (struct job *)share, .until = until};
  struct job *job = part.job;
  part.arena = take_arena(job->cpu, job->local_size + job->scratch_size);
  if (!part.arena) return; /* the others do it */
  unsigned fp = enter_fp();
  (void)run_part(&part, join_part);
  leave_fp(fp);
  give_back(job->cpu, part.arena);
}

/* The groups from `done` on, by several threads; one would take `rest` ns. */
static __attribute__((noinline)) void run_shared(struct job *job, struct mpl_arena *arena,
                                                 uint64_t done, uint64_t min_chunk, double rest) {
  struct mpl_pool *pool = job->cpu->device.pool;
  struct mpl_groups groups;
  double helpers = rest / SHARE_PER_HELPER;
  mpl_groups_begin(&groups, done, job->total, job->cpu->device.info.compute_units, min_chunk,
                   rest < SLICED);
  job->groups = &groups;
  job->publisher = mpl_pool_number();
  mpl_pool_share(pool, &job->share, helpers < UINT32_MAX ? (unsigned)helpers : UINT32_MAX);
  work_on(job, arena, NULL);
  mpl_pool_share_end(pool, &job->share);
}

/* Runs the first groups here and looks at the clock: only work that takes longer than waking
 * another thread is shared. */
static void run_many(struct job *job, struct mpl_arena *arena) {
  uint64_t done = 0, step = 1, before = mpl_clock();
  bool traced = mpl_tracing();
  struct span span = traced ? begin_span() : (struct span){0};
  while (done < job->total) {
    span.ticks += run_some(job, arena, done, done + step);
    if (has_failed(job)) return;
    uint64_t now = mpl_clock(), took = now - before + 1;
    done += step;
    uint64_t left = job->total - done;
    double rest = (double)took / (double)step * (double)left; /* may be any number of years */
    if (rest < WORTH_SHARING) {
      if (left) span.ticks += run_some(job, arena, done, job->total);
      if (traced) end_span(job, &span, 0, job->total);
      return;
    }
    if (took >= TRUSTED_FIRST || (took >= TRUSTED_STEP && done > 1)) {
      if (traced) end_span(job, &span, 0, done);
      run_shared(job, arena, done, CHUNK_TIME * step / took, rest);
      return;
    }
    step = step * 2 < left ? step * 2 : left;
    before = now;
  }
}

static void run_all(void *data) {
  struct part *part = data;
  struct job *job = part->job;
  if (job->total == 1 || job->cpu->device.info.compute_units == 1)
    run_span(job, part->arena, 0, job->total);
  else
    run_many(job, part->arena);
}

/* Groups that do not fill a chunk of lanes, and that nothing depends on, become larger. */
static bool enlarge(struct mpl_cpu *cpu, const struct mpl_kernel *kernel, uint64_t items,
                    const struct mpl_launch *launch, struct mpl_launch *larger) {
  uint64_t lanes = kernel->flags >> MPL_KERNEL_LANES_SHIFT & MPL_KERNEL_LANES_MASK;
  if (!(kernel->flags & MPL_KERNEL_ANY_GROUPS) || items >= lanes || cpu->reports_faults)
    return false;
  *larger = *launch;
  mpl_cpu_suggest(&cpu->device, kernel, launch->work_dim, launch->global_size, true,
                  larger->local_size);
  for (unsigned d = 0; d < 3; d++) {
    uint64_t local = larger->local_size[d], global = launch->global_size[d];
    larger->num_groups[d] = global / local + (global % local != 0);
  }
  return true;
}

int mpl_cpu_launch(struct mpl_device *device, const struct mpl_kernel *kernel,
                   const struct mpl_launch *launch, uint64_t local_size) {
  struct mpl_cpu *cpu = (struct mpl_cpu *)device;
  struct mpl_launch larger;
  uint64_t items = launch->local_size[0] * launch->local_size[1] * launch->local_size[2];
  if (!launch->num_groups[0] || !launch->num_groups[1] || !launch->num_groups[2]) return 0;
  if (enlarge(cpu, kernel, items, launch, &larger)) {
    launch = &larger;
    items = launch->local_size[0] * launch->local_size[1] * launch->local_size[2];
  }
  struct job job = {
      .share.work = join,
      .cpu = cpu,
      .kernel = kernel,
      .launch = launch,
      .run = items == 1 && kernel->run_lone ? kernel->run_lone : kernel->run,
      .order = order_of(kernel),
      .local_size = mpl_local_end(local_size),
      .scratch_size = mpl_kernel_scratch(kernel, items),
      .total = launch->num_groups[0] * launch->num_groups[1] * launch->num_groups[2],
  };
  atomic_bool failed = false;
  /* Out of the engine that runs work-items one by one no jump leads: it has its own way. */
  if (cpu->reports_faults && !(kernel->flags & MPL_KERNEL_PER_ITEM)) job.failed = &failed;
  struct part part = {.job = &job, .arena = take_arena(cpu, job.local_size + job.scratch_size)};
  if (!part.arena) return MPL_OUT_OF_RESOURCES;
  unsigned fp = enter_fp();
  bool done = run_part(&part, run_all);
  leave_fp(fp);
  give_back(cpu, part.arena);
  if (!done) return MPL_OUT_OF_RESOURCES;
  return has_failed(&job) ? MPL_INVALID_OPERATION : 0;
}

static uint64_t largest_divisor(uint64_t n, uint64_t at_most) {
  if (n <= at_most) return n;
  if (n <= UINT32_MAX) { /* the short division is several times faster */
    uint32_t short_n = (uint32_t)n, d = (uint32_t)at_most;
    while (short_n % d) d--;
    return d;
  }
  while (n % at_most) at_most--;
  return at_most;
}

/* Long in x, or where else neighbours in memory are; large enough that a group's fixed cost
 * vanishes, small enough that all threads get some. */
void mpl_cpu_suggest(struct mpl_device *device, const struct mpl_kernel *kernel, uint32_t dims,
                     const uint64_t global[3], bool uneven, uint64_t local[3]) {
  uint64_t most = kernel->flags & MPL_KERNEL_HAS_SYNC ? 256 : 4096;
  uint64_t total = global[0] * global[1] * global[2];
  uint64_t fair = total / (device->info.compute_units * 8u) + 1, size = 1;
  if (fair < 64) fair = 64;
  if (most > fair) most = fair / 64 * 64;
  if (most > device->info.max_work_group_size) most = device->info.max_work_group_size;
  local[0] = local[1] = local[2] = 1;
  const unsigned char *order = order_of(kernel);
  for (uint32_t k = 0; k < 3 && size < most; k++) {
    uint32_t d = order[k];
    if (d >= dims) continue;
    uint64_t room = most / size;
    local[d] = uneven ? (global[d] < room ? global[d] : room) : largest_divisor(global[d], room);
    size *= local[d];
  }
}
