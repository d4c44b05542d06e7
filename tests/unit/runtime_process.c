/* What a process that runs for us may do: it is this program again, told by its first argument. */
#define _GNU_SOURCE /* memmem */
#include "toolchain/process/process.h"
#include "toolchain/process/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#if __has_feature(thread_sanitizer)
#define HAS_THREADS /* whose forks do not wait */
#endif
#endif

enum { SKIPPED = 77 };

/* --- In the process --- */

static int open_result(const char *path) {
  int fd = open(path, O_WRONLY | O_CREAT, 0600);
  if (fd >= 0) close(fd);
  return fd >= 0 ? 0 : errno;
}

/* A fork of what waits: the process's arguments as the kernel knows them are still that one's. */
static int is_fork(void) {
  char text[PATH_MAX + 64];
  int fd = open("/proc/self/cmdline", O_RDONLY);
  ssize_t size = read(fd, text, sizeof text);
  return size > 0 && memmem(text, (size_t)size, "(maniple)", 9);
}

static int be_child(const char *what, const char *path) {
  if (!strcmp(what, "-fork")) return is_fork();
  if (!strcmp(what, "-end")) return 5;
  if (!strcmp(what, "-socket")) return socket(AF_INET, SOCK_STREAM, 0) < 0 ? errno : 0;
  if (!strcmp(what, "-write")) return open_result(path);
  if (!strcmp(what, "-given")) return write(1, "given", 5) == 5 ? open_result("/proc/self/fd/1") : errno;
  if (!strcmp(what, "-read")) return open(path, O_RDONLY) < 0 ? errno : 0;
  if (!strcmp(what, "-privileges")) return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
  if (!strcmp(what, "-memory"))
    return mmap(NULL, (size_t)1 << 31, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) ==
                   MAP_FAILED ? errno : 0;
  if (!strcmp(what, "-time"))
    for (volatile unsigned spin = 0;; spin++) {}
  if (!strcmp(what, "-wait"))
    for (;;) pause();
  if (!strcmp(what, "-read-slowly")) { /* reads, and waits for longer than it may read */
    if (write(2, "\n", 1) == 1) usleep(1500000);
    return 0;
  }
  if (!strcmp(what, "-read-and-go"))
    for (volatile unsigned spin = write(2, "\n", 1) == 1;; spin++) {}
  if (!strcmp(what, "-large")) { /* no signal, but an error */
    const struct rlimit small = {100, 100};
    if (setrlimit(RLIMIT_FSIZE, &small)) return 1;
    return pwrite(1, what, 6, 100) < 0 ? errno : 0;
  }
  if (!strcmp(what, "-leave")) { /* another process, which would outlive this one */
    pid_t pid = fork();
    if (!pid)
      for (;;) pause();
    return write(1, &pid, sizeof pid) == sizeof pid ? 0 : 1;
  }
  return 99;
}

/* --- In the test --- */

static char self[PATH_MAX];
static struct mpl_warmth warmth; /* all of it a second time: processes are forks of one that waits */

static int run_limited(const char *what, const char *path, struct mpl_limits limits, void *answer,
                       size_t room) {
  struct mpl_process process = {.num_files = 3, .limits = limits, .warmth = warmth};
  struct mpl_args command = {0};
  int value = -1;
  mpl_args_add(&command, self);
  mpl_args_add(&command, what);
  mpl_args_add(&command, path);
  for (int i = 0; i < 3; i++) process.files[i] = mpl_memory_file(NULL, 0);
  enum mpl_process_end end = mpl_process_run(&process, &command, 60, &value);
  if (room) CHECK(pread(process.files[1], answer, room, 0) == (ssize_t)room);
  for (int i = 0; i < 3; i++) close(process.files[i]);
  mpl_args_free(&command);
  if (end == MPL_TIMED_OUT) return -2000 - value;
  return end == MPL_EXITED ? value : end == MPL_KILLED ? -value : -1000 - (int)end;
}

static int run(const char *what, const char *path) {
  return run_limited(what, path, (struct mpl_limits){0}, NULL, 0);
}

static void check_group_ends(void) {
  pid_t left = 0;
  CHECK(run_limited("-leave", "", (struct mpl_limits){0}, &left, sizeof left) == 0);
  CHECK(left > 0);
  while (!unit_is_dead(left)) usleep(1000);
}

/* File 2 stands for what is written when the input is read. */
static int late(const char *what, struct mpl_limits limits) {
  int value = run_limited(what, "", limits, NULL, 0);
  CHECK(value <= -2000); /* which limit, below */
  return -value - 2000;
}

static void check_times(void) {
  const struct mpl_limits reading = {.seconds = 50, .reading = 1, .reads_until = 2};
  CHECK(late("-time", (struct mpl_limits){.seconds = 1}) == MPL_OVER_SECONDS);
  CHECK(late("-time", reading) == MPL_OVER_READING);
  CHECK(late("-wait", reading) == MPL_OVER_WAITING);
  CHECK(run_limited("-read-slowly", "", reading, NULL, 0) == 0);
  struct mpl_limits both = reading; /* it has read, and goes on */
  both.seconds = 2;
  CHECK(late("-read-and-go", both) == MPL_OVER_SECONDS);
}

