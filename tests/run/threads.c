#include "run/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/host.h"

static int run_child(const char *threads, char **names, int count, int (*run)(char **, int)) {
  fflush(stdout);
  pid_t child = fork();
  if (child < 0) die("cannot fork");
  if (child == 0) {
    setenv("MANIPLE_THREADS", threads, 1);
    exit(run(names, count));
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    printf("FAILED: killed by signal %d, with %s threads\n", WTERMSIG(status), threads);
  return status ? 1 : 0;
}

/* The numbers of threads, or the cases of a file, share what is compiled: a cache of their own, or
 * the folder TEST_CACHE, which is several tests'. */
static int run_cached(const char *const *threads, char **names, int count,
                      int (*run)(char **, int)) {
  const char *shared = getenv("TEST_CACHE");
  char own[] = "/tmp/maniple-tests-XXXXXX", command[64];
  if (!shared && !mkdtemp(own)) die("no temporary folder");
  setenv("MANIPLE_CACHE", "1", 1);
  setenv("MANIPLE_CACHE_DIR", shared ? shared : own, 1);
  int failed = 0;
  for (; *threads; threads++) failed |= run_child(*threads, names, count, run);
  if (shared) return failed;
  snprintf(command, sizeof command, "rm -rf %s", own);
  return system(command) || failed;
}

int run_threads(int argc, char **argv, int (*run)(char **names, int count)) {
  if (argc > 2 && !strcmp(argv[1], "-t"))
    return run_cached((const char *const[]){argv[2], NULL}, argv + 3, argc - 3, run);
  return run_cached((const char *const[]){"1", "2", "5", NULL}, argv + 1, argc - 1, run);
}
