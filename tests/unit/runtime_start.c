/* Programs that threads start at once where vfork() is fork(), as it is with ThreadSanitizer:
 * starts do not wait for one another, nor the application's own fork() and they, and what is told
 * comes. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/threads/lock.h"
#include "toolchain/process/keeper.h"
#include "toolchain/process/process.h"
#include "unit.h"

pid_t vfork(void) {
  return fork();
}

enum { THREADS = 4, STARTS = 100 };

static int start(const char *path) {
  struct mpl_process process = {.num_files = 1, .files = {open("/dev/null", O_RDWR | O_CLOEXEC)}};
  struct mpl_args command = {0};
  int value = -1;
  mpl_args_add(&command, path);
  enum mpl_process_end end = mpl_process_run(&process, &command, 600, &value);
  mpl_args_free(&command);
  close(process.files[0]);
  return end == MPL_EXITED ? value : -1000 - (int)end;
}

static void *start_some(void *argument) {
  for (int i = 0; i < STARTS; i++) {
    CHECK(start("/bin/true") == 0);
    CHECK(start("/nowhere/at/all") == -1000 - MPL_NOT_STARTED);
  }
  return NULL;
}

/* With a lock that fork() waits for. */
static void *keep_some(void *argument) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  struct mpl_args command = {0};
  mpl_args_add(&command, "/bin/true");
  for (int i = 0; i < STARTS; i++) {
    struct mpl_process process = {.num_files = 1, .files = {open("/dev/null", O_RDWR | O_CLOEXEC)}};
    uint64_t number;
    mpl_lock(&lock);
    int error = mpl_keeper_start(&process, &command, &number);
    if (error) fprintf(stderr, "start %d: %s\n", i, strerror(error));
    CHECK(!error);
    mpl_unlock(&lock);
    CHECK(number == (uint64_t)i + 1);
    mpl_keepers_reap(60000);
    close(process.files[0]);
  }
  mpl_args_free(&command);
  return NULL;
}

static void *fork_some(void *argument) {
  for (int i = 0; i < STARTS; i++) {
    int status;
    pid_t pid = fork();
    if (pid == 0) _exit(start("/bin/true"));
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
  }
  return NULL;
}

int main(void) {
  void *(*const run[THREADS])(void *) = {start_some, start_some, keep_some, fork_some};
  pthread_t threads[THREADS];
  alarm(600); /* threads that wait for one another */
  for (int i = 0; i < THREADS; i++) CHECK(!pthread_create(&threads[i], NULL, run[i], NULL));
  for (int i = 0; i < THREADS; i++) CHECK(!pthread_join(threads[i], NULL));
  return 0;
}
