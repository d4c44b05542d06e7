/* A tool that waits (toolchain/process/warm.h) as the application sees it: this program again, told by its
 * first argument. */
#define _GNU_SOURCE /* memmem, SCHED_BATCH */
#include "toolchain/process/warm.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

enum { SKIPPED = 77, LONG = 64 << 10 };

/* What a process has from the application. */
struct seen {
  pid_t self, parent;
  unsigned mask, num_files;
  int policy;
  uint64_t most_files;
  char folder[PATH_MAX], variable[64];
};

/* --- In the process --- */

static unsigned count_files(void) {
  unsigned count = 0;
  DIR *folder = opendir("/proc/self/fd");
  if (!folder) return 0;
  while (readdir(folder)) count++;
  closedir(folder);
  return count - 3; /* . and .. and this folder */
}

static int look(void) {
  struct seen seen = {.self = getpid(), .parent = getppid(), .num_files = count_files()};
  struct rlimit limit;
  const char *variable = getenv("OF_THE_TEST");
  seen.mask = umask(0);
  seen.policy = sched_getscheduler(0);
  if (!getcwd(seen.folder, sizeof seen.folder) || getrlimit(RLIMIT_NOFILE, &limit)) return 1;
  seen.most_files = limit.rlim_cur;
  snprintf(seen.variable, sizeof seen.variable, "%s", variable ? variable : "");
  if (getenv("LD_PRELOAD") || getenv("LD_BIND_NOW")) return 2;
  return write(1, &seen, sizeof seen) == sizeof seen ? 0 : 1;
}

/* Whether the heap holds what an earlier request said; the word is made on the stack, in pieces. */
static int look_for_word(void) {
  char line[512], word[] = "-sEcret-of-an-earlier-request";
  unsigned long from = 0, to = 0;
  FILE *file = fopen("/proc/self/maps", "r");
  word[2] = 'e';
  while (file && fgets(line, sizeof line, file))
    if (strstr(line, "[heap]") && sscanf(line, "%lx-%lx", &from, &to) != 2) return 2;
  if (file) fclose(file);
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  if (!from) return 0; /* the heap is elsewhere, in terabytes of addresses */
#endif
#endif
  return from ? memmem((void *)from, to - from, word, strlen(word)) != NULL : 2;
}

static int be_child(const char *what) {
  if (!strcmp(what, "--version") || !strcmp(what, "-end")) return 0;
  if (!strcmp(what, "-word")) return look_for_word();
  if (!strcmp(what, "-look")) return look();
  if (!strcmp(what, "-crash")) abort();
  if (look()) return 1;
  for (;;) pause();
}

/* --- In the test --- */

static struct mpl_warmth warmth;
static char self[PATH_MAX];

static int run_tool(const char *tool, const char *what, unsigned seconds, struct seen *seen) {
  struct mpl_process process = {.num_files = 3, .warmth = warmth};
  struct mpl_args command = {0};
  int value = -1;
  mpl_args_add(&command, tool);
  if (what) mpl_args_add(&command, what);
  for (int i = 0; i < 3; i++) process.files[i] = mpl_memory_file(NULL, 0);
  enum mpl_process_end end = mpl_process_run(&process, &command, seconds, &value);
  if (seen) CHECK(pread(process.files[1], seen, sizeof *seen, 0) == (ssize_t)sizeof *seen);
  for (int i = 0; i < 3; i++) close(process.files[i]);
  mpl_args_free(&command);
  return end == MPL_EXITED ? value : end == MPL_KILLED ? -value : -1000 - (int)end;
}

/* With arguments behind it, of which the last one stands far behind all that others say. */
static int end_with_word(void) {
  struct mpl_process process = {.num_files = 3, .warmth = warmth};
  struct mpl_args command = {0};
  char *fill = malloc(LONG);
  int value = -1;
  CHECK(fill != NULL);
  memset(fill, 'x', LONG - 1);
  fill[LONG - 1] = 0;
  mpl_args_add(&command, self);
  mpl_args_add(&command, "-end");
  mpl_args_add(&command, fill);
  mpl_args_add(&command, "-secret-of-an-earlier-request");
  for (int i = 0; i < 3; i++) process.files[i] = mpl_memory_file(NULL, 0);
  CHECK(mpl_process_run(&process, &command, 60, &value) == MPL_EXITED);
  for (int i = 0; i < 3; i++) close(process.files[i]);
  mpl_args_free(&command);
  free(fill);
  return value;
}

