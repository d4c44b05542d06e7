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
      .occupied = mpl_allocate(words(p), sizeof *slot->occupied),
  };
  p->slots = mpl_grow(p->slots, &p->slots_capacity, p->num_slots + 1, sizeof *p->slots);
  return p->slots[p->num_slots++] = slot;
}

void mpl_occupy(struct mpl_slot *slot, unsigned region) {
  slot->occupied[region / 64] |= (uint64_t)1 << region % 64;
}

void mpl_occupy_edges(const struct mpl_split_plan *p, struct mpl_slot *slot) {
  const struct mpl_edges *preds = &p->unit->regions.list[slot->region].preds;
  mpl_occupy(slot, slot->region);
  for (unsigned k = 0; k < preds->count; k++) mpl_occupy(slot, preds->to[k]);
}

void mpl_occupy_all(const struct mpl_split_plan *p, struct mpl_slot *slot) {
  memset(slot->occupied, 0xff, words(p) * sizeof *slot->occupied);
}

/* Marks the slot as read in or behind `region`; false if it was. */
static bool enliven(struct mpl_slot *slot, unsigned region) {
  if (mpl_is_live_in(slot, region)) return false;
  slot->live[region / 64] |= (uint64_t)1 << region % 64;
  mpl_occupy(slot, region);
  return true;
}

void mpl_live_in(const struct mpl_split_plan *p, struct mpl_slot *slot, unsigned region) {
  const struct mpl_regions *r = &p->unit->regions;
  unsigned *stack = mpl_allocate(r->count + 1, sizeof *stack), depth = 0;
  if (enliven(slot, region)) stack[depth++] = region;
  while (depth) {
    unsigned at = stack[--depth];
    if (at == slot->region) continue; /* written there, or on the edges to it */
    for (unsigned k = 0; k < r->list[at].preds.count; k++) {
      unsigned from = r->list[at].preds.to[k];
      if (enliven(slot, from)) stack[depth++] = from;
    }
  }
  free(stack);
}

/* Of its place for each work-item: what other slots need follows from the padding of their number. */
static unsigned alignment_of(const struct mpl_slot *slot) {
  if (slot->kind != MPL_SLOT_ARRAY || slot->unit) return 1;
  unsigned align = LLVMGetAlignment(slot->value);
  return align > MPL_SCRATCH_ALIGN ? align : 1;
}

static bool fits(const struct mpl_split_plan *p, const struct mpl_slot *place,
                 const struct mpl_slot *slot) {
  if (place->size != slot->size || place->offset % alignment_of(slot)) return false;
  for (unsigned w = 0; w < words(p); w++)
    if (place->occupied[w] & slot->occupied[w]) return false;
  return true;
}

/* First fit among places of the same size: each is that of the first slot there, which counts as
 * occupied where one of them is. */
void mpl_place_slots(struct mpl_split_plan *p) {
  struct mpl_slot **places = mpl_allocate(p->num_slots, sizeof *places);
  unsigned num_places = 0;
  /* What waits for work-items that are scheduled apart is in use wherever they are. */
  bool handed_over = p->unit->lanes && p->unit->regions.masked;
  for (unsigned h = 0; h < p->num_slots; h++) {
    struct mpl_slot *slot = p->slots[h];
    if ((!mpl_is_of_items(slot) && slot->storage != MPL_IN_UNIT) || slot->joined) continue;
    unsigned k = handed_over ? num_places : 0, align = alignment_of(slot);
    while (k < num_places && !fits(p, places[k], slot)) k++;
    if (k < num_places) {
      slot->offset = places[k]->offset;
      for (unsigned w = 0; w < words(p); w++) places[k]->occupied[w] |= slot->occupied[w];
      continue;
    }
    places[num_places++] = slot;
    p->bytes = (p->bytes + align - 1) / align * align;
    slot->offset = (unsigned)p->bytes;
    p->bytes += slot->size;
  }
  for (unsigned h = 0; h < p->num_slots; h++)
    if (p->slots[h]->joined) p->slots[h]->offset = p->slots[h]->joined->offset;
  p->states = p->bytes;
  if (p->unit->lanes) p->bytes += sizeof(uint32_t);
  free(places);
}
