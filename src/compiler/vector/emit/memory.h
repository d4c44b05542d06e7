/* Loads and stores of all lanes of a chunk, and what they are made of. */
#ifndef MPL_COMPILER_EMIT_MEMORY_H
#define MPL_COMPILER_EMIT_MEMORY_H

#include "values.h"
#include "versions.h"

/* --- access.c --- */

void mpl_widen_access(struct mpl_emit *, LLVMValueRef access);
void mpl_widen_prefetch(struct mpl_emit *, LLVMValueRef prefetch);

/* --- memory.c --- */

/* From one place for all lanes: what it has for each. */
LLVMValueRef mpl_load_shared(struct mpl_emit *, LLVMValueRef load, LLVMValueRef at);
/* The same in all lanes, or side by side from there on. */
LLVMValueRef mpl_load_at(struct mpl_emit *, const struct mpl_recipe *, LLVMValueRef load, LLVMValueRef at,
                         bool uniform);
/* The same by the recipe's stride: as many bytes as an element has, up or down, or none. */
LLVMValueRef mpl_load_along(struct mpl_emit *, const struct mpl_recipe *, LLVMValueRef load, LLVMValueRef at);
void mpl_store_along(struct mpl_emit *, const struct mpl_recipe *, LLVMValueRef store,
                     LLVMValueRef value, LLVMValueRef at);

/* Side by side, from `at` on. */
void mpl_store_at(struct mpl_emit *, const struct mpl_recipe *, LLVMValueRef store,
                  LLVMValueRef value, LLVMValueRef at);

/* The same of what is not an element of a context: `units` a lane, one behind the other. */
void mpl_store_beside(struct mpl_emit *, const struct mpl_recipe *, LLVMValueRef value, LLVMValueRef at,
                      unsigned align, unsigned units);
LLVMValueRef mpl_repeated(struct mpl_emit *, LLVMValueRef lanes, unsigned times); /* each so often */

LLVMValueRef mpl_nowhere(struct mpl_emit *, LLVMTypeRef pointer); /* what no lane accesses */
/* Where an access of one place for all lanes goes when there may be none. */
LLVMValueRef mpl_safe_place(struct mpl_emit *, LLVMValueRef pointer);
LLVMValueRef mpl_gather(struct mpl_emit *, enum mpl_keep_out, LLVMTypeRef, LLVMValueRef places, unsigned align);
/* Elements out of the words that they lie in. */
LLVMValueRef mpl_gather_words(struct mpl_emit *, enum mpl_keep_out, LLVMTypeRef, LLVMValueRef places);
void mpl_scatter(struct mpl_emit *, enum mpl_keep_out, LLVMValueRef, LLVMValueRef places, unsigned align);
/* What each lane stores from its place on: units of one type, one behind the other. */
struct mpl_scattered {
  LLVMValueRef units[2]; /* of all lanes each */
  unsigned count;
  LLVMValueRef places;
  unsigned align;
};
void mpl_scatter_row(struct mpl_emit *, enum mpl_keep_out, const struct mpl_scattered *);
void mpl_scatter_in_turn(struct mpl_emit *, const struct mpl_scattered *); /* scalarize.c */
/* Where a unit is, if the first is there, for a lane or for all; and what it is aligned to. */
LLVMValueRef mpl_unit_place(struct mpl_emit *, const struct mpl_scattered *, LLVMValueRef first,
                            unsigned unit);
unsigned mpl_unit_align(struct mpl_emit *, const struct mpl_scattered *, unsigned unit);
LLVMValueRef mpl_masked_load(struct mpl_emit *, LLVMTypeRef, LLVMValueRef at, unsigned align,
                             LLVMValueRef mask);
/* The same by the mask or by the page; `lanes` are those of which the mask has bits; null: all, and no
 * mask. */
LLVMValueRef mpl_load_beside(struct mpl_emit *, enum mpl_keep_out, LLVMTypeRef, LLVMValueRef at,
                             unsigned align, LLVMValueRef mask, LLVMValueRef lanes);
void mpl_masked_store(struct mpl_emit *, LLVMValueRef value, LLVMValueRef at, unsigned align,
                      LLVMValueRef mask);
/* If the recipe says so, begins versions for all lanes and for some of them; else false. */
bool mpl_ask_for_all(struct mpl_emit *, const struct mpl_recipe *, struct mpl_versions *);

/* --- private_arrays.c --- */

/* Of a private array whose lanes are side by side. */
void mpl_load_own(struct mpl_emit *, const struct mpl_recipe *, LLVMValueRef load);
void mpl_store_own(struct mpl_emit *, const struct mpl_recipe *, LLVMValueRef store);

/* --- sums.c --- */

void mpl_load_sum(struct mpl_emit *, const struct mpl_recipe *, LLVMValueRef load);
void mpl_store_sum(struct mpl_emit *, const struct mpl_recipe *, LLVMValueRef store);
/* `vector`: the value in all lanes; or null. */
void mpl_store_slot(struct mpl_emit *, LLVMValueRef value, LLVMValueRef vector, LLVMValueRef place);

/* --- speculate_contiguous.c --- */

/* Of an access whose recipe speculates, begins versions for lanes that are side by side, or all at one place,
 * from the returned place on; and for others. */
LLVMValueRef mpl_guess(struct mpl_emit *, LLVMValueRef access, struct mpl_versions *);

/* --- border_loads.c --- */

/* In the last version of speculated ones, the version of lanes at a border: what they load. */
LLVMValueRef mpl_load_at_border(struct mpl_emit *, const struct mpl_recipe *, LLVMValueRef load,
                                struct mpl_versions *);

/* --- small_vectors.c --- */

/* With the first of them, all loads of the components of a small vector; with the last of them, all
 * stores: with another one none. */
void mpl_load_four_words(struct mpl_emit *, const struct mpl_recipe *, LLVMValueRef first);
void mpl_load_small_vector(struct mpl_emit *, const struct mpl_recipe *, LLVMValueRef first);
void mpl_store_small_vector(struct mpl_emit *, const struct mpl_recipe *, LLVMValueRef store);

/* --- per_lane_row_loads.c --- */

LLVMValueRef mpl_load_rows(struct mpl_emit *, LLVMValueRef load);

/* --- multi_row_access.c --- */

bool mpl_widen_id(struct mpl_emit *, LLVMValueRef id); /* false: it is none */
/* The same, or side by side, in each piece. */
void mpl_load_pieces(struct mpl_emit *, const struct mpl_recipe *, LLVMValueRef load);
void mpl_store_pieces(struct mpl_emit *, const struct mpl_recipe *, LLVMValueRef store);

/* --- interleave_groups.c --- */

/* The lowest field of a lane; so many bytes before it. */
LLVMValueRef mpl_field_place(struct mpl_emit *, const struct mpl_fields *, unsigned lane, unsigned before);
void mpl_load_fields(struct mpl_emit *, const struct mpl_recipe *, LLVMValueRef load);
void mpl_store_fields(struct mpl_emit *, const struct mpl_recipe *, LLVMValueRef store);

/* --- interleaved.c: the same by instructions for structures, of vectors of integers; stored, of all fields --- */

LLVMValueRef mpl_load_interleaved(struct mpl_emit *, const struct mpl_recipe *, LLVMValueRef load);
void mpl_store_interleaved(struct mpl_emit *, const struct mpl_recipe *, const LLVMValueRef *values);

#endif
