/* Ends of a process: with work pending, from another thread, and after fork(). */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/commands/command.h"
#include "unit.h"

static struct mpl_device *device;

static int sleep_long(void *data, struct mpl_device *on) {
  usleep(300000);
  return 0;
}
static int nothing(void *data, struct mpl_device *on) {
  return 0;
}

static void start(int (*run)(void *, struct mpl_device *)) {
  struct mpl_queue *queue = mpl_queue_create(device, true, false);
  struct mpl_work_desc work = {.run = run, .weight = 1 << 20};
  for (int i = 0; i < 10; i++) mpl_command_release(mpl_enqueue(queue, &work, NULL, 0, 0));
  mpl_queue_destroy(queue); /* its commands go on */
}

static void *leave(void *argument) {
  exit(0);
}

static void leave_with_work(void) {
  start(sleep_long);
  exit(0);
}

static void leave_from_thread(void) {
  pthread_t thread;
  start(sleep_long);
  CHECK(!pthread_create(&thread, NULL, leave, NULL));
  pause();
}

/* The child has no workers and makes its own. */
static void work_after_fork(void) {
  struct mpl_queue *queue = mpl_queue_create(device, true, false);
  struct mpl_work_desc work = {.run = nothing, .weight = 1 << 20};
  struct mpl_command *command = mpl_enqueue(queue, &work, NULL, 0, 0);
  while (mpl_command_status(command) > 0) usleep(500);
  CHECK(mpl_command_status(command) == MPL_COMPLETE);
  exit(0);
}

static void expect_good_end(void (*child)(void)) {
  int status;
  fflush(NULL);
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (!pid) {
    alarm(300); /* on a busy machine, too */
    child();
  }
  CHECK(waitpid(pid, &status, 0) == pid);
  if (status) fprintf(stderr, "status 0x%x\n", status);
  CHECK(WIFEXITED(status) && !WEXITSTATUS(status));
}

int main(void) {
  device = unit_device();
  expect_good_end(leave_with_work);
  expect_good_end(leave_from_thread);
  expect_good_end(work_after_fork);
  start(nothing); /* now the parent has workers */
  usleep(10000);
  expect_good_end(work_after_fork);
  return 0;
}
