/* Chunks whose lanes lie in several rows, each piece of `lanes` ones in one row (rows.c).
 *
 * Over the chunk what depends on ids varies; in a piece it differs as from work-item to work-item
 * of a row.  So what is consecutive there is one access for each piece, at the address of the
 * piece's first lane.  That lane may not be among those that run: its address is computed from what
 * all lanes have, which is the ids and what the chunk shares. */
#include "memory.h"

enum { DEEPEST = 16 };

static bool is_id(const struct mpl_item_loop *items, LLVMValueRef value) {
  for (unsigned k = 0; k < 3; k++)
    if (items->pieces->ids[k] == value) return true;
  return false;
}

static bool is_known(const struct mpl_lanes *lanes, LLVMValueRef value, unsigned block,
                     unsigned depth) {
  if (mpl_stride_at(lanes, value, block) != MPL_ANY_STRIDE || is_id(lanes->items, value))
    return true;
  if (depth > DEEPEST || !mpl_only_computes(value, MPL_INTEGER | MPL_ADDRESS | MPL_POINTER))
    return false;
  for (int k = 0; k < LLVMGetNumOperands(value); k++)
    if (!is_known(lanes, LLVMGetOperand(value, k), block, depth + 1)) return false;
  return true;
}

/* Bytes from lane to lane of a piece, if that is what counts. */
static int stride_in(const struct mpl_lanes *lanes, LLVMValueRef pointer, unsigned block) {
  if (!lanes->items->pieces || !lanes->items->pieces->lanes ||
      mpl_stride_at(lanes, pointer, block) != MPL_ANY_STRIDE || !is_known(lanes, pointer, block, 0))
    return MPL_ANY_STRIDE;
  const uintptr_t *at = mpl_map_find(&lanes->items->pieces->strides, pointer, 0);
  return at ? (int)*at : MPL_ANY_STRIDE;
}

/* The value of the piece's first lane. */
static LLVMValueRef first_of(struct mpl_emit *e, LLVMValueRef value, unsigned piece) {
  unsigned lane = piece * e->items->pieces->lanes;
  int stride = mpl_stride_of(e->lanes, value);
  if (value == e->items->pieces->ids[0]) return LLVMConstNull(LLVMTypeOf(value));
  if (!stride) return mpl_scalar(e, value);
  if (stride != MPL_ANY_STRIDE) {
    LLVMTypeRef type = LLVMTypeOf(value);
    bool pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    LLVMValueRef by =
        LLVMConstInt(pointer ? e->ir->i64 : type, (uint64_t)((int64_t)stride * lane), true);
    return pointer ? LLVMBuildGEP2(e->b, e->ir->i8, mpl_scalar(e, value), &by, 1, "")
                   : LLVMBuildAdd(e->b, mpl_scalar(e, value), by, "");
  }
  LLVMValueRef operands[16];
  unsigned count = (unsigned)LLVMGetNumOperands(value);
  for (unsigned k = 0; k < count; k++) operands[k] = first_of(e, LLVMGetOperand(value, k), piece);
  LLVMValueRef copy = LLVMInstructionClone(value);
  for (unsigned k = 0; k < count; k++) LLVMSetOperand(copy, k, operands[k]);
  LLVMInsertIntoBuilder(e->b, copy);
  return copy;
}

static LLVMValueRef join(struct mpl_emit *e, LLVMValueRef *parts) {
  for (unsigned count = e->width / e->items->pieces->lanes; count > 1; count /= 2)
    for (unsigned p = 0; p < count / 2; p++)
      parts[p] = mpl_joined(e, parts[2 * p], parts[2 * p + 1]);
  return parts[0];
}

/* Along the row the ids are 0, 1, 2 ...; the others are computed once for each piece. */
bool mpl_widen_id(struct mpl_emit *e, LLVMValueRef id) {
  const struct mpl_item_loop *items = e->items;
  if (!items->pieces || !items->pieces->lanes || !is_id(e->items, id)) return false;
  unsigned width = e->width, lanes = items->pieces->lanes;
  bool along = id == items->pieces->ids[0];
  LLVMValueRef parts[64];
  for (unsigned p = 0; p < width / lanes; p++) {
    LLVMValueRef first = first_of(e, id, p);
    e->width = lanes;
    parts[p] = along ? mpl_steps(e, LLVMTypeOf(id), 1) : mpl_splat(e, first);
    e->width = width;
  }
  mpl_map_set(&e->vectors, id, (uintptr_t)join(e, parts));
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

bool mpl_load_pieces(struct mpl_emit *e, LLVMValueRef load) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0), mask = e->mask, parts[64], at[64];
  unsigned block = mpl_cfg_block_of(e->items->cfg, load), width = e->width;
  int stride = stride_in(e->lanes, pointer, block);
  if (stride && !mpl_is_beside(stride, (int)LLVMABISizeOfType(e->ir->layout, LLVMTypeOf(load))))
    return false;
  unsigned count = width / e->items->pieces->lanes;
  for (unsigned p = 0; p < count; p++) at[p] = first_of(e, pointer, p);
  for (unsigned p = 0; p < count; p++) {
    enter_piece(e, mask, p);
    parts[p] = mpl_load_along(e, load, at[p], stride);
  }
  leave_pieces(e, mask, width);
  mpl_map_set(&e->vectors, load, (uintptr_t)join(e, parts));
  return true;
}

bool mpl_store_pieces(struct mpl_emit *e, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0), pointer = LLVMGetOperand(store, 1), mask = e->mask;
  unsigned block = mpl_cfg_block_of(e->items->cfg, store), width = e->width;
  int stride = stride_in(e->lanes, pointer, block);
  if (!mpl_is_beside(stride, (int)LLVMABISizeOfType(e->ir->layout, LLVMTypeOf(value))))
    return false;
  value = mpl_vector(e, value);
  for (unsigned p = 0; p < width / e->items->pieces->lanes; p++) {
    LLVMValueRef at = first_of(e, pointer, p);
    enter_piece(e, mask, p);
    mpl_store_along(e, store, mpl_part_of(e, value, p * e->width, e->width), at, stride);
    leave_pieces(e, mask, width);
  }
  return true;
}
