/* A watch over the work-groups that run on the checking engine.  It stops a group without progress
 * after MANIPLE_CHECK_TIMEOUT seconds, in which its work-items only yield to one another, and a
 * group of which a work-item does not come back after six times as many seconds of processor time.
 *
 * Progress is that a work-item begins or ends or that a meeting is complete, in this or in another
 * group of the launch.  A work-item that spins where the engine knows of it (mpl_item_yield) sees
 * run->overdue itself; one that does not come back is taken from its thread by a signal. */
#ifndef MPL_CHECK_WATCHDOG_H
#define MPL_CHECK_WATCHDOG_H

#include "engine.h"

/* Around a group, by the thread that runs it. */
void mpl_watchdog_begin(struct mpl_run *);
void mpl_watchdog_end(struct mpl_run *);

/* A launch of a filter is watched as one group, whose threads take turns: each says that it is its
 * turn.  Time is what passes, and the signal ends in mpl_filter_fault. */
void mpl_watchdog_begin_filter(struct mpl_run *);
void mpl_watchdog_turn(struct mpl_run *);

void mpl_watchdog_after_fork(void);

#endif
