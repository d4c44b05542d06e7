#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/clock.h"
#include "runtime/write_all.h"

extern char **environ;

/* memfd_create can be missing (seccomp): then a file in the temporary folder without a name. */
static int nameless_file(void) {
  int fd = memfd_create("maniple", MFD_CLOEXEC);
  if (fd >= 0) return fd;
  const char *folder = getenv("TMPDIR");
  return open(folder && *folder ? folder : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

int mpl_memory_file(const void *data, size_t size) {
  int fd = nameless_file();
  if (fd < 0) return -1;
  if (mpl_write_all(fd, data, size) && lseek(fd, 0, SEEK_SET) == 0) return fd;
  close(fd);
  return -1;
}

void *mpl_file_contents(int fd, size_t *size) {
  struct stat status;
  *size = 0;
  if (fstat(fd, &status) || status.st_size < 0) return NULL;
  char *data = malloc((size_t)status.st_size + 1);
  if (!data) return NULL;
  while (*size < (size_t)status.st_size) {
    ssize_t n = pread(fd, data + *size, (size_t)status.st_size - *size, (off_t)*size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    *size += (size_t)n;
  }
  data[*size] = 0;
  return data;
}

/* Variables that change what a compiler reads or does: results must depend on the arguments only,
 * because those are what the cache keys on. */
static bool unwanted(const char *variable) {
  static const char *const names[] = {
      "CPATH=",
      "C_INCLUDE_PATH=",
      "CPLUS_INCLUDE_PATH=",
      "OBJC_INCLUDE_PATH=",
      "COMPILER_PATH=",
      "CCC_OVERRIDE_OPTIONS=",
      "CCC_ADD_ARGS=",
      "CC_PRINT_OPTIONS=",
      "CC_PRINT_HEADERS=",
      "CC_LOG_DIAGNOSTICS=",
      "DEPENDENCIES_OUTPUT=",
      "SUNPRO_DEPENDENCIES=",
      "LD_PRELOAD=",
      "CLANG_CONFIG_FILE_SYSTEM_DIR=",
      "CLANG_CONFIG_FILE_USER_DIR=",
      "MANIPLE_",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strncmp(variable, names[i], strlen(names[i]))) return true;
  return false;
}

/* The list is malloc'd, its strings are not ours. */
static char **clean_environment(const char *const *variables) {
  size_t count = 0, more = 0, kept = 0;
  while (environ && environ[count]) count++;
  while (variables && variables[more]) more++;
  char **list = malloc((count + more + 1) * sizeof *list);
  if (!list) return NULL;
  for (size_t i = 0; i < count; i++)
    if (!unwanted(environ[i])) list[kept++] = environ[i];
  for (size_t i = 0; i < more; i++) list[kept++] = (char *)variables[i];
  list[kept] = NULL;
  return list;
}

/* The files are first moved above all places that they go to, so that no dup2 hits one of them. */
static bool place_files(const struct mpl_process *process, int moved[],
                        posix_spawn_file_actions_t *actions) {
  for (int i = 0; i < process->num_files; i++) {
    moved[i] = fcntl(process->files[i], F_DUPFD_CLOEXEC, MPL_PROCESS_FILES);
    if (moved[i] < 0) return false;
    if (posix_spawn_file_actions_adddup2(actions, moved[i], i)) return false;
  }
  return !posix_spawn_file_actions_addclosefrom_np(actions, process->num_files);
}

static int start(const struct mpl_process *process, const struct mpl_args *argv, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t signals;
  int moved[MPL_PROCESS_FILES], error = ENOMEM;
  for (int i = 0; i < process->num_files; i++) moved[i] = -1;
  char **environment = clean_environment(process->variables);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  if (environment) {
    error = place_files(process, moved, &actions) ? 0 : errno;
    if (!error)
      error = posix_spawn(pid, argv->list[0], &actions, &attributes, argv->list, environment);
  }
  for (int i = 0; i < process->num_files; i++)
    if (moved[i] >= 0) close(moved[i]);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  free(environment);
  return error;
}

static uint64_t milliseconds(void) {
  return mpl_clock() / 1000000;
}

/* Waits until the process has ended or the time is up; true if it is up. */
static bool wait_until(pid_t pid, unsigned timeout_seconds) {
  if (!timeout_seconds) return false; /* waitpid below waits */
  int fd = (int)syscall(SYS_pidfd_open, pid, 0);
  uint64_t end = milliseconds() + (uint64_t)timeout_seconds * 1000;
  bool late = false;
  for (;;) {
    uint64_t now = milliseconds();
    late = now >= end;
    if (late) break;
    if (fd >= 0) {
      struct pollfd poll_for = {.fd = fd, .events = POLLIN};
      if (poll(&poll_for, 1, end - now > INT32_MAX ? INT32_MAX : (int)(end - now)) > 0) break;
    } else { /* a kernel before 5.3 */
      siginfo_t info = {0};
      if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid) break;
      nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
  }
  if (fd >= 0) close(fd);
  return late;
}

enum mpl_process_end mpl_process_run(const struct mpl_process *process, const struct mpl_args *argv,
                                     unsigned timeout_seconds, int *value) {
  pid_t pid;
  int status;
  *value = start(process, argv, &pid);
  if (*value) return MPL_NOT_STARTED;
  bool late = wait_until(pid, timeout_seconds);
  if (late) kill(pid, SIGKILL);
  pid_t ended;
  do ended = waitpid(pid, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (late) return MPL_TIMED_OUT;
  if (ended < 0) return MPL_END_UNKNOWN;
  if (WIFSIGNALED(status)) {
    *value = WTERMSIG(status);
    return MPL_KILLED;
  }
  *value = WEXITSTATUS(status);
  return MPL_EXITED;
}
