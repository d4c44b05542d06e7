/* What an application sees of tools that wait, and what they leave behind when it ends: nothing.
 * The tool is this program again, told by its first argument; so is each application that is ended,
 * whose orphans the test is given. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* CLONE_VM */
#endif
#include "toolchain/process/keeper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "toolchain/process/process.h"
#include "unit.h"

enum { SKIPPED = 77 };

static char self[PATH_MAX];
static struct mpl_warmth warmth;

/* --- Processes --- */

static void line_of(pid_t pid, const char *name, char *line, size_t room) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  do CHECK(fgets(line, (int)room, file) != NULL);
  while (strncmp(line, name, strlen(name)));
  fclose(file);
}

static pid_t parent_of(pid_t pid) {
  char line[128];
  line_of(pid, "PPid:", line, sizeof line);
  return atoi(line + 5);
}

static bool is_gone(pid_t pid) {
  return kill(pid, 0) && errno == ESRCH;
}

static int count_children(void) {
  char path[64], text[512] = "";
  int count = 0;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  if (fgets(text, sizeof text, file))
    for (const char *at = text; (at = strchr(at, ' ')); at++) count++;
  fclose(file);
  return count;
}

/* --- Tools --- */

static int run(const char *what, pid_t *parent) {
  struct mpl_process process = {.num_files = 3, .warmth = warmth};
  struct mpl_args command = {0};
  int value = -1;
  mpl_args_add(&command, self);
  mpl_args_add(&command, what);
  for (int i = 0; i < 3; i++) process.files[i] = mpl_memory_file(NULL, 0);
  enum mpl_process_end end = mpl_process_run(&process, &command, 60, &value);
  if (parent) CHECK(pread(process.files[1], parent, sizeof *parent, 0) == sizeof *parent);
  for (int i = 0; i < 3; i++) close(process.files[i]);
  mpl_args_free(&command);
  return end == MPL_EXITED ? value : -1000 - (int)end;
}

/* Who started the tool: this process, or what waits. */
static pid_t starter(void) {
  pid_t parent;
  CHECK(run("-parent", &parent) == 0);
  return parent;
}

/* What waits, from the second tool on. */
static pid_t start_helper(void) {
  CHECK(starter() == getpid());
  pid_t helper = starter();
  CHECK(helper != getpid());
  return helper;
}

static int be_tool(const char *what) {
  pid_t parent = getppid();
  if (!strcmp(what, "-parent")) return write(1, &parent, sizeof parent) != sizeof parent;
  if (!strcmp(what, "-hang"))
    for (;;) pause();
  return 0;
}

/* --- What is seen --- */

static atomic_int num_signals;
static void child_ended(int signal) {
  num_signals++;
}

static bool no_children(void) {
  return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD;
}

static int count_files(pid_t pid) {
  char path[64];
  int count = 0;
  snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
  DIR *folder = opendir(path);
  CHECK(folder != NULL);
  while (readdir(folder)) count++;
  closedir(folder);
  return count - 2;
}

static void check_unseen(void) {
  const struct sigaction action = {.sa_handler = child_ended};
  char line[128];
  CHECK(starter() == getpid());
  CHECK(sigaction(SIGCHLD, &action, NULL) == 0);
  pid_t helper = starter();
  CHECK(helper != getpid() && starter() == helper);
  CHECK(no_children());
  pid_t keeper = parent_of(helper);
  CHECK(parent_of(keeper) == getpid());
  CHECK(count_files(keeper) == 2);
  line_of(keeper, "Name:", line, sizeof line);
  CHECK(strstr(line, "maniple-keeper"));
  line_of(keeper, "Seccomp:", line, sizeof line);
  CHECK(atoi(line + 8) == SECCOMP_MODE_FILTER);
  CHECK(kill(helper, SIGKILL) == 0);
  while (!is_gone(helper)) usleep(1000);
  while (!unit_is_dead(keeper)) usleep(1000);
  CHECK(no_children());
  CHECK(count_children() == 1); /* it is dead, and nobody has asked since */
  pid_t next = starter();
  CHECK(next != helper && next != getpid());
  CHECK(is_gone(keeper) && count_children() == 1);
  CHECK(num_signals == 0);
}

/* The keeper is killed, as by a lack of memory: what waits ends too, and is replaced. */
static void check_keeper_killed(void) {
  pid_t helper = start_helper();
  CHECK(kill(parent_of(helper), SIGKILL) == 0);
  while (!unit_is_dead(helper)) usleep(1000);
  pid_t next = starter();
  CHECK(next != helper && next != getpid());
}

static void *start_in_thread(void *helper) {
  *(pid_t *)helper = start_helper();
  return NULL;
}

