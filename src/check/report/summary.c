/* At the end of the process: the summary, and an exit status that says that mistakes were found. */
#include "summary.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "report.h"
#include "runtime/mistakes/check_tally.h"
#include "runtime/options.h"

static atomic_ullong launches, items;
static atomic_bool no_turns;
static int exit_status;
static bool exiting, unloaded;

/* --- The message to `maniple check` --- */

static struct mpl_tally *shared;
static atomic_bool counted; /* among those who run: it has launched a kernel */

static void open_tally(void) {
  const char *path = mpl_option_text(MPL_OPTION_CHECK_TALLY);
  int file = *path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *memory = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory != MAP_FAILED) shared = memory;
}

static struct mpl_tally *tally(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_tally);
  return shared;
}

void mpl_report_launch(const char *kernel) {
  struct mpl_tally *all = tally();
  atomic_fetch_add_explicit(&launches, 1, memory_order_relaxed);
  if (!all) return;
  if (!atomic_exchange(&counted, true)) atomic_fetch_add(&all->running, 1);
  atomic_fetch_add(&all->launches, 1);
  snprintf(all->kernel, sizeof all->kernel, "%s", kernel);
}

void mpl_report_items(uint64_t count) {
  atomic_fetch_add_explicit(&items, count, memory_order_relaxed);
  if (shared) atomic_fetch_add_explicit(&shared->items, count, memory_order_relaxed);
}

void mpl_report_no_turns(void) {
  if (!atomic_load_explicit(&no_turns, memory_order_relaxed)) atomic_store(&no_turns, true);
}

/* Also where the process cannot say so itself. */
void mpl_report_counted(void) {
  struct mpl_tally *all = tally();
  if (all) atomic_fetch_add(&all->mistakes, 1);
}

void mpl_report_lost(void) {
  mpl_report_counted();
}

/* A child that launches nothing may leave as it likes. */
void mpl_summary_after_fork(void) {
  atomic_store(&launches, 0);
  atomic_store(&items, 0);
  atomic_store(&counted, false);
}

/* --- The end --- */

static void finish(void) {
  struct mpl_counts counts = {atomic_load(&launches), atomic_load(&items), mpl_report_total(),
                              atomic_load(&no_turns)};
  if (atomic_exchange(&counted, false)) atomic_fetch_sub(&shared->running, 1);
  if (!counts.mistakes && !counts.launches) return;
  mpl_report_finish(&counts);
  if (!counts.mistakes || exit_status) return;
  fflush(NULL);
  _exit(MPL_EXIT_MISTAKES);
}

/* Only on_exit tells the status.  What was registered when the process began is called after the
 * destructors, what was registered later before them; whichever is last finds that all that the
 * application has for its exit has run. */
static void at_exit(int status, void *data) {
  exit_status = status;
  exiting = true;
  if (unloaded) finish();
}

static __attribute__((constructor)) void start(void) {
  on_exit(at_exit, NULL);
}

static __attribute__((destructor)) void unload(void) {
  unloaded = true;
  if (exiting) finish();
}
