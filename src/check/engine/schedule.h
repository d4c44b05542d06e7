/* The order in which a group's work-items run: MANIPLE_CHECK_SCHEDULE. */
#ifndef MPL_CHECK_SCHEDULE_H
#define MPL_CHECK_SCHEDULE_H

#include "engine.h"

/* Sets run->order for a new group; false if there is no memory. */
bool mpl_schedule_order(struct mpl_run *);

/* Whether a work-item that has not begun should, although others could go on. */
bool mpl_schedule_prefers_start(struct mpl_run *);

/* The order of work-items that may go on after a meeting. */
void mpl_schedule_shuffle(struct mpl_run *, struct mpl_item **first, struct mpl_item **last);

#endif
