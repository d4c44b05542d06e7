/* Turns of a loop that all lanes take: they need no mask.
 *
 * Most loops that lanes leave at different iterations are left by all of them within a few, behind
 * many turns of all: what counts from an id to a common end, or looks for something.  As long as
 * every lane stays the loop is one without masks; then the masked one goes on with those that are
 * left, if there are any.  For loops of one block, which are small and access memory in lanes: that
 * costs most under a mask. */
#include "flow.h"

enum { MOST = 64 /* instructions */ };

static bool accesses_lanes(struct mpl_widen *w, unsigned block) {
  MPL_EACH_INSTRUCTION(i, w->cfg->blocks[block]) {
    LLVMValueRef pointer = mpl_accessed_place(i);
    if (pointer && mpl_stride_at(w, pointer, block) && !mpl_array_of(w, pointer)) return true;
  }
  return false;
}

/* Not of filters: what they look at is much code. */
bool mpl_may_take_whole_turns(struct mpl_widen *w, unsigned l) {
  const struct mpl_inner_loop *loop = &w->loops[l];
  unsigned count = 0, block = loop->header;
  if (!loop->masked || loop->last != block || w->plain || w->one_copy || w->ir->filters)
    return false;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(w->cfg->blocks[block]);
  if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return false;
  if (!mpl_stride_at(w, LLVMGetCondition(end), block)) return false; /* they leave it together */
  MPL_EACH_INSTRUCTION(i, w->cfg->blocks[block]) {
    count++;
    if (mpl_is_bound(w, i) || mpl_is_lanes_call(i)) return false;
  }
  return count <= MOST && accesses_lanes(w, block);
}

/* What was made in such turns, and guessed of it, is nobody's in others. */
static void forget(struct mpl_widen *w, unsigned block) {
  LLVMBasicBlockRef own = w->cfg->blocks[block];
  MPL_EACH_INSTRUCTION(i, own) {
    mpl_set_value(w, i, NULL, false);
    mpl_set_value(w, i, NULL, true);
  }
  for (size_t k = 0; k < w->starts.capacity; k++) {
    struct mpl_map_entry *entry = &w->starts.entries[k];
    if (!entry->used || !LLVMIsAInstruction((LLVMValueRef)entry->key)) continue;
    if (LLVMGetInstructionParent((LLVMValueRef)entry->key) == own) entry->value = 0;
  }
}

/* Begins the turns; true if lanes may also go past them, as some do not enter. */
static bool begin(struct mpl_widen *w, LLVMBasicBlockRef header, LLVMValueRef entering,
                  LLVMBasicBlockRef top, LLVMBasicBlockRef behind, struct mpl_map *first) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(w->b);
  MPL_EACH_PHI(i, header) mpl_map_set(first, i, (uintptr_t)mpl_handed_over(w, i, false, -1));
  bool all = !entering || entering == LLVMConstAllOnes(mpl_mask_type(w));
  if (all)
    LLVMBuildBr(w->b, top);
  else
    LLVMBuildCondBr(w->b, mpl_all_lanes(w, entering), top, behind);
  LLVMPositionBuilderAtEnd(w->b, top);
  MPL_EACH_PHI(i, header) {
    LLVMValueRef begins = (LLVMValueRef)mpl_map_get(first, i, 0),
                 phi = LLVMBuildPhi(w->b, LLVMTypeOf(begins), "");
    LLVMAddIncoming(phi, &begins, &before, 1);
    mpl_set_value(w, i, phi, mpl_is_vector(w, i));
  }
  return !all;
}

