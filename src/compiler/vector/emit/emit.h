/* Emission: a work-item loop becomes loops over chunks of W work-items whose values are vectors.
 * What is alike among lanes (lanes/) and which copies there are (plan/) is decided before. */
#ifndef MPL_COMPILER_EMIT_H
#define MPL_COMPILER_EMIT_H

#include "compiler/vector/plan/plan.h"
#include "compiler/vector/plan/recipes.h"

/* Of a group function: cached_broadcasts.c. */
struct mpl_spread {
  struct mpl_module_ir *ir;
  LLVMValueRef function;
  unsigned width;
  struct mpl_map lanes;  /* slot -> its vector with the value in all lanes */
  struct mpl_map loads;  /* load of such a slot -> that of its vector */
  struct mpl_map stores; /* stores to slots beside which the vector is stored -> 1 */
};

/* Of an inner loop that has masks: masked_loop.c. */
struct mpl_masked_loop {
  struct leaving *list;
  unsigned count;
  size_t capacity;
  LLVMBasicBlockRef top, before; /* the new header, and the block that enters it */
  LLVMValueRef active;           /* the lanes that are in the loop; at `top` */
  LLVMValueRef some;             /* whether there is one; at `top` */

  /* Behind turns of all lanes (full_mask_loop.c). */
  LLVMValueRef stay, left;   /* who goes on, and who does not; null: there were no such turns */
  struct mpl_map next, made; /* phi of the header -> what it goes on with; value -> those lanes' */
  LLVMBasicBlockRef done;    /* behind the loop, whether or not someone went on */
};

struct mpl_emit {
  struct mpl_module_ir *ir;
  LLVMBuilderRef b;
  LLVMValueRef function;
  const struct mpl_item_loop *items;
  struct mpl_analyses *analyses;
  const struct mpl_lanes *lanes; /* of the copy that is made */
  const struct mpl_recipes *recipes; /* of the copy that is made */
  bool full_turn;                /* what is made is turns of all lanes (full_mask_loop.c) */
  unsigned width;                /* of the vectors that are made: its lanes, or those of a piece */
  struct mpl_spread *spread;

  /* assumptions.c: of all copies so far */
  struct mpl_map assumed;
  struct mpl_apart *apart;
  size_t num_apart, apart_capacity;

  /* Of one chunk. */
  LLVMBasicBlockRef *blocks;       /* per block: its new one */
  LLVMBasicBlockRef *ends;         /* per block: where its instructions end */
  LLVMBasicBlockRef *part_ends;    /* per part: where its code goes on */
  LLVMValueRef *masks;             /* per block: who is there; null for all */
  struct mpl_masked_loop *masked;  /* per inner loop */
  struct mpl_map edges;            /* (from, 1 + to): mask of an edge into a diverged block */
  struct mpl_map blends;           /* (phi of a part's meet, part): what the part hands over */
  struct mpl_map scalars, vectors; /* value -> its new ones */
  struct mpl_map starts;           /* speculate_contiguous.c: (value, ...): what is known of it */
  LLVMValueRef all;                /* lanes that there are; null: every one */
  LLVMValueRef mask;               /* at the builder; null: every lane */

  /* Of a copy. */
  unsigned chunk;                  /* of several at a time: which one */
  LLVMBasicBlockRef before,
      top; /* vector_inductions.c: in front of their loop, or null; its begin */
  LLVMValueRef start;              /* and the counter there */
  struct mpl_map counted;          /* value -> phi of its vector, and back */
  LLVMBasicBlockRef enter;         /* in front of chunks of which masks are guessed */

  /* Of the loop. */
  struct mpl_map arrays;           /* private array -> the one of all lanes */
  struct mpl_map handed;           /* value used behind the loop -> its place until then */
  struct mpl_sum *sums;            /* sums.c */
  unsigned num_sums;
  size_t sums_capacity;
  unsigned sum_lanes;              /* that sums have in a wider chunk, or 0 */
  LLVMValueRef nowhere;            /* memory that accesses of no lane go to */
  LLVMValueRef hope;               /* without which guesses of masks fail; null: there are none */
  LLVMBasicBlockRef mixed;         /* where a chunk goes on whose lanes fail such a test */
  bool single;                     /* rows may have one work-item: the loop that stays has these */
  bool told; /* what became of each line: nobody asks, or the next copy says it */
  unsigned masked_line;            /* that was told last */
};

