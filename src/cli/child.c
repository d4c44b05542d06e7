#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile pid_t running;

/* Who ends us means the program. */
static void hand_on(int number) {
  if (running > 0) kill(running, number);
}

/* 0, or the error with which it does not start, which comes through a pipe that a start closes. */
static int start(char **words, pid_t *child) {
  int ends[2], error = 0;
  fflush(NULL);
  if (pipe2(ends, O_CLOEXEC)) return errno;
  *child = fork();
  if (!*child) {
    execvp(words[0], words);
    error = errno;
    _exit(write(ends[1], &error, sizeof error) != sizeof error);
  }
  if (*child < 0) error = errno;
  close(ends[1]);
  while (!error && read(ends[0], &error, sizeof error) < 0 && errno == EINTR) continue;
  close(ends[0]);
  if (error && *child > 0) waitpid(*child, NULL, 0);
  return error;
}

bool mpl_child_run(const struct mpl_cli_args *args, struct mpl_child *child) {
  size_t count = 0;
  while (mpl_cli_positional(args, count)) count++;
  char **words = mpl_need(calloc(count + 1, sizeof *words));
  for (size_t i = 0; i < count; i++) words[i] = (char *)mpl_cli_positional(args, i);
  int status = 0;
  pid_t id = 0;
  int error = start(words, &id);
  running = error ? 0 : id;
  signal(SIGINT, SIG_IGN);
  signal(SIGQUIT, SIG_IGN);
  signal(SIGTERM, hand_on);
  signal(SIGHUP, hand_on);
  while (!error && waitpid(id, &status, 0) < 0)
    if (errno != EINTR) error = errno;
  running = 0;
  if (error) mpl_fail("%s does not start: %s", words[0], strerror(error));
  *child = (struct mpl_child){.name = words[0]};
  free(words);
  if (error) return false;
  child->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  child->status = child->signal ? 128 + child->signal : WEXITSTATUS(status);
  return true;
}
