/* The state of a process that its children inherit. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "toolchain/hash.h"
#include "warm.h"

_Static_assert(sizeof((struct mpl_process_state *)0)->digest == MPL_HASH_SIZE, "");

/* -1 with EFBIG: there may be more than there is room for. */
static ssize_t read_file(const char *path, char *text, size_t room) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t size;
  do size = read(fd, text, room - 1);
  while (size < 0 && errno == EINTR);
  close(fd);
  if (size == (ssize_t)room - 1) {
    errno = EFBIG;
    return -1;
  }
  if (size >= 0) text[size] = 0;
  return size;
}

/* Rights, and the mask of new files' permissions. */
static bool is_inherited(const char *line) {
  static const char *const names[] = {
      "Umask:", "Uid:", "Gid:", "Groups:", "Cap", "NoNewPrivs:", "Seccomp"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strncmp(line, names[i], strlen(names[i]))) return true;
  return false;
}

static bool line_is_set(const char *line, const char *name) {
  size_t length = strlen(name);
  return !strncmp(line, name, length) && strtoul(line + length, NULL, 10);
}

/* Under Landlock or seccomp a thread may have rules of its own, of which nothing here tells: what
 * one of its threads has started is for that one only. */
static bool add_status(struct mpl_hasher *hasher) {
  char text[8192];
  pid_t thread = 0;
  if (read_file("/proc/thread-self/status", text, sizeof text) <= 0) return false;
  for (char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (is_inherited(line)) mpl_hash_add_item(hasher, line, strcspn(line, "\n"));
    if (line_is_set(line, "NoNewPrivs:") || line_is_set(line, "Seccomp:"))
      thread = (pid_t)syscall(SYS_gettid);
  }
  mpl_hash_add(hasher, &thread, sizeof thread);
  return true;
}

/* The scheduler's settings of this thread. */
static void add_priorities(struct mpl_hasher *hasher) {
  struct sched_param parameters = {0};
  int values[4] = {getpriority(PRIO_PROCESS, 0), sched_getscheduler(0)};
  if (!sched_getparam(0, &parameters)) values[2] = parameters.sched_priority;
  values[3] = (int)syscall(SYS_ioprio_get, 1 /* IOPRIO_WHO_PROCESS */, 0);
  mpl_hash_add(hasher, values, sizeof values);
}

/* Name spaces besides those that mpl_process_state_shared compares; old kernels lack some. */
static void add_name_spaces(struct mpl_hasher *hasher) {
  static const char *const spaces[] = {"uts", "ipc", "time_for_children", "cgroup"};
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
    char path[64], text[64];
    snprintf(path, sizeof path, "/proc/thread-self/ns/%s", spaces[i]);
    ssize_t size = readlink(path, text, sizeof text);
    mpl_hash_add_item(hasher, text, size > 0 ? (size_t)size : 0);
  }
}

bool mpl_process_state_read(char *const *environment, struct mpl_process_state *state) {
  struct mpl_hasher hasher;
  struct stat root;
  char cgroup[4096];
  mpl_hash_begin(&hasher);
  for (size_t i = 0; environment[i]; i++)
    mpl_hash_add_item(&hasher, environment[i], strlen(environment[i]));
  if (!add_status(&hasher) || stat("/", &root)) return false;
  uint64_t place[] = {root.st_dev, root.st_ino};
  mpl_hash_add(&hasher, place, sizeof place);
  ssize_t size = read_file("/proc/thread-self/cgroup", cgroup, sizeof cgroup);
  if (size < 0 && errno == EFBIG) return false;
  if (size > 0) mpl_hash_add_item(&hasher, cgroup, (size_t)size);
  for (int i = 0; i < RLIM_NLIMITS; i++) {
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)i, &limit)) continue;
    uint64_t values[] = {(uint64_t)i, limit.rlim_cur, limit.rlim_max};
    mpl_hash_add(&hasher, values, sizeof values);
  }
  add_priorities(&hasher);
  add_name_spaces(&hasher);
  mpl_hash_end(&hasher, state->digest);
  return true;
}

/* The kernel shows a process's name spaces to those only who might trace it: that is asked of
 * users, capabilities, Landlock's domains and other modules' rules. */
bool mpl_process_state_shared(int pid) {
  static const char *const spaces[] = {"mnt", "user", "net", "pid"};
  char path[64], own[64], other[64];
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
    bool is_pid = !strcmp(spaces[i], "pid");
    snprintf(path, sizeof path, "/proc/thread-self/ns/%s%s", spaces[i],
             is_pid ? "_for_children" : "");
    ssize_t own_size = readlink(path, own, sizeof own);
    snprintf(path, sizeof path, "/proc/%d/ns/%s", pid, spaces[i]);
    ssize_t other_size = readlink(path, other, sizeof other);
    if (own_size <= 0 || own_size != other_size || memcmp(own, other, (size_t)own_size))
      return false;
  }
  return true;
}
