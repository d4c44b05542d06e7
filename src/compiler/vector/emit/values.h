/* Values of a chunk: as scalars, which are lane 0's or all lanes', and as vectors. */
#ifndef MPL_COMPILER_EMIT_VALUES_H
#define MPL_COMPILER_EMIT_VALUES_H

#include "emit.h"

/* --- values.c --- */

void mpl_widen_instruction(struct mpl_emit *, LLVMValueRef instruction);
LLVMValueRef mpl_scalar(struct mpl_emit *, LLVMValueRef value); /* lane 0's; of uniform, strided */
LLVMValueRef mpl_vector(struct mpl_emit *, LLVMValueRef value); /* at the builder */
static inline LLVMValueRef mpl_value(struct mpl_emit *e, LLVMValueRef value, bool vector) {
  return (vector ? mpl_vector : mpl_scalar)(e, value);
}
/* A number or, by bytes, a place that many further; `by` has 64 bits. */
LLVMValueRef mpl_moved(struct mpl_emit *, LLVMValueRef scalar, LLVMValueRef by);
/* At the builder: a copy of an instruction.  What is promised of lanes that are there need not be so of
 * this one. */
LLVMValueRef mpl_insert_unpromised(struct mpl_emit *, LLVMValueRef copy);
/* The same number or place, of which LLVM knows nothing. */
LLVMValueRef mpl_hidden(struct mpl_emit *, LLVMValueRef scalar);
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
/* So many integers of `size` bytes. */
static inline LLVMTypeRef mpl_integers(struct mpl_emit *e, unsigned size, unsigned count) {
  return LLVMVectorType(LLVMIntTypeInContext(e->ir->context, 8 * size), count);
}
LLVMValueRef mpl_splat(struct mpl_emit *, LLVMValueRef scalar);
/* What lanes have that are not there, which none asks for.  Floats are 0: of any bits some are
 * denormal numbers, for each of which an instruction took 150 cycles on an Intel Xeon, in such
 * lanes too. */
LLVMValueRef mpl_of_none(LLVMTypeRef);
LLVMValueRef mpl_part_of(struct mpl_emit *, LLVMValueRef vector, unsigned first, unsigned lanes);
LLVMValueRef mpl_all_joined(struct mpl_emit *, LLVMValueRef *parts, unsigned count); /* a power of two */
LLVMValueRef mpl_choose(struct mpl_emit *, LLVMValueRef mask, LLVMValueRef, LLVMValueRef other);
LLVMValueRef mpl_take_lane(struct mpl_emit *, LLVMValueRef wide, LLVMTypeRef, LLVMValueRef lane);
LLVMValueRef mpl_put_lane(struct mpl_emit *, LLVMValueRef wide, LLVMValueRef value,
                          LLVMValueRef lane);
/* An instruction that takes components apart or puts them together; null: it is none. */
LLVMValueRef mpl_widen_component(struct mpl_emit *, LLVMValueRef instruction);

/* Both conditions, of which null is one that always holds. */
static inline LLVMValueRef mpl_both(struct mpl_emit *e, LLVMValueRef a, LLVMValueRef b) {
  return a && b ? LLVMBuildAnd(e->b, a, b, "") : a ? a : b;
}
/* The lanes that meet the condition; one that is not there may have a poisoned one: select does not look at
 * it.  Null, which is all lanes, is neutral. */
static inline LLVMValueRef mpl_lanes_of_both(struct mpl_emit *e, LLVMValueRef mask, LLVMValueRef condition) {
  return mask ? LLVMBuildSelect(e->b, mask, condition, LLVMConstNull(LLVMTypeOf(condition)), "") : condition;
}
/* So many work-items, as they are counted. */
static inline LLVMValueRef mpl_items(struct mpl_emit *e, uint64_t number) {
  return LLVMConstInt(LLVMTypeOf(e->items->count), number, false);
}
LLVMValueRef mpl_last_lane(struct mpl_emit *, LLVMValueRef first, int64_t stride); /* of what grows so */

/* --- mask_bits.c: masks as numbers; null stands for all lanes --- */

LLVMTypeRef mpl_mask_type(struct mpl_emit *);
LLVMValueRef mpl_full_mask(struct mpl_emit *, LLVMValueRef mask); /* a vector if it was null */
LLVMValueRef mpl_mask_bits(struct mpl_emit *, LLVMValueRef mask); /* as many as it has lanes */
LLVMValueRef mpl_any_lane(struct mpl_emit *, LLVMValueRef mask);
LLVMValueRef mpl_all_lanes(struct mpl_emit *, LLVMValueRef mask); /* is every one there? */
/* In 64 bits, of no more lanes; and of those that are there at the builder. */
LLVMValueRef mpl_mask_word(struct mpl_emit *, LLVMValueRef mask);
LLVMValueRef mpl_active_lanes(struct mpl_emit *);
/* The lowest bit's number, of `type`; `some`: it is known that there is one. */
LLVMValueRef mpl_first_bit(struct mpl_emit *, LLVMValueRef bits, bool some);
LLVMValueRef mpl_some_lane(struct mpl_emit *); /* that is there; if none is, any */
/* Memory that calls take all lanes' operands in, or give their results: whole registers. */
LLVMValueRef mpl_lanes_room(struct mpl_emit *, LLVMTypeRef lane, const char *name);
LLVMValueRef mpl_put_down(struct mpl_emit *, LLVMValueRef lanes, LLVMTypeRef lane, const char *name);

/* --- products.c: the vector, or null: it is none --- */

LLVMValueRef mpl_product(struct mpl_emit *, LLVMValueRef instruction);

/* --- target_math.c: of one to three vectors of any width --- */

enum { MPL_TARGET_OPERANDS = 3 };
LLVMValueRef mpl_target_math(struct mpl_module_ir *, LLVMBuilderRef, LLVMValueRef callee,
                             LLVMValueRef *operands, unsigned count);

/* --- scalarize.c --- */

void mpl_each_lane(struct mpl_emit *, LLVMValueRef instruction);
bool mpl_combine_atomic(struct mpl_emit *, LLVMValueRef atomic); /* false: it has to be each_lane */

/* --- lane_calls.c: sub-group functions; false for other calls --- */

bool mpl_widen_lanes_call(struct mpl_emit *, LLVMValueRef call);

/* --- pixel_calls.c: accesses of images that are calls; false for others --- */

bool mpl_widen_pixel_call(struct mpl_emit *, LLVMValueRef call);
/* Nothing is widened any more: what is left of them are calls for one work-item, and LLVM may know how
 * many lanes the others have. */
bool mpl_end_pixel_calls(struct mpl_module_ir *);

/* --- private_arrays.c --- */

LLVMValueRef mpl_wide_array(struct mpl_emit *, LLVMValueRef alloca);
LLVMValueRef mpl_entry_alloca(struct mpl_emit *, LLVMTypeRef, const char *name);

/* --- vector_inductions.c --- */

/* The value for the work-item that `counter` counts, at the builder: of one that is known before.
 */
LLVMValueRef mpl_value_for(struct mpl_emit *, LLVMValueRef value, LLVMValueRef counter);
LLVMValueRef mpl_counted(struct mpl_emit *, LLVMValueRef strided); /* its vector, or null */
void mpl_close_counted(struct mpl_emit *, LLVMBasicBlockRef last, unsigned chunks);

/* --- sums.c --- */

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

#endif
