/* Fills regions in: uses of values of other regions, stores to their slots, edges between regions.
 */
#include <stdlib.h>

#include "split.h"

LLVMValueRef mpl_slot_address(struct mpl_split *s, struct mpl_slot *slot) {
  LLVMValueRef bytes = LLVMBuildMul(s->b, s->padded, mpl_const64(s->ir, slot->offset), "");
  LLVMValueRef base = mpl_offset(s->ir, s->b, s->scratch, bytes);
  if (!s->first) return base;
  bytes = LLVMBuildMul(s->b, s->first, mpl_const64(s->ir, slot->size), "");
  return mpl_offset(s->ir, s->b, base, bytes);
}

LLVMValueRef mpl_slot_base(struct mpl_split *s, struct mpl_slot *slot, unsigned region) {
  if (slot->place && !slot->scan) return slot->place;
  uintptr_t *known = mpl_map_at(&s->bases, slot, region, true);
  if (*known) return (LLVMValueRef)*known;
  LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(s->frames[region].pre));
  LLVMValueRef base = mpl_slot_address(s, slot);
  *known = (uintptr_t)base;
  return base;
}

LLVMValueRef mpl_slot_element(struct mpl_split *s, const struct mpl_slot *slot, LLVMValueRef base,
                              LLVMValueRef linear) {
  if (slot->kind != MPL_SLOT_ARRAY)
    return LLVMBuildInBoundsGEP2(s->b, slot->type, base, &linear, 1, "");
  unsigned apart = slot->unit ? slot->unit : slot->size;
  LLVMValueRef bytes = LLVMBuildMul(s->b, linear, mpl_const64(s->ir, apart), "");
  return mpl_offset(s->ir, s->b, base, bytes);
}

/* The address of the running work-item's element, computed in front of `before`. */
static LLVMValueRef element(struct mpl_split *s, struct mpl_slot *slot, unsigned region,
                            LLVMValueRef before) {
  LLVMValueRef base = mpl_slot_base(s, slot, region);
  LLVMPositionBuilderBefore(s->b, before);
  return mpl_slot_element(s, slot, base, s->frames[region].linear);
}

LLVMValueRef mpl_mark_element(struct mpl_split *s, const struct mpl_slot *slot,
                              LLVMValueRef access) {
  if (slot->varying && slot->size <= MPL_MOST_ELEMENT)
    mpl_set_metadata(s->ir, access, MPL_SLOT_ELEMENT,
                     LLVMMDNodeInContext2(s->ir->context, NULL, 0));
  return access;
}

static void at_end_of(struct mpl_split *s, LLVMBasicBlockRef block) {
  LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(block));
}

static LLVMValueRef load_slot(struct mpl_split *s, struct mpl_slot *slot, unsigned region,
                              LLVMTypeRef type) {
  LLVMValueRef loaded;
  if (slot->varying) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(s->frames[region].body);
    LLVMValueRef place = element(s, slot, region, end);
    loaded = mpl_mark_element(s, slot, LLVMBuildLoad2(s->b, slot->type, place, ""));
  } else {
    LLVMValueRef base = mpl_slot_base(s, slot, region);
    at_end_of(s, s->frames[region].pre);
    loaded = LLVMBuildLoad2(s->b, slot->type, base, "");
  }
  return type == slot->type ? loaded : LLVMBuildTrunc(s->b, loaded, type, "");
}

/* Stores in front of an instruction in the region's loop. */
static void store_slot(struct mpl_split *s, struct mpl_slot *slot, unsigned region,
                       LLVMValueRef value, LLVMValueRef before) {
  LLVMValueRef place =
      slot->varying ? element(s, slot, region, before) : mpl_slot_base(s, slot, region);
  LLVMPositionBuilderBefore(s->b, before);
  if (slot->kind == MPL_SLOT_SUM) value = mpl_add_to_sum(s, slot, value);
  if (slot->scan) value = mpl_scan_operand(s, slot, value);
  if (LLVMTypeOf(value) != slot->type) value = LLVMBuildZExt(s->b, value, slot->type, "");
  mpl_mark_element(s, slot, LLVMBuildStore(s->b, value, place));
}

static LLVMValueRef own_id(struct mpl_split *s, enum mpl_marker marker, unsigned region) {
  const struct mpl_frame *frame = &s->frames[region];
  const LLVMValueRef ids[] = {[MPL_ITEM_LOCAL_ID_0] = frame->ids[0],
                              [MPL_ITEM_LOCAL_ID_1] = frame->ids[1],
                              [MPL_ITEM_LOCAL_ID_2] = frame->ids[2],
                              [MPL_ITEM_LOCAL_LINEAR_ID] = frame->group_linear,
                              [MPL_ITEM_LANE] = frame->lane};
  return mpl_is_id(marker) ? ids[mpl_markers[marker].item_id] : NULL;
}