/* A process that has computed, and waits: it is given up little more than the limit later, whenever
 * somebody looks for the first time.  The clock is the test's. */
static void check_wait_after_work(void) {
  const struct mpl_limits limits = {.seconds = 600, .reading = 30, .reads_until = 2};
  enum { SECOND = 1000000000, ALLOWED = 36 };
  int files[3], pipe_ends[2];
  char ready;
  for (int i = 0; i < 3; i++) files[i] = mpl_memory_file(NULL, 0);
  CHECK(!pipe(pipe_ends));
  pid_t pid = fork();
  if (!pid) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (volatile unsigned spin = 0; spin < 10000000;) spin++;
    if (write(pipe_ends[1], "", 1) != 1) _exit(1);
    for (;;) pause();
  }
  struct mpl_watch watch = mpl_watch_begin(pid, &limits, files, 6000);
  CHECK(read(pipe_ends[0], &ready, 1) == 1);
  while (unit_state(pid) != 'S') usleep(1000);
  uint64_t start = watch.moved, now = start;
  enum mpl_time_limit over = MPL_IN_TIME;
  for (int looks = 0; over == MPL_IN_TIME && looks < 100; looks++) {
    now = mpl_watch_next(&watch, now);
    over = mpl_watch_look(&watch, now);
  }
  CHECK(over == MPL_OVER_WAITING && now - start <= (uint64_t)ALLOWED * SECOND);
  kill(pid, SIGKILL);
  CHECK(waitpid(pid, NULL, 0) == pid);
  for (int i = 0; i < 3; i++) close(files[i]);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

static void check_files(void) {
  char folder[] = "/tmp/maniple-process-XXXXXX", inside[64], outside[64];
  CHECK(mkdtemp(folder) != NULL);
  snprintf(inside, sizeof inside, "%s/in", folder);
  snprintf(outside, sizeof outside, "%s.out", folder);
  bool has_landlock = syscall(444 /* landlock_create_ruleset */, NULL, 0, 1) >= 1;
  int refused = has_landlock ? EACCES : 0;
  CHECK(run_limited("-write", outside, (struct mpl_limits){.folder = folder}, NULL, 0) == refused);
  CHECK(access(outside, F_OK) == (has_landlock ? -1 : 0));
  CHECK(run_limited("-write", inside, (struct mpl_limits){.folder = folder}, NULL, 0) == 0);
  CHECK(run_limited("-write", outside, (struct mpl_limits){.may_write = true}, NULL, 0) == 0);
  CHECK(run("-write", inside) == refused);
  CHECK(run("-read", inside) == 0);
  CHECK(run("-given", "") == 0);
  unlink(inside);
  unlink(outside);
  rmdir(folder);
}

/* Where Landlock is there and has no memory, nothing runs without it. */
static void check_landlock_fails(void) {
  static struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 444 /* landlock_create_ruleset */, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0 /* no rules: what is its version? */, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOMEM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
  if (syscall(444, NULL, 0, 1) < 1) return;
  CHECK(realpath("/proc/self/exe", self) != NULL);
  pid_t pid = fork();
  if (pid == 0) {
    CHECK(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    CHECK(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
    CHECK(run("-end", "") == -1000 - MPL_NOT_STARTED);
    CHECK(run_limited("-end", "", (struct mpl_limits){.may_write = true}, NULL, 0) == 5);
    _exit(0);
  }
  int status;
  CHECK(waitpid(pid, &status, 0) == pid && status == 0);
}

static void check_all(bool forks) {
  CHECK(realpath("/proc/self/exe", self) != NULL);
  CHECK(run("-end", "") == 5);
  CHECK(run("-fork", "") == forks);
  CHECK(run("-privileges", "") == 1);
  CHECK(run("-socket", "") == EACCES);
  check_files();
  check_group_ends();
#ifndef SANITIZED /* which takes terabytes of addresses */
  CHECK(run("-memory", "") == 0);
  CHECK(run_limited("-memory", "", (struct mpl_limits){.memory = 1 << 30}, NULL, 0) == ENOMEM);
#endif
  check_times();
  CHECK(run_limited("-large", "", (struct mpl_limits){0}, NULL, 0) == EFBIG);
  CHECK(run("-fork", "") == forks);
  strcpy(self, "/nowhere/at/all");
  CHECK(run("-end", "") == -1000 - MPL_NOT_STARTED);
}

int main(int argc, char **argv) {
  if (argc > 2 && argv[1][0] == '-') return be_child(argv[1], argv[2]);
  check_all(false);
  check_wait_after_work();
  check_landlock_fails();
#ifndef HAS_THREADS
  int self_fd = (int)syscall(SYS_pidfd_open, getpid(), 0);
  if (self_fd < 0) {
    printf("skipped: nothing can wait without pidfd_open()\n");
    return SKIPPED;
  }
  close(self_fd);
  warmth = (struct mpl_warmth){.preload = argv[2], .seconds = 60};
  check_all(true);
#endif
  return 0;
}
