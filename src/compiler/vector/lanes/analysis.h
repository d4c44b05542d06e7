/* How an analysis is made (shapes.c): what its parts change while it is. */
#ifndef MPL_COMPILER_LANES_ANALYSIS_H
#define MPL_COMPILER_LANES_ANALYSIS_H

#include "forms.h"
#include "lanes.h"

/* --- divergence.c --- */

/* Lanes part at the end of `block`. */
void mpl_part_at(struct mpl_lanes *, unsigned block);
/* A loop that only some lanes enter is masked, and all of it diverged. */
void mpl_spread_to_loops(struct mpl_lanes *);

/* --- divergent_regions.c --- */

/* True if more blocks had to become diverged. */
bool mpl_parts_find(struct mpl_lanes *);

/* --- loop_exits.c --- */

/* Of all inner loops, as shapes are known in the end. */
void mpl_exits_find(struct mpl_lanes *);

/* --- bounds.c --- */

/* The shape of a value that varies where it is taken not to be clamped, and tested; false: it is
 * not. */
bool mpl_guess_bound(struct mpl_lanes *, LLVMValueRef value, unsigned block, struct mpl_shape *);
/* The same of the order of two numbers that grow by one stride: they are taken not to wrap. */
bool mpl_guess_order(struct mpl_lanes *, LLVMValueRef compares, int64_t stride);

/* --- private_arrays.c --- */

/* Notes the private arrays that a loop uses. */
void mpl_arrays_find(struct mpl_item_loop *);
/* Of shapes as they are known: does an array lose its one copy for all lanes? */
bool mpl_arrays_part(struct mpl_lanes *, unsigned block);

/* --- interleave_groups.c --- */

void mpl_fields_find(struct mpl_lanes *);
void mpl_fields_free(struct mpl_lanes *);

#endif
