/* At the end of the process: the summary, and an exit status that says that mistakes were found. */
#include "summary.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "report.h"

static atomic_ullong launches;
static int exit_status;
static bool exiting, unloaded;

void mpl_report_launch(void) {
  atomic_fetch_add_explicit(&launches, 1, memory_order_relaxed);
}

static void finish(void) {
  uint64_t mistakes = mpl_report_total(), checked = atomic_load(&launches);
  if (!mistakes && !checked) return;
  mpl_report_finish(checked);
  if (!mistakes || exit_status) return;
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
