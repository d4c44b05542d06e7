/* Plans the contexts: which values cross from one region to another.
 *
 * A varying value that is cheap arithmetic on ids and uniform values is computed again where it is
 * needed (addresses stay affine in the work-item's id, which the vectoriser wants).  All others get
 * a slot, for which slots.c finds memory. */
#include <stdlib.h>
#include <string.h>

#include "compiler/analysis/algebra.h"
#include "compiler/passes.h"
#include "split.h"

/* What is strided is scalar arithmetic once for each chunk; and places that a context hands on look
 * as if they varied. */
enum { MAX_REMAT_COST = 8, MAX_REMAT_IN_CHUNKS = 24 };

struct mpl_slot *mpl_slot_of(struct mpl_split *s, LLVMValueRef value) {
  return (struct mpl_slot *)mpl_map_get(&s->slot_of, value, 0);
}

struct mpl_slot *mpl_operand_slot(struct mpl_split *s, LLVMValueRef sync, unsigned operand) {
  uintptr_t *at = mpl_map_at(&s->slot_of, sync, 1 + 2 * operand, false);
  return at ? (struct mpl_slot *)*at : NULL;
}

bool mpl_is_shared(struct mpl_split *s, LLVMValueRef value) {
  struct mpl_regions *r = &s->regions;
  if (!LLVMIsAInstruction(value)) return true;
  if (!mpl_is_uniform(&r->shapes, value)) return false;
  unsigned block = mpl_cfg_block_of(&r->cfg, value);
  /* An address that arrays.c has made: nobody has asked what it is made of. */
  if (block && block < r->cfg.count && !mpl_map_has(&r->shapes.index, value)) return false;
  /* Work-items that are scheduled apart may compute even a uniform value at different times. */
  return !(r->masked && block < r->cfg.count && r->shapes.diverged[block]);
}

bool mpl_affords(struct mpl_split *s, LLVMValueRef value, mpl_price *price, unsigned *left) {
  unsigned cost = mpl_is_shared(s, value) ? 0 : price(s, value);
  if (cost > *left) return false;
  *left -= cost;
  for (int k = 0; cost && k < LLVMGetNumOperands(value); k++)
    if (!mpl_affords(s, LLVMGetOperand(value, k), price, left)) return false;
  return true;
}

static bool leads_to_address(LLVMValueRef value, unsigned depth) {
  enum { FARTHEST = 3 };
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAGetElementPtrInst(user)) return true;
    bool goes_on = depth < FARTHEST && mpl_only_computes(user, MPL_INTEGER);
    if (goes_on && leads_to_address(user, depth + 1)) return true;
  }
  return false;
}

/* `x[id % n]`: computed where it is needed, it is seen to be side by side for most lanes, which a
 * number from a slot is not (vector/lanes/contiguous.c).  All lanes divide by the same number: by its
 * reciprocal. */
static bool is_wrapped_place(struct mpl_split *s, LLVMValueRef value) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  return opcode >= LLVMUDiv && opcode <= LLVMSRem && opcode != LLVMFDiv && !s->lanes &&
         LLVMTypeOf(value) == s->ir->i32 && mpl_is_shared(s, LLVMGetOperand(value, 1)) &&
         leads_to_address(value, 0);
}

static unsigned price(struct mpl_split *s, LLVMValueRef value) {
  enum { DIVISION = 4 };
  if (mpl_is_id(mpl_marker_of(value))) return 0;
  if (LLVMIsAFreezeInst(value)) /* of what is not poison, it is the same each time */
    return mpl_is_id(mpl_marker_of(LLVMGetOperand(value, 0))) ? 1 : UINT32_MAX;
  if (is_wrapped_place(s, value)) return DIVISION;
  unsigned kinds = MPL_INTEGER | MPL_SELECT | MPL_ADDRESS | MPL_POINTER | MPL_FROM_INTEGER;
  bool cheap = mpl_only_computes(value, kinds) || mpl_extreme_of(value).is;
  return cheap || mpl_counts_units(value) || LLVMIsAAllocaInst(value) ? 1 : UINT32_MAX;
}

