/* What is decided of a copy's control flow beside what its analysis says of lanes. */
#ifndef MPL_COMPILER_PLAN_FLOW_H
#define MPL_COMPILER_PLAN_FLOW_H

#include "compiler/vector/lanes/lanes.h"

struct mpl_flow_plan {
  /* Per block: where no lane is there a branch passes it by, since it takes long, or since that is mostly so. */
  enum mpl_pass { MPL_PASS_NEVER, MPL_PASS_LONG, MPL_PASS_RARE } *pass;
  bool *full_turns;      /* per inner loop: it has no mask as long as all lanes are in it */
  struct mpl_map chosen; /* calls of a sub-group: a branch chooses what lanes vote for -> 1 */
};
/* `whole`: no lanes are missing. */
void mpl_plan_flow(struct mpl_flow_plan *, const struct mpl_lanes *, bool whole);
void mpl_flow_plan_free(struct mpl_flow_plan *);

#endif
