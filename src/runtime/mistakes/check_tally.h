/* The file by which `maniple check` learns of the processes that it has started: a process that
 * dies, or never launches a kernel, cannot report that itself. */
#ifndef MPL_RUNTIME_CHECK_TALLY_H
#define MPL_RUNTIME_CHECK_TALLY_H

#include <stdatomic.h>
#include <stdint.h>

enum { MPL_TALLY_NAME = 64 };

struct mpl_tally {
  _Atomic uint64_t launches, items, mistakes;
  _Atomic uint32_t running; /* processes that have launched a kernel and not reported their end */
  char kernel[MPL_TALLY_NAME]; /* of the last launch; only for a message */
};

/* Exit statuses in place of 0: mistakes were found; nothing was launched. */
enum { MPL_EXIT_MISTAKES = 3, MPL_EXIT_NOTHING = 2 };

#endif
