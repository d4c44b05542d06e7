/* Chunks whose lanes lie in several rows, each piece of `lanes` ones in one row (rows.c).
 *
 * Over the chunk what depends on ids varies; in a piece it differs as from work-item to work-item
 * of a row.  So what is consecutive there is one access for each piece, at the address of the
 * piece's first lane.  That lane may not be among those that run: its address is computed from what
 * all lanes have, which is the ids and what the chunk shares. */
#include "memory.h"

/* The value of the piece's first lane. */
static LLVMValueRef first_of(struct mpl_emit *e, LLVMValueRef value, unsigned piece) {
  unsigned lane = piece * e->items->pieces->lanes;
  int stride = mpl_stride_of(e->lanes, value);
  if (value == e->items->pieces->ids[0]) return LLVMConstNull(LLVMTypeOf(value));
  if (!stride) return mpl_scalar(e, value);
  if (stride != MPL_ANY_STRIDE)
    return mpl_moved(e, mpl_scalar(e, value), mpl_const64(e->ir, (uint64_t)((int64_t)stride * lane)));
  LLVMValueRef copy = LLVMInstructionClone(value);
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(value); k++)
    LLVMSetOperand(copy, k, first_of(e, LLVMGetOperand(value, k), piece));
  LLVMInsertIntoBuilder(e->b, copy);
  return copy;
}

/* Along the row the ids are 0, 1, 2 ...; the others are computed once for each piece. */
bool mpl_widen_id(struct mpl_emit *e, LLVMValueRef id) {
  const struct mpl_item_loop *items = e->items;
  if (!items->pieces || !items->pieces->lanes || !mpl_is_piece_id(e->items, id)) return false;
  unsigned width = e->width, lanes = items->pieces->lanes;
  bool along = id == items->pieces->ids[0];
  LLVMValueRef parts[64];
  for (unsigned p = 0; p < width / lanes; p++) {
    LLVMValueRef first = first_of(e, id, p);
    e->width = lanes;
    parts[p] = along ? mpl_steps(e, LLVMTypeOf(id), 1) : mpl_splat(e, first);
    e->width = width;
  }
  mpl_set_vector(e, id, mpl_all_joined(e, parts, width / lanes));
  return true;
}

/* The builder's mask for one piece, which is as wide as `w` says meanwhile. */
static void enter_piece(struct mpl_emit *e, LLVMValueRef mask, unsigned piece) {
  e->width = e->items->pieces->lanes;
  e->mask = mask ? mpl_part_of(e, mask, piece * e->width, e->width) : NULL;
}

static void leave_pieces(struct mpl_emit *e, LLVMValueRef mask, unsigned width) {
  e->width = width;
  e->mask = mask;
}

void mpl_load_pieces(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef load) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0), mask = e->mask, parts[64], at[64];
  unsigned width = e->width, count = width / e->items->pieces->lanes;
  for (unsigned p = 0; p < count; p++) at[p] = first_of(e, pointer, p);
  for (unsigned p = 0; p < count; p++) {
    enter_piece(e, mask, p);
    parts[p] = mpl_load_along(e, r, load, at[p]);
  }
  leave_pieces(e, mask, width);
  mpl_set_vector(e, load, mpl_all_joined(e, parts, count));
}

void mpl_store_pieces(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef store) {
  LLVMValueRef value = mpl_vector(e, LLVMGetOperand(store, 0)), mask = e->mask;
  unsigned width = e->width, count = width / e->items->pieces->lanes;
  for (unsigned p = 0; p < count; p++) {
    LLVMValueRef at = first_of(e, LLVMGetOperand(store, 1), p);
    enter_piece(e, mask, p);
    mpl_store_along(e, r, store, mpl_part_of(e, value, p * e->width, e->width), at);
    leave_pieces(e, mask, width);
  }
}
