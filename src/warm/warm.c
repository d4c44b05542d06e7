/* A library that is preloaded into a tool: behind the start of the tool's libraries it waits for
 * requests, and for each forks a process in which the tool's main() runs. */
#include "warm.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/clock.h"
#include "toolchain/process/watch.h"

typedef int tool_main(int, char **, char **);
static tool_main *main_of_tool;

/* A process that runs; many, since other threads of the application build too. */
struct running {
  pid_t pid;
  int pidfd, answer;
  struct mpl_watch watch; /* with a descriptor of its own */
  enum mpl_time_limit over;
  bool unwanted;
};
enum { MAX_RUNNING = 128, HIGH = MPL_WARM_SOCKET + 1, MOST_MILLISECONDS = 1 << 30 };

struct waiting {
  int socket;
  bool closed; /* nobody will ask for more */
  uint64_t idle;
  struct running running[MAX_RUNNING];
  int num_running;
};

/* --- Ends of processes --- */

/* Whether somebody wants to know. */
static bool tell(int answer, bool is_end, enum mpl_process_end end, int value) {
  struct mpl_warm_answer text = {.is_end = is_end, .end = (int32_t)end, .value = value};
  return write(answer, &text, sizeof text) == (ssize_t)sizeof text;
}

static void kill_all(const struct waiting *waiting) {
  for (int i = 0; i < waiting->num_running; i++) kill(-waiting->running[i].pid, SIGKILL);
}

/* It is dead: so is its group, which has its number until it is waited for. */
static void finish(struct waiting *waiting, int index) {
  struct running *running = &waiting->running[index];
  int status = 0;
  kill(-running->pid, SIGKILL);
  pid_t pid;
  do pid = waitpid(running->pid, &status, 0);
  while (pid < 0 && errno == EINTR);
  enum mpl_process_end end = MPL_EXITED;
  int value = WEXITSTATUS(status);
  if (pid < 0)
    end = MPL_END_UNKNOWN;
  else if (running->over || running->unwanted) {
    end = MPL_TIMED_OUT;
    value = running->over ? (int)running->over : MPL_OVER_CLOCK;
  } else if (WIFSIGNALED(status)) {
    end = MPL_KILLED;
    value = WTERMSIG(status);
  }
  tell(running->answer, true, end, value);
  close(running->answer);
  close(running->pidfd);
  if (running->watch.reads_until >= 0) close(running->watch.reads_until);
  *running = waiting->running[--waiting->num_running];
}

/* --- Starts of processes --- */

/* Returns in the new process only. */
static bool start(struct waiting *waiting, struct mpl_warm_job *job) {
  pid_t self = getpid();
  if (!tell(job->answer, false, MPL_EXITED, self)) { /* has taken too long, and is done elsewhere */
    close(job->answer);
    mpl_warm_job_free(job);
    return false;
  }
  pid_t pid = fork();
  if (pid == 0) {
    mpl_warm_become(job, self);
    return true;
  }
  int error = errno;
  int pidfd = pid < 0 ? -1 : (int)syscall(SYS_pidfd_open, pid, 0);
  if (pidfd < 0) {
    if (pid >= 0) error = errno;
    if (pid >= 0 && !kill(pid, SIGKILL)) waitpid(pid, NULL, 0);
    tell(job->answer, true, MPL_NOT_STARTED, error);
    close(job->answer);
  } else {
    const struct mpl_limits limits = mpl_warm_limits(&job->request);
    struct mpl_watch watch =
        mpl_watch_begin(pid, &limits, job->files, job->request.timeout_seconds);
    if (watch.reads_until >= 0) watch.reads_until = fcntl(watch.reads_until, F_DUPFD_CLOEXEC, 0);
    waiting->running[waiting->num_running++] =
        (struct running){.pid = pid, .pidfd = pidfd, .answer = job->answer, .watch = watch};
  }
  mpl_warm_job_free(job);
  return false;
}

/* --- The loop --- */

/* Milliseconds until something is due. */
static int time_left(const struct waiting *waiting) {
  uint64_t now = mpl_clock(), end = waiting->num_running ? UINT64_MAX : now + waiting->idle;
  for (int i = 0; i < waiting->num_running; i++) {
    const struct running *running = &waiting->running[i];
    uint64_t next = mpl_watch_next(&running->watch, now);
    if (!running->over && !running->unwanted && next < end) end = next;
  }
  if (end == UINT64_MAX) return -1;
  uint64_t left = end > now ? (end - now) / 1000000 + 1 : 0;
  return left < MOST_MILLISECONDS ? (int)left : MOST_MILLISECONDS;
}

