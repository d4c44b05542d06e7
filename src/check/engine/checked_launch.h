/* Launches on the checking engine: the choice, and what a launch needs in addition. */
#ifndef MPL_CHECK_LAUNCH_H
#define MPL_CHECK_LAUNCH_H

#include "engine.h"
#include "runtime/options.h"

/* MANIPLE_CHECK: compiled kernels run on the checking engine too. */
static inline bool mpl_check_wanted(void) {
  return mpl_option_number(MPL_OPTION_CHECK) != 0;
}

/* Before and after the device has run it.  The second returns what the launch ends with: 0, its
 * error, or -59 if a group could not be run to its end because of a mistake (only without
 * MANIPLE_CHECK, under which the program goes on). */
void mpl_check_launch_begin(struct mpl_check_launch *);
int mpl_check_launch_end(struct mpl_check_launch *, int error);

#endif