/* Addresses in arrays that all share are computed where they are used: LLVM sees which they are. */
static bool can_remat(struct mpl_split *s, LLVMValueRef value) {
  if (LLVMIsAGetElementPtrInst(value) && mpl_uniform_array_of(&s->regions.arrays, value))
    return true;
  bool chunks = !s->lanes && mpl_shape_of(&s->regions.shapes, value).kind == MPL_STRIDED;
  unsigned left = chunks ? MAX_REMAT_IN_CHUNKS : MAX_REMAT_COST;
  return !mpl_is_shared(s, value) && mpl_affords(s, value, price, &left);
}

static LLVMTypeRef stored_type(struct mpl_split *s, LLVMTypeRef type) {
  return type == s->ir->i1 ? s->ir->i8 : type;
}

static struct mpl_slot *add_slot(struct mpl_split *s, enum mpl_slot_kind kind, LLVMValueRef value,
                                 LLVMTypeRef type, unsigned region, bool varying) {
  struct mpl_slot *slot = mpl_allocate(1, sizeof *slot);
  slot->kind = kind;
  slot->value = value;
  slot->type = stored_type(s, type);
  slot->region = region;
  slot->varying = varying;
  slot->size = LLVMABISizeOfType(s->ir->layout, slot->type);
  slot->occupied = mpl_allocate(s->regions.count / 64 + 1, sizeof *slot->occupied);
  slot->live = mpl_allocate(s->regions.count / 64 + 1, sizeof *slot->live);
  s->slots = mpl_grow(s->slots, &s->slots_capacity, s->num_slots + 1, sizeof *s->slots);
  s->slots[s->num_slots++] = slot;
  return slot;
}

/* Marks the slot as read in or behind `region`; false if it was. */
static bool enliven(struct mpl_slot *slot, unsigned region) {
  uint64_t bit = (uint64_t)1 << region % 64;
  bool known = slot->live[region / 64] & bit;
  slot->live[region / 64] |= bit;
  slot->occupied[region / 64] |= bit;
  return !known;
}

static void occupy(struct mpl_slot *slot, unsigned region) {
  slot->occupied[region / 64] |= (uint64_t)1 << region % 64;
}

void mpl_live_in(struct mpl_split *s, struct mpl_slot *slot, unsigned region) {
  struct mpl_regions *r = &s->regions;
  unsigned *stack = mpl_allocate(r->count + 1, sizeof *stack), depth = 0;
  if (enliven(slot, region)) stack[depth++] = region;
  while (depth) {
    unsigned at = stack[--depth];
    if (at == slot->region) continue; /* written there, or on the edges to it */
    for (unsigned p = 0; p < r->list[at].preds.count; p++) {
      unsigned from = r->list[at].preds.to[p];
      if (enliven(slot, from)) stack[depth++] = from;
    }
  }
  free(stack);
}

/* Slots of head phis and sync operands are written on the edges to their region. */
static void occupy_edges(struct mpl_split *s, struct mpl_slot *slot) {
  struct mpl_region *region = &s->regions.list[slot->region];
  occupy(slot, slot->region);
  for (unsigned p = 0; p < region->preds.count; p++) occupy(slot, region->preds.to[p]);
}

void mpl_need(struct mpl_split *s, LLVMValueRef value, unsigned region) {
  struct mpl_regions *r = &s->regions;
  if (!LLVMIsAInstruction(value)) return;
  uintptr_t *seen = mpl_map_at(&s->needs, value, region, true);
  if (*seen) return;
  *seen = 1;
  enum mpl_marker marker = mpl_marker_of(value);
  if (mpl_is_local_id(marker) || (s->inner && marker == MPL_MARK_LOCAL_LINEAR_ID))
    s->frames[region].uses_ids = true;
  unsigned own = mpl_region_of(r, value);
  if (mpl_is_id(marker) || own == UINT32_MAX) return;
  struct mpl_slot *slot = mpl_slot_of(s, value);
  if (own == region) {
    if (slot && slot->kind == MPL_SLOT_PHI) mpl_live_in(s, slot, region);
    return;
  }
  if (can_remat(s, value) || mpl_can_reload(s, value, region)) {
    for (int k = 0; k < LLVMGetNumOperands(value); k++)
      mpl_need(s, LLVMGetOperand(value, k), region);
    return;
  }
  if (!slot && mpl_is_in_place(marker)) slot = mpl_operand_slot(s, value, 0);
  if (!slot) {
    slot = add_slot(s, MPL_SLOT_VALUE, value, LLVMTypeOf(value), own, !mpl_is_shared(s, value));
    mpl_map_set(&s->slot_of, value, (uintptr_t)slot);
    occupy(slot, own);
  }
  mpl_live_in(s, slot, region);
}

