/* Turns of a loop that all lanes take: they need no mask.
 *
 * Most loops that lanes leave at different iterations are left by all of them within a few, behind
 * many turns of all: what counts from an id to a common end, or looks for something.  As long as
 * every lane stays the loop is one without masks; then the masked one goes on with those that are
 * left, if there are any.  For loops of one block, which are small and access memory in lanes: that
 * costs most under a mask. */
#include "flow.h"

/* What was made in such turns, and guessed of it, is nobody's in others. */
static void forget(struct mpl_emit *e, unsigned block) {
  LLVMBasicBlockRef own = e->items->cfg->blocks[block];
  MPL_EACH_INSTRUCTION(i, own) {
    mpl_set_value(e, i, NULL, false);
    mpl_set_value(e, i, NULL, true);
  }
  for (size_t k = 0; k < e->starts.capacity; k++) {
    struct mpl_map_entry *entry = &e->starts.entries[k];
    if (!entry->used || !LLVMIsAInstruction((LLVMValueRef)entry->key)) continue;
    if (LLVMGetInstructionParent((LLVMValueRef)entry->key) == own) entry->value = 0;
  }
}

/* Begins the turns; true if lanes may also go past them, as some do not enter. */
static bool begin(struct mpl_emit *e, struct mpl_masked_loop *m, LLVMBasicBlockRef header,
                  LLVMValueRef entering, struct mpl_versions *turns) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
  MPL_EACH_PHI(i, header) mpl_map_set(&m->next, i, (uintptr_t)mpl_handed_over(e, i, false, -1));
  bool all = !entering || entering == LLVMConstAllOnes(mpl_mask_type(e));
  mpl_begin_versions(e, turns, all ? NULL : mpl_all_lanes(e, entering), "all", NULL, "parted");
  MPL_EACH_PHI(i, header) {
    LLVMValueRef begins = (LLVMValueRef)mpl_map_get(&m->next, i, 0),
                 phi = mpl_phi(e->b, &begins, &before, 1);
    mpl_set_value(e, i, phi, mpl_varies(e->lanes, i));
  }
  return !all;
}

/* Ends the turns as long as all stay; and notes what phis go on with, and what leaves the loop. */
static void end(struct mpl_emit *e, unsigned l, LLVMBasicBlockRef top, struct mpl_versions *turns) {
  const struct mpl_item_loop *items = e->items;
  struct mpl_masked_loop *m = &e->masked[l];
  LLVMBasicBlockRef header = items->cfg->blocks[items->loops[l].header],
                    from = LLVMGetInsertBlock(e->b);
  LLVMValueRef jump = LLVMGetBasicBlockTerminator(header);
  m->stay = mpl_vector(e, LLVMGetCondition(jump));
  m->left = LLVMBuildNot(e->b, m->stay, "");
  if (LLVMGetSuccessor(jump, 0) != header) {
    LLVMValueRef stay = m->left;
    m->left = m->stay;
    m->stay = stay;
  }
  MPL_EACH_PHI(i, header) {
    bool vector = mpl_varies(e->lanes, i);
    LLVMValueRef next = mpl_value(e, mpl_incoming_from(i, header), vector);
    mpl_map_set(&m->next, i, (uintptr_t)next);
    LLVMAddIncoming(mpl_made(e, i, vector), &next, &from, 1);
  }
  MPL_EACH_INSTRUCTION(i, header)
  if (mpl_ways_of(items, &items->loops[l], -1, i))
    mpl_map_set(&m->made, i, (uintptr_t)mpl_vector(e, i));
  mpl_repeat_version(e, turns, mpl_all_lanes(e, m->stay), top);
}

/* Of lanes behind the turns, or that went past them. */
static void go_past(struct mpl_emit *e, struct mpl_masked_loop *m, LLVMBasicBlockRef header,
                    struct mpl_versions *turns, LLVMValueRef entering) {
  MPL_EACH_PHI(i, header) {
    uintptr_t *next = mpl_map_at(&m->next, i, 0, false);
    LLVMValueRef first = LLVMGetIncomingValue(mpl_made(e, i, mpl_varies(e->lanes, i)), 0);
    *next = (uintptr_t)mpl_of_two(e, turns, (LLVMValueRef)*next, first);
  }
  MPL_EACH_INSTRUCTION(i, header) {
    uintptr_t *made = mpl_map_at(&m->made, i, 0, false);
    if (!made) continue;
    LLVMValueRef none = mpl_of_none(LLVMTypeOf((LLVMValueRef)*made));
    *made = (uintptr_t)mpl_of_two(e, turns, (LLVMValueRef)*made, none);
  }
  m->left = mpl_of_two(e, turns, m->left, LLVMConstNull(mpl_mask_type(e)));
  m->stay = mpl_of_two(e, turns, m->stay, entering);
}

void mpl_take_whole_turns(struct mpl_emit *e, unsigned l, LLVMValueRef entering) {
  unsigned block = e->items->loops[l].header;
  LLVMBasicBlockRef header = e->items->cfg->blocks[block];
  struct mpl_versions turns;
  bool past = begin(e, &e->masked[l], header, entering, &turns), told = e->told;
  LLVMBasicBlockRef top = LLVMGetInsertBlock(e->b);
  e->told = true; /* as of the masked turns */
  e->mask = e->copies[block].mask = NULL;
  e->full_turn = true;
  mpl_widen_block(e, block);
  e->full_turn = false;
  e->told = told;
  end(e, l, top, &turns);
  if (past) go_past(e, &e->masked[l], header, &turns, entering);
  forget(e, block);
}
