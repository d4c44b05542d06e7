/* `maniple check`: another program, with the environment that has its kernels checked. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/child.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "runtime/mistakes/check_tally.h"

static void set(const char *name, const char *value) {
  if (value && setenv(name, value, 1)) mpl_need(NULL);
}

static void set_report(const struct mpl_cli_args *args) {
  const char *file = mpl_cli_value(args, MPL_FLAG_JSON);
  if (!file) return;
  size_t room = strlen(file) + sizeof "json:";
  char *value = mpl_need(malloc(room));
  snprintf(value, room, *file ? "json:%s" : "json", file);
  set("MANIPLE_CHECK_REPORT", value);
  free(value);
}

/* Null if it cannot be had: then the processes say what they say themselves. */
static struct mpl_tally *make_tally(void) {
  char path[64];
  struct mpl_tally *tally = MAP_FAILED;
  int file = memfd_create("maniple-check", 0);
  if (file < 0) return NULL;
  if (!ftruncate(file, sizeof *tally))
    tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (tally == MAP_FAILED) return NULL;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), file);
  set("MANIPLE_CHECK_TALLY", path);
  return tally;
}

static void say_counts(const struct mpl_tally *tally) {
  mpl_note("until then: launches checked %llu, work-items %llu, mistakes found %llu",
           (unsigned long long)tally->launches, (unsigned long long)tally->items,
           (unsigned long long)tally->mistakes);
}

static void say_died(const struct mpl_tally *tally, const struct mpl_child *child) {
  if (!tally->launches) {
    mpl_note("%s was ended by signal %d (%s) before it launched a kernel", child->name,
             child->signal, strsignal(child->signal));
    return;
  }
  mpl_note("%s was ended by signal %d (%s), in or after kernel %.*s", child->name, child->signal,
           strsignal(child->signal), MPL_TALLY_NAME, tally->kernel);
  say_counts(tally);
}

/* The program's own exit status comes first. */
static int conclude(const struct mpl_tally *tally, const struct mpl_child *child) {
  if (child->signal) {
    say_died(tally, child);
    return child->status;
  }
  if (!tally->launches && !tally->mistakes) {
    mpl_note("nothing was checked: %s launched no kernel on maniple (maniple info says whether "
             "OpenCL programs find it)",
             child->name);
    return child->status ? child->status : MPL_EXIT_NOTHING;
  }
  if (tally->running) {
    mpl_note("%s left by _exit()", child->name);
    say_counts(tally);
  }
  return !child->status && tally->mistakes ? MPL_EXIT_MISTAKES : child->status;
}

int mpl_command_check(const struct mpl_cli_args *args) {
  struct mpl_child child;
  if (!mpl_cli_positional(args, 0)) return mpl_usage("which program? try maniple check --help");
  set("MANIPLE_CHECK", "1");
  if (mpl_cli_value(args, MPL_FLAG_NO_MEMORY)) set("MANIPLE_CHECK_MEMORY", "0");
  set("MANIPLE_CHECK_SCHEDULE", mpl_cli_value(args, MPL_FLAG_SCHEDULE));
  set("MANIPLE_CHECK_TIMEOUT", mpl_cli_value(args, MPL_FLAG_TIMEOUT));
  set("MANIPLE_CHECK_STACK", mpl_cli_value(args, MPL_FLAG_STACK));
  set_report(args);
  if (mpl_shows_progress()) set("MANIPLE_CHECK_PROGRESS", "1");
  const struct mpl_tally *tally = make_tally();
  if (!mpl_child_run(args, &child)) return mpl_exit_status();
  return tally ? conclude(tally, &child) : child.status;
}
