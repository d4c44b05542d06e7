#include "watchdog.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>

#include "check/filter/filter.h"
#include "check/memory/memory.h"
#include "runtime/options.h"

/* Hardly any program uses it (urgent data at a socket), and it is ignored unless somebody asks for
 * it. */
enum { STOP = SIGURG };

enum { MS = 1000000, PERIOD = 50 * MS, PATIENCE = 40 /* signals that came at a bad moment */ };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t begun = PTHREAD_COND_INITIALIZER;
static struct mpl_run *running; /* by next_running */
static struct sigaction others; /* what the application had for the signal */
static uintptr_t own_code, own_code_end;

/* --- The thread that does not come back --- */

static uintptr_t place_of(const void *context) {
  const ucontext_t *at = context;
#if defined(__x86_64__)
  return (uintptr_t)at->uc_mcontext.gregs[REG_RIP];
#else
  return (uintptr_t)at->uc_mcontext.pc;
#endif
}

/* In the engine itself it may hold a lock: the next signal will find it elsewhere. */
static void on_signal(int number, siginfo_t *info, void *context) {
  struct mpl_item *item = mpl_item_now;
  struct mpl_run *run = item ? item->run : NULL;
  if (run && atomic_load(&run->overdue)) {
    uintptr_t place = place_of(context);
    if (place >= own_code && place < own_code_end && run->signals < PATIENCE) return;
    item->spins_at = (const void *)place;
    mpl_memory_drop_doubt(run);
    mpl_run_abandon(run);
  }
  if (!run && (place_of(context) < own_code || place_of(context) >= own_code_end))
    mpl_filter_fault();
  if (others.sa_flags & SA_SIGINFO)
    others.sa_sigaction(number, info, context);
  else if (others.sa_handler != SIG_DFL && others.sa_handler != SIG_IGN)
    others.sa_handler(number);
}

static int find_own_code(struct dl_phdr_info *object, size_t size, void *data) {
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    uintptr_t begin = object->dlpi_addr + part->p_vaddr, end = begin + part->p_memsz;
    if (part->p_type != PT_LOAD || (uintptr_t)find_own_code - begin >= end - begin) continue;
    own_code = begin;
    own_code_end = end;
    return 1;
  }
  return 0;
}

/* --- The watch --- */

static uint64_t time_of(clockid_t clock) {
  struct timespec t;
  if (clock_gettime(clock, &t)) return 0;
  return (uint64_t)t.tv_sec * 1000 * MS + (uint64_t)t.tv_nsec;
}

/* For work-items that yield, any time counts: they leave the processor to whoever wants it.  One
 * that does not come back may have much to do, so it gets more time, of the processor's; and
 * without a limit where the program knows of no groups. */
static bool is_overdue(const struct mpl_run *run, uint64_t timeout) {
  enum { LONGER = 6 };
  if (atomic_load_explicit(&run->rounds, memory_order_relaxed) != run->seen_rounds)
    return time_of(CLOCK_MONOTONIC) - run->seen_time >= timeout;
  return !mpl_has_no_groups(run->check) && time_of(run->cpu_clock) - run->seen_cpu_time >= LONGER * timeout;
}

static void see(struct mpl_run *run) {
  run->seen_time = time_of(CLOCK_MONOTONIC);
  run->seen_cpu_time = time_of(run->cpu_clock);
  run->seen_rounds = atomic_load_explicit(&run->rounds, memory_order_relaxed);
}

static bool has_moved(struct mpl_run *run) {
  uint32_t now = atomic_load_explicit(&run->progress, memory_order_relaxed);
  bool moved = now != run->seen_progress;
  run->seen_progress = now;
  return moved;
}

/* All groups of a launch begin to count again when one of them has moved. */
static void restart(const struct mpl_check_launch *launch) {
  for (struct mpl_run *run = running; run; run = run->next_running)
    if (run->check == launch) see(run);
}

static void look(uint64_t timeout) {
  for (struct mpl_run *run = running; run; run = run->next_running)
    if (has_moved(run)) restart(run->check);
  for (struct mpl_run *run = running; run; run = run->next_running) {
    if (!is_overdue(run, timeout)) continue;
    if (atomic_exchange(&run->overdue, true)) {
      run->signals++;
      pthread_kill(run->thread, STOP);
    }
  }
}

static void *watch(void *data) {
  uint64_t timeout = *(const uint64_t *)data;
  for (;;) {
    pthread_mutex_lock(&lock);
    while (!running) pthread_cond_wait(&begun, &lock);
    look(timeout);
    pthread_mutex_unlock(&lock);
    nanosleep(&(struct timespec){.tv_nsec = PERIOD}, NULL);
  }
  return NULL;
}

static uint64_t timeout;

/* In a child of fork() it is caught already. */
static bool catch_stop(const struct sigaction *action) {
  struct sigaction old;
  if (sigaction(STOP, action, &old)) return false;
  if (!(old.sa_flags & SA_SIGINFO) || old.sa_sigaction != on_signal) others = old;
  return true;
}

/* All signals are for other threads. */
static void start(void) {
  timeout = mpl_option_number(MPL_OPTION_CHECK_TIMEOUT) * 1000 * MS;
  if (!timeout) return;
  dl_iterate_phdr(find_own_code, NULL);
  struct sigaction action = {.sa_sigaction = on_signal,
                             .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigset_t all, old;
  sigfillset(&all);
  pthread_t thread;
  pthread_sigmask(SIG_SETMASK, &all, &old);
  if (!catch_stop(&action) || pthread_create(&thread, NULL, watch, &timeout))
    timeout = 0;
  else
    pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* Our own threads block what is for the application's. */
static void unblock(void) {
  static _Thread_local bool done;
  if (done) return;
  done = true;
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, STOP);
  pthread_sigmask(SIG_UNBLOCK, &stop, NULL);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* In the child there is neither the thread nor any that it looked at. */
void mpl_watchdog_after_fork(void) {
  pthread_mutex_init(&lock, NULL);
  pthread_cond_init(&begun, NULL);
  once = (pthread_once_t)PTHREAD_ONCE_INIT;
  running = NULL;
}

static void begin(struct mpl_run *run, bool by_processor) {
  pthread_once(&once, start);
  atomic_store_explicit(&run->overdue, false, memory_order_relaxed);
  run->signals = 0;
  if (!timeout) return;
  unblock();
  run->thread = pthread_self();
  run->cpu_clock = CLOCK_MONOTONIC;
  if (by_processor) pthread_getcpuclockid(run->thread, &run->cpu_clock);
  pthread_mutex_lock(&lock);
  run->seen_progress = atomic_load_explicit(&run->progress, memory_order_relaxed);
  see(run);
  run->next_running = running;
  if (!running) pthread_cond_signal(&begun);
  running = run;
  pthread_mutex_unlock(&lock);
}

void mpl_watchdog_begin(struct mpl_run *run) {
  begin(run, true);
}

void mpl_watchdog_begin_filter(struct mpl_run *run) {
  begin(run, false);
}

void mpl_watchdog_turn(struct mpl_run *run) {
  unblock();
  pthread_mutex_lock(&lock);
  run->thread = pthread_self();
  pthread_mutex_unlock(&lock);
  mpl_run_progress(run);
}

void mpl_watchdog_end(struct mpl_run *run) {
  if (!timeout) return;
  pthread_mutex_lock(&lock);
  struct mpl_run **at = &running;
  while (*at != run) at = &(*at)->next_running;
  *at = run->next_running;
  pthread_mutex_unlock(&lock);
}
