/* Which values and branches are the same for all work-items of the unit, and which vary.  The unit
 * is the work-group; in a kernel that calls sub-group functions it is the sub-group.
 *
 * Uniform: constants, arguments, sizes and group ids, results of reduce, broadcast, all and any,
 * what is computed from uniform values only, and what is loaded from a uniform address of shared
 * memory.  The last is right because a program in which work-items would see different values there
 * has a data race (OpenCL C 3.0, 6.6; memory model of the API specification, 3.3.4). */
#ifndef MPL_COMPILER_UNIFORMITY_H
#define MPL_COMPILER_UNIFORMITY_H

#include "cfg.h"

struct mpl_uniformity {
  struct mpl_cfg *cfg;
  struct mpl_map varying;  /* value -> 1 */
  bool *diverged;          /* per block: between a varying branch and where its sides meet again */
  bool *influenced;        /* the same, and the block where they meet */
  bool *varying_branch;    /* per block: it ends in one */
};

void mpl_uniformity_find(struct mpl_uniformity *, struct mpl_cfg *, LLVMValueRef function);
void mpl_uniformity_free(struct mpl_uniformity *);

static inline bool mpl_is_varying(struct mpl_uniformity *u, LLVMValueRef value) {
  return mpl_map_has(&u->varying, value);
}

#endif
