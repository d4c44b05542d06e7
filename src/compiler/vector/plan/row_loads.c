/* Loads along rows of the lanes' own: each lane's row begins where it does before the loop, and all
 * lanes are as far along it (emit/per_lane_row_loads.c). */
#include "recipes.h"

struct row {
  const struct mpl_lanes *lanes;
  const struct mpl_inner_loop *loop;
};

static bool is_in_loop(const struct row *r, LLVMValueRef value) {
  return !mpl_is_outside(r->loop, mpl_own_block(r->lanes->items, value));
}

static bool is_from_outside(const void *row, LLVMValueRef value) {
  return !is_in_loop(row, value);
}

/* No iteration changes it. */
static bool is_fixed(const struct row *r, LLVMValueRef value) {
  return mpl_is_made_of(value, MPL_INTEGER | MPL_ADDRESS, is_from_outside, r);
}

static bool find_terms(struct row *r, LLVMValueRef value, bool is_signed, struct mpl_row_terms *t) {
  bool narrow = LLVMGetIntTypeWidth(LLVMTypeOf(value)) < 64;
  if (is_fixed(r, value) || !mpl_stride_of(r->lanes, value)) {
    if (t->count == MPL_MOST_TERMS) return false;
    t->is_signed[t->count] = is_signed;
    t->list[t->count++] = value;
    return true;
  }
  if (!LLVMIsAInstruction(value)) return false;
  LLVMValueRef of = LLVMGetOperand(value, 0);
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMSExt:
  case LLVMZExt:
    return !narrow && find_terms(r, of, LLVMIsASExtInst(value) != NULL, t);
  case LLVMAdd:
    if (narrow && !(is_signed ? LLVMGetNSW(value) : LLVMGetNUW(value))) return false;
    return find_terms(r, of, is_signed, t) &&
           find_terms(r, LLVMGetOperand(value, 1), is_signed, t);
  default:
    return false;
  }
}

bool mpl_row_load_of(const struct mpl_lanes *lanes, LLVMValueRef load, struct mpl_row_load *row) {
  const struct mpl_item_loop *items = lanes->items;
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  int loop = items->inner[mpl_cfg_block_of(items->cfg, load)];
  if (loop < 0) return false;
  struct row r = {lanes, &items->loops[loop]};
  row->count = 0;
  while (is_in_loop(&r, pointer)) {
    if (!LLVMIsAGetElementPtrInst(pointer) || LLVMGetNumOperands(pointer) != 2 ||
        row->count == MPL_ROW_STEPS)
      return false;
    struct mpl_row_terms *step = &row->steps[row->count++];
    step->count = 0;
    step->size = LLVMABISizeOfType(items->ir->layout, LLVMGetGEPSourceElementType(pointer));
    if (!find_terms(&r, LLVMGetOperand(pointer, 1), true, step)) return false;
    pointer = LLVMGetOperand(pointer, 0);
  }
  row->pointer = pointer;
  return row->count > 0;
}
