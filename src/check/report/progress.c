/* The line that says how far a launch is. */
#include "progress.h"

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "report.h"
#include "runtime/clock.h"
#include "runtime/options.h"
#include "runtime/print/write_all.h"

enum { INTERVAL = 300000000 }; /* ns */

static _Atomic uint64_t last; /* when there was a line */
static atomic_bool shown;

/* One thread of those that come at the same time says it.  There is nobody to tell that it cannot
 * be written. */
void mpl_check_progress(const char *kernel, uint64_t done, uint64_t groups) {
  if (!mpl_option_number(MPL_OPTION_CHECK_PROGRESS)) return;
  char line[160], mistakes[40] = "";
  uint64_t now = mpl_clock(), before = atomic_load(&last);
  if (now < before + INTERVAL || !atomic_compare_exchange_strong(&last, &before, now)) return;
  uint64_t found = mpl_report_total();
  if (found)
    snprintf(mistakes, sizeof mistakes, ", a mistake %llu time%s", (unsigned long long)found,
             found == 1 ? "" : "s");
  int length = snprintf(line, sizeof line, "\r\033[Kchecking %.40s: %llu of %llu work-groups%s",
                        kernel, (unsigned long long)done, (unsigned long long)groups, mistakes);
  atomic_store(&shown, true);
  (void)mpl_write_all(STDERR_FILENO, line, (size_t)length);
}

void mpl_check_progress_clear(void) {
  static const char clear[] = "\r\033[K";
  if (atomic_exchange(&shown, false)) (void)mpl_write_all(STDERR_FILENO, clear, sizeof clear - 1);
}
