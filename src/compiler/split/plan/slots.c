/* Slots: when each is in use, and where in the group's scratch memory it is.  Those of varying values
 * that are not in use at the same time share memory. */
#include <stdlib.h>
#include <string.h>

#include "contexts.h"

static unsigned words(const struct mpl_split_plan *p) {
  return p->unit->regions.count / 64 + 1;
}

struct mpl_slot *mpl_add_slot(struct mpl_split_plan *p, enum mpl_slot_kind kind, LLVMValueRef value,
                              LLVMTypeRef type, unsigned region, bool varying) {
  const struct mpl_module_ir *ir = p->unit->ir;
  struct mpl_slot *slot = mpl_allocate(1, sizeof *slot);
  type = type == ir->i1 ? ir->i8 : type;
  *slot = (struct mpl_slot){
      .kind = kind,
      .storage = varying          ? MPL_IN_ITEMS
                 : p->unit->lanes ? MPL_IN_UNIT
                                  : MPL_IN_VARIABLE,
      .number = p->num_slots,
      .value = value,
      .type = type,
      .region = region,
      .size = (unsigned)LLVMABISizeOfType(ir->layout, type),
      .live = mpl_allocate(words(p), sizeof *slot->live),
  };
  return MPL_APPEND(p->slots, p->num_slots) = slot;
}

static void add(uint64_t *regions, unsigned region) {
  regions[region / 64] |= (uint64_t)1 << region % 64;
}

/* Marks the slot as read in or behind `region`; false if it was. */
static bool enliven(struct mpl_slot *slot, unsigned region) {
  if (mpl_is_live_in(slot, region)) return false;
  add(slot->live, region);
  return true;
}

void mpl_live_in(const struct mpl_split_plan *p, struct mpl_slot *slot, unsigned region) {
  const struct mpl_regions *r = &p->unit->regions;
  MPL_ARRAY(unsigned, stack, r->count + 1);
  unsigned depth = 0;
  if (enliven(slot, region)) stack[depth++] = region;
  while (depth) {
    unsigned at = stack[--depth];
    if (at == slot->region) continue; /* written there, or on the edges to it */
    MPL_EACH_EDGE(from, &r->list[at].preds) {
      if (enliven(slot, from)) stack[depth++] = from;
    }
  }
}

/* The regions in which the slot, or a phi that shares it, is live or written. */
static void find_occupied(const struct mpl_split_plan *p, const struct mpl_slot *slot,
                          uint64_t *occupied) {
  const struct mpl_edges *preds = &p->unit->regions.list[slot->region].preds;
  bool on_edges = slot->kind == MPL_SLOT_PHI || slot->kind == MPL_SLOT_OPERAND,
       all = slot->kind == MPL_SLOT_ARRAY || slot->kind == MPL_SLOT_NEXT;
  for (unsigned w = 0; w < words(p); w++) occupied[w] |= all ? UINT64_MAX : slot->live[w];
  add(occupied, slot->region);
  for (unsigned k = 0; on_edges && k < preds->count; k++) add(occupied, preds->to[k]);
  for (unsigned h = 0; slot->is_joined && h < p->num_slots; h++)
    if (p->slots[h]->joined == slot) find_occupied(p, p->slots[h], occupied);
}

/* Of its place for each work-item: what other slots need follows from the padding of their number. */
static unsigned alignment_of(const struct mpl_slot *slot) {
  if (slot->kind != MPL_SLOT_ARRAY || slot->unit) return 1;
  unsigned align = LLVMGetAlignment(slot->value);
  return align > MPL_SCRATCH_ALIGN ? align : 1;
}

/* First fit among places of the same size: each is that of the first slot there.  `occupied` has those
 * of each place, one behind the other. */
void mpl_place_slots(struct mpl_split_plan *p) {
  struct mpl_slot **places = mpl_allocate(p->num_slots, sizeof *places);
  MPL_ARRAY(uint64_t, occupied, (p->num_slots + 1) * words(p));
  uint64_t common;
  unsigned num_places = 0, k;
  /* What waits for work-items that are scheduled apart is in use wherever they are. */
  bool handed_over = p->unit->lanes && p->unit->regions.masked;
  for (unsigned h = 0; h < p->num_slots; h++) {
    struct mpl_slot *slot = p->slots[h];
    uint64_t *own = &occupied[num_places * words(p)], align = alignment_of(slot);
    if ((!mpl_is_of_items(slot) && slot->storage != MPL_IN_UNIT) || slot->joined) continue;
    find_occupied(p, slot, own);
    for (k = handed_over ? num_places : 0; k < num_places; k++) {
      common = 0;
      for (unsigned w = 0; w < words(p); w++) common |= occupied[k * words(p) + w] & own[w];
      if (!common && places[k]->size == slot->size && places[k]->offset % align == 0) break;
    }
    if (k < num_places) {
      slot->offset = places[k]->offset;
      for (unsigned w = 0; w < words(p); w++) occupied[k * words(p) + w] |= own[w];
      memset(own, 0, words(p) * sizeof *own);
    } else {
      places[num_places++] = slot;
      p->bytes = (p->bytes + align - 1) / align * align;
      slot->offset = (unsigned)p->bytes;
      p->bytes += slot->size;
    }
  }
  for (unsigned h = 0; h < p->num_slots; h++)
    if (p->slots[h]->joined) p->slots[h]->offset = p->slots[h]->joined->offset;
  p->states = p->bytes;
  if (p->unit->lanes) p->bytes += sizeof(uint32_t);
  free(places);
}
