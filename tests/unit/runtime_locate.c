/* Places in the source, asked for by a thread while others fork: children may ask too. */
#include "runtime/mistakes/locate.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/threads/fork.h"
#include "unit.h"

enum { FORKS = 5, SECONDS = 300 /* on a busy machine */ };

static atomic_bool ends;
static atomic_uint num_asked;

/* Each time for another instruction, since answers are kept. */
static void *ask(void *argument) {
  const char *code = (const char *)(uintptr_t)mpl_locate;
  while (!atomic_load(&ends)) mpl_locate(code + atomic_fetch_add(&num_asked, 1) % 4096);
  return NULL;
}

int main(void) {
  pthread_t thread;
  mpl_fork_watch();
  CHECK(!pthread_create(&thread, NULL, ask, NULL));
  while (atomic_load(&num_asked) < 2) usleep(1000);
  for (int i = 0; i < FORKS; i++) {
    int status;
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
      alarm(SECONDS);
      mpl_locate((const char *)(uintptr_t)main + i);
      _exit(0);
    }
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    usleep(3000);
  }
  atomic_store(&ends, true);
  CHECK(!pthread_join(thread, NULL));
  return 0;
}
