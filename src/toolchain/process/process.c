#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/clock.h"
#include "runtime/print/write_all.h"
#include "runtime/threads/fork.h"
#include "warm.h"
#include "watch.h"

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

char **mpl_process_environment(const char *const *variables) {
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

/* What the child needs, made ready by the parent: until it is another program it shares the
 * parent's memory. */
struct child {
  const struct mpl_process *process;
  char *const *arguments, *const *environment;
  int files[MPL_PROCESS_FILES];
  int told; /* where errno goes if the program cannot be started; closed if it is */
  int landlock;
};

static void close_when_started(int first) {
#ifdef SYS_close_range
  if (!syscall(SYS_close_range, first, ~0u, 1u << 2 /* CLOSE_RANGE_CLOEXEC */)) return;
#endif
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit)) return; /* a kernel before 5.11 */
  int end = limit.rlim_cur < 1 << 16 ? (int)limit.rlim_cur : 1 << 16;
  for (int fd = first; fd < end; fd++) (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static __attribute__((noinline, noreturn)) void fail(const struct child *child) {
  int error = errno;
  (void)!write(child->told, &error, sizeof error);
  _exit(127);
}

static __attribute__((noinline, noreturn)) void become(const struct child *child) {
  const struct sigaction ordinary = {.sa_handler = SIG_DFL};
  sigset_t kept;
  for (int signal = 1; signal < NSIG; signal++) (void)sigaction(signal, &ordinary, NULL);
  sigemptyset(&kept);
  sigaddset(&kept, SIGXFSZ); /* a write that is refused says more than a compiler that dies of it */
  int num_files = child->process->num_files;
  bool good = !setpgid(0, 0);
  for (int i = 0; i < num_files; i++) good = good && dup2(child->files[i], i) == i;
  close_when_started(num_files);
  mpl_confine(&child->process->limits, child->landlock);
  sigprocmask(SIG_SETMASK, &kept, NULL);
  if (good) execve(child->arguments[0], child->arguments, child->environment);
  fail(child);
}

/* In a function of its own: nothing of the caller's is in registers that the child changes. */
static __attribute__((noinline)) pid_t split(const struct child *child) {
  pid_t pid = vfork();
  if (pid == 0) become(child);
  return pid;
}

/* The errno of the child; 0 once it is another program. */
static int wait_for_start(pid_t pid, int from) {
  int error = 0, status;
  ssize_t n;
  do n = read(from, &error, sizeof error);
  while (n < 0 && errno == EINTR);
  if (n != (ssize_t)sizeof error) return 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  return error ? error : EIO;
}

static int start_with(struct child *child, pid_t *pid) {
  int ends[2], error = 0;
  sigset_t all, before;
  mpl_start_hold(); /* another thread's child would have the pipe too, and it would not end */
  if (pipe2(ends, O_CLOEXEC)) error = errno;
  if (error) {
    mpl_start_let();
    return error;
  }
  child->told = fcntl(ends[1], F_DUPFD_CLOEXEC, child->process->num_files);
  close(ends[1]);
  if (child->told < 0) error = errno;
  if (!error) {
    sigfillset(&all); /* a handler would run in the child, on the parent's memory */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    *pid = split(child);
    if (*pid < 0) error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(child->told);
  }
  mpl_start_let();
  if (!error) error = wait_for_start(*pid, ends[0]);
  close(ends[0]);
  return error;
}

static int start(const struct mpl_process *process, const struct mpl_args *argv, pid_t *pid) {
  struct child child = {.process = process, .arguments = argv->list};
  char **environment = mpl_process_environment(process->variables);
  int error = environment ? 0 : ENOMEM;
  child.environment = environment;
  /* The files are moved above all places that they go to, so that no dup2 hits one of them. */
  for (int i = 0; i < process->num_files; i++) {
    child.files[i] = fcntl(process->files[i], F_DUPFD_CLOEXEC, process->num_files);
    if (child.files[i] < 0) error = errno;
  }
  child.landlock = mpl_confine_files(&process->limits, process->files, process->num_files);
  if (child.landlock < -1) error = errno;
  if (!error) error = start_with(&child, pid);
  if (child.landlock >= 0) close(child.landlock);
  for (int i = 0; i < process->num_files; i++)
    if (child.files[i] >= 0) close(child.files[i]);
  free(environment);
  return error;
}

/* Until the process has ended or is over a limit: which. */
static enum mpl_time_limit wait_until(struct mpl_watch *watch) {
  enum mpl_time_limit over;
  int fd = (int)syscall(SYS_pidfd_open, watch->pid, 0);
  for (;;) {
    uint64_t now = mpl_clock();
    over = mpl_watch_look(watch, now);
    uint64_t next = mpl_watch_next(watch, now), left = next > now ? (next - now) / 1000000 + 1 : 0;
    if (over || next == UINT64_MAX) break;
    if (fd >= 0) {
      struct pollfd poll_for = {.fd = fd, .events = POLLIN};
      if (poll(&poll_for, 1, left > INT32_MAX ? INT32_MAX : (int)left) > 0) break;
    } else { /* a kernel before 5.3 */
      siginfo_t info = {0};
      if (waitid(P_PID, (id_t)watch->pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid) break;
      nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
  }
  if (fd >= 0) close(fd);
  return over;
}

/* The group has the process's number, which is nobody else's until it is waited for. */
static void end_group(pid_t pid) {
  siginfo_t info;
  int error;
  do error = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
  while (error && errno == EINTR);
  if (!error) kill(-pid, SIGKILL);
}

enum mpl_process_end mpl_process_run(const struct mpl_process *process, const struct mpl_args *argv,
                                     unsigned timeout_seconds, int *value) {
  pid_t pid = 0;
  int status;
  enum mpl_process_end end;
  if (mpl_warm_run(process, argv, timeout_seconds, value, &end)) return end;
  *value = start(process, argv, &pid);
  if (*value) return MPL_NOT_STARTED;
  struct mpl_watch watch = mpl_watch_begin(pid, &process->limits, process->files, timeout_seconds);
  enum mpl_time_limit over = wait_until(&watch);
  if (over) kill(pid, SIGKILL);
  end_group(pid);
  pid_t ended;
  do ended = waitpid(pid, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (over) {
    *value = (int)over;
    return MPL_TIMED_OUT;
  }
  if (ended < 0) return MPL_END_UNKNOWN;
  if (WIFSIGNALED(status)) {
    *value = WTERMSIG(status);
    return MPL_KILLED;
  }
  *value = WEXITSTATUS(status);
  return MPL_EXITED;
}
