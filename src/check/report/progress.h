/* `maniple check` on a terminal: the progress of a long launch (MANIPLE_CHECK_PROGRESS). */
#ifndef MPL_CHECK_PROGRESS_H
#define MPL_CHECK_PROGRESS_H

#include <stdint.h>

/* A work-group has ended, as the `done`-th of so many.  At most a few lines a second, each in place
 * of the one before.  Any thread may call it. */
void mpl_check_progress(const char *kernel, uint64_t done, uint64_t groups);
/* Before anything else is printed, and when the launch has ended. */
void mpl_check_progress_clear(void);

#endif
