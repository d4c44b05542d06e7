/* Kernels of very many regions: some regions at a time become a function of their own.
 *
 * Much of what LLVM does takes time that grows faster than a function does: it asks of every loop
 * what the branches in front of it imply, all the way up.  With hundreds of work-item loops in a
 * row that is most of the compilation.  In pieces of limited size it is linear.
 *
 * At this point regions hand nothing on but through memory, so a piece is any set of regions that
 * is entered at its first one only. */
#include <stdlib.h>

#include "emit.h"

/* The loops that add to a sum need it in a register, and a place that several functions know is in
 * memory: a piece has a sum of its own, which it reads when it is entered and leaves behind. */
struct sum {
  LLVMValueRef own, read, write; /* its place, and what fills it */
};

struct piece {
  struct mpl_split *e;
  unsigned first, end; /* regions */
  struct mpl_map in;   /* its blocks */
  LLVMBasicBlockRef *blocks;
  unsigned count;
  LLVMValueRef *local; /* places that are its alone */
  struct sum *sums;    /* of which others have a place too */
  unsigned num_local, num_sums;
  bool unknown; /* to lanes: some memory */
};

static void add_block(struct piece *p, LLVMBasicBlockRef block) {
  if (!mpl_map_add(&p->in, block)) return;
  MPL_APPEND(p->blocks, p->count) = block;
}

/* What is reached from the first region without coming to another that is not of the piece. */
static void find_blocks(struct piece *p, struct mpl_map *heads) {
  add_block(p, p->e->frames[p->first].pre);
  for (unsigned n = 0; n < p->count; n++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(p->blocks[n]);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
      LLVMBasicBlockRef next = LLVMGetSuccessor(end, k);
      uintptr_t region = mpl_map_get(heads, next, 0); /* plus one */
      if (next == p->e->end || (region && (region <= p->first || region > p->end))) continue;
      add_block(p, next);
    }
  }
}

static const struct mpl_slot *slot_at(struct mpl_split *e, LLVMValueRef place) {
  for (unsigned h = 0; h < e->plan->num_slots; h++)
    if (e->places[h] == place) return e->plan->slots[h];
  return NULL;
}

/* Does the piece use the alloca; and nobody else? */
static bool is_used(struct piece *p, LLVMValueRef place, bool inside) {
  MPL_EACH_USER(user, place)
  if (mpl_map_has(&p->in, LLVMGetInstructionParent(user)) == inside) return true;
  return false;
}

static void move(LLVMBuilderRef b, LLVMValueRef instruction, LLVMBasicBlockRef to) {
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(to));
  LLVMInstructionRemoveFromParent(instruction);
  LLVMInsertIntoBuilder(b, instruction);
}

/* Sizes, arguments and what is computed from them: the piece reads them itself, so that LLVM knows
 * as much of them as in the whole kernel. */
static void copy_setup(struct piece *p) {
  LLVMBuilderRef b = p->e->b;
  MPL_MAP(copies);
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(p->blocks[0]));
  MPL_EACH_INSTRUCTION(i, p->e->setup) {
    if (LLVMIsAAllocaInst(i) || LLVMIsATerminatorInst(i)) continue;
    if (LLVMIsAStoreInst(i) || LLVMIsACallInst(i)) continue;
    LLVMValueRef copy = LLVMInstructionClone(i);
    LLVMInsertIntoBuilder(b, copy);
    mpl_map_set(&copies, i, (uintptr_t)copy);
  }
  for (unsigned n = 0; n < p->count; n++) {
    MPL_EACH_INSTRUCTION(i, p->blocks[n]) {
      for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        uintptr_t copy = mpl_map_get(&copies, LLVMGetOperand(i, k), 0);
        if (copy) LLVMSetOperand(i, k, (LLVMValueRef)copy);
      }
    }
  }
}

/* Only what was there before the kernel was divided uses it: a work-item's memory, of which nothing
 * lives on from region to region, or it would have a slot. */
static bool is_of_items(struct mpl_split *e, LLVMValueRef pointer) {
  MPL_EACH_USER(user, pointer) {
    if (mpl_cfg_block_of(&e->unit->regions.cfg, user) >= e->unit->regions.cfg.count) return false;
    if (LLVMIsAGetElementPtrInst(user) && !is_of_items(e, user)) return false;
  }
  return true;
}

/* The piece's own place of that kind. */
static LLVMValueRef own_place(struct piece *p, LLVMValueRef place) {
  LLVMValueRef own = LLVMInstructionClone(place);
  LLVMPositionBuilderBefore(p->e->b, LLVMGetFirstInstruction(p->blocks[0]));
  LLVMInsertIntoBuilder(p->e->b, own);
  for (unsigned n = 0; n < p->count; n++) {
    MPL_EACH_INSTRUCTION(i, p->blocks[n]) mpl_replace_operand(i, place, own);
  }
  return own;
}

