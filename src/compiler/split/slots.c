/* Finds memory for the slots: which can be one slot, or need none at all, and where in the group's
 * scratch memory the others are.  Slots of varying values that are not live at the same time share
 * it. */
#include <stdlib.h>

#include "compiler/analysis/algebra.h"
#include "compiler/analysis/target.h"
#include "compiler/passes.h"
#include "split.h"

/* The operand's slot is the one where its value lives anyway, if it lives anywhere. */
static void share_operand(struct mpl_split *s, unsigned region, uintptr_t *place) {
  struct mpl_slot *operand = place ? (struct mpl_slot *)*place : NULL;
  if (!operand || !operand->varying) return;
  struct mpl_slot *own = mpl_slot_of(s, operand->value);
  if (!own && mpl_is_in_place(mpl_marker_of(operand->value)))
    own = mpl_operand_slot(s, operand->value, 0);
  if (!own || !own->varying) return;
  mpl_live_in(s, own, region);
  operand->varying = false;
  operand->unused = true;
  *place = (uintptr_t)own;
}

/* Do work-items that go from `region` to a meeting come by different edges, each as it likes? */
static bool choose_edges(struct mpl_regions *r, unsigned region) {
  for (unsigned n = 0; n < r->list[region].num_blocks; n++)
    if (r->shapes.varying_branch[r->list[region].blocks[n]]) return true;
  return false;
}

/* A phi whose only use is the operand of the region that comes next. */
static bool is_met_operand(struct mpl_split *s, struct mpl_slot *slot, unsigned region) {
  struct mpl_regions *r = &s->regions;
  struct mpl_region *meet = &r->list[slot->region];
  LLVMUseRef use = slot->kind == MPL_SLOT_PHI ? LLVMGetFirstUse(slot->value) : NULL;
  bool many = r->cfg.preds[meet->head].count != meet->preds.count;
  for (unsigned p = 0; p < meet->preds.count; p++) {
    if (meet->preds.to[p] == slot->region) return false; /* which would begin anew */
    if (many && choose_edges(r, meet->preds.to[p])) return false;
  }
  return use && LLVMGetUser(use) == r->list[region].sync && !LLVMGetNextUse(use) &&
         r->list[region].preds.count == 1 && r->list[region].preds.to[0] == slot->region;
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
 * conditions in the chain of sums, which would keep the loop from being vectorised. */
static void accumulate(struct mpl_split *s, unsigned region) {
  struct mpl_regions *r = &s->regions;
  struct mpl_collective collective;
  LLVMValueRef sync = r->list[region].sync;
  struct mpl_slot *slot = mpl_operand_slot(s, sync, 0);
  if (!slot || r->masked || s->lanes || r->cfg.preds[r->list[region].head].count != 1) return;
  if (!mpl_collective_of(sync, &collective) || !mpl_is_one_step(&collective)) return;
  bool own = slot->kind == MPL_SLOT_OPERAND && slot->region == region;
  if (!own && !is_met_operand(s, slot, region)) return;
  slot->kind = MPL_SLOT_SUM;
  slot->reduce = sync;
  slot->varying = false;
  slot->is_vote = own && mpl_is_vote(&collective, slot->value);
  if (slot->is_vote) slot->type = vote_type(s->ir, LLVMGetOperand(slot->value, 0));
}

/* The operands of a scan of integers likewise: the loop that computes them visits work-items in
 * their order, and widening keeps that.  Not where work-items come by several edges, one after the
 * other. */
static void scan_in_loop(struct mpl_split *s, unsigned region) {
  struct mpl_regions *r = &s->regions;
  struct mpl_collective collective;
  LLVMValueRef sync = r->list[region].sync;
  struct mpl_slot *slot = mpl_operand_slot(s, sync, 0);
  if (s->inner || s->lanes || r->masked) return;
  if (r->cfg.preds[r->list[region].head].count != 1) return;
  if (mpl_is_one_item(s, r->list[region].preds.to[0])) return;
  if (mpl_collective_of(sync, &collective) && mpl_is_one_step(&collective)) slot->scan = sync;
}

static bool is_live_in(const struct mpl_slot *slot, unsigned region) {
  return slot->live[region / 64] >> region % 64 & 1;
}

/* The phi's value is read nowhere but in the region that it begins. */
static bool is_read_at_once(struct mpl_split *s, const struct mpl_slot *phi) {
  for (unsigned k = 0; k < s->regions.count; k++)
    if (is_live_in(phi, k) != (k == phi->region)) return false;
  return true;
}

/* Where a value lives that needs no room besides: what crosses to other regions, a scan's result.
 */
static struct mpl_slot *result_slot(struct mpl_split *s, LLVMValueRef value) {
  struct mpl_slot *slot = mpl_slot_of(s, value);
  if (!slot && mpl_is_in_place(mpl_marker_of(value))) slot = mpl_operand_slot(s, value, 0);
  bool is_result = slot && (slot->kind == MPL_SLOT_VALUE || slot->kind == MPL_SLOT_OPERAND);
  return is_result && slot->varying ? slot : NULL;
}

static unsigned region_from(struct mpl_split *s, LLVMValueRef phi, unsigned incoming) {
  LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, incoming);
  return s->regions.of_block[mpl_map_get(&s->regions.cfg.index, block, 0)];
}

/* x = f(x) in a loop with a sync point: each work-item reads its x before it writes the next one,
 * so both can have one slot, if the result is not wanted in the phi's region any more and is not
 * there where the phi is given another value. */