static struct seen look_from(void) {
  struct seen seen;
  CHECK(run_tool(self, "-look", 60, &seen) == 0);
  CHECK(seen.num_files == 3);
  return seen;
}

static void wait_until_dead(pid_t pid) {
  while (!unit_is_dead(pid)) usleep(1000);
}

static atomic_int num_ended;
static void child_ended(int signal) {
  num_ended++;
}

static bool no_children(void) {
  return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD;
}

/* No child of the application's, no signal; the one that is there is asked again. */
static void check_unseen(void) {
  struct sigaction action = {.sa_handler = child_ended}, before;
  CHECK(look_from().parent == getpid()); /* the first process starts nothing that stays */
  pid_t parent = look_from().parent;
  CHECK(parent != getpid());
  CHECK(no_children());
  CHECK(sigaction(SIGCHLD, &action, &before) == 0);
  for (int i = 0; i < 5; i++) CHECK(look_from().parent == parent);
  CHECK(num_ended == 0);
  CHECK(no_children());
  CHECK(sigaction(SIGCHLD, &before, NULL) == 0);
}

static void check_changes(void) {
  char here[PATH_MAX];
  CHECK(getcwd(here, sizeof here) != NULL);
  CHECK(chdir("/usr") == 0);
  CHECK(!strcmp(look_from().folder, "/usr"));
  CHECK(chdir(here) == 0);
  CHECK(!strcmp(look_from().folder, here));
  setenv("OF_THE_TEST", "one", 1);
  CHECK(!strcmp(look_from().variable, "one"));
  setenv("OF_THE_TEST", "two", 1);
  CHECK(!strcmp(look_from().variable, "two"));
  unsetenv("OF_THE_TEST");
  mode_t mask = umask(0137);
  CHECK(look_from().mask == 0137);
  umask(mask);
  CHECK(look_from().mask == mask);
  struct rlimit limit, less;
  CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  less = limit;
  less.rlim_cur -= 100;
  CHECK(setrlimit(RLIMIT_NOFILE, &less) == 0);
  CHECK(look_from().most_files == less.rlim_cur);
  CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  CHECK(look_from().most_files == limit.rlim_cur);
  const struct sched_param none = {0};
  CHECK(sched_setscheduler(0, SCHED_BATCH, &none) == 0);
  CHECK(look_from().policy == SCHED_BATCH);
  CHECK(sched_setscheduler(0, SCHED_OTHER, &none) == 0);
  CHECK(look_from().policy == SCHED_OTHER);
}

/* No more folders made, by Landlock, of which /proc says nothing; whether the kernel has it. */
static bool give_up_folders(void) {
  uint64_t handled = 1 << 7; /* LANDLOCK_ACCESS_FS_MAKE_DIR */
  int rules = (int)syscall(444 /* landlock_create_ruleset */, &handled, sizeof handled, 0);
  if (rules < 0) return false;
  CHECK(syscall(446 /* landlock_restrict_self */, rules, 0) == 0);
  close(rules);
  return true;
}

/* Rights that are given up are given up for what waits too. */
static void check_rights(void) {
  pid_t pid = fork();
  if (pid == 0) {
    pid_t first = look_from().parent;
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    pid_t second = look_from().parent;
    CHECK(second != first && second != getpid());
    CHECK(look_from().parent == second);
    if (give_up_folders()) {
      pid_t third = look_from().parent;
      CHECK(third != second && third != getpid());
      CHECK(look_from().parent == third);
    }
    _exit(0);
  }
  int status;
  CHECK(waitpid(pid, &status, 0) == pid && status == 0);
}

/* A thread without new privileges may have rules that another one has not. */
static void *ask_from_thread(void *parent) {
  *(pid_t *)parent = look_from().parent;
  return NULL;
}