static LLVMValueRef copy_in(struct mpl_split *s, LLVMValueRef value, unsigned region) {
  unsigned count = LLVMGetNumOperands(value);
  LLVMValueRef *operands = mpl_allocate(count, sizeof *operands);
  for (unsigned k = 0; k < count; k++)
    operands[k] = mpl_value_in(s, LLVMGetOperand(value, k), region);
  LLVMValueRef copy = LLVMInstructionClone(value);
  for (unsigned k = 0; k < count; k++) LLVMSetOperand(copy, k, operands[k]);
  free(operands);
  at_end_of(s, s->frames[region].body);
  LLVMInsertIntoBuilder(s->b, copy);
  return copy;
}

LLVMValueRef mpl_value_in(struct mpl_split *s, LLVMValueRef value, unsigned region) {
  if (!LLVMIsAInstruction(value)) return value;
  LLVMValueRef id = own_id(s, mpl_marker_of(value), region);
  if (id) return id;
  unsigned own = mpl_region_of(&s->regions, value);
  struct mpl_slot *slot = mpl_slot_of(s, value);
  bool is_array = slot && slot->kind == MPL_SLOT_ARRAY && slot->varying,
       is_phi = slot && slot->kind == MPL_SLOT_PHI;
  bool is_scan = mpl_is_in_place(mpl_marker_of(value)) && mpl_operand_slot(s, value, 0);
  if (own == UINT32_MAX && !is_array) return value;
  if (own == region && s->regions.list[own].sync == value && !is_scan)
    return s->frames[region].result;
  if (own == region && !is_phi && !is_scan) return value;
  uintptr_t *known = mpl_map_at(&s->copies, value, region, true);
  if (*known) return (LLVMValueRef)*known;
  LLVMValueRef found;
  if (is_array) {
    found = element(s, slot, region, LLVMGetBasicBlockTerminator(s->frames[region].body));
  } else if (is_scan && !slot) {
    found = load_slot(s, mpl_operand_slot(s, value, 0), region, LLVMTypeOf(value));
  } else if (slot && !mpl_can_reload(s, value, region)) {
    found = load_slot(s, slot, region, LLVMTypeOf(value));
  } else {
    found = copy_in(s, value, region);
  }
  *mpl_map_at(&s->copies, value, region, true) = (uintptr_t)found;
  return found;
}

/* The uses to change: collected first, since what is copied must still be the original. */
struct change {
  LLVMValueRef user, value;
  int operand;
};
struct changes {
  struct change *list;
  unsigned count;
  size_t capacity;
};

static void collect(struct mpl_split *s, struct changes *c, unsigned region) {
  struct mpl_regions *r = &s->regions;
  for (unsigned n = 0; n < r->list[region].num_blocks; n++) {
    unsigned b = r->list[region].blocks[n];
    MPL_EACH_INSTRUCTION(i, r->cfg.blocks[b]) {
      if (i == r->list[region].sync || (LLVMIsAPHINode(i) && b == r->list[region].head)) continue;
      for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef operand = LLVMGetOperand(i, k);
        if (!LLVMIsAInstruction(operand)) continue;
        LLVMValueRef value = mpl_value_in(s, operand, region);
        if (value == operand) continue;
        c->list = mpl_grow(c->list, &c->capacity, c->count + 1, sizeof *c->list);
        c->list[c->count++] = (struct change){i, value, k};
      }
    }
  }
}

/* An edge to a head hands over the head's phis and its sync's operands. */
struct handover {
  LLVMValueRef value;
  struct mpl_slot *slot;
};
struct edge {
  LLVMValueRef end;
  unsigned successor, region;
  int to;
  struct handover *list;
  unsigned count;
  size_t capacity;
};
struct edges {
  struct edge *list;
  unsigned count;
  size_t capacity;
};

static void hand_over(struct edge *edge, LLVMValueRef value, struct mpl_slot *slot) {
  edge->list = mpl_grow(edge->list, &edge->capacity, edge->count + 1, sizeof *edge->list);
  edge->list[edge->count++] = (struct handover){value, slot};
}

static void plan_edge(struct mpl_split *s, struct edge *edge, LLVMBasicBlockRef from) {
  if (edge->to < 0) return;
  struct mpl_region *to = &s->regions.list[edge->to];
  LLVMBasicBlockRef head = s->regions.cfg.blocks[to->head];
  for (LLVMValueRef i = LLVMGetFirstInstruction(head); LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i)) {
    for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
      if (LLVMGetIncomingBlock(i, k) != from) continue;
      LLVMValueRef value = LLVMGetIncomingValue(i, k);
      struct mpl_slot *slot = mpl_slot_of(s, i);
      if (!mpl_is_in_its_place(s, slot, value))
        hand_over(edge, mpl_value_in(s, value, edge->region), slot);
      break; /* several edges from one block carry the same value */
    }
  }
  if (!to->sync) return;
  for (unsigned k = 0; k < LLVMGetNumArgOperands(to->sync); k++) {
    struct mpl_slot *operand = mpl_operand_slot(s, to->sync, k);
    bool own = operand && (operand->kind == MPL_SLOT_OPERAND || operand->kind == MPL_SLOT_SUM);
    if (own && operand->region == (unsigned)edge->to)
      hand_over(edge, mpl_value_in(s, LLVMGetOperand(to->sync, k), edge->region), operand);
  }
}

