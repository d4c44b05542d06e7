/* Fills regions in: uses of values of other regions, stores to their slots, edges between regions.
 */
#include <stdlib.h>

#include "emit.h"

LLVMValueRef mpl_slot_address(struct mpl_split *e, const struct mpl_slot *slot) {
  LLVMValueRef bytes = LLVMBuildMul(e->b, e->padded, mpl_const64(e->ir, slot->offset), "");
  LLVMValueRef base = mpl_offset(e->ir, e->b, e->scratch, bytes);
  if (!e->first) return base;
  bytes = LLVMBuildMul(e->b, e->first, mpl_const64(e->ir, slot->size), "");
  return mpl_offset(e->ir, e->b, base, bytes);
}

static void at_end_of(struct mpl_split *e, LLVMBasicBlockRef block) {
  LLVMPositionBuilderBefore(e->b, LLVMGetBasicBlockTerminator(block));
}

void mpl_before_region(struct mpl_split *e, mpl_site site) {
  at_end_of(e, e->frames[site].pre);
}

LLVMValueRef mpl_slot_base(struct mpl_split *e, const struct mpl_slot *slot, mpl_site site) {
  if (e->places[slot->number] && !mpl_is_of_items(slot)) return e->places[slot->number];
  uintptr_t *known = mpl_map_at(&e->bases, slot, site, true);
  if (*known) return (LLVMValueRef)*known;
  mpl_before_region(e, site);
  LLVMValueRef base = mpl_slot_address(e, slot);
  *known = (uintptr_t)base;
  return base;
}

/* The address of the site's work-item's element, computed in front of `before`. */
static LLVMValueRef element(struct mpl_split *e, const struct mpl_slot *slot, mpl_site site,
                            LLVMValueRef before) {
  LLVMValueRef base = mpl_slot_base(e, slot, site), linear = e->frames[site].linear;
  LLVMPositionBuilderBefore(e->b, before);
  if (slot->kind != MPL_SLOT_ARRAY)
    return LLVMBuildInBoundsGEP2(e->b, slot->type, base, &linear, 1, "");
  unsigned apart = slot->unit ? slot->unit : slot->size;
  LLVMValueRef bytes = LLVMBuildMul(e->b, linear, mpl_const64(e->ir, apart), "");
  return mpl_offset(e->ir, e->b, base, bytes);
}

/* The load or store, which is of a work-item's element of the slot. */
static LLVMValueRef mark(struct mpl_split *e, const struct mpl_slot *slot, LLVMValueRef access) {
  if (mpl_is_of_items(slot) && slot->size <= MPL_MOST_ELEMENT)
    mpl_mark(e->ir, access, MPL_SLOT_ELEMENT);
  return access;
}

LLVMValueRef mpl_read_slot(struct mpl_split *e, const struct mpl_slot *slot, mpl_site site,
                           LLVMTypeRef type) {
  LLVMValueRef loaded;
  if (mpl_is_of_items(slot)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(e->frames[site].body);
    LLVMValueRef place = element(e, slot, site, end);
    loaded = mark(e, slot, LLVMBuildLoad2(e->b, slot->type, place, ""));
  } else {
    LLVMValueRef base = mpl_slot_base(e, slot, site);
    mpl_before_region(e, site);
    loaded = LLVMBuildLoad2(e->b, slot->type, base, "");
  }
  return type == slot->type ? loaded : LLVMBuildTrunc(e->b, loaded, type, "");
}

void mpl_write_slot(struct mpl_split *e, const struct mpl_slot *slot, unsigned region,
                    LLVMValueRef value, LLVMValueRef before) {
  LLVMValueRef place =
      mpl_is_of_items(slot) ? element(e, slot, region, before) : mpl_slot_base(e, slot, region);
  LLVMPositionBuilderBefore(e->b, before);
  if (e->plan->regions[slot->region].sum == slot) value = mpl_accumulate(e, slot, value);
  if (LLVMTypeOf(value) != slot->type) value = LLVMBuildZExt(e->b, value, slot->type, "");
  mark(e, slot, LLVMBuildStore(e->b, value, place));
}

static LLVMValueRef own_id(struct mpl_split *e, enum mpl_marker marker, mpl_site site) {
  struct mpl_frame *frame = &e->frames[site];
  if (mpl_is_local_id(marker) && !frame->ids[0]) { /* of one work-item, which no loop counts */
    mpl_before_region(e, site);
    mpl_divide_id(e, frame->linear, e->size[0], e->size[1], frame->ids);
  }
  const LLVMValueRef ids[] = {[MPL_ITEM_LOCAL_ID_0] = frame->ids[0],
                              [MPL_ITEM_LOCAL_ID_1] = frame->ids[1],
                              [MPL_ITEM_LOCAL_ID_2] = frame->ids[2],
                              [MPL_ITEM_LOCAL_LINEAR_ID] = frame->group_linear,
                              [MPL_ITEM_LANE] = frame->lane};
  return ids[mpl_markers[marker].item_id];
}

static LLVMValueRef copy_in(struct mpl_split *e, LLVMValueRef value, mpl_site site) {
  LLVMValueRef copy = LLVMInstructionClone(value);
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(value); k++)
    LLVMSetOperand(copy, k, mpl_value_in(e, LLVMGetOperand(value, k), site));
  at_end_of(e, e->frames[site].body);
  LLVMInsertIntoBuilder(e->b, copy);
  return copy;
}

