/* The plan, in its order: slots of arrays and of what edges hand over, needs of each region, slots that
 * share memory, loops, group operations. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "contexts.h"

struct mpl_slot *mpl_operand_slot(const struct mpl_split_plan *p, LLVMValueRef sync, unsigned k) {
  const uintptr_t *at = mpl_map_find(&p->slot_of, sync, 1 + k);
  return at ? (struct mpl_slot *)*at : NULL;
}

struct mpl_slot *mpl_slot_of(const struct mpl_split_plan *p, LLVMValueRef value) {
  struct mpl_slot *slot = (struct mpl_slot *)mpl_map_get(&p->slot_of, value, 0);
  return slot || !mpl_is_in_place(mpl_marker_of(value)) ? slot : mpl_operand_slot(p, value, 0);
}

/* --- slots that values have before they are asked for --- */

static void add_array_slots(struct mpl_split_plan *p) {
  for (unsigned a = 0; a < p->unit->num_arrays; a++) {
    const struct mpl_kept_array *array = &p->unit->arrays[a];
    LLVMValueRef alloca = array->alloca;
    LLVMTypeRef type = LLVMGetAllocatedType(alloca);
    unsigned align = LLVMGetAlignment(alloca);
    struct mpl_slot *slot = mpl_add_slot(p, MPL_SLOT_ARRAY, alloca, type, 0, true);
    slot->size *= (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(alloca, 0));
    if (array->shared) {
      slot->storage = MPL_IN_SHARED;
      memset(slot->live, 0xff, (p->unit->regions.count / 64 + 1) * sizeof *slot->live);
      continue;
    }
    slot->unit = array->unit;
    if (slot->unit > align) align = slot->unit; /* whole units of all work-items */
    slot->size = (slot->size + align - 1) / align * align;
    mpl_map_set(&p->slot_of, alloca, (uintptr_t)slot);
  }
}

static void add_operand_slot(struct mpl_split_plan *p, unsigned region, unsigned k, bool varying) {
  LLVMValueRef sync = p->unit->regions.list[region].sync, value = LLVMGetOperand(sync, k);
  struct mpl_slot *slot =
      mpl_add_slot(p, MPL_SLOT_OPERAND, value, LLVMTypeOf(value), region, varying);
  *mpl_map_at(&p->slot_of, sync, 1 + k, true) = (uintptr_t)slot;
}

/* An operand that should be the same for all is kept once: whoever comes last has written it.  The
 * driver of sub-groups can read nothing but slots. */
static void add_operand_slots(struct mpl_split_plan *p, unsigned region) {
  LLVMValueRef sync = p->unit->regions.list[region].sync;
  const struct mpl_marker_row *marker = mpl_marker_row(sync);
  unsigned count = LLVMGetNumArgOperands(sync), varying = marker->own;
  bool cut = p->regions[region].cut, broadcast = marker->does == MPL_DOES_BROADCAST;
  if (!varying) return;
  for (unsigned k = varying; k < count; k++) {
    LLVMValueRef operand = LLVMGetOperand(sync, k);
    if (!LLVMIsAConstant(operand) && (cut || !mpl_is_shared(p, operand)))
      add_operand_slot(p, region, k, false);
  }
  if (broadcast && !cut && mpl_is_shared(p, LLVMGetOperand(sync, 0))) return; /* its own result */
  if (mpl_marker_of(sync) == MPL_MARK_BROADCAST &&
      mpl_can_broadcast_one(p, LLVMGetOperand(sync, 0), region)) {
    p->regions[region].work = MPL_WORK_ONE;
    return;
  }
  for (unsigned k = 0; k < varying; k++) add_operand_slot(p, region, k, true);
}

/* Phis of heads; operands and scan results of syncs. */
static void add_edge_slots(struct mpl_split_plan *p) {
  const struct mpl_regions *r = &p->unit->regions;
  for (unsigned k = 0; k < r->count; k++) {
    LLVMValueRef sync = r->list[k].sync;
    MPL_EACH_INSTRUCTION(i, r->cfg.blocks[r->list[k].head]) {
      if (!LLVMIsAPHINode(i)) break;
      bool varying = !mpl_is_shared(p, i);
      struct mpl_slot *slot = mpl_add_slot(p, MPL_SLOT_PHI, i, LLVMTypeOf(i), k, varying);
      mpl_map_set(&p->slot_of, i, (uintptr_t)slot);
    }
    p->regions[k].cut = sync && p->unit->lanes && mpl_is_group_sync(mpl_marker_of(sync));
    if (sync) add_operand_slots(p, k);
  }
}

/* --- what regions and edges need --- */

