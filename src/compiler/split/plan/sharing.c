/* Slots that need no memory of their own: operands that live somewhere anyway, what loops combine or
 * scan as they compute it, and what a loop carries from one iteration to the next. */
#include "compiler/analysis/target.h"
#include "contexts.h"

/* The operand's slot is the one where its value lives anyway, if it lives anywhere. */
static void share_operand(struct mpl_split_plan *p, unsigned region, uintptr_t *place) {
  struct mpl_slot *operand = place ? (struct mpl_slot *)*place : NULL;
  if (!operand || !mpl_is_of_items(operand)) return;
  struct mpl_slot *own = mpl_slot_of(p, operand->value);
  if (!own || !mpl_is_of_items(own)) return;
  mpl_live_in(p, own, region);
  operand->storage = MPL_IN_NOWHERE;
  *place = (uintptr_t)own;
}

/* Do work-items that go from `region` to a meeting come by different edges, each as it likes? */
static bool choose_edges(const struct mpl_regions *r, unsigned region) {
  for (unsigned n = 0; n < r->list[region].num_blocks; n++)
    if (r->shapes.varying_branch[r->list[region].blocks[n]]) return true;
  return false;
}

/* A phi whose only use is the operand of the region that comes next. */
static bool is_met_operand(const struct mpl_split_plan *p, const struct mpl_slot *slot,
                           unsigned region) {
  const struct mpl_regions *r = &p->unit->regions;
  const struct mpl_region *meet = &r->list[slot->region];
  LLVMValueRef user = slot->kind == MPL_SLOT_PHI ? mpl_only_user(slot->value) : NULL;
  bool many = r->cfg.preds[meet->head].count != meet->preds.count;
  MPL_EACH_EDGE(from, &meet->preds) {
    if (from == slot->region) return false; /* which would begin anew */
    if (many && choose_edges(r, from)) return false;
  }
  return user && user == r->list[region].sync && r->list[region].preds.count == 1 &&
         r->list[region].preds.to[0] == slot->region;
}

/* The width of what is compared to make a condition. */
static unsigned compared_bits(struct mpl_module_ir *ir, LLVMValueRef condition, unsigned depth) {
  enum { OF_NOTHING = 32, DEEPEST = 4 };
  if (!LLVMIsAInstruction(condition) || depth == DEEPEST) return OF_NOTHING;
  LLVMValueRef first = LLVMGetOperand(condition, 0);
  switch (LLVMGetInstructionOpcode(condition)) {
  case LLVMICmp:
  case LLVMFCmp:
    return (unsigned)LLVMSizeOfTypeInBits(ir->layout, LLVMTypeOf(first));
  case LLVMSelect:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
    return compared_bits(ir, first, depth + 1);
  default:
    return OF_NOTHING;
  }
}

/* What conditions are counted in.  Where the processor has no registers of bits for vectors of
 * conditions they are lanes as wide as what is compared, and packing them would cost more than all
 * the rest.  A group has more work-items than 8 bits can count. */
static LLVMTypeRef vote_type(struct mpl_module_ir *ir, LLVMValueRef condition) {
  unsigned bits = compared_bits(ir, condition, 0);
  if (ir->target->mask_bits) return ir->i1;
  return LLVMIntTypeInContext(ir->context, bits <= 16 ? 16 : bits == 64 ? 64 : 32);
}

/* Operands of an integer reduction that live nowhere else need not be kept: the loops that compute
 * them combine them at once.  Not so in floating point, where the order would be LLVM's, nor with
 * conditions in the chain of sums, which would keep the loop from being vectorised.  Those of a scan
 * likewise: the loop visits work-items in their order, and widening keeps that.  Not where work-items
 * come by several edges, one after the other. */