static bool can_join(struct mpl_split *s, struct mpl_slot *phi, LLVMValueRef value) {
  struct mpl_slot *result = result_slot(s, value);
  if (!result || result->is_joined || result->type != phi->type) return false;
  bool is_made_there = result->kind == MPL_SLOT_VALUE && result->region == phi->region;
  if (is_live_in(result, phi->region) && !is_made_there) return false;
  for (unsigned k = 0; k < LLVMCountIncoming(phi->value); k++)
    if (LLVMGetIncomingValue(phi->value, k) != value &&
        is_live_in(result, region_from(s, phi->value, k)))
      return false;
  return true;
}

static void join(struct mpl_split *s, struct mpl_slot *phi) {
  if (s->lanes || s->regions.masked || phi->kind != MPL_SLOT_PHI || !phi->varying) return;
  if (!is_read_at_once(s, phi)) return;
  for (unsigned k = 0; k < LLVMCountIncoming(phi->value) && !phi->joined; k++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi->value, k);
    if (!LLVMIsAInstruction(value) || !can_join(s, phi, value)) continue;
    phi->joined = result_slot(s, value);
    phi->joined->is_joined = true;
    for (unsigned w = 0; w < s->regions.count / 64 + 1; w++)
      phi->joined->occupied[w] |= phi->occupied[w];
  }
}

bool mpl_is_in_its_place(struct mpl_split *s, const struct mpl_slot *phi, LLVMValueRef incoming) {
  return phi->joined && LLVMIsAInstruction(incoming) && result_slot(s, incoming) == phi->joined;
}

bool mpl_is_written_from(struct mpl_split *s, const struct mpl_slot *phi, unsigned region) {
  for (unsigned k = 0; k < LLVMCountIncoming(phi->value); k++)
    if (region_from(s, phi->value, k) == region &&
        !mpl_is_in_its_place(s, phi, LLVMGetIncomingValue(phi->value, k)))
      return true;
  return false;
}

/* Group operations leave operands as they are, but for the one that the result replaces. */
void mpl_share_slots(struct mpl_split *s) {
  for (unsigned k = 0; k < s->regions.count; k++) {
    LLVMValueRef sync = s->regions.list[k].sync;
    if (!sync) continue;
    for (unsigned o = mpl_is_in_place(mpl_marker_of(sync)); o < LLVMGetNumArgOperands(sync); o++)
      share_operand(s, k, mpl_map_at(&s->slot_of, sync, 1 + 2 * o, false));
    if (mpl_marker_of(sync) == MPL_MARK_REDUCE) accumulate(s, k);
    if (mpl_marker_of(sync) == MPL_MARK_SCAN) scan_in_loop(s, k);
  }
  for (unsigned h = 0; h < s->num_slots; h++) join(s, s->slots[h]);
}

static bool interfere(struct mpl_split *s, const struct mpl_slot *a, const struct mpl_slot *b) {
  for (unsigned w = 0; w < s->regions.count / 64 + 1; w++)
    if (a->occupied[w] & b->occupied[w]) return true;
  return false;
}

/* Of its place for each work-item: what other slots need follows from the padding of their number. */
static unsigned alignment_of(const struct mpl_slot *slot) {
  if (slot->kind != MPL_SLOT_ARRAY || slot->unit) return 1;
  unsigned align = LLVMGetAlignment(slot->value);
  return align > SCRATCH_ALIGN ? align : 1;
}

/* Places the varying slots in scratch memory: first fit among places of the same element size. */
void mpl_place_slots(struct mpl_split *s) {
  struct place {
    unsigned size, offset;
    uint64_t *occupied;
  } *places = NULL;
  size_t capacity = 0;
  uint64_t total = 0;
  unsigned num_places = 0, words = s->regions.count / 64 + 1;
  for (unsigned h = 0; h < s->num_slots; h++) {
    struct mpl_slot *slot = s->slots[h];
    bool handed_over = s->lanes && s->regions.masked;
    if (slot->unused || slot->joined || !(slot->varying || s->lanes)) continue;
    /* What waits for work-items that are scheduled apart is in use wherever they are. */
    unsigned p = handed_over ? num_places : 0, align = alignment_of(slot);
    for (; p < num_places; p++) {
      struct mpl_slot taken = {.occupied = places[p].occupied};
      if (places[p].size == slot->size && places[p].offset % align == 0 &&
          !interfere(s, &taken, slot))
        break;
    }
    if (p == num_places) {
      total = (total + align - 1) / align * align;
      places = mpl_grow(places, &capacity, num_places + 1, sizeof *places);
      places[num_places++] =
          (struct place){slot->size, (unsigned)total, mpl_allocate(words, sizeof(uint64_t))};
      total += slot->size;
    }
    slot->offset = places[p].offset;
    for (unsigned w = 0; w < words; w++) places[p].occupied[w] |= slot->occupied[w];
  }
  for (unsigned h = 0; h < s->num_slots; h++)
    if (s->slots[h]->joined) s->slots[h]->offset = s->slots[h]->joined->offset;
  s->states = (unsigned)total;
  if (s->lanes) total += sizeof(uint32_t);
  if (total > INT32_MAX)
    mpl_report(s->ir, s->function, "'%s' keeps %llu bytes of private variables for each work-item "
                                   "across barriers, which is more than it may: %d",
               s->kernel->name, (unsigned long long)total, INT32_MAX);
  if (total > s->kernel->scratch_per_item) s->kernel->scratch_per_item = (unsigned)total;
  if (total) s->kernel->scratch_fixed = MPL_MOST_BEHIND + (unsigned)(s->align - SCRATCH_ALIGN);
  s->kernel->private_size = s->kernel->scratch_per_item;
  for (unsigned p = 0; p < num_places; p++) free(places[p].occupied);
  free(places);
}