static void hand_over(struct mpl_split_plan *p, struct mpl_region_edge *edge, unsigned region,
                      LLVMValueRef value, const struct mpl_slot *slot) {
  mpl_need(p, value, region);
  MPL_APPEND(edge->list, edge->count) = (struct mpl_handover){value, slot};
}

/* What the edge from `region` hands over to the head that it leads to. */
static void add_edge(struct mpl_split_plan *p, unsigned region, struct mpl_region_edge new) {
  const struct mpl_regions *r = &p->unit->regions;
  struct mpl_region_plan *plan = &p->regions[region];
  struct mpl_region_edge *edge = &MPL_APPEND(plan->edges, plan->num_edges);
  *edge = new;
  if (edge->to < 0) return;
  MPL_EACH_PHI(i, r->cfg.blocks[r->list[edge->to].head]) {
    /* Several edges from one block carry the same value. */
    LLVMValueRef value = mpl_incoming_from(i, r->cfg.blocks[edge->block]);
    hand_over(p, edge, region, value, mpl_slot_of(p, i));
  }
  LLVMValueRef sync = r->list[edge->to].sync;
  for (unsigned k = 0; sync && k < LLVMGetNumArgOperands(sync); k++) {
    struct mpl_slot *slot = mpl_operand_slot(p, sync, k);
    if (slot) hand_over(p, edge, region, LLVMGetOperand(sync, k), slot);
  }
}

static void need_operands(struct mpl_split_plan *p, unsigned region, LLVMValueRef i) {
  bool is_sync = i == p->unit->regions.list[region].sync;
  for (int k = 0; k < LLVMGetNumOperands(i); k++) {
    /* A sync's operands with a slot are a matter of the edges; others are read in front, a uniform
     * one of a broadcast too: it is the result. */
    if (is_sync && mpl_operand_slot(p, i, (unsigned)k)) continue;
    bool one = is_sync && !k && p->regions[region].work == MPL_WORK_ONE;
    mpl_need(p, LLVMGetOperand(i, k), one ? region + p->unit->regions.count : region);
  }
}

static void find_needs(struct mpl_split_plan *p) {
  const struct mpl_regions *r = &p->unit->regions;
  for (unsigned k = 0; k < r->count; k++) {
    for (unsigned n = 0; n < r->list[k].num_blocks; n++) {
      unsigned b = r->list[k].blocks[n];
      MPL_EACH_INSTRUCTION(i, r->cfg.blocks[b])
      if (!LLVMIsAPHINode(i) || b != r->list[k].head) need_operands(p, k, i);
      if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(r->cfg.blocks[b])))
        add_edge(p, k, (struct mpl_region_edge){.block = b, .to = MPL_REGION_END});
      for (unsigned e = 0; e < r->cfg.succs[b].count; e++) {
        unsigned to = r->cfg.succs[b].to[e], region = r->of_block[to];
        if (to == r->list[region].head)
          add_edge(p, k, (struct mpl_region_edge){.block = b, .successor = e, .to = (int)region});
      }
    }
  }
}

/* --- what regions do --- */

/* Edges store what has a slot of its own, and is not there. */
static void settle_edge(struct mpl_split_plan *p, unsigned region, struct mpl_region_edge *edge) {
  unsigned kept = 0;
  for (unsigned k = 0; k < edge->count; k++) {
    const struct mpl_handover h = edge->list[k];
    if (h.slot->storage == MPL_IN_NOWHERE || mpl_is_in_its_place(p, h.slot, h.value)) continue;
    edge->list[kept++] = h;
    p->regions[region].writes |= mpl_is_of_items(h.slot) || mpl_is_accumulated(h.slot);
  }
  edge->count = kept;
}

static void find_writers(struct mpl_split_plan *p) {
  for (unsigned h = 0; h < p->num_slots; h++) {
    const struct mpl_slot *slot = p->slots[h];
    if (slot->kind == MPL_SLOT_VALUE && mpl_is_of_items(slot))
      p->regions[slot->region].writes = true;
  }
  for (unsigned k = 0; k < p->unit->regions.count; k++)
    for (unsigned e = 0; e < p->regions[k].num_edges; e++)
      settle_edge(p, k, &p->regions[k].edges[e]);
}

/* One fence does for all work-items; and one store to what all share. */
static bool has_effect(const struct mpl_split_plan *p, LLVMValueRef i) {
  if (mpl_uniform_array_written(&p->unit->regions.arrays, i)) return false;
  return mpl_is_look(i) || (!mpl_marker_of(i) && !LLVMIsAFenceInst(i) && mpl_has_effect(i));
}

