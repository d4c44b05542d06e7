/* Broadcasts of what is arithmetic on values that have a slot anyway: it is computed for the one
 * work-item that is asked for, instead of for all of them, and nothing has to be kept for that.
 *
 *   x = work_group_broadcast(f(x, get_local_id(0)), k);
 *
 * The region in front then has one loop less.  What f reads must be in a slot at the sync point
 * whether or not the broadcast is done so: else this would cost a store for each work-item.  That
 * may be an element of a private array, if the region in front does not store to it any more. */
#include "split.h"

enum { MOST = 16 }; /* instructions */

/* The slot that a value has already when operands get theirs: a head's phi, a scan's result. */
static struct mpl_slot *slot_now(struct mpl_split *s, LLVMValueRef value) {
  struct mpl_slot *slot = mpl_slot_of(s, value);
  if (slot || !mpl_is_in_place(mpl_marker_of(value))) return slot;
  return mpl_operand_slot(s, value, 0);
}

static bool is_head_phi(struct mpl_split *s, LLVMValueRef value) {
  struct mpl_regions *r = &s->regions;
  unsigned block = LLVMIsAPHINode(value) ? mpl_cfg_block_of(&r->cfg, value) : UINT32_MAX;
  return block < r->cfg.count && r->list[r->of_block[block]].head == block;
}

static bool has_slot(struct mpl_split *s, LLVMValueRef value) {
  return is_head_phi(s, value) || mpl_is_in_place(mpl_marker_of(value));
}

static unsigned price(struct mpl_split *s, LLVMValueRef value) {
  if (mpl_counts_units(value)) return 1;
  if (LLVMIsAAllocaInst(value) && mpl_element_slot(s, value)) return 0;
  if (LLVMIsALoadInst(value) && mpl_element_slot(s, LLVMGetOperand(value, 0))) return 1;
  if (LLVMIsAGetElementPtrInst(value) && mpl_element_slot(s, value)) return 1;
  enum mpl_marker marker = mpl_marker_of(value);
  if (marker == MPL_MARK_LOCAL_LINEAR_ID || has_slot(s, value)) return 0;
  if (mpl_is_local_id(marker)) return 2; /* it may need a division */
  bool cheap =
      mpl_only_computes(value, MPL_INTEGER | MPL_SELECT | MPL_FROM_INTEGER | MPL_FLOATING);
  return cheap ? 1 : UINT32_MAX;
}

/* Elements of private arrays are what they are in front of the region. */
static bool are_elements_kept(struct mpl_split *s, LLVMValueRef value, unsigned region) {
  if (!LLVMIsAInstruction(value) || mpl_is_shared(s, value) || has_slot(s, value)) return true;
  if (LLVMIsALoadInst(value)) return mpl_is_element_kept(s, value, region);
  for (int k = 0; k < LLVMGetNumOperands(value); k++)
    if (!are_elements_kept(s, LLVMGetOperand(value, k), region)) return false;
  return true;
}

bool mpl_can_broadcast_one(struct mpl_split *s, LLVMValueRef value, unsigned region) {
  if (s->lanes || s->regions.masked) return false;
  if (!LLVMIsAInstruction(value) || has_slot(s, value)) return false; /* which is read there */
  unsigned left = MOST;
  return mpl_affords(s, value, price, &left) && are_elements_kept(s, value, region);
}

/* Up to MOST steps deep, and as wide: small enough to walk as a tree. */
void mpl_need_one(struct mpl_split *s, LLVMValueRef value, unsigned region) {
  if (!LLVMIsAInstruction(value)) return;
  if (mpl_is_shared(s, value) || has_slot(s, value)) {
    mpl_need(s, value, region);
  } else if (!mpl_is_id(mpl_marker_of(value))) {
    for (int k = 0; k < LLVMGetNumOperands(value); k++)
      mpl_need_one(s, LLVMGetOperand(value, k), region);
  }
}

static LLVMValueRef id_of(struct mpl_split *s, enum mpl_marker marker, LLVMValueRef linear) {
  if (s->kernel->dims == 1) return linear;
  LLVMValueRef row = LLVMBuildUDiv(s->b, linear, s->size[0], "");
  switch (mpl_markers[marker].item_id) {
  case MPL_ITEM_LOCAL_ID_0:
    return LLVMBuildURem(s->b, linear, s->size[0], "");
  case MPL_ITEM_LOCAL_ID_1:
    return LLVMBuildURem(s->b, row, s->size[1], "");
  case MPL_ITEM_LOCAL_ID_2:
    return LLVMBuildUDiv(s->b, row, s->size[1], "");
  default:
    return linear;
  }
}

LLVMValueRef mpl_build_one(struct mpl_split *s, LLVMValueRef value, unsigned region,
                           LLVMValueRef linear) {
  if (!LLVMIsAInstruction(value)) return value;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(s->frames[region].pre), one;
  if (mpl_is_shared(s, value)) {
    one = mpl_value_in(s, value, region);
  } else if (has_slot(s, value)) {
    struct mpl_slot *slot = slot_now(s, value);
    LLVMValueRef base = mpl_slot_base(s, slot, region);
    LLVMPositionBuilderBefore(s->b, end);
    LLVMValueRef place = LLVMBuildInBoundsGEP2(s->b, slot->type, base, &linear, 1, "");
    one = LLVMBuildLoad2(s->b, slot->type, place, "");
    one = LLVMTypeOf(value) == slot->type ? one : LLVMBuildTrunc(s->b, one, LLVMTypeOf(value), "");
  } else if (LLVMIsAAllocaInst(value)) {
    LLVMValueRef base = mpl_slot_base(s, mpl_slot_of(s, value), region);
    LLVMPositionBuilderBefore(s->b, end);
    one = mpl_slot_element(s, mpl_slot_of(s, value), base, linear);
  } else if (mpl_is_id(mpl_marker_of(value))) {
    one = id_of(s, mpl_marker_of(value), linear);
  } else {
    one = LLVMInstructionClone(value);
    for (int k = 0; k < LLVMGetNumOperands(value); k++)
      LLVMSetOperand(one, k, mpl_build_one(s, LLVMGetOperand(value, k), region, linear));
    LLVMPositionBuilderBefore(s->b, end);
    LLVMInsertIntoBuilder(s->b, one);
  }
  LLVMPositionBuilderBefore(s->b, end);
  return one;
}
