/* How each value gets to where it is used.
 *
 * A varying value that is cheap arithmetic on ids and uniform values is computed again where it is
 * needed (addresses stay affine in the work-item's id, which the vectoriser wants).  All others get
 * a slot. */
#include "contexts.h"

/* What is strided is scalar arithmetic once for each chunk; and places that a context hands on look
 * as if they varied. */
enum { MAX_REMAT_COST = 8, MAX_REMAT_IN_CHUNKS = 24 };

bool mpl_is_shared(const struct mpl_split_plan *p, LLVMValueRef value) {
  const struct mpl_regions *r = &p->unit->regions;
  if (!LLVMIsAInstruction(value)) return true;
  if (!mpl_is_uniform(&r->shapes, value)) return false;
  unsigned block = mpl_cfg_block_of(&r->cfg, value);
  /* Shapes do not know what emit/arrays.c has made: addresses in each work-item's array, and numbers. */
  bool made = block && block < r->cfg.count && !mpl_map_has(&r->shapes.index, value);
  if (made && LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind) return false;
  for (int k = 0; made && k < LLVMGetNumOperands(value); k++)
    if (!mpl_is_shared(p, LLVMGetOperand(value, k))) return false;
  /* Work-items that are scheduled apart may compute even a uniform value at different times. */
  return !(r->masked && block < r->cfg.count && r->shapes.diverged[block]);
}

bool mpl_affords(const struct mpl_split_plan *p, LLVMValueRef value, mpl_price *price,
                 unsigned *left) {
  unsigned cost = mpl_is_shared(p, value) ? 0 : price(p, value);
  if (cost > *left) return false;
  *left -= cost;
  for (int k = 0; cost && k < LLVMGetNumOperands(value); k++)
    if (!mpl_affords(p, LLVMGetOperand(value, k), price, left)) return false;
  return true;
}

bool mpl_counts_units(LLVMValueRef value) {
  return LLVMGetInstructionOpcode(value) == LLVMSDiv && LLVMGetExact(value) &&
         LLVMIsAConstantInt(LLVMGetOperand(value, 1)) &&
         LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1)) > 0;
}

/* `left`: values that are looked at. */
static bool leads_to_address(LLVMValueRef value, unsigned *left) {
  MPL_EACH_USER(user, value) {
    if (!*left) return false;
    if (LLVMIsAGetElementPtrInst(user)) return true;
    --*left;
    if (mpl_only_computes(user, MPL_INTEGER) && leads_to_address(user, left)) return true;
  }
  return false;
}

static bool is_of_address(LLVMValueRef value) {
  enum { MOST_USERS = 32 };
  unsigned left = MOST_USERS;
  return LLVMIsAGetElementPtrInst(value) || leads_to_address(value, &left);
}

/* `x[id % n]`: computed where it is needed, it is seen to be side by side for most lanes, which a
 * number from a slot is not (vector/lanes/contiguous.c).  All lanes divide by the same number: by its
 * reciprocal. */
static bool is_wrapped(const struct mpl_split_plan *p, LLVMValueRef value) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  return opcode >= LLVMUDiv && opcode <= LLVMSRem && opcode != LLVMFDiv && !p->unit->lanes &&
         LLVMTypeOf(value) == p->unit->ir->i32 && mpl_is_shared(p, LLVMGetOperand(value, 1));
}

enum { DIVISION = 4 };

/* `x[id / 16 * n + id % 16]`: the same of what is computed from such numbers in ways that keep lanes side
 * by side. */
static unsigned price_of_place(const struct mpl_split_plan *p, LLVMValueRef value) {
  if (mpl_is_id(mpl_marker_of(value))) return 0;
  if (is_wrapped(p, value)) return DIVISION;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMAnd:
  case LLVMLShr:
  case LLVMAShr:
  case LLVMMul:
  case LLVMShl:
    return mpl_is_shared(p, LLVMGetOperand(value, 1)) ? 1 : UINT32_MAX;
  case LLVMAdd:
  case LLVMSub:
  case LLVMSExt:
  case LLVMZExt:
  case LLVMTrunc:
  case LLVMGetElementPtr:
    return 1;
  default:
    return UINT32_MAX;
  }
}