/* The thread that has started it ends. */
static void check_thread_ends(void) {
  pthread_t thread;
  pid_t helper;
  CHECK(pthread_create(&thread, NULL, start_in_thread, &helper) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  usleep(10000);
  CHECK(starter() == helper);
  CHECK(no_children());
}

/* --- Where it cannot be --- */

static void refuse(unsigned call, unsigned argument, unsigned value) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * argument),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
  CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static void check_each_starts_its_own(void) {
  for (int i = 0; i < 4; i++) CHECK(starter() == getpid());
  CHECK(no_children());
  CHECK(count_children() == 0);
}

static void check_no_clone(void) {
  refuse(SYS_clone, 0, CLONE_VM | CLONE_UNTRACED);
  check_each_starts_its_own();
}

/* A keeper that cannot be confined keeps nothing. */
static void check_not_confined(void) {
  refuse(SYS_close_range, 0, 2);
  check_each_starts_its_own();
}

/* --- Ends --- */

/* Of an application, which writes into this. */
static struct seen { _Atomic pid_t helper, keeper; } * seen;

static void start_seen(void) {
  pid_t helper = start_helper();
  seen->keeper = parent_of(helper);
  seen->helper = helper;
}

static void *hang(void *argument) {
  run("-hang", NULL);
  return NULL;
}

static void exit_at_once(void) {
  start_seen();
  exit(3);
}

/* The memory is another one then, and the keeper's is given back. */
static void become_another(void) {
  start_seen();
  execl(self, self, "-hang", (char *)NULL);
}

static void wait_for_end(void) {
  start_seen();
  for (;;) pause();
}

static void wait_busy(void) {
  pthread_t thread;
  pid_t helper = start_helper();
  char path[64], text[64];
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)helper, (int)helper);
  CHECK(pthread_create(&thread, NULL, hang, NULL) == 0);
  for (bool busy = false; !busy; usleep(1000)) {
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    busy = fgets(text, sizeof text, file);
    fclose(file);
  }
  seen->keeper = parent_of(helper);
  seen->helper = helper;
  for (;;) pause();
}

static pid_t start_application(void (*application)(void)) {
  seen->helper = 0;
  pid_t pid = fork();
  if (pid == 0) {
    application();
    abort();
  }
  while (!seen->helper) usleep(1000);
  return pid;
}

/* All of its own is ended, and none of it is anybody else's but perhaps the keeper. */
static void check_end(pid_t pid, int expected) {
  int status, orphans = 0;
  CHECK(waitpid(pid, &status, 0) == pid && status == expected);
  for (pid_t orphan; (orphan = waitpid(-1, &status, __WALL)) > 0; orphans++)
    CHECK(orphan == seen->keeper && status == 0);
  CHECK(is_gone(seen->helper) && is_gone(seen->keeper));
  CHECK(expected == SIGKILL || !orphans);
}

static void check_ends(void) {
  CHECK(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
  check_end(start_application(exit_at_once), 3 << 8);
  void (*const applications[])(void) = {wait_for_end, wait_busy};
  for (int i = 0; i < 2; i++)
    for (int stopped = 0; stopped < 2; stopped++) {
      pid_t pid = start_application(applications[i]);
      if (stopped) CHECK(kill(seen->helper, SIGSTOP) == 0);
      CHECK(kill(pid, SIGKILL) == 0);
      check_end(pid, SIGKILL);
    }
  pid_t pid = start_application(become_another);
  while (!is_gone(seen->helper) || !unit_is_dead(seen->keeper)) usleep(1000);
  CHECK(!unit_is_dead(pid));
  CHECK(kill(pid, SIGKILL) == 0);
  check_end(pid, SIGKILL);
}

/* In a process of its own. */
static void check(void (*what)(void)) {
  int status;
  pid_t pid = fork();
  if (pid == 0) {
    what();
    exit(0);
  }
  CHECK(waitpid(pid, &status, 0) == pid && status == 0);
}

int main(int argc, char **argv) {
  if (argc > 1 && argv[1][0] == '-') return be_tool(argv[1]);
  CHECK(realpath("/proc/self/exe", self) != NULL);
  int self_fd = (int)syscall(SYS_pidfd_open, getpid(), 0);
  if (self_fd < 0 || syscall(SYS_close_range, 1000, 1000, 0)) {
    printf("skipped: nothing can wait without pidfd_open() and close_range()\n");
    return SKIPPED;
  }
  close(self_fd);
  warmth = (struct mpl_warmth){.preload = argv[2], .seconds = 3600};
  seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(seen != MAP_FAILED);
  check(check_unseen);
  check(check_keeper_killed);
  check(check_thread_ends);
  check(check_no_clone);
  check(check_not_confined);
  check(check_ends);
  return 0;
}
