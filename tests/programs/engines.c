/* Child processes: a crash or an endless loop takes one program with it, not the others. */
#include "programs/run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char *join(struct program *const *programs, unsigned count) {
  struct text text = {0};
  program_prelude(&text, programs[0]->newer);
  for (unsigned k = 0; k < count; k++)
    text_bytes(&text, programs[k]->text.at, programs[k]->text.size);
  return text.at;
}

static double children_seconds(void) {
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* One child; what it found out is in `shared`. */
static int run_child(struct session *session, unsigned engine, struct program *const *programs,
                     struct result *shared, unsigned count) {
  char *source = join(programs, count);
  double before = children_seconds();
  fflush(NULL);
  pid_t child = fork();
  if (child < 0) die("cannot fork");
  if (!child) {
    signal(SIGTERM, SIG_DFL);
    device_run(&session->engines[engine], session, source, programs, shared, count);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  free(source);
  session->used[engine] += children_seconds() - before;
  return status;
}

static enum outcome end_of(int status) {
  if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGALRM ? HANGS : CRASHED;
  return WEXITSTATUS(status) ? FAILED : DONE;
}

/* When one does not come back, the others get another process; when nothing was built, each its
 * own. */
void run_batch(struct session *session, unsigned engine, struct program *const *programs,
               struct result *results, unsigned count) {
  size_t size = sizeof(struct result) * count;
  struct result *shared =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) die("out of memory");
  int status = run_child(session, engine, programs, shared, count);
  memcpy(results, shared, size);
  munmap(shared, size);
  bool refused = results[0].outcome == REFUSED;
  enum outcome end = end_of(status);
  if (count == 1) {
    if (end != DONE) results[0].outcome = end;
    return;
  }
  for (unsigned k = 0; k < count; k++) {
    bool fault = end != DONE && results[k].outcome == CRASHED;
    if (refused || fault || results[k].outcome == NOT_RUN || results[k].outcome == REPORTED)
      run_batch(session, engine, &programs[k], &results[k], 1);
  }
}

char *last_messages(const struct session *session, const char *what) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", session->scratch, what);
  return read_file(path);
}

bool same_result(const struct result *a, const struct result *b) {
  return !memcmp(a, b, sizeof *a);
}

void describe(const struct session *session, const struct result results[MAX_ENGINES]) {
  static const char *const names[] = {"not run", "done",    "refused", "reported",
                                      "failed",  "crashed", "hangs"};
  for (unsigned k = 0; k < session->count; k++) {
    const struct result *r = &results[k];
    printf("  %-10s %-8s", session->engines[k].name, names[r->outcome]);
    if (r->outcome == DONE || r->outcome == REPORTED) {
      for (unsigned i = 0; i < MAX_KERNELS; i++)
        printf(" %08llx", (unsigned long long)(r->kernels[i] & 0xffffffff));
      printf(" cells %08llx words %08llx printed %08llx",
             (unsigned long long)(r->cells & 0xffffffff),
             (unsigned long long)(r->words & 0xffffffff),
             (unsigned long long)(r->printed & 0xffffffff));
    }
    printf("\n");
  }
}