static void add_operand_slot(struct mpl_split *s, unsigned region, unsigned operand, bool varying) {
  LLVMValueRef sync = s->regions.list[region].sync, value = LLVMGetOperand(sync, operand);
  struct mpl_slot *slot = add_slot(s, MPL_SLOT_OPERAND, value, LLVMTypeOf(value), region, varying);
  *mpl_map_at(&s->slot_of, sync, 1 + 2 * operand, true) = (uintptr_t)slot;
  occupy_edges(s, slot);
}

/* An operand that should be the same for all is kept once: whoever comes last has written it.  The
 * driver of sub-groups can read nothing but slots. */
static void add_operand_slots(struct mpl_split *s, unsigned region) {
  LLVMValueRef sync = s->regions.list[region].sync;
  enum mpl_marker marker = mpl_marker_of(sync);
  unsigned count = LLVMGetNumArgOperands(sync), varying = mpl_markers[marker].own;
  bool cut = mpl_is_cut(s, region), broadcast = mpl_markers[marker].does == MPL_DOES_BROADCAST;
  if (!varying) return;
  for (unsigned k = varying; k < count; k++) {
    LLVMValueRef operand = LLVMGetOperand(sync, k);
    if (!LLVMIsAConstant(operand) && (cut || !mpl_is_shared(s, operand)))
      add_operand_slot(s, region, k, false);
  }
  if (broadcast && !cut && mpl_is_shared(s, LLVMGetOperand(sync, 0))) return; /* its own result */
  if (marker == MPL_MARK_BROADCAST && mpl_can_broadcast_one(s, LLVMGetOperand(sync, 0), region)) {
    s->frames[region].broadcasts_one = true;
    return;
  }
  for (unsigned k = 0; k < varying; k++) add_operand_slot(s, region, k, true);
}

/* Phis of heads; operands and scan results of syncs. */
static void add_edge_slots(struct mpl_split *s) {
  struct mpl_regions *r = &s->regions;
  for (unsigned k = 0; k < r->count; k++) {
    LLVMBasicBlockRef head = r->cfg.blocks[r->list[k].head];
    for (LLVMValueRef i = LLVMGetFirstInstruction(head); LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
      struct mpl_slot *slot = add_slot(s, MPL_SLOT_PHI, i, LLVMTypeOf(i), k, !mpl_is_shared(s, i));
      mpl_map_set(&s->slot_of, i, (uintptr_t)slot);
      occupy_edges(s, slot);
    }
    if (r->list[k].sync) add_operand_slots(s, k);
  }
}

/* What the edges from `region` hand over to the head of `to`. */
static void need_on_edge(struct mpl_split *s, LLVMBasicBlockRef from, unsigned region,
                         unsigned to) {
  struct mpl_regions *r = &s->regions;
  LLVMBasicBlockRef head = r->cfg.blocks[r->list[to].head];
  for (LLVMValueRef i = LLVMGetFirstInstruction(head); LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i))
    for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
      if (LLVMGetIncomingBlock(i, k) == from) mpl_need(s, LLVMGetIncomingValue(i, k), region);
  LLVMValueRef sync = r->list[to].sync;
  for (unsigned k = 0; sync && k < LLVMGetNumArgOperands(sync); k++)
    if (mpl_operand_slot(s, sync, k)) mpl_need(s, LLVMGetOperand(sync, k), region);
}

