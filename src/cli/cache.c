/* `maniple cache`: the cache of compiled programs, and of headers that are precompiled. */
#include "toolchain/cache/cache.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"

static int show_stat(void) {
  struct mpl_cache_stat stat;
  char used[32], most[32];
  mpl_cache_stat(&stat);
  printf("folder   %s\n", stat.folder[0] ? stat.folder : "none");
  if (stat.problem) printf("not used %s\n", stat.problem);
  printf("files    %" PRIu64 "\nsize     %s of at most %s\n", stat.entries,
         mpl_size_text(stat.bytes, used), mpl_size_text(stat.max_bytes, most));
  return MPL_EXIT_OK;
}

static void show_entry(const char *name, uint64_t bytes, int64_t used, void *data) {
  char when[32] = "?", size[32];
  time_t seconds = (time_t)used;
  struct tm local;
  if (localtime_r(&seconds, &local)) strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &local);
  printf("%s  %10s  %s\n", when, mpl_size_text(bytes, size), name);
}

static int list(void) {
  mpl_cache_list(show_entry, NULL);
  return MPL_EXIT_OK;
}

static int clear(void) {
  uint64_t count = mpl_cache_clear();
  printf("%" PRIu64 " file%s removed\n", count, count == 1 ? "" : "s");
  return MPL_EXIT_OK;
}

int mpl_command_cache(const struct mpl_cli_args *args) {
  static const struct {
    const char *name;
    int (*run)(void);
  } verbs[] = {
      {"stat", show_stat},
      {"list", list},
      {"clear", clear},
  };
  const char *verb = mpl_cli_positional(args, 0);
  if (!verb || mpl_cli_positional(args, 1)) return mpl_usage("which command? stat, list or clear");
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
    if (!strcmp(verbs[i].name, verb)) return verbs[i].run();
  return mpl_usage("there is no 'cache %s'; try stat, list or clear", verb);
}