/* The analysis that what follows is made by. */
void mpl_emit_by(struct mpl_emit *, const struct mpl_lanes *);

/* --- loop_versions.c --- */

/* The loop over chunks in front of the loop, which stays for where an assumption fails. */
void mpl_build_chunks(struct mpl_emit *);
/* Of sub-groups, one chunk. */
void mpl_build_chunk(struct mpl_emit *);

/* --- short_row_versions.c --- */

/* Makes the copies of the loop, and of that over rows around it, that are work-item loops
 * themselves. */
void mpl_copy_for_rows(struct mpl_emit *, const struct mpl_row_version *, unsigned count,
                       struct mpl_pieces *copies);

/* --- flow.c: the vector code of the loop's blocks --- */

void mpl_widen_flow(struct mpl_emit *);
void mpl_chunk_free(struct mpl_emit *);
LLVMValueRef mpl_any_lane(struct mpl_emit *, LLVMValueRef mask);
LLVMValueRef mpl_all_lanes(struct mpl_emit *, LLVMValueRef mask); /* is every one there? */

/* --- values.c --- */

void mpl_widen_instruction(struct mpl_emit *, LLVMValueRef instruction);
LLVMValueRef mpl_scalar(struct mpl_emit *, LLVMValueRef value); /* lane 0's; of uniform, strided */
LLVMValueRef mpl_vector(struct mpl_emit *, LLVMValueRef value); /* at the builder */
/* 0, stride, 2 * stride ... */
LLVMValueRef mpl_steps(struct mpl_emit *, LLVMTypeRef, int64_t stride);
/* Of an instruction or call that has a vector form and is no access. */
LLVMValueRef mpl_computed_vector(struct mpl_emit *, LLVMValueRef instruction);

/* Back to where a block is added to: in front of its branch, if it has one (phis are filled last).
 */
static inline void mpl_continue_at(struct mpl_emit *e, LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  if (end)
    LLVMPositionBuilderBefore(e->b, end);
  else
    LLVMPositionBuilderAtEnd(e->b, block);
}

/* --- vector_types.c: of any type but labels and the like --- */

LLVMTypeRef mpl_vector_type(struct mpl_emit *, LLVMTypeRef);
LLVMValueRef mpl_splat(struct mpl_emit *, LLVMValueRef scalar);
/* What lanes have that are not there, which none asks for.  Floats are 0: of any bits some are
 * denormal numbers, for each of which an instruction took 150 cycles on an Intel Xeon, in such
 * lanes too. */
LLVMValueRef mpl_of_none(LLVMTypeRef);
LLVMValueRef mpl_part_of(struct mpl_emit *, LLVMValueRef vector, unsigned first, unsigned lanes);
LLVMValueRef mpl_joined(struct mpl_emit *, LLVMValueRef a, LLVMValueRef b); /* of one length */
LLVMValueRef mpl_choose(struct mpl_emit *, LLVMValueRef mask, LLVMValueRef, LLVMValueRef other);
LLVMValueRef mpl_take_lane(struct mpl_emit *, LLVMValueRef wide, LLVMTypeRef, LLVMValueRef lane);
LLVMValueRef mpl_put_lane(struct mpl_emit *, LLVMValueRef wide, LLVMValueRef value,
                          LLVMValueRef lane);
/* An instruction that takes components apart or puts them together; null: it is none. */
LLVMValueRef mpl_widen_component(struct mpl_emit *, LLVMValueRef instruction);

/* --- products.c: the vector, or null: it is none --- */

LLVMValueRef mpl_high_product(struct mpl_emit *, LLVMValueRef instruction);

/* --- target_math.c: of one to three vectors of any width --- */