static void find_needs(struct mpl_split *s) {
  struct mpl_regions *r = &s->regions;
  for (unsigned k = 0; k < r->count; k++) {
    for (unsigned n = 0; n < r->list[k].num_blocks; n++) {
      unsigned b = r->list[k].blocks[n];
      MPL_EACH_INSTRUCTION(i, r->cfg.blocks[b]) {
        if (LLVMIsAPHINode(i) && b == r->list[k].head) continue;
        /* A sync's operands with a slot are a matter of the edges; others are read in front, a
         * uniform one of a broadcast too: it is the result. */
        for (int o = 0; o < LLVMGetNumOperands(i); o++) {
          if (i == r->list[k].sync && mpl_operand_slot(s, i, o)) continue;
          bool one = i == r->list[k].sync && !o && s->frames[k].broadcasts_one;
          (one ? mpl_need_one : mpl_need)(s, LLVMGetOperand(i, o), k);
        }
      }
      for (unsigned e = 0; e < r->cfg.succs[b].count; e++) {
        unsigned to = r->cfg.succs[b].to[e];
        if (to == r->list[r->of_block[to]].head)
          need_on_edge(s, r->cfg.blocks[b], k, r->of_block[to]);
      }
    }
  }
}

/* Where a private array is used: UINT32_MAX - 1 for several regions or an unknown use. */
static unsigned array_region(struct mpl_split *s, LLVMValueRef pointer, struct mpl_map *seen,
                             unsigned region) {
  enum { SEVERAL = UINT32_MAX - 1 };
  if (mpl_map_has(seen, pointer)) return region;
  mpl_map_set(seen, pointer, 1);
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use && region != (unsigned)SEVERAL;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    unsigned at = mpl_region_of(&s->regions, user);
    if (region == UINT32_MAX) region = at;
    if (at != region) return SEVERAL;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMGetElementPtr:
    case LLVMAddrSpaceCast:
    case LLVMPHI:
    case LLVMSelect:
      region = array_region(s, user, seen, region);
      break;
    case LLVMStore:
      if (LLVMGetOperand(user, 0) == pointer) return SEVERAL;
      break;
    case LLVMLoad:
    case LLVMICmp:
      break;
    case LLVMCall:
      if (!LLVMGetIntrinsicID(LLVMGetCalledValue(user))) return SEVERAL;
      break;
    default:
      return SEVERAL;
    }
  }
  return region;
}

static void drop_lifetimes(LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer), next; use; use = next) {
    next = LLVMGetNextUse(use);
    if (mpl_calls(LLVMGetUser(use), "llvm.lifetime"))
      LLVMInstructionEraseFromParent(LLVMGetUser(use));
  }
}

/* A user of `value` outside of the setup, or null. */
static LLVMValueRef user_in_region(struct mpl_split *s, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
    if (LLVMGetInstructionParent(LLVMGetUser(use)) != s->setup) return LLVMGetUser(use);
  return NULL;
}

/* The user gets a copy of its own; a phi, one for each block that it comes from. */
static void copy_for(struct mpl_split *s, LLVMValueRef value, LLVMValueRef user) {
  int first = 0, count = LLVMGetNumOperands(user);
  while (LLVMGetOperand(user, first) != value) first++;
  bool phi = LLVMIsAPHINode(user) != NULL;
  LLVMBasicBlockRef from = phi ? LLVMGetIncomingBlock(user, (unsigned)first) : NULL;
  LLVMPositionBuilderBefore(s->b, phi ? LLVMGetBasicBlockTerminator(from) : user);
  LLVMValueRef copy = LLVMInstructionClone(value);
  LLVMInsertIntoBuilder(s->b, copy);
  for (int k = first; k < count; k++)
    if (LLVMGetOperand(user, k) == value &&
        (!phi || LLVMGetIncomingBlock(user, (unsigned)k) == from))
      LLVMSetOperand(user, (unsigned)k, copy);
}

/* Addresses inside of an array are computed where they are used, since the array's own may be
 * another one there. */
static void sink_addresses(struct mpl_split *s, LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef at = LLVMGetUser(use), user;
    if (LLVMGetInstructionParent(at) != s->setup) continue;
    if (!LLVMIsAGetElementPtrInst(at) && !LLVMIsAAddrSpaceCastInst(at)) continue;
    sink_addresses(s, at);
    while ((user = user_in_region(s, at))) copy_for(s, at, user);
    if (!LLVMGetFirstUse(at)) LLVMInstructionEraseFromParent(at);
  }
}

/* It stays where it is. */
static void place_uniform_array(struct mpl_split *s, struct mpl_slot *slot) {
  size_t size = (s->regions.count / 64 + 1) * sizeof *slot->live;
  slot->place = slot->value;
  memset(slot->occupied, 0xff, size);
  memset(slot->live, 0xff, size);
}

