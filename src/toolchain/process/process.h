/* Runs one program with files in memory as its input and output.
 *
 * No pipes: a memory file neither blocks nor raises SIGPIPE, and nobody has to read along.  The
 * child gets default signals, a mask of SIGXFSZ alone, a clean environment, none of our descriptors
 * but those listed, and a process group of its own, all of which ends with it. */
#ifndef MPL_TOOLCHAIN_PROCESS_H
#define MPL_TOOLCHAIN_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "confine.h"
#include "toolchain/arguments.h"

enum { MPL_PROCESS_FILES = 64 };

/* How a tool may wait for requests (warm.h). */
struct mpl_warmth {
  const char *preload; /* src/warm's library; "": it may not */
  const char *library; /* what the tool will load, or null */
  uint64_t seconds;    /* that it waits; 0: not at all */
};

struct mpl_process {
  int files[MPL_PROCESS_FILES]; /* become descriptors 0, 1, 2 ... of the child */
  int num_files;
  const char *const *variables; /* more of NAME=value for its environment, null behind the last; of
                                 * maniple's options it has no others */
  struct mpl_limits limits;
  struct mpl_warmth warmth;
};

enum mpl_process_end { MPL_EXITED, MPL_KILLED, MPL_TIMED_OUT, MPL_NOT_STARTED, MPL_END_UNKNOWN };

/* A file without a name, empty or with `data`; -1 with errno if there is no room. */
int mpl_memory_file(const void *data, size_t size);

/* All of a file, with a 0 after it; malloc'd, null if out of memory. */
void *mpl_file_contents(int fd, size_t *size);

/* Runs argv[0] to its end, or until it has taken that many seconds of the clock (0: any).  *value
 * is the exit status, the signal, errno, or for MPL_TIMED_OUT an enum mpl_time_limit.
 * MPL_END_UNKNOWN: the application ignores SIGCHLD, so that the kernel forgets children, or has
 * waited for ours. */
enum mpl_process_end mpl_process_run(const struct mpl_process *, const struct mpl_args *argv,
                                     unsigned timeout_seconds, int *value);

/* The environment of a process: this one's without variables that change results, and `variables`
 * (null, or with a null behind the last).  The list is malloc'd, its strings are not; null if out
 * of memory. */
char **mpl_process_environment(const char *const *variables);

#endif
