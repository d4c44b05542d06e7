/* How places grow along the rows of a chunk that has several (emit/multi_row_access.c). */
#include "recipes.h"

bool mpl_is_piece_id(const struct mpl_item_loop *items, LLVMValueRef value) {
  for (unsigned k = 0; k < 3; k++)
    if (items->pieces->ids[k] == value) return true;
  return false;
}

struct place {
  const struct mpl_lanes *lanes;
  unsigned block;
};

static bool is_known(const void *data, LLVMValueRef value) {
  const struct place *p = data;
  return mpl_stride_at(p->lanes, value, p->block) != MPL_ANY_STRIDE ||
         mpl_is_piece_id(p->lanes->items, value);
}

int mpl_stride_in_piece(const struct mpl_lanes *lanes, LLVMValueRef pointer, unsigned block) {
  if (!lanes->items->pieces || !lanes->items->pieces->lanes ||
      mpl_stride_at(lanes, pointer, block) != MPL_ANY_STRIDE ||
      !mpl_is_made_of(pointer, MPL_INTEGER | MPL_ADDRESS | MPL_POINTER, is_known,
                      &(struct place){lanes, block}))
    return MPL_ANY_STRIDE;
  const uintptr_t *at = mpl_map_find(&lanes->items->pieces->strides, pointer, 0);
  return at ? (int)*at : MPL_ANY_STRIDE;
}
