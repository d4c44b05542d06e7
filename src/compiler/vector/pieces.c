/* Chunks whose lanes lie in several rows, each piece of `lanes` ones in one row (rows.c).
 *
 * Over the chunk what depends on ids varies; in a piece it differs as from work-item to work-item
 * of a row.  So what is consecutive there is one access for each piece, at the address of the
 * piece's first lane.  That lane may not be among those that run: its address is computed from what
 * all lanes have, which is the ids and what the chunk shares. */
#include "widen.h"

enum { DEEPEST = 16 };

static bool is_id(struct mpl_widen *w, LLVMValueRef value) {
  for (unsigned k = 0; k < 3; k++)
    if (w->pieces->ids[k] == value) return true;
  return false;
}

static bool is_known(struct mpl_widen *w, LLVMValueRef value, unsigned block, unsigned depth) {
  if (mpl_stride_at(w, value, block) != MPL_ANY_STRIDE || is_id(w, value)) return true;
  if (depth > DEEPEST || !mpl_only_computes(value, MPL_INTEGER | MPL_ADDRESS | MPL_POINTER))
    return false;
  for (int k = 0; k < LLVMGetNumOperands(value); k++)
    if (!is_known(w, LLVMGetOperand(value, k), block, depth + 1)) return false;
  return true;
}

/* The value of the piece's first lane. */
static LLVMValueRef first_of(struct mpl_widen *w, LLVMValueRef value, unsigned piece) {
  unsigned lane = piece * w->pieces->lanes;
  int stride = mpl_stride_of(w, value);
  if (value == w->pieces->ids[0]) return LLVMConstNull(LLVMTypeOf(value));
  if (!stride) return mpl_scalar(w, value);
  if (stride != MPL_ANY_STRIDE) {
    LLVMTypeRef type = LLVMTypeOf(value);
    bool pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    LLVMValueRef by =
        LLVMConstInt(pointer ? w->ir->i64 : type, (uint64_t)((int64_t)stride * lane), true);
    return pointer ? LLVMBuildGEP2(w->b, w->ir->i8, mpl_scalar(w, value), &by, 1, "")
                   : LLVMBuildAdd(w->b, mpl_scalar(w, value), by, "");
  }
  LLVMValueRef operands[16];
  unsigned count = (unsigned)LLVMGetNumOperands(value);
  for (unsigned k = 0; k < count; k++) operands[k] = first_of(w, LLVMGetOperand(value, k), piece);
  LLVMValueRef copy = LLVMInstructionClone(value);
  for (unsigned k = 0; k < count; k++) LLVMSetOperand(copy, k, operands[k]);
  LLVMInsertIntoBuilder(w->b, copy);
  return copy;
}

static LLVMValueRef join(struct mpl_widen *w, LLVMValueRef *parts) {
  for (unsigned count = w->width / w->pieces->lanes; count > 1; count /= 2)
    for (unsigned p = 0; p < count / 2; p++)
      parts[p] = mpl_joined(w, parts[2 * p], parts[2 * p + 1]);
  return parts[0];
}

/* Along the row the ids are 0, 1, 2 ...; the others are computed once for each piece. */
bool mpl_widen_id(struct mpl_widen *w, LLVMValueRef id) {
  if (!w->pieces || !w->pieces->lanes || !is_id(w, id)) return false;
  unsigned width = w->width, lanes = w->pieces->lanes;
  bool along = id == w->pieces->ids[0];
  LLVMValueRef parts[64];
  for (unsigned p = 0; p < width / lanes; p++) {
    LLVMValueRef first = first_of(w, id, p);
    w->width = lanes;
    parts[p] = along ? mpl_steps(w, LLVMTypeOf(id), 1) : mpl_splat(w, first);
    w->width = width;
  }
  mpl_map_set(&w->vectors, id, (uintptr_t)join(w, parts));
  return true;
}

/* Bytes from lane to lane of a piece, if that is what counts. */
static int stride_in(struct mpl_widen *w, LLVMValueRef pointer, unsigned block) {
  if (!w->pieces || !w->pieces->lanes || mpl_stride_at(w, pointer, block) != MPL_ANY_STRIDE ||
      !is_known(w, pointer, block, 0))
    return MPL_ANY_STRIDE;
  uintptr_t *at = mpl_map_at(&w->pieces->strides, pointer, 0, false);
  return at ? (int)*at : MPL_ANY_STRIDE;
}

/* The builder's mask for one piece, which is as wide as `w` says meanwhile. */
static void enter_piece(struct mpl_widen *w, LLVMValueRef mask, unsigned piece) {
  w->width = w->pieces->lanes;
  w->mask = mask ? mpl_part_of(w, mask, piece * w->width, w->width) : NULL;
}

static void leave_pieces(struct mpl_widen *w, LLVMValueRef mask, unsigned width) {
  w->width = width;
  w->mask = mask;
}

bool mpl_load_pieces(struct mpl_widen *w, LLVMValueRef load) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0), mask = w->mask, parts[64], at[64];
  unsigned block = mpl_cfg_block_of(w->cfg, load), width = w->width;
  int stride = stride_in(w, pointer, block);
  if (stride && !mpl_is_beside(stride, (int)LLVMABISizeOfType(w->ir->layout, LLVMTypeOf(load))))
    return false;
  unsigned count = width / w->pieces->lanes;
  for (unsigned p = 0; p < count; p++) at[p] = first_of(w, pointer, p);
  for (unsigned p = 0; p < count; p++) {
    enter_piece(w, mask, p);
    parts[p] = mpl_load_along(w, load, at[p], stride);
  }
  leave_pieces(w, mask, width);
  mpl_map_set(&w->vectors, load, (uintptr_t)join(w, parts));
  return true;
}

bool mpl_store_pieces(struct mpl_widen *w, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0), pointer = LLVMGetOperand(store, 1), mask = w->mask;
  unsigned block = mpl_cfg_block_of(w->cfg, store), width = w->width;
  int stride = stride_in(w, pointer, block);
  if (!mpl_is_beside(stride, (int)LLVMABISizeOfType(w->ir->layout, LLVMTypeOf(value))))
    return false;
  value = mpl_vector(w, value);
  for (unsigned p = 0; p < width / w->pieces->lanes; p++) {
    LLVMValueRef at = first_of(w, pointer, p);
    enter_piece(w, mask, p);
    mpl_store_along(w, store, mpl_part_of(w, value, p * w->width, w->width), at, stride);
    leave_pieces(w, mask, width);
  }
  return true;
}
