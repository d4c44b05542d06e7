#include "watch.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/clock.h"

#define SECOND UINT64_C(1000000000)

/* How often the clock of its processor is read while a process may only wait: what it used since the
 * last time may have been long ago. */
enum { LOOKS = 8 };

static uint64_t processor_time(pid_t pid) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &time)) return 0;
  return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

struct mpl_watch mpl_watch_begin(pid_t pid, const struct mpl_limits *limits, const int *files,
                                 unsigned clock_seconds) {
  uint64_t now = mpl_clock();
  return (struct mpl_watch){
      .pid = pid,
      .reads_until = limits->reading ? files[limits->reads_until] : -1,
      .seconds = limits->seconds * SECOND,
      .reading = limits->reading * SECOND,
      .end = clock_seconds ? now + clock_seconds * SECOND : 0,
      .moved = now,
  };
}

static bool is_reading(const struct mpl_watch *watch) {
  struct stat file;
  return watch->reading && !fstat(watch->reads_until, &file) && !file.st_size;
}

/* Sleeps, and not for a child, as a script that stands for a compiler does. */
static bool waits(pid_t pid) {
  char path[64], text[512] = "";
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  FILE *file = fopen(path, "re");
  if (!file) return false;
  size_t size = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[size] = 0;
  const char *state = strrchr(text, ')'); /* behind the name, which may have any characters */
  if (!state || strncmp(state, ") S", 3)) return false;
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
  file = fopen(path, "re");
  if (!file) return false;
  bool alone = fgetc(file) == EOF;
  fclose(file);
  return alone;
}

enum mpl_time_limit mpl_watch_look(struct mpl_watch *watch, uint64_t now) {
  uint64_t used = processor_time(watch->pid);
  if (used > watch->used) watch->moved = now;
  watch->used = used;
  if (watch->seconds && used >= watch->seconds) return MPL_OVER_SECONDS;
  if (watch->end && now >= watch->end) return MPL_OVER_CLOCK;
  if (!is_reading(watch)) {
    watch->reading = 0;
    return MPL_IN_TIME;
  }
  if (used >= watch->reading) return MPL_OVER_READING;
  if (now < watch->moved + watch->reading) return MPL_IN_TIME;
  if (waits(watch->pid)) return MPL_OVER_WAITING;
  watch->moved = now; /* for a disk, or for a processor */
  return MPL_IN_TIME;
}

static uint64_t earlier(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

uint64_t mpl_watch_next(const struct mpl_watch *watch, uint64_t now) {
  uint64_t next = watch->end ? watch->end : UINT64_MAX;
  if (watch->seconds > watch->used) next = earlier(next, now + watch->seconds - watch->used);
  if (watch->reading > watch->used) next = earlier(next, now + watch->reading - watch->used);
  if (watch->reading) next = earlier(next, watch->moved + watch->reading);
  if (watch->reading) next = earlier(next, now + watch->reading / LOOKS);
  return next;
}