static bool is_place(const struct mpl_split_plan *p, LLVMValueRef value) {
  unsigned left = MAX_REMAT_IN_CHUNKS;
  return !p->unit->lanes && mpl_affords(p, value, price_of_place, &left) && is_of_address(value);
}

static unsigned price(const struct mpl_split_plan *p, LLVMValueRef value) {
  if (mpl_is_id(mpl_marker_of(value))) return 0;
  if (LLVMIsAFreezeInst(value)) /* of what is not poison, it is the same each time */
    return mpl_is_id(mpl_marker_of(LLVMGetOperand(value, 0))) ? 1 : UINT32_MAX;
  if (is_wrapped(p, value) && is_of_address(value)) return DIVISION;
  unsigned kinds = MPL_INTEGER | MPL_SELECT | MPL_ADDRESS | MPL_POINTER | MPL_FROM_INTEGER;
  bool cheap = mpl_only_computes(value, kinds) || mpl_extreme_of(value).is;
  return cheap || mpl_counts_units(value) || LLVMIsAAllocaInst(value) ? 1 : UINT32_MAX;
}

/* Of addresses, those in arrays that all share are computed where they are used: LLVM sees which they are. */
bool mpl_can_remat(const struct mpl_split_plan *p, LLVMValueRef value) {
  const struct mpl_regions *r = &p->unit->regions;
  if (LLVMIsAGetElementPtrInst(value) && mpl_uniform_array_of(&r->arrays, value)) return true;
  bool chunks = !p->unit->lanes && mpl_shape_of(&r->shapes, value).kind == MPL_STRIDED;
  unsigned left = chunks ? MAX_REMAT_IN_CHUNKS : MAX_REMAT_COST;
  return !mpl_is_shared(p, value) && (mpl_affords(p, value, price, &left) || is_place(p, value));
}

static enum mpl_way find_way(struct mpl_split_plan *p, LLVMValueRef value, mpl_site site) {
  const struct mpl_regions *r = &p->unit->regions;
  bool one = site >= r->count;
  unsigned region = site % r->count, own = mpl_region_of(r, value);
  enum mpl_marker marker = mpl_marker_of(value);
  if (mpl_is_id(marker)) {
    bool several =
        mpl_is_local_id(marker) || (p->unit->inner && marker == MPL_MARK_LOCAL_LINEAR_ID);
    p->regions[region].uses_ids |= several && !one;
    return MPL_WAY_ID;
  }
  struct mpl_slot *slot = mpl_slot_of(p, value);
  if (own == UINT32_MAX) return slot ? MPL_WAY_PLACE : MPL_WAY_SAME;
  if (own == region) {
    if (slot && slot->kind == MPL_SLOT_PHI) mpl_live_in(p, slot, region);
    if (slot && slot->kind != MPL_SLOT_VALUE) return MPL_WAY_SLOT;
    return r->list[own].sync == value ? MPL_WAY_RESULT : MPL_WAY_SAME;
  }
  if (one && !mpl_is_shared(p, value) && !mpl_is_kept_anyway(p, value)) return MPL_WAY_AGAIN;
  if (mpl_can_remat(p, value) || mpl_can_reload(p, value, region)) return MPL_WAY_AGAIN;
  if (!slot) {
    bool varying = !mpl_is_shared(p, value);
    slot = mpl_add_slot(p, MPL_SLOT_VALUE, value, LLVMTypeOf(value), own, varying);
    mpl_map_set(&p->slot_of, value, (uintptr_t)slot);
  }
  mpl_live_in(p, slot, region);
  return MPL_WAY_SLOT;
}

void mpl_need(struct mpl_split_plan *p, LLVMValueRef value, mpl_site site) {
  if (!LLVMIsAInstruction(value)) return;
  uintptr_t *known = mpl_map_at(&p->ways, value, site, true);
  if (*known) return;
  enum mpl_way way = find_way(p, value, site);
  *known = way;
  for (int k = 0; way == MPL_WAY_AGAIN && k < LLVMGetNumOperands(value); k++)
    mpl_need(p, LLVMGetOperand(value, k), site);
}

enum mpl_way mpl_way_to(const struct mpl_split_plan *p, LLVMValueRef value, mpl_site site) {
  const uintptr_t *way = mpl_map_find(&p->ways, value, site);
  return way ? (enum mpl_way) * way : MPL_UNPLANNED;
}