static void add_edge(struct mpl_split *s, struct edges *edges, LLVMBasicBlockRef from,
                     unsigned successor, unsigned region, int to) {
  edges->list = mpl_grow(edges->list, &edges->capacity, edges->count + 1, sizeof *edges->list);
  struct edge *edge = &edges->list[edges->count++];
  *edge = (struct edge){LLVMGetBasicBlockTerminator(from), successor, region, to, NULL, 0, 0};
  plan_edge(s, edge, from);
}

static void plan_edges(struct mpl_split *s, struct edges *edges, unsigned region) {
  struct mpl_regions *r = &s->regions;
  for (unsigned n = 0; n < r->list[region].num_blocks; n++) {
    unsigned b = r->list[region].blocks[n];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(r->cfg.blocks[b]);
    if (LLVMIsAReturnInst(end)) add_edge(s, edges, r->cfg.blocks[b], 0, region, MPL_REGION_END);
    for (unsigned e = 0; e < r->cfg.succs[b].count; e++) {
      unsigned to = r->cfg.succs[b].to[e];
      if (to == r->list[r->of_block[to]].head)
        add_edge(s, edges, r->cfg.blocks[b], e, region, r->of_block[to]);
    }
  }
}

static void build_edge(struct mpl_split *s, struct edge *edge) {
  LLVMBasicBlockRef block = mpl_build_edge(s, edge->region, edge->to);
  for (unsigned k = 0; k < edge->count; k++)
    store_slot(s, edge->list[k].slot, edge->region, edge->list[k].value,
               LLVMGetBasicBlockTerminator(block));
  if (edge->to >= 0) {
    LLVMSetSuccessor(edge->end, edge->successor, block);
  } else {
    LLVMPositionBuilderBefore(s->b, edge->end);
    LLVMBuildBr(s->b, block);
    LLVMInstructionEraseFromParent(edge->end);
  }
}

/* Stores values where they are computed. */
static void store_values(struct mpl_split *s) {
  for (unsigned h = 0; h < s->num_slots; h++) {
    struct mpl_slot *slot = s->slots[h];
    if (slot->kind != MPL_SLOT_VALUE) continue;
    LLVMValueRef value = slot->value, before = LLVMGetNextInstruction(value);
    if (s->regions.list[slot->region].sync == value) { /* a reduce's or broadcast's result */
      struct mpl_frame *frame = &s->frames[slot->region];
      store_slot(s, slot, slot->region, frame->result,
                 LLVMGetBasicBlockTerminator(slot->varying ? frame->body : frame->pre));
      continue;
    }
    while (LLVMIsAPHINode(before)) before = LLVMGetNextInstruction(before);
    store_slot(s, slot, slot->region, value, before);
  }
}

/* Sync calls are taken out but kept: what follows asks them what they were. */
static void erase_replaced(struct mpl_split *s) {
  struct mpl_regions *r = &s->regions;
  for (unsigned k = 0; k < r->count; k++) {
    LLVMBasicBlockRef head = r->cfg.blocks[r->list[k].head];
    MPL_EACH_INSTRUCTION(i, head) {
      if (!LLVMIsAPHINode(i) && i != r->list[k].sync) break;
      LLVMTypeRef type = LLVMTypeOf(i);
      if (type != s->ir->void_type) LLVMReplaceAllUsesWith(i, LLVMGetPoison(type));
      if (i == r->list[k].sync)
        LLVMInstructionRemoveFromParent(i);
      else
        LLVMInstructionEraseFromParent(i);
    }
  }
}

void mpl_rewrite_values(struct mpl_split *s) {
  struct changes changes = {0};
  struct edges edges = {0};
  for (unsigned k = 0; k < s->regions.count; k++) mpl_emit_group_operation(s, k);
  for (unsigned k = 0; k < s->regions.count; k++) {
    collect(s, &changes, k);
    plan_edges(s, &edges, k);
  }
  store_values(s);
  for (unsigned c = 0; c < changes.count; c++)
    LLVMSetOperand(changes.list[c].user, changes.list[c].operand, changes.list[c].value);
  for (unsigned e = 0; e < edges.count; e++) {
    build_edge(s, &edges.list[e]);
    free(edges.list[e].list);
  }
  erase_replaced(s);
  free(changes.list);
  free(edges.list);
}