/* Backwards, since finish() moves the last one to its place. */
static void look_at_running(struct waiting *waiting, const struct pollfd *polled) {
  uint64_t now = mpl_clock();
  for (int i = waiting->num_running - 1; i >= 0; i--) {
    struct running *running = &waiting->running[i];
    if (polled[2 * i].revents) {
      finish(waiting, i);
      continue;
    }
    running->unwanted |= polled[2 * i + 1].revents != 0; /* nobody waits for its answer */
    if (!running->over) running->over = mpl_watch_look(&running->watch, now);
    if (running->over || running->unwanted) kill(running->pid, SIGKILL);
  }
}

/* Until a request is there, for which this is the new process: true.  False: no more will come. */
static bool serve(struct waiting *waiting, struct mpl_warm_job *job) {
  struct pollfd polled[1 + 2 * MAX_RUNNING];
  for (;;) {
    bool takes = !waiting->closed && waiting->num_running < MAX_RUNNING;
    if (waiting->closed && !waiting->num_running) return false;
    polled[0] = (struct pollfd){.fd = takes ? waiting->socket : -1, .events = POLLIN};
    for (int i = 0; i < waiting->num_running; i++) {
      const struct running *running = &waiting->running[i];
      polled[1 + 2 * i] = (struct pollfd){.fd = running->pidfd, .events = POLLIN};
      polled[2 + 2 * i] = (struct pollfd){.fd = running->unwanted ? -1 : running->answer};
    }
    int count = poll(polled, 1 + 2 * (nfds_t)waiting->num_running, time_left(waiting));
    if (count < 0 && errno != EINTR) return false;
    if (count < 0) continue;
    if (!count && !waiting->num_running) return false; /* idle */
    look_at_running(waiting, polled + 1);
    if (!polled[0].revents) continue;
    enum mpl_warm_received received = mpl_warm_receive(waiting->socket, job);
    if (received == MPL_WARM_CLOSED) waiting->closed = true;
    if (received == MPL_WARM_JOB && start(waiting, job)) return true;
  }
}

/* --- The start of the tool --- */

/* The program is the one that was asked for, not one that a script names, and has no threads, which
 * a fork would lack. */
static bool may_wait(unsigned long long device, unsigned long long number) {
  struct stat file, tasks;
  return !stat("/proc/self/exe", &file) && file.st_dev == device && file.st_ino == number &&
         !stat("/proc/self/task", &tasks) && tasks.st_nlink == 3;
}

/* Compilers take what they take and end soon: memory comes in large pieces, and none goes back. */
static void set_malloc(void) {
#ifdef __GLIBC__
  mallopt(M_TOP_PAD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
}

static int wait_for_requests(int count, char **arguments, char **variables) {
  static struct waiting waiting;
  static struct mpl_warm_job job;
  unsigned long long device, number, seconds;
  const char *asked = getenv(MPL_WARM_VARIABLE), *library = getenv(MPL_WARM_LIBRARY);
  if (!asked || sscanf(asked, "%llu %llu %llu", &seconds, &device, &number) != 3)
    return main_of_tool(count, arguments, variables);
  if (!may_wait(device, number)) _exit(127);
  if (library)
    (void)dlopen(library, RTLD_LAZY | RTLD_GLOBAL); /* as LLVM does; it says if it cannot */
  set_malloc();
  if (chdir("/")) _exit(127); /* the application's folder may be moved, or its disk taken out */
  if (count > 1) memcpy(arguments[1], "(maniple)", strnlen(arguments[1], 9)); /* for who reads ps */
  signal(SIGPIPE, SIG_IGN);
  waiting.idle = seconds * 1000000000;
  waiting.socket = fcntl(MPL_WARM_SOCKET, F_DUPFD_CLOEXEC, HIGH);
  close(MPL_WARM_SOCKET);
  if (waiting.socket < 0) _exit(127);
  if (!serve(&waiting, &job)) {
    kill_all(&waiting);
    _exit(0);
  }
  environ = job.variables;
  return main_of_tool((int)job.request.num_arguments, job.arguments, job.variables);
}

typedef int start_main(tool_main *, int, char **, void (*)(void), void (*)(void), void (*)(void),
                       void *);

/* What a program's first instructions call. */
__attribute__((visibility("default"))) int
__libc_start_main(tool_main *program, int count, char **arguments, void (*init)(void),
                  void (*fini)(void), void (*loader_fini)(void), void *stack_end) {
  start_main *real = (start_main *)dlsym(RTLD_NEXT, "__libc_start_main");
  if (!real) _exit(127);
  main_of_tool = program;
  return real(wait_for_requests, count, arguments, init, fini, loader_fini, stack_end);
}