static void check_thread_rights(void) {
  pid_t pid = fork();
  if (pid == 0) {
    pthread_t thread;
    pid_t own, other;
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    own = look_from().parent;
    CHECK(own != getpid());
    CHECK(pthread_create(&thread, NULL, ask_from_thread, &other) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(other != own);
    _exit(0);
  }
  int status;
  CHECK(waitpid(pid, &status, 0) == pid && status == 0);
}

/* What waits is in nobody's way, and forks know nothing of each other's requests. */
static void check_apart(void) {
  char path[64], folder[PATH_MAX] = "";
  snprintf(path, sizeof path, "/proc/%d/cwd", (int)look_from().parent);
  CHECK(readlink(path, folder, sizeof folder - 1) > 0);
  CHECK(!strcmp(folder, "/"));
  CHECK(end_with_word() == 0);
  CHECK(run_tool(self, "-word", 60, NULL) == 0);
}

/* One that takes nothing is ended after the build's own time, and the tool is started. */
static void check_stopped(void) {
  pid_t parent = look_from().parent;
  CHECK(parent != getpid());
  CHECK(kill(parent, SIGSTOP) == 0);
  CHECK(run_tool(self, "-end", 1, NULL) == 0);
  wait_until_dead(parent);
  CHECK(look_from().parent != parent);
}

static void *hang(void *result) {
  *(int *)result = run_tool(self, "-hang", 600, NULL);
  return NULL;
}

/* 0: it has none. */
static pid_t child_of(pid_t pid) {
  char path[64], text[64] = "";
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  bool read = fgets(text, sizeof text, file);
  fclose(file);
  return read ? atoi(text) : 0;
}

static void kill_busy(pid_t pid) {
  pid_t child;
  while (!(child = child_of(pid))) usleep(1000);
  CHECK(kill(pid, SIGKILL) == 0);
  wait_until_dead(child);
}

static void check_killed(void) {
  pthread_t thread;
  int result = 0;
  pid_t parent = look_from().parent;
  CHECK(pthread_create(&thread, NULL, hang, &result) == 0);
  kill_busy(parent);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(result == -SIGKILL);
  pid_t next = look_from().parent;
  CHECK(next != parent && next != getpid());
  CHECK(kill(next, SIGKILL) == 0);
  wait_until_dead(next);
  CHECK(look_from().parent != next);
  CHECK(no_children());
}

static void check_ends(void) {
  CHECK(run_tool(self, "-crash", 60, NULL) == -SIGABRT);
  pid_t parent = look_from().parent;
  CHECK(run_tool(self, "-hang", 1, NULL) == -1000 - MPL_TIMED_OUT);
  CHECK(child_of(parent) == 0);
  CHECK(look_from().parent == parent);
}

/* A fork has its own; and what waits ends with the application, with what it has begun. */
static void check_fork(void) {
  pid_t parent = look_from().parent, others;
  int ends[2], status;
  CHECK(pipe(ends) == 0);
  pid_t pid = fork();
  if (pid == 0) {
    others = look_from().parent;
    CHECK(others != parent && others != getpid());
    CHECK(write(ends[1], &others, sizeof others) == sizeof others);
    run_tool(self, "-hang", 600, NULL);
    _exit(0);
  }
  CHECK(read(ends[0], &others, sizeof others) == sizeof others);
  CHECK(look_from().parent == parent);
  CHECK(kill(pid, SIGKILL) == 0);
  CHECK(waitpid(pid, &status, 0) == pid);
  wait_until_dead(others);
  CHECK(look_from().parent == parent);
  close(ends[0]);
  close(ends[1]);
}

/* A program that closes what it does not know, and opens files of its own. */
static void check_closed_files(void) {
  int files[16];
  CHECK(look_from().parent != getpid());
  for (int i = 3; i < 200; i++) close(i);
  for (int i = 0; i < 16; i++) CHECK((files[i] = open("/dev/null", O_WRONLY)) >= 0);
  CHECK(look_from().parent != getpid());
  for (int i = 0; i < 16; i++) CHECK(close(files[i]) == 0);
}

static void *use(void *argument) {
  for (int i = 0; i < 10; i++) look_from();
  return NULL;
}

static void check_threads(void) {
  pthread_t threads[8];
  for (int i = 0; i < 8; i++) CHECK(pthread_create(&threads[i], NULL, use, NULL) == 0);
  for (int i = 0; i < 8; i++) CHECK(pthread_join(threads[i], NULL) == 0);
  CHECK(no_children());
}

/* Tools that cannot wait are started each time: a script is another program. */
static void check_script(void) {
  char path[] = "/tmp/maniple-warm-XXXXXX";
  static const char script[] = "#!/bin/sh\nexit 7\n";
  int file = mkstemp(path);
  CHECK(file >= 0 && write(file, script, sizeof script - 1) == (ssize_t)sizeof script - 1);
  CHECK(fchmod(file, 0700) == 0 && close(file) == 0);
  for (int i = 0; i < 3; i++) CHECK(run_tool(path, NULL, 60, NULL) == 7);
  unlink(path);
  for (int i = 0; i < 3; i++) CHECK(run_tool("/bin/true", NULL, 60, NULL) == 0);
}

/* Where each request needs another one, none is started in the end. */
static void check_in_vain(void) {
  char value[16];
  pid_t parent = 0;
  for (int i = 0; i < 100 && parent != getpid(); i++) {
    snprintf(value, sizeof value, "%d", i);
    setenv("OF_THE_TEST", value, 1);
    parent = look_from().parent;
  }
  CHECK(parent == getpid());
  for (int i = 0; i < 3; i++) CHECK(look_from().parent == getpid());
}

static void copy(const char *from, const char *to) {
  size_t size;
  void *bytes = unit_read(from, &size);
  FILE *file = fopen(to, "wb");
  CHECK(file && fwrite(bytes, 1, size, file) == size && !fclose(file));
  free(bytes);
}

/* A library that goes, as with an upgrade: none that waits is started in the end. */
static void check_library_gone(void) {
  char folder[] = "/tmp/maniple-warm-XXXXXX", tool[64], library[64], real[PATH_MAX];
  const struct mpl_warmth before = warmth;
  CHECK(mkdtemp(folder) != NULL);
  snprintf(tool, sizeof tool, "%s/tool", folder);
  snprintf(library, sizeof library, "%s/warm.so", folder);
  strcpy(real, self);
  CHECK(symlink(real, tool) == 0);
  copy(before.preload, library);
  strcpy(self, tool);
  warmth.preload = library;
  for (int i = 0; i < 3; i++) look_from();
  pid_t parent = look_from().parent;
  CHECK(parent != getpid());
  CHECK(unlink(library) == 0);
  CHECK(kill(parent, SIGKILL) == 0);
  wait_until_dead(parent);
  for (int i = 0; i < 40; i++) CHECK(look_from().parent == getpid());
  copy(before.preload, library);
  for (int i = 0; i < 3; i++) CHECK(look_from().parent == getpid());
  unlink(library);
  unlink(tool);
  rmdir(folder);
  strcpy(self, real);
  warmth = before;
}

static void check_idle(void) {
  warmth.seconds = 1;
  CHECK(chdir("/") == 0);
  setenv("OF_THE_TEST", "idle", 1); /* another one, that waits for a second only */
  pid_t parent = look_from().parent;
  CHECK(parent != getpid());
  wait_until_dead(parent);
  CHECK(no_children());
  CHECK(look_from().parent != parent);
}

int main(int argc, char **argv) {
  if (argc > 1 && argv[1][0] == '-') return be_child(argv[1]);
  CHECK(realpath("/proc/self/exe", self) != NULL);
  warmth = (struct mpl_warmth){.preload = argv[2], .seconds = 3600};
  if (argc > 3) { /* with or without one that waits */
    check_script();
    check_threads();
    return 0;
  }
  int self_fd = (int)syscall(SYS_pidfd_open, getpid(), 0);
  if (self_fd < 0) {
    printf("skipped: nothing can wait without pidfd_open()\n");
    return SKIPPED;
  }
  close(self_fd);
  check_unseen();
  check_changes();
  check_rights();
  check_thread_rights();
  check_apart();
  check_ends();
  check_stopped();
  check_killed();
  check_fork();
  check_closed_files();
  check_library_gone();
  check_idle();
  check_in_vain();
  return 0;
}