/* Ends the turns as long as all stay; and notes what phis go on with, and what leaves the loop. */
static void end(struct mpl_widen *w, struct mpl_masked_loop *m, unsigned l, LLVMBasicBlockRef top,
                LLVMBasicBlockRef behind) {
  LLVMBasicBlockRef header = w->cfg->blocks[w->loops[l].header], from = LLVMGetInsertBlock(w->b);
  LLVMValueRef jump = LLVMGetBasicBlockTerminator(header);
  m->stay = mpl_vector(w, LLVMGetCondition(jump));
  m->left = LLVMBuildNot(w->b, m->stay, "");
  if (LLVMGetSuccessor(jump, 0) != header) {
    LLVMValueRef stay = m->left;
    m->left = m->stay;
    m->stay = stay;
  }
  MPL_EACH_PHI(i, header) {
    bool vector = mpl_is_vector(w, i);
    LLVMValueRef next = NULL,
                 phi = (LLVMValueRef)mpl_map_get(vector ? &w->vectors : &w->scalars, i, 0);
    for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
      if (LLVMGetIncomingBlock(i, k) == header) next = LLVMGetIncomingValue(i, k);
    next = vector ? mpl_vector(w, next) : mpl_scalar(w, next);
    mpl_map_set(&m->next, i, (uintptr_t)next);
    LLVMAddIncoming(phi, &next, &from, 1);
  }
  MPL_EACH_INSTRUCTION(i, header)
  if (mpl_leaves_loop(w, &w->loops[l], i)) mpl_map_set(&m->made, i, (uintptr_t)mpl_vector(w, i));
  LLVMBuildCondBr(w->b, mpl_all_lanes(w, m->stay), top, behind);
}

/* Of lanes behind the turns, or that went past them. */
static LLVMValueRef of_both(struct mpl_widen *w, LLVMBasicBlockRef const from[2],
                            LLVMValueRef behind, LLVMValueRef past) {
  LLVMValueRef phi = LLVMBuildPhi(w->b, LLVMTypeOf(behind), ""), both[] = {behind, past};
  LLVMAddIncoming(phi, both, (LLVMBasicBlockRef *)from, 2);
  return phi;
}

static void go_past(struct mpl_widen *w, struct mpl_masked_loop *m, LLVMBasicBlockRef header,
                    LLVMBasicBlockRef const from[2], LLVMValueRef entering, struct mpl_map *first) {
  MPL_EACH_PHI(i, header) {
    uintptr_t *next = mpl_map_at(&m->next, i, 0, false);
    *next = (uintptr_t)of_both(w, from, (LLVMValueRef)*next,
                               (LLVMValueRef)mpl_map_get(first, i, 0));
  }
  MPL_EACH_INSTRUCTION(i, header) {
    uintptr_t *made = mpl_map_at(&m->made, i, 0, false);
    if (!made) continue;
    LLVMValueRef none = mpl_of_none(LLVMTypeOf((LLVMValueRef)*made));
    *made = (uintptr_t)of_both(w, from, (LLVMValueRef)*made, none);
  }
  m->left = of_both(w, from, m->left, LLVMConstNull(mpl_mask_type(w)));
  m->stay = of_both(w, from, m->stay, entering);
}

void mpl_take_whole_turns(struct mpl_widen *w, struct mpl_masked_loop *m, unsigned l,
                          LLVMValueRef entering) {
  unsigned block = w->loops[l].header;
  LLVMContextRef context = w->ir->context;
  LLVMBasicBlockRef header = w->cfg->blocks[block], from[] = {NULL, LLVMGetInsertBlock(w->b)},
                    top = LLVMAppendBasicBlockInContext(context, w->function, "all"),
                    behind = LLVMAppendBasicBlockInContext(context, w->function, "parted");
  struct mpl_map first = {0};
  bool past = begin(w, header, entering, top, behind, &first), told = w->told;
  w->told = true; /* as of the masked turns */
  w->mask = w->masks[block] = NULL;
  mpl_widen_block(w, block);
  w->told = told;
  from[0] = LLVMGetInsertBlock(w->b);
  end(w, m, l, top, behind);
  LLVMPositionBuilderAtEnd(w->b, behind);
  if (past) go_past(w, m, header, from, entering, &first);
  mpl_map_free(&first);
  forget(w, block);
}