static struct sum own_sum(struct piece *p, const struct mpl_slot *slot) {
  LLVMBuilderRef b = p->e->b;
  LLVMValueRef place = p->e->places[slot->number];
  struct sum sum = {.own = own_place(p, place)};
  for (unsigned n = 0; n < p->count; n++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(p->blocks[n]);
    bool leaves = false;
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
      leaves |= !mpl_map_has(&p->in, LLVMGetSuccessor(end, k));
    if (!leaves) continue;
    LLVMPositionBuilderBefore(b, end);
    LLVMBuildStore(b, LLVMBuildLoad2(b, slot->type, sum.own, ""), place);
  }
  LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(sum.own));
  sum.read = LLVMBuildLoad2(b, slot->type, place, "");
  sum.write = LLVMBuildStore(b, sum.read, sum.own);
  return sum;
}

static void add_piece(struct mpl_ir_kernel *kernel, LLVMValueRef function) {
  MPL_APPEND(kernel->pieces, kernel->num_pieces) = function;
}

static void find_places(struct piece *p) {
  struct mpl_split *e = p->e;
  MPL_EACH_INSTRUCTION(i, e->setup) {
    if (!LLVMIsAAllocaInst(i) || !is_used(p, i, true)) continue;
    const struct mpl_slot *slot = slot_at(e, i);
    bool before = slot && mpl_is_live_in(slot, p->first); /* something of it is from there */
    bool whole = !before && !is_used(p, i, false), own = !whole && !slot && is_of_items(e, i);
    bool sum = !whole && slot && mpl_is_accumulated(slot);
    p->unknown |= !whole && !own && !sum && (!slot || slot->storage == MPL_IN_SCAN);
    if (sum) MPL_APPEND(p->sums, p->num_sums) = own_sum(p, slot);
    if (whole || own) MPL_APPEND(p->local, p->num_local) = whole ? i : own_place(p, i);
  }
}

/* To the front of the function that was made, the last first; where there is none, sums are what
 * they were. */
static void move_places(struct piece *p, LLVMValueRef made) {
  LLVMBuilderRef b = p->e->b;
  LLVMBasicBlockRef to = made ? LLVMGetEntryBasicBlock(made) : p->e->setup;
  for (unsigned k = 0; k < p->num_sums; k++) {
    const struct sum *sum = &p->sums[k];
    if (made) {
      move(b, sum->write, to);
      move(b, sum->read, to);
      move(b, sum->own, to);
    } else {
      mpl_replace(sum->own, LLVMGetOperand(sum->read, 0));
    }
  }
  for (unsigned k = 0; k < p->num_local; k++) move(b, p->local[k], to);
}

/* Places of uniform values and private arrays that only the piece uses go with it, so that LLVM can
 * turn them into registers; of other private arrays it gets its own.  Its loops are widened if that
 * is all that lanes would have to know of memory. */
static void outline(struct piece *p, struct mpl_map *heads) {
  struct mpl_split *e = p->e;
  find_blocks(p, heads);
  copy_setup(p);
  find_places(p);
  for (unsigned k = 0; k < p->num_local; k++) move(e->b, p->local[k], p->blocks[0]);
  LLVMValueRef made = mpl_ir_outline(p->blocks, p->count);
  move_places(p, made);
  if (made && !p->unknown) add_piece(e->unit->kernel, made);
  if (made) /* what leads to the first region leads to the call now */
    mpl_map_set(heads, LLVMGetInstructionParent(LLVMGetUser(LLVMGetFirstUse(made))), p->first + 1);
}

/* The sync calls are out of the function by now, but would still count as users of their operands.
 */
static void drop_operands(struct mpl_split *e) {
  for (unsigned k = 0; k < e->unit->regions.count; k++) {
    LLVMValueRef sync = e->unit->regions.list[k].sync;
    for (unsigned n = 0; sync && n < LLVMGetNumArgOperands(sync); n++)
      LLVMSetOperand(sync, n, LLVMGetPoison(LLVMTypeOf(LLVMGetOperand(sync, n))));
  }
}

void mpl_outline_regions(struct mpl_split *e) {
  MPL_MAP(heads);
  for (unsigned first = 0; first < e->unit->regions.count; first++) {
    struct piece p = {.e = e, .first = first, .end = e->plan->regions[first].piece_end};
    if (!p.end) continue;
    if (!heads.count) {
      /* LLVM's loop strength reduction would be a third of the rest; work-item loops, which count
       * from 0 by 1, gain little from it. */
      mpl_set_llvm_option(e->ir, "-disable-lsr");
      drop_operands(e);
      for (unsigned k = 0; k < e->unit->regions.count; k++)
        mpl_map_set(&heads, e->frames[k].pre, k + 1);
    }
    outline(&p, &heads);
    mpl_map_free(&p.in);
    free(p.blocks);
    free(p.local);
    free(p.sums);
  }
}
