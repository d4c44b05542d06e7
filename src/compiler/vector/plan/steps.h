/* How values grow from one iteration of an inner loop to the next, and what that says of the loop.
 */
#ifndef MPL_COMPILER_STEPS_H
#define MPL_COMPILER_STEPS_H

#include "compiler/vector/lanes/forms.h"

struct mpl_steps {
  const struct mpl_lanes *lanes;
  int loop;          /* that they are asked for, while they are looked for */
  struct mpl_map of; /* (value, 1 + loop) */
};
/* Bytes: places so far apart share a set of the first cache, and look alike to it. */
enum { MPL_ALIAS = 4096 };
/* Of addresses in bytes, or MPL_ANY_STEP. */
#define MPL_ANY_STEP INT64_MIN
int64_t mpl_step_of(struct mpl_steps *, LLVMValueRef value, int loop);
void mpl_steps_free(struct mpl_steps *);

/* Do lanes walk there, each through memory of its own? */
bool mpl_walks(struct mpl_steps *, const struct mpl_lane_access *);
/* Does one work-item alone come to another line of the cache in each iteration? */
bool mpl_leaps(struct mpl_steps *, const struct mpl_lane_access *);
/* Lanes leave the loop at quite different iterations. */
bool mpl_is_ragged(const struct mpl_lanes *, int loop);
/* The loop is all one block, and LLVM's vectoriser takes it if one work-item is alone. */
bool mpl_is_simple(struct mpl_steps *, int loop);
/* How often the loop goes round if it counts from one constant to another, or a little more; 0: it
 * does not. */
uint64_t mpl_trip_count(const struct mpl_item_loop *, const struct mpl_inner_loop *);
/* What one iteration hands on to the next through memory: loads and stores of the loop, without
 * those inside (memory_recurrence.c). */
void mpl_find_handed(struct mpl_steps *, int loop, struct mpl_map *handed);

/* Each lane walks along a row of its own, and these are as far apart from lane to lane. */
bool mpl_walks_rows(struct mpl_steps *, const struct mpl_lane_access *);
/* Rows that a loop's lanes walk along at the same time, each along its own ones, if these are as
 * far apart from lane to lane; of the loops that are nested deepest, the one that has most. */
unsigned mpl_count_rows(struct mpl_steps *);

#endif
