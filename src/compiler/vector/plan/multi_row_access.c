/* How places grow along the rows of a chunk that has several (emit/multi_row_access.c). */
#include "recipes.h"

bool mpl_is_piece_id(const struct mpl_item_loop *items, LLVMValueRef value) {
  for (unsigned k = 0; k < 3; k++)
    if (items->pieces->ids[k] == value) return true;
  return false;
}

static bool is_known(const struct mpl_lanes *lanes, LLVMValueRef value, unsigned block,
                     unsigned depth) {
  if (mpl_stride_at(lanes, value, block) != MPL_ANY_STRIDE || mpl_is_piece_id(lanes->items, value))
    return true;
  if (depth > MPL_DEEPEST || !mpl_only_computes(value, MPL_INTEGER | MPL_ADDRESS | MPL_POINTER))
    return false;
  for (int k = 0; k < LLVMGetNumOperands(value); k++)
    if (!is_known(lanes, LLVMGetOperand(value, k), block, depth + 1)) return false;
  return true;
}

int mpl_stride_in_piece(const struct mpl_lanes *lanes, LLVMValueRef pointer, unsigned block) {
  if (!lanes->items->pieces || !lanes->items->pieces->lanes ||
      mpl_stride_at(lanes, pointer, block) != MPL_ANY_STRIDE || !is_known(lanes, pointer, block, 0))
    return MPL_ANY_STRIDE;
  const uintptr_t *at = mpl_map_find(&lanes->items->pieces->strides, pointer, 0);
  return at ? (int)*at : MPL_ANY_STRIDE;
}
