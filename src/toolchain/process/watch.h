/* The time limits of a running process.  The thread that waits for it checks them, so that the
 * process is ended without a signal that it might see, and the reason is known. */
#ifndef MPL_TOOLCHAIN_WATCH_H
#define MPL_TOOLCHAIN_WATCH_H

#include <stdint.h>
#include <sys/types.h>

#include "confine.h"

enum mpl_time_limit {
  MPL_IN_TIME,
  MPL_OVER_SECONDS, /* of the processor */
  MPL_OVER_READING, /* of these, before its input was read */
  MPL_OVER_WAITING, /* has not read it yet, and waits for somebody */
  MPL_OVER_CLOCK,
};

struct mpl_watch {
  pid_t pid;
  int reads_until;                /* a file that gets contents when the input is read, or -1 */
  uint64_t seconds, reading, end; /* nanoseconds; 0: no limit; `end` of mpl_clock */
  uint64_t used, moved;           /* of the processor; when that grew */
};

/* Begins to watch a process that has just been started. */
struct mpl_watch mpl_watch_begin(pid_t, const struct mpl_limits *, const int *files,
                                 unsigned clock_seconds);
enum mpl_time_limit mpl_watch_look(struct mpl_watch *, uint64_t now);
/* After a look: the earliest time at which a limit may be exceeded; UINT64_MAX: never. */
uint64_t mpl_watch_next(const struct mpl_watch *, uint64_t now);

#endif