enum { MPL_TARGET_OPERANDS = 3 };
LLVMValueRef mpl_target_math(struct mpl_module_ir *, LLVMBuilderRef, LLVMValueRef callee,
                             LLVMValueRef *operands, unsigned count);

/* --- scalarize.c --- */

void mpl_each_lane(struct mpl_emit *, LLVMValueRef instruction);
bool mpl_combine_atomic(struct mpl_emit *, LLVMValueRef atomic); /* false: it has to be each_lane */

/* --- lane_calls.c: sub-group functions; false for other calls --- */

bool mpl_widen_lanes_call(struct mpl_emit *, LLVMValueRef call);

/* --- filter/filter.c: a call of MPL_MARK_FILTER --- */

void mpl_widen_filter(struct mpl_emit *, LLVMValueRef call);

/* --- report.c: what became of an instruction; and branches and loops --- */

void mpl_tell_instruction(struct mpl_emit *, LLVMValueRef instruction);
void mpl_tell_flow(struct mpl_emit *);

/* --- private_arrays.c --- */

/* Where an element of all lanes is: one vector of units (uniform), or a vector of places. `inside`:
 * the bytes in front of it in its unit, if it is smaller; these are in the places of a vector. */
LLVMValueRef mpl_array_place(struct mpl_emit *, LLVMValueRef pointer, unsigned size, bool uniform,
                             LLVMValueRef *inside);
LLVMValueRef mpl_wide_array(struct mpl_emit *, LLVMValueRef alloca);
LLVMValueRef mpl_entry_alloca(struct mpl_emit *, LLVMTypeRef, const char *name);

/* --- vector_inductions.c --- */

/* The value for the work-item that `counter` counts, at the builder: of one that is known before.
 */
LLVMValueRef mpl_value_for(struct mpl_emit *, LLVMValueRef value, LLVMValueRef counter);
LLVMValueRef mpl_counted(struct mpl_emit *, LLVMValueRef strided); /* its vector, or null */
void mpl_close_counted(struct mpl_emit *, LLVMBasicBlockRef last, unsigned chunks);

/* --- sums.c --- */

LLVMValueRef mpl_load_sum(struct mpl_emit *, LLVMValueRef load);
void mpl_store_sum(struct mpl_emit *, LLVMValueRef value, LLVMValueRef place);
/* `vector`: the value in all lanes; or null. */
void mpl_store_slot(struct mpl_emit *, LLVMValueRef value, LLVMValueRef vector,
                    LLVMValueRef place);
/* Lanes `by` further; those before them get `none`. */
LLVMValueRef mpl_moved_up(struct mpl_emit *, LLVMValueRef lanes, LLVMValueRef none, unsigned by);
void mpl_begin_sums(struct mpl_emit *); /* in front of the chunks, and */
void mpl_fold_sums(struct mpl_emit *);  /* behind them: at the builder */

/* --- cached_broadcasts.c --- */

void mpl_spread_begin(struct mpl_spread *, struct mpl_module_ir *, LLVMValueRef function,
                      unsigned width);
void mpl_spread_end(struct mpl_spread *);
/* Of a load from a slot in front of the loop; null: the slot has none. */
LLVMValueRef mpl_load_spread(struct mpl_emit *, LLVMValueRef value);
bool mpl_computes_spread(struct mpl_emit *, LLVMValueRef value); /* from such a load */
void mpl_store_spread(struct mpl_emit *, LLVMValueRef store, LLVMValueRef vector);

/* --- assumptions.c --- */

/* Does what is assumed hold, of this copy and of those before?  At the builder; null if nothing is.
 */
LLVMValueRef mpl_all_hold(struct mpl_emit *);
/* no_wrap_inductions.c: of a counter, from the first work-item to the `last`. */
LLVMValueRef mpl_counter_holds(struct mpl_emit *, LLVMValueRef part, LLVMValueRef last);
/* speculate_bounds.c: the test of a bound that the builder is behind. */
LLVMValueRef mpl_bound_fails(struct mpl_emit *, LLVMValueRef value);

#endif