LLVMValueRef mpl_value_in(struct mpl_split *e, LLVMValueRef value, mpl_site site) {
  if (!LLVMIsAInstruction(value)) return value;
  enum mpl_way way = mpl_way_to(e->plan, value, site);
  if (way == MPL_WAY_SAME) return value;
  if (way == MPL_WAY_ID) return own_id(e, mpl_marker_of(value), site);
  if (way == MPL_WAY_RESULT) return e->frames[site].result;
  uintptr_t *known = mpl_map_at(&e->copies, value, site, true);
  if (*known) return (LLVMValueRef)*known;
  LLVMValueRef found, end = LLVMGetBasicBlockTerminator(e->frames[site].body);
  switch (way) {
  case MPL_WAY_SLOT:
    found = mpl_read_slot(e, mpl_slot_of(e->plan, value), site, LLVMTypeOf(value));
    break;
  case MPL_WAY_PLACE:
    found = element(e, mpl_slot_of(e->plan, value), site, end);
    break;
  case MPL_WAY_AGAIN:
    found = copy_in(e, value, site);
    break;
  default:
    abort();
  }
  *mpl_map_at(&e->copies, value, site, true) = (uintptr_t)found;
  return found;
}

/* The region's uses: finds all values first, since what is copied must still be the original. */
static void use_values(struct mpl_split *e, unsigned region, bool change) {
  const struct mpl_regions *r = &e->unit->regions;
  for (unsigned n = 0; n < r->list[region].num_blocks; n++) {
    unsigned b = r->list[region].blocks[n];
    MPL_EACH_INSTRUCTION(i, r->cfg.blocks[b]) {
      if (i == r->list[region].sync || (LLVMIsAPHINode(i) && b == r->list[region].head)) continue;
      for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
        LLVMValueRef operand = LLVMGetOperand(i, k), value = mpl_value_in(e, operand, region);
        if (change && value != operand) LLVMSetOperand(i, k, value);
      }
    }
  }
}

static void find_values(struct mpl_split *e, unsigned region) {
  const struct mpl_region_plan *plan = &e->plan->regions[region];
  use_values(e, region, false);
  for (unsigned n = 0; n < plan->num_edges; n++)
    for (unsigned k = 0; k < plan->edges[n].count; k++)
      mpl_value_in(e, plan->edges[n].list[k].value, region);
}

static void build_edge(struct mpl_split *e, unsigned region, const struct mpl_region_edge *edge) {
  LLVMBasicBlockRef block = mpl_build_edge(e, region, edge->to);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(e->unit->regions.cfg.blocks[edge->block]);
  for (unsigned k = 0; k < edge->count; k++)
    mpl_write_slot(e, edge->list[k].slot, region, mpl_value_in(e, edge->list[k].value, region),
                   LLVMGetBasicBlockTerminator(block));
  if (edge->to >= 0) {
    LLVMSetSuccessor(end, edge->successor, block);
  } else {
    LLVMPositionBuilderBefore(e->b, end);
    LLVMBuildBr(e->b, block);
    LLVMInstructionEraseFromParent(end);
  }
}

/* Stores values where they are computed. */
static void store_values(struct mpl_split *e) {
  for (unsigned h = 0; h < e->plan->num_slots; h++) {
    const struct mpl_slot *slot = e->plan->slots[h];
    if (slot->kind != MPL_SLOT_VALUE) continue;
    LLVMValueRef value = slot->value, before = LLVMGetNextInstruction(value);
    if (e->unit->regions.list[slot->region].sync == value) { /* a reduce's or broadcast's result */
      struct mpl_frame *frame = &e->frames[slot->region];
      mpl_write_slot(e, slot, slot->region, frame->result,
                     LLVMGetBasicBlockTerminator(mpl_is_of_items(slot) ? frame->body : frame->pre));
      continue;
    }
    while (LLVMIsAPHINode(before)) before = LLVMGetNextInstruction(before);
    mpl_write_slot(e, slot, slot->region, value, before);
  }
}

/* Sync calls are taken out but kept: what follows asks them what they were. */
static void erase_replaced(struct mpl_split *e) {
  const struct mpl_regions *r = &e->unit->regions;
  for (unsigned k = 0; k < r->count; k++) {
    MPL_EACH_INSTRUCTION(i, r->cfg.blocks[r->list[k].head]) {
      if (!LLVMIsAPHINode(i) && i != r->list[k].sync) break;
      LLVMTypeRef type = LLVMTypeOf(i);
      if (type != e->ir->void_type) LLVMReplaceAllUsesWith(i, LLVMGetPoison(type));
      if (i == r->list[k].sync)
        LLVMInstructionRemoveFromParent(i);
      else
        LLVMInstructionEraseFromParent(i);
    }
  }
}

void mpl_rewrite_values(struct mpl_split *e) {
  const struct mpl_regions *r = &e->unit->regions;
  for (unsigned k = 0; k < r->count; k++) mpl_emit_group_operation(e, k);
  for (unsigned k = 0; k < r->count; k++) find_values(e, k);
  for (unsigned k = 0; k < r->count; k++) use_values(e, k, true);
  store_values(e);
  for (unsigned k = 0; k < r->count; k++)
    for (unsigned n = 0; n < e->plan->regions[k].num_edges; n++)
      build_edge(e, k, &e->plan->regions[k].edges[n]);
  erase_replaced(e);
}
