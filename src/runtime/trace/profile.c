#include "runtime/trace/profile.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/options.h"
#include "runtime/print/log.h"
#include "runtime/threads/lock.h"
#include "runtime/trace/trace.h"

struct row {
  char *name;
  uint64_t calls, total, least, most;
};

static struct row *rows; /* few: a linear search does */
static size_t num_rows;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t owner; /* a child of fork() does not print its parent's table */

static int by_total(const void *a, const void *b) {
  uint64_t x = ((const struct row *)a)->total, y = ((const struct row *)b)->total;
  return x < y ? 1 : x > y ? -1 : 0;
}

static void print_table(void) {
  if (owner != getpid()) return;
  mpl_lock(&lock);
  uint64_t all = 0;
  for (size_t i = 0; i < num_rows; i++) all += rows[i].total;
  qsort(rows, num_rows, sizeof *rows, by_total);
  mpl_log_always("%10s %12s %6s %12s %12s %12s  %s", "calls", "total ms", "%", "mean us", "min us",
                 "max us", "kernel");
  for (size_t i = 0; i < num_rows; i++) {
    const struct row *row = &rows[i];
    mpl_log_always("%10llu %12.3f %6.1f %12.3f %12.3f %12.3f  %s", (unsigned long long)row->calls,
                   (double)row->total / 1e6, all ? 100.0 * (double)row->total / (double)all : 0.0,
                   (double)row->total / (double)row->calls / 1e3, (double)row->least / 1e3,
                   (double)row->most / 1e3, row->name);
  }
  mpl_unlock(&lock);
}

static struct row *find(const char *kernel) {
  for (size_t i = 0; i < num_rows; i++)
    if (!strcmp(rows[i].name, kernel)) return &rows[i];
  struct row *more = realloc(rows, (num_rows + 1) * sizeof *rows);
  if (!more) return NULL;
  rows = more;
  char *name = strdup(kernel);
  if (!name) return NULL;
  if (!num_rows) {
    owner = getpid();
    atexit(print_table);
  }
  rows[num_rows] = (struct row){.name = name, .least = UINT64_MAX};
  return &rows[num_rows++];
}

static void add(const char *kernel, uint64_t ns) {
  mpl_lock(&lock);
  struct row *row = find(kernel);
  if (row) {
    row->calls++;
    row->total += ns;
    if (ns < row->least) row->least = ns;
    if (ns > row->most) row->most = ns;
  }
  mpl_unlock(&lock);
}

atomic_bool mpl_profile_unwanted;

bool mpl_profile_ask(void) {
  bool wanted =
      mpl_trace_start() || mpl_option_number(MPL_OPTION_PROFILE) || mpl_log_wanted(MPL_LOG_LAUNCH);
  if (!wanted) atomic_store(&mpl_profile_unwanted, true);
  return wanted;
}

/* Many kernels are written for a device whose sub-groups are of 32 or 64. */
static void hint_at_size(const struct mpl_kernel *kernel, const uint64_t *local) {
  unsigned items = (unsigned)(local[0] * local[1] * local[2]);
  if (!(kernel->flags & MPL_KERNEL_ONE_SUB_GROUP) || kernel->reqd_sub_group) return;
  if ((items != 32 && items != 64) || items <= kernel->sub_group) return;
  mpl_log(MPL_LOG_LAUNCH,
          "%s: its work-groups of %u are %u sub-groups of %u, and it combines values within one "
          "only; MANIPLE_SUBGROUP_SIZE=%u if it counts on one",
          kernel->name, items, items / kernel->sub_group, kernel->sub_group, items);
}

void mpl_profile_launch(const struct mpl_operation *operation, uint64_t start, uint64_t end,
                        uint64_t bytes) {
  typedef unsigned long long llu;
  const uint64_t *global = operation->launch.launch->global_size;
  const uint64_t *local = operation->launch.launch->local_size;
  const char *name = operation->launch.kernel->name;
  uint64_t ns = end - start;
  if (mpl_tracing()) mpl_trace_launch(operation, start, end, bytes);
  if (mpl_option_number(MPL_OPTION_PROFILE)) add(name, ns);
  mpl_log(MPL_LOG_LAUNCH, "%s: global %llu %llu %llu, local %llu %llu %llu, %.3f us", name,
          (llu)global[0], (llu)global[1], (llu)global[2], (llu)local[0], (llu)local[1],
          (llu)local[2], (double)ns / 1e3);
  hint_at_size(operation->launch.kernel, local);
}
