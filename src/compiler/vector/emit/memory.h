/* Loads and stores of all lanes of a chunk. */
#ifndef MPL_COMPILER_EMIT_MEMORY_H
#define MPL_COMPILER_EMIT_MEMORY_H

#include "emit.h"

void mpl_widen_load(struct mpl_emit *, LLVMValueRef load);
void mpl_widen_store(struct mpl_emit *, LLVMValueRef store);
void mpl_widen_prefetch(struct mpl_emit *, LLVMValueRef prefetch);

/* From one place for all lanes, or side by side from there on. */
LLVMValueRef mpl_load_at(struct mpl_emit *, LLVMValueRef load, LLVMValueRef at, bool uniform);
/* The same with `stride` bytes from lane to lane: as many as an element has, up or down, or none.
 */
LLVMValueRef mpl_load_along(struct mpl_emit *, LLVMValueRef load, LLVMValueRef at, int stride);
void mpl_store_along(struct mpl_emit *, LLVMValueRef store, LLVMValueRef value, LLVMValueRef at,
                     int stride);

LLVMValueRef mpl_some_lane(struct mpl_emit *); /* that is there; if none is, any */
LLVMValueRef mpl_nowhere(struct mpl_emit *, LLVMTypeRef pointer); /* what no lane accesses */
/* Where an access of one place for all lanes goes when there may be none. */
LLVMValueRef mpl_safe_place(struct mpl_emit *, LLVMValueRef pointer);
LLVMValueRef mpl_gather(struct mpl_emit *, LLVMTypeRef, LLVMValueRef places, unsigned align);
void mpl_scatter(struct mpl_emit *, LLVMValueRef, LLVMValueRef places, unsigned align);
/* What each lane stores from its place on: units of one type, one behind the other. */
struct mpl_scattered {
  LLVMValueRef units[2]; /* of all lanes each */
  unsigned count;
  LLVMValueRef places;
  unsigned align;
};
void mpl_scatter_row(struct mpl_emit *, const struct mpl_scattered *);
void mpl_scatter_in_turn(struct mpl_emit *, const struct mpl_scattered *); /* scalarize.c */
/* Where a unit is, if the first is there, for a lane or for all; and what it is aligned to. */
LLVMValueRef mpl_unit_place(struct mpl_emit *, const struct mpl_scattered *, LLVMValueRef first,
                            unsigned unit);
unsigned mpl_unit_align(struct mpl_emit *, const struct mpl_scattered *, unsigned unit);
LLVMValueRef mpl_masked_load(struct mpl_emit *, LLVMTypeRef, LLVMValueRef at, unsigned align,
                             LLVMValueRef mask);
/* The same, of lanes that `e->mask` has too: also where the processor has no such load. */
LLVMValueRef mpl_load_beside(struct mpl_emit *, LLVMTypeRef, LLVMValueRef at, unsigned align,
                             LLVMValueRef mask);
void mpl_masked_store(struct mpl_emit *, LLVMValueRef value, LLVMValueRef at, unsigned align,
                      LLVMValueRef mask);
/* Where masks are vectors, asks whether every lane is there, if most often they are: the builder is
 * where all are then, and behind mpl_else_some where some are; false, and it is where it was, if
 * there is nothing to gain.  Some processors take a dozen cycles for a store under a mask. */
struct mpl_all_or_some { LLVMBasicBlockRef blocks[3]; };
bool mpl_ask_for_all(struct mpl_emit *, LLVMValueRef access, struct mpl_all_or_some *);
void mpl_else_some(struct mpl_emit *, struct mpl_all_or_some *);
void mpl_end_some(struct mpl_emit *, struct mpl_all_or_some *);

/* --- speculate_contiguous.c --- */

/* Of an access whose places vary, at the builder, which is left open in front of: the way of lanes
 * that are side by side, `size` bytes each, from `at` on, or all there; the other way; and where
 * they meet.  False: nothing is guessed. */
struct mpl_guess {
  LLVMBasicBlockRef beside, apart, after;
  LLVMValueRef at;
  bool uniform;
};
bool mpl_guess(struct mpl_emit *, LLVMValueRef access, unsigned size, struct mpl_guess *);

/* --- clamped_loads.c --- */

/* Of such a load, at the builder, which is left open where the test for it has failed; and `from`,
 * open too, has the value.  Null: it is none. */
LLVMValueRef mpl_load_stopped(struct mpl_emit *, LLVMValueRef load, LLVMBasicBlockRef *from);

/* --- small_vectors.c --- */

/* With the first of them, all loads of the components of a small vector; with the last of them, all
 * stores.  False: it is none. */
bool mpl_load_whole(struct mpl_emit *, LLVMValueRef load);
bool mpl_store_whole(struct mpl_emit *, LLVMValueRef store);

/* --- per_lane_row_loads.c: null: it is no such load --- */

LLVMValueRef mpl_load_rows(struct mpl_emit *, LLVMValueRef load);

/* --- multi_row_access.c --- */

/* False if it is no id, or access that is the same or side by side, in each piece. */
bool mpl_widen_id(struct mpl_emit *, LLVMValueRef id);
bool mpl_load_pieces(struct mpl_emit *, LLVMValueRef load);
bool mpl_store_pieces(struct mpl_emit *, LLVMValueRef store);

/* --- interleave_groups.c --- */

LLVMValueRef mpl_widen_field_load(struct mpl_emit *, const struct mpl_fields *, LLVMValueRef load);
void mpl_widen_field_store(struct mpl_emit *, const struct mpl_fields *, LLVMValueRef store);

#endif