/* A private array that one region uses and forgets can stay where it is: the work-items use it one
 * after another.  One whose contents live on gets a copy per work-item, if they differ. */
static void place_arrays(struct mpl_split *s) {
  MPL_EACH_INSTRUCTION(i, s->setup) {
    if (!LLVMIsAAllocaInst(i)) continue;
    struct mpl_map seen = {0};
    drop_lifetimes(i);
    sink_addresses(s, i);
    unsigned region = array_region(s, i, &seen, UINT32_MAX);
    mpl_map_free(&seen);
    if (region < s->regions.count && !mpl_region_repeats(&s->regions, region)) continue;
    bool uniform = mpl_is_uniform_array(&s->regions.arrays, i);
    unsigned align = LLVMGetAlignment(i), count = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
    struct mpl_slot *slot = add_slot(s, MPL_SLOT_ARRAY, i, LLVMGetAllocatedType(i), 0, !uniform);
    if (uniform) {
      slot->size *= count;
      place_uniform_array(s, slot);
      continue;
    }
    slot->unit = mpl_interleave_array(s, i);
    if (slot->unit > align) align = slot->unit; /* whole units of all work-items */
    slot->size = (slot->size * count + align - 1) / align * align;
    memset(slot->occupied, 0xff, (s->regions.count / 64 + 1) * sizeof *slot->occupied);
    mpl_map_set(&s->slot_of, i, (uintptr_t)slot);
  }
}

/* One fence does for all work-items; and one store to what all share. */
static bool has_effect(struct mpl_split *s, LLVMValueRef i) {
  if (mpl_uniform_array_written(&s->regions.arrays, i)) return false;
  return mpl_is_look(i) || (!mpl_marker_of(i) && !LLVMIsAFenceInst(i) && mpl_has_effect(i));
}

struct mpl_slot *mpl_sum_slot(struct mpl_split *s, int region) {
  return region < 0 ? NULL : s->frames[region].sum;
}

/* Regions that write values of each work-item have loops; sums are found by their region. */
static void find_writers(struct mpl_split *s) {
  for (unsigned h = 0; h < s->num_slots; h++) {
    struct mpl_slot *slot = s->slots[h];
    bool is_sum = slot->kind == MPL_SLOT_SUM;
    if (is_sum || slot->scan) s->frames[slot->region].sum = slot;
    if ((!slot->varying && !is_sum) || slot->kind == MPL_SLOT_ARRAY) continue;
    if (slot->kind == MPL_SLOT_VALUE) s->frames[slot->region].loop = true;
    struct mpl_edges *preds = &s->regions.list[slot->region].preds;
    for (unsigned p = 0; p < preds->count && slot->kind != MPL_SLOT_VALUE; p++)
      if (!slot->joined || mpl_is_written_from(s, slot, preds->to[p]))
        s->frames[preds->to[p]].loop = true;
  }
}

static bool needs_loop(struct mpl_split *s, unsigned region) {
  struct mpl_regions *r = &s->regions;
  if (r->list[region].masked || r->list[region].scheduled_exit || mpl_is_one_item(s, region))
    return true;
  for (unsigned n = 0; n < r->list[region].num_blocks; n++) {
    MPL_EACH_INSTRUCTION(i, r->cfg.blocks[r->list[region].blocks[n]])
    if (has_effect(s, i) || (i != r->list[region].sync && mpl_is_sync(mpl_marker_of(i)))) return true;
  }
  return false;
}

void mpl_plan_contexts(struct mpl_split *s) {
  place_arrays(s);
  add_edge_slots(s);
  find_needs(s);
  mpl_share_slots(s);
  if (s->regions.masked) {
    struct mpl_slot *next = add_slot(s, MPL_SLOT_NEXT, NULL, s->ir->i32, 0, true);
    memset(next->occupied, 0xff, (s->regions.count / 64 + 1) * sizeof *next->occupied);
    s->next = next;
  }
  mpl_place_slots(s);
  find_writers(s);
  for (unsigned k = 0; k < s->regions.count; k++) {
    if (mpl_is_one_item(s, k)) s->frames[k].uses_ids = true;
    s->frames[k].loop |= needs_loop(s, k);
  }
}
