/* The reason why work-items have missed one another: the branch that they left by different sides.
 */
#ifndef MPL_CHECK_EXPLAIN_BRANCH_H
#define MPL_CHECK_EXPLAIN_BRANCH_H

#include "check/engine/engine.h"

/* Adds a note on the first branch at which those of the unit who are at the meeting did something
 * that none of the others did.  OpenCL kernels only; without one, nothing. */
void mpl_note_split(struct mpl_report *, const struct mpl_run *, const struct mpl_meeting *);

#endif