static void accumulate(struct mpl_split_plan *p, unsigned region) {
  const struct mpl_regions *r = &p->unit->regions;
  struct mpl_collective collective;
  LLVMValueRef sync = r->list[region].sync;
  struct mpl_slot *slot = mpl_operand_slot(p, sync, 0);
  if (!slot || r->masked || p->unit->lanes || r->cfg.preds[r->list[region].head].count != 1) return;
  if (!mpl_collective_of(sync, &collective) || !mpl_is_one_step(&collective)) return;
  bool scans = mpl_marker_of(sync) == MPL_MARK_SCAN;
  if (scans && (p->unit->inner || mpl_is_of_one_item(r, r->list[region].preds.to[0]))) return;
  bool own = slot->kind == MPL_SLOT_OPERAND && slot->region == region;
  if (!own && !is_met_operand(p, slot, region)) return;
  bool votes = !scans && own && mpl_is_vote(&collective, slot->value);
  slot->storage = scans ? MPL_IN_SCAN : votes ? MPL_IN_VOTE : MPL_IN_SUM;
  slot->collective = collective;
  if (votes) slot->type = vote_type(p->unit->ir, LLVMGetOperand(slot->value, 0));
  p->regions[slot->region].sum = slot;
}

/* The phi's value is read nowhere but in the region that it begins. */
static bool is_read_at_once(const struct mpl_split_plan *p, const struct mpl_slot *phi) {
  for (unsigned k = 0; k < p->unit->regions.count; k++)
    if (mpl_is_live_in(phi, k) != (k == phi->region)) return false;
  return true;
}

/* Where a value lives that needs no room besides: what crosses to other regions, a scan's result.
 */
static struct mpl_slot *result_slot(const struct mpl_split_plan *p, LLVMValueRef value) {
  struct mpl_slot *slot = mpl_slot_of(p, value);
  bool is_result = slot && (slot->kind == MPL_SLOT_VALUE || slot->kind == MPL_SLOT_OPERAND);
  return is_result && mpl_is_of_items(slot) ? slot : NULL;
}

static unsigned region_from(const struct mpl_split_plan *p, LLVMValueRef phi, unsigned incoming) {
  LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, incoming);
  return p->unit->regions.of_block[mpl_map_get(&p->unit->regions.cfg.index, block, 0)];
}

/* x = f(x) in a loop with a sync point: each work-item reads its x before it writes the next one,
 * so both can have one slot, if the result is not wanted in the phi's region any more and is not
 * there where the phi is given another value. */
static bool can_join(const struct mpl_split_plan *p, const struct mpl_slot *phi,
                     LLVMValueRef value) {
  struct mpl_slot *result = result_slot(p, value);
  if (!result || result->is_joined || result->type != phi->type) return false;
  bool is_made_there = result->kind == MPL_SLOT_VALUE && result->region == phi->region;
  if (mpl_is_live_in(result, phi->region) && !is_made_there) return false;
  for (unsigned k = 0; k < LLVMCountIncoming(phi->value); k++)
    if (LLVMGetIncomingValue(phi->value, k) != value &&
        mpl_is_live_in(result, region_from(p, phi->value, k)))
      return false;
  return true;
}

static void join(struct mpl_split_plan *p, struct mpl_slot *phi) {
  if (p->unit->lanes || p->unit->regions.masked || phi->kind != MPL_SLOT_PHI) return;
  if (!mpl_is_of_items(phi) || !is_read_at_once(p, phi)) return;
  for (unsigned k = 0; k < LLVMCountIncoming(phi->value) && !phi->joined; k++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi->value, k);
    if (!LLVMIsAInstruction(value) || !can_join(p, phi, value)) continue;
    phi->joined = result_slot(p, value);
    phi->joined->is_joined = true;
  }
}

bool mpl_is_in_its_place(const struct mpl_split_plan *p, const struct mpl_slot *phi,
                         LLVMValueRef incoming) {
  return phi->joined && LLVMIsAInstruction(incoming) && result_slot(p, incoming) == phi->joined;
}

/* Group operations leave operands as they are, but for the one that the result replaces. */
void mpl_share_slots(struct mpl_split_plan *p) {
  for (unsigned k = 0; k < p->unit->regions.count; k++) {
    LLVMValueRef sync = p->unit->regions.list[k].sync;
    if (!sync) continue;
    for (unsigned o = mpl_is_in_place(mpl_marker_of(sync)); o < LLVMGetNumArgOperands(sync); o++)
      share_operand(p, k, mpl_map_at(&p->slot_of, sync, 1 + o, false));
    accumulate(p, k);
  }
  for (unsigned h = 0; h < p->num_slots; h++) join(p, p->slots[h]);
}