static bool needs_loop(const struct mpl_split_plan *p, unsigned k) {
  const struct mpl_regions *r = &p->unit->regions;
  const struct mpl_region *region = &r->list[k];
  if (p->regions[k].writes || region->masked || region->scheduled_exit || mpl_is_of_one_item(r, k))
    return true;
  for (unsigned n = 0; n < region->num_blocks; n++) {
    MPL_EACH_INSTRUCTION(i, r->cfg.blocks[region->blocks[n]])
    if (has_effect(p, i) || (i != region->sync && mpl_is_sync(mpl_marker_of(i)))) return true;
  }
  return false;
}

static enum mpl_visit visit_of(const struct mpl_split_plan *p, unsigned k) {
  if (!needs_loop(p, k)) return MPL_VISIT_ONCE;
  if (p->unit->lanes) return MPL_VISIT_ALL;
  if (mpl_is_of_one_item(&p->unit->regions, k)) return p->unit->inner ? MPL_VISIT_COLUMN : MPL_VISIT_FIRSTS;
  return p->regions[k].uses_ids && p->unit->kernel->dims != 1 ? MPL_VISIT_ROWS : MPL_VISIT_ALL;
}

static enum mpl_group_work work_of(const struct mpl_split_plan *p, unsigned k) {
  LLVMValueRef sync = p->unit->regions.list[k].sync;
  if (!sync || p->regions[k].work == MPL_WORK_ONE) return p->regions[k].work;
  const struct mpl_marker_row *marker = mpl_marker_row(sync);
  const struct mpl_slot *slot = mpl_operand_slot(p, sync, 0);
  bool is_void = LLVMTypeOf(sync) == p->unit->ir->void_type;
  if (p->regions[k].cut) return is_void || marker->in_place ? MPL_WORK_NOTHING : MPL_WORK_RESULT;
  if (marker->does == MPL_DOES_COMPACT) return MPL_WORK_CALL;
  if (marker->does == MPL_DOES_BROADCAST)
    return slot ? MPL_WORK_BROADCAST : MPL_WORK_SAME;
  if (marker->does != MPL_DOES_COMBINE) return MPL_WORK_NOTHING;
  if (slot->storage == MPL_IN_SUM) return MPL_WORK_SUMMED;
  if (slot->storage == MPL_IN_VOTE) return MPL_WORK_COUNTED;
  return slot->storage == MPL_IN_SCAN && slot->region == k ? MPL_WORK_SCANNED : MPL_WORK_CALL;
}

/* How far a piece reaches that begins with the region: all that lead to another are in it. */
static unsigned find_end(const struct mpl_regions *r, unsigned first) {
  enum { PIECE = 8 };
  unsigned end = first + 1;
  for (; end < r->count && end - first < PIECE; end++) {
    const struct mpl_edges *preds = &r->list[end].preds;
    MPL_EACH_EDGE(from, preds)
    if (from < first || from > end) return end;
  }
  return end;
}

/* In kernels of very many regions some at a time become a function (emit/outline.c). */
static void find_pieces(struct mpl_split_plan *p) {
  enum { MANY_REGIONS = 32, FEWEST = 4 };
  const struct mpl_regions *r = &p->unit->regions;
  if (r->count <= MANY_REGIONS || r->masked || p->unit->lanes) return;
  for (unsigned first = 0, end; first < r->count; first = end) {
    end = find_end(r, first);
    if (end - first >= FEWEST) p->regions[first].piece_end = end;
  }
}

void mpl_plan_split(struct mpl_split_plan *p, const struct mpl_split_unit *unit) {
  *p = (struct mpl_split_plan){.unit = unit};
  p->regions = mpl_allocate(unit->regions.count, sizeof *p->regions);
  add_array_slots(p);
  add_edge_slots(p);
  find_needs(p);
  mpl_share_slots(p);
  if (unit->regions.masked) p->next = mpl_add_slot(p, MPL_SLOT_NEXT, NULL, unit->ir->i32, 0, true);
  mpl_place_slots(p);
  find_writers(p);
  for (unsigned k = 0; k < unit->regions.count; k++) {
    p->regions[k].uses_ids |= mpl_is_of_one_item(&unit->regions, k);
    p->regions[k].visit = visit_of(p, k);
    p->regions[k].work = work_of(p, k);
  }
  find_pieces(p);
}

void mpl_plan_free(struct mpl_split_plan *p) {
  for (unsigned h = 0; h < p->num_slots; h++) {
    free(p->slots[h]->live);
    free(p->slots[h]);
  }
  free(p->slots);
  for (unsigned k = 0; k < p->unit->regions.count; k++) {
    for (unsigned e = 0; e < p->regions[k].num_edges; e++) free(p->regions[k].edges[e].list);
    free(p->regions[k].edges);
  }
  free(p->regions);
  mpl_map_free(&p->slot_of);
  mpl_map_free(&p->ways);
}
