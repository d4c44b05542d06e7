/* Control flow: blocks that all lanes reach together keep their branches.  The others are put one
 * behind the other, in the order of blocks, under the mask of the lanes that are there; a loop that
 * lanes leave at different iterations goes on until none is left in it. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "widen.h"

/* A value, or (edge) a set of lanes, that leaves a masked loop; kept in a phi at its top. */
struct leaving {
  LLVMValueRef value; /* null: the lanes of the edge */
  unsigned from, to;
  LLVMValueRef phi;
};

struct masked_loop {
  struct leaving *list;
  unsigned count;
  size_t capacity;
};

struct flow {
  struct mpl_widen *w;
  struct masked_loop *masked; /* per inner loop */
  struct mpl_map blends;      /* (phi of a part's meet, part): what the part hands over */
};

static LLVMTypeRef mask_type(struct mpl_widen *w) {
  return mpl_vector_type(w, w->ir->i1);
}

static LLVMValueRef full(struct mpl_widen *w, LLVMValueRef mask) {
  return mask ? mask : LLVMConstAllOnes(mask_type(w));
}

/* Null, which is all lanes, is neutral for `and` and absorbs `or`.  A lane that is not there may
 * have a poisoned condition: select does not look at it. */
static LLVMValueRef and_masks(struct mpl_widen *w, LLVMValueRef mask, LLVMValueRef condition) {
  if (!mask) return condition;
  return LLVMBuildSelect(w->b, mask, condition, LLVMConstNull(mask_type(w)), "");
}

LLVMValueRef mpl_any_lane(struct mpl_widen *w, LLVMValueRef mask) {
  LLVMTypeRef bits = LLVMIntTypeInContext(w->ir->context, w->width);
  return LLVMBuildICmp(w->b, LLVMIntNE, LLVMBuildBitCast(w->b, mask, bits, ""), LLVMConstNull(bits),
                       "");
}

/* --- masks of edges --- */

static void add_edge_mask(struct mpl_widen *w, unsigned from, unsigned to, LLVMValueRef mask) {
  uintptr_t *at = mpl_map_at(&w->edges, w->cfg->blocks[from], to + 1, true);
  mask = full(w, mask);
  *at = (uintptr_t)(*at ? LLVMBuildOr(w->b, (LLVMValueRef)*at, mask, "") : mask);
}

static LLVMValueRef edge_mask(struct mpl_widen *w, unsigned from, unsigned to) {
  uintptr_t *at = mpl_map_at(&w->edges, w->cfg->blocks[from], to + 1, false);
  return at ? (LLVMValueRef)*at : NULL;
}

static unsigned number_of(struct mpl_widen *w, LLVMBasicBlockRef block) {
  return (unsigned)mpl_map_get(&w->cfg->index, block, 0);
}

/* The lanes at the end of `block` part by its branch. */
static void mask_edges(struct mpl_widen *w, unsigned block, LLVMValueRef mask) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(w->cfg->blocks[block]);
  unsigned count = LLVMGetNumSuccessors(end);
  if (count == 1) {
    add_edge_mask(w, block, number_of(w, LLVMGetSuccessor(end, 0)), mask);
  } else if (LLVMIsABranchInst(end)) {
    LLVMValueRef condition = mpl_vector(w, LLVMGetCondition(end));
    LLVMValueRef opposite = LLVMBuildNot(w->b, condition, "");
    add_edge_mask(w, block, number_of(w, LLVMGetSuccessor(end, 0)), and_masks(w, mask, condition));
    add_edge_mask(w, block, number_of(w, LLVMGetSuccessor(end, 1)), and_masks(w, mask, opposite));
  } else { /* a switch: operand 0, default, then values with their targets */
    LLVMValueRef on = mpl_vector(w, LLVMGetOperand(end, 0)), none = NULL;
    for (unsigned k = 1; k < count; k++) {
      LLVMValueRef is =
          LLVMBuildICmp(w->b, LLVMIntEQ, on, mpl_splat(w, LLVMGetOperand(end, 2 * k)), "");
      none = none ? LLVMBuildOr(w->b, none, is, "") : is;
      add_edge_mask(w, block, number_of(w, LLVMGetSuccessor(end, k)), and_masks(w, mask, is));
    }
    none = none ? LLVMBuildNot(w->b, none, "") : NULL;
    add_edge_mask(w, block, number_of(w, LLVMGetSuccessor(end, 0)),
                  none ? and_masks(w, mask, none) : mask);
  }
}

/* --- phis --- */

static bool is_vector(struct mpl_widen *w, LLVMValueRef phi) {
  return mpl_stride_of(w, phi) == MPL_ANY_STRIDE;
}

/* What the phi is for the lanes that come by edges on which masks stand: the forward ones, or those
 * back; of a part's, or of all (-1).  A value that all lanes share that are there stays one: they
 * have all come by one edge. */
static LLVMValueRef handed_over(struct flow *f, LLVMValueRef phi, bool back, int part) {
  struct mpl_widen *w = f->w;
  unsigned block = mpl_cfg_block_of(w->cfg, phi);
  bool vector = is_vector(w, phi);
  LLVMValueRef chosen = NULL;
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    unsigned from = number_of(w, LLVMGetIncomingBlock(phi, k));
    if ((from >= block) != back) continue;
    if (part >= 0 && w->part_of[from] != part && from != w->parts[part].from) continue;
    LLVMValueRef mask = edge_mask(w, from, block), value = LLVMGetIncomingValue(phi, k);
    if (!mask) continue;
    value = vector ? mpl_vector(w, value) : mpl_scalar(w, value);
    if (chosen && chosen != value)
      value = vector ? mpl_choose(w, mask, value, chosen)
                     : LLVMBuildSelect(w->b, mpl_any_lane(w, mask), value, chosen, "");
    chosen = value;
  }
  return chosen;
}

static void set_value(struct mpl_widen *w, LLVMValueRef value, LLVMValueRef now, bool vector) {
  mpl_map_set(vector ? &w->vectors : &w->scalars, value, (uintptr_t)now);
}

#define EACH_PHI(i, block)                                                                         \
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i);                    \
       i = LLVMGetNextInstruction(i))

/* --- masked loops --- */

static bool is_outside(const struct mpl_inner_loop *loop, unsigned block) {
  return block < loop->header || block > loop->last;
}

static void add_leaving(struct flow *f, unsigned l, LLVMValueRef value, unsigned from, unsigned to,
                        LLVMTypeRef type, LLVMValueRef first) {
  struct masked_loop *m = &f->masked[l];
  LLVMValueRef phi = LLVMBuildPhi(f->w->b, type, "leaving");
  LLVMAddIncoming(phi, &first, &f->w->loops[l].before, 1);
  m->list = mpl_grow(m->list, &m->capacity, m->count + 1, sizeof *m->list);
  m->list[m->count++] = (struct leaving){value, from, to, phi};
}

/* An index is used where the place in a private array is that is computed from it (arrays.c). */
static bool is_place(LLVMValueRef user) {
  return LLVMIsAGetElementPtrInst(user) != NULL;
}

static bool is_used_behind(struct mpl_widen *w, const struct mpl_inner_loop *loop,
                           LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    unsigned block = mpl_cfg_block_of(w->cfg, user);
    if (block >= w->cfg->count || !w->in[block]) continue;
    if (is_outside(loop, block)) return true;
    if (is_place(user) && is_used_behind(w, loop, user)) return true;
  }
  return false;
}

static void keep_what_leaves(struct flow *f, unsigned l) {
  struct mpl_widen *w = f->w;
  struct mpl_inner_loop *loop = &w->loops[l];
  LLVMTypeRef mask = mask_type(w);
  for (unsigned b = loop->header; b <= loop->last; b++) {
    if (!w->in[b]) continue;
    for (unsigned s = 0; s < w->cfg->succs[b].count; s++) {
      unsigned to = w->cfg->succs[b].to[s];
      if (is_outside(loop, to)) add_leaving(f, l, NULL, b, to, mask, LLVMConstNull(mask));
    }
    MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b]) {
      if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind || !is_used_behind(w, loop, i))
        continue;
      LLVMTypeRef type = mpl_vector_type(w, LLVMTypeOf(i));
      add_leaving(f, l, i, 0, 0, type, LLVMGetPoison(type));
    }
  }
}

static void open_loop(struct flow *f, unsigned l, LLVMValueRef entering) {
  struct mpl_widen *w = f->w;
  struct mpl_inner_loop *loop = &w->loops[l];
  LLVMBasicBlockRef header = w->cfg->blocks[loop->header];
  unsigned count = 0;
  LLVMValueRef *first = mpl_allocate(64, sizeof *first);
  size_t capacity = 64;
  EACH_PHI(i, header) {
    first = mpl_grow(first, &capacity, count + 1, sizeof *first);
    first[count++] = handed_over(f, i, false, -1);
  }
  loop->before = LLVMGetInsertBlock(w->b);
  loop->top = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "lanes");
  LLVMBuildBr(w->b, loop->top);
  LLVMPositionBuilderAtEnd(w->b, loop->top);
  loop->active = LLVMBuildPhi(w->b, mask_type(w), "active");
  entering = full(w, entering);
  LLVMAddIncoming(loop->active, &entering, &loop->before, 1);
  count = 0;
  EACH_PHI(i, header) {
    LLVMValueRef phi = LLVMBuildPhi(w->b, LLVMTypeOf(first[count]), "");
    LLVMAddIncoming(phi, &first[count++], &loop->before, 1);
    set_value(w, i, phi, is_vector(w, i));
  }
  free(first);
  keep_what_leaves(f, l);
}

/* A loop that all lanes leave together has those that enter it to its end, and what they have made
 * then is what leaves; with no lane it has one turn, and what they share may be poison. */
static void close_together(struct flow *f, unsigned l, unsigned at) {
  struct mpl_widen *w = f->w;
  struct mpl_inner_loop *loop = &w->loops[l];
  struct masked_loop *m = &f->masked[l];
  LLVMValueRef end = LLVMGetBasicBlockTerminator(w->cfg->blocks[at]),
               again = mpl_scalar(w, LLVMGetCondition(end)), active = loop->active;
  if (number_of(w, LLVMGetSuccessor(end, 0)) != loop->header) again = LLVMBuildNot(w->b, again, "");
  LLVMBasicBlockRef from = LLVMGetInsertBlock(w->b);
  for (unsigned k = 0; k < m->count; k++) {
    struct leaving *out = &m->list[k];
    LLVMValueRef next = out->value ? mpl_vector(w, out->value) : active;
    if (out->value)
      set_value(w, out->value, next, true);
    else
      *mpl_map_at(&w->edges, w->cfg->blocks[out->from], out->to + 1, true) = (uintptr_t)next;
    LLVMAddIncoming(out->phi, &next, &from, 1);
  }
  LLVMAddIncoming(active, &active, &from, 1);
  LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "left");
  again =
      LLVMBuildSelect(w->b, mpl_any_lane(w, active), again, LLVMConstInt(w->ir->i1, 0, false), "");
  LLVMBuildCondBr(w->b, again, loop->top, after);
  LLVMPositionBuilderAtEnd(w->b, after);
}

/* Lanes that take a way back go on; what the others have made is kept as they leave. */
static void close_loop(struct flow *f, unsigned l) {
  struct mpl_widen *w = f->w;
  struct mpl_inner_loop *loop = &w->loops[l];
  struct masked_loop *m = &f->masked[l];
  LLVMBasicBlockRef header = w->cfg->blocks[loop->header];
  LLVMSetCurrentDebugLocation2(w->b, NULL);
  LLVMBasicBlockRef from = LLVMGetInsertBlock(w->b);
  EACH_PHI(i, header) {
    bool vector = is_vector(w, i);
    LLVMValueRef next = handed_over(f, i, true, -1);
    LLVMAddIncoming((LLVMValueRef)mpl_map_get(vector ? &w->vectors : &w->scalars, i, 0), &next,
                    &from, 1);
  }
  int together = mpl_left_together_at(w, loop);
  if (together >= 0) {
    close_together(f, l, (unsigned)together);
    return;
  }
  LLVMValueRef stay = NULL, leave = NULL;
  for (unsigned p = 0; p < w->cfg->preds[loop->header].count; p++) {
    unsigned before = w->cfg->preds[loop->header].to[p];
    LLVMValueRef mask = before >= loop->header ? edge_mask(w, before, loop->header) : NULL;
    if (mask) stay = stay ? LLVMBuildOr(w->b, stay, mask, "") : mask;
  }
  for (unsigned k = 0; k < m->count; k++) {
    LLVMValueRef mask = m->list[k].value ? NULL : edge_mask(w, m->list[k].from, m->list[k].to);
    if (mask) leave = leave ? LLVMBuildOr(w->b, leave, mask, "") : mask;
  }
  for (unsigned k = 0; k < m->count; k++) {
    struct leaving *out = &m->list[k];
    LLVMValueRef next;
    if (out->value) {
      next = mpl_choose(w, leave, mpl_vector(w, out->value), out->phi);
      set_value(w, out->value, next, true);
    } else {
      next = LLVMBuildOr(w->b, out->phi, edge_mask(w, out->from, out->to), "");
      *mpl_map_at(&w->edges, w->cfg->blocks[out->from], out->to + 1, true) = (uintptr_t)next;
    }
    LLVMAddIncoming(out->phi, &next, &from, 1);
  }
  LLVMAddIncoming(loop->active, &stay, &from, 1);
  LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "left");
  LLVMBuildCondBr(w->b, mpl_any_lane(w, stay), loop->top, after);
  LLVMPositionBuilderAtEnd(w->b, after);
}

/* --- blocks --- */

/* The work-item loop's own number and test of it: chunks have theirs. */
static bool counts_items(struct mpl_widen *w, LLVMValueRef i) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(w->cfg->blocks[w->latch]),
               more = LLVMGetCondition(end);
  if (i != more && i != LLVMGetOperand(more, 0)) return false;
  for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (user != w->counter && user != more && user != end) return false;
  }
  return true;
}

static void widen_instructions(struct mpl_widen *w, unsigned block) {
  MPL_EACH_INSTRUCTION(i, w->cfg->blocks[block])
  if (!LLVMIsAPHINode(i) && !LLVMIsATerminatorInst(i) && !counts_items(w, i)) {
    struct mpl_told before = mpl_tell_begin(w);
    mpl_widen_instruction(w, i);
    mpl_tell_end(w, i, before);
  }
}

/* The part ends: what it hands to phis where its lanes meet. */
static void end_part(struct flow *f, int number) {
  struct mpl_widen *w = f->w;
  struct mpl_part *part = &w->parts[number];
  EACH_PHI(i, w->cfg->blocks[part->meet])
  *mpl_map_at(&f->blends, i, (uintptr_t)number, true) = (uintptr_t)handed_over(f, i, false, number);
  LLVMBuildBr(w->b, w->blocks[part->meet]);
  part->at = LLVMGetInsertBlock(w->b);
}

static bool is_function(LLVMValueRef i) {
  return LLVMIsACallInst(i) && mpl_ir_is_pure_call(i) && !LLVMGetIntrinsicID(LLVMGetCalledValue(i));
}

/* What takes long is passed by where no lane is. */
static bool takes_long(struct mpl_widen *w, unsigned block) {
  enum { LONG = 12, ACCESS = 4 };
  unsigned time = 0;
  MPL_EACH_INSTRUCTION(i, w->cfg->blocks[block])
  time += is_function(i) ? LONG : LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) ? ACCESS : 1;
  return time >= LONG;
}

static LLVMBasicBlockRef enter_if_any(struct mpl_widen *w, LLVMValueRef mask,
                                      LLVMBasicBlockRef *past) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(w->b), some;
  some = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "some");
  *past = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "past");
  LLVMBuildCondBr(w->b, mpl_any_lane(w, mask), some, *past);
  LLVMPositionBuilderAtEnd(w->b, some);
  return before;
}

static LLVMValueRef known_past(struct mpl_widen *w, LLVMValueRef value, LLVMBasicBlockRef some,
                               LLVMValueRef none, LLVMBasicBlockRef before) {
  LLVMValueRef phi = LLVMBuildPhi(w->b, LLVMTypeOf(value), "");
  LLVMAddIncoming(phi, &value, &some, 1);
  LLVMAddIncoming(phi, &none, &before, 1);
  return phi;
}

/* By its own block's phis too, of the next iteration. */
static bool is_used_elsewhere(LLVMValueRef value) {
  LLVMBasicBlockRef own = LLVMGetInstructionParent(value);
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAPHINode(user) || LLVMGetInstructionParent(user) != own) return true;
    if (is_place(user) && is_used_elsewhere(user)) return true;
  }
  return false;
}

/* What is used elsewhere, or goes into it: lane 0's value may be computed again there, from values
 * that are here (mpl_scalar), and an index that an access tests may be one of them (guess.c).  And
 * by what all of them leave a loop together. */
static struct mpl_map find_wanted(struct mpl_widen *w, unsigned number) {
  struct mpl_map wanted = {0};
  LLVMBasicBlockRef block = w->cfg->blocks[number];
  for (int l = w->inner[number]; l >= 0; l = w->loops[l].parent)
    if (mpl_left_together_at(w, &w->loops[l]) == (int)number)
      mpl_map_set(&wanted, LLVMGetCondition(LLVMGetBasicBlockTerminator(block)), 1);
  for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i)) {
    bool is = is_used_elsewhere(i) || mpl_map_has(&wanted, i);
    for (LLVMUseRef use = LLVMGetFirstUse(i); use && !is; use = LLVMGetNextUse(use))
      is = mpl_map_has(&wanted, LLVMGetUser(use));
    if (is) mpl_map_set(&wanted, i, 1);
  }
  return wanted;
}

static bool may_be_place(LLVMValueRef value) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  return kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind;
}

/* Behind such a block: no lane looks at its values where none was in it.  What all share is 0,
 * since something may be computed from it for no lane. */
static void go_past(struct mpl_widen *w, unsigned block, LLVMBasicBlockRef before,
                    LLVMBasicBlockRef past) {
  LLVMBasicBlockRef some = LLVMGetInsertBlock(w->b);
  LLVMBuildBr(w->b, past);
  LLVMPositionBuilderAtEnd(w->b, past);
  struct mpl_map wanted = find_wanted(w, block);
  MPL_EACH_INSTRUCTION(i, w->cfg->blocks[block]) {
    if (LLVMIsAPHINode(i) || !mpl_map_has(&wanted, i)) continue;
    bool vectors = is_used_elsewhere(i) || may_be_place(i);
    for (int vector = 0; vector <= vectors; vector++) {
      LLVMValueRef value = (LLVMValueRef)mpl_map_get(vector ? &w->vectors : &w->scalars, i, 0);
      if (!value) continue;
      LLVMTypeRef type = LLVMTypeOf(value);
      LLVMValueRef none = vector ? LLVMGetPoison(type) : LLVMConstNull(type);
      set_value(w, i, known_past(w, value, some, none, before), vector);
    }
  }
  mpl_map_free(&wanted);
  for (unsigned s = 0; s < w->cfg->succs[block].count; s++) {
    uintptr_t *edge =
        mpl_map_at(&w->edges, w->cfg->blocks[block], w->cfg->succs[block].to[s] + 1, false);
    if (!edge) continue;
    LLVMValueRef mask = (LLVMValueRef)*edge;
    bool again = LLVMIsAPHINode(mask) && LLVMGetInstructionParent(mask) == past;
    if (again) continue; /* two cases of a switch */
    *edge = (uintptr_t)known_past(w, mask, some, LLVMConstNull(LLVMTypeOf(mask)), before);
  }
}

static void widen_diverged(struct flow *f, unsigned block) {
  struct mpl_widen *w = f->w;
  struct mpl_part *part = &w->parts[w->part_of[block]];
  LLVMValueRef mask = NULL;
  LLVMPositionBuilderAtEnd(w->b, part->at);
  LLVMSetCurrentDebugLocation2(w->b, NULL);
  for (unsigned p = 0; p < w->cfg->preds[block].count; p++) {
    unsigned from = w->cfg->preds[block].to[p];
    LLVMValueRef edge = from < block ? edge_mask(w, from, block) : NULL;
    if (edge) mask = mask ? LLVMBuildOr(w->b, mask, edge, "") : edge;
  }
  int l = w->inner[block];
  bool any = !mask || mask == w->all; /* and some stay where a loop goes on */
  if (l >= 0 && w->loops[l].header == block) {
    open_loop(f, (unsigned)l, mask);
    mask = w->loops[l].active;
  } else {
    EACH_PHI(i, w->cfg->blocks[block])
    set_value(w, i, handed_over(f, i, false, -1), is_vector(w, i));
  }
  LLVMBasicBlockRef past, before = NULL;
  if (!any && takes_long(w, block)) before = enter_if_any(w, mask, &past);
  w->mask = w->masks[block] = mask;
  widen_instructions(w, block);
  mask_edges(w, block, mask);
  w->mask = NULL;
  if (before) go_past(w, block, before, past);
  for (; l >= 0 && w->loops[l].last == block; l = w->loops[l].parent)
    if (w->loops[l].masked) close_loop(f, (unsigned)l);
  if (part->last == block)
    end_part(f, w->part_of[block]);
  else
    part->at = LLVMGetInsertBlock(w->b);
}

/* The new block that an edge from a block that all reach leads to. */
static LLVMBasicBlockRef target(struct flow *f, LLVMBasicBlockRef block) {
  unsigned to = number_of(f->w, block);
  if (!f->w->in[to]) { /* where nobody comes */
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->w->b),
                      dead = LLVMAppendBasicBlockInContext(f->w->ir->context, f->w->function,
                                                           "unreachable");
    LLVMPositionBuilderAtEnd(f->w->b, dead);
    LLVMBuildUnreachable(f->w->b);
    LLVMPositionBuilderAtEnd(f->w->b, here);
    return dead;
  }
  return mpl_is_diverged(f->w, to) ? f->w->parts[f->w->part_of[to]].at : f->w->blocks[to];
}

/* A branch that all lanes take the same way, if they do; the chunk begins again if not. */
static LLVMValueRef test(struct mpl_widen *w, unsigned block, LLVMValueRef condition) {
  LLVMTypeRef type = LLVMIntTypeInContext(w->ir->context, w->width);
  LLVMValueRef one = LLVMConstInt(type, 1, false),
               bits = LLVMBuildBitCast(w->b, mpl_vector(w, condition), type, "");
  LLVMValueRef mixed =
      LLVMBuildICmp(w->b, LLVMIntUGT, LLVMBuildAdd(w->b, bits, one, ""), one, "mixed");
  LLVMBasicBlockRef alike = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "alike");
  LLVMBuildCondBr(w->b, mixed, w->mixed, alike);
  LLVMPositionBuilderAtEnd(w->b, w->ends[block] = alike);
  return LLVMBuildICmp(w->b, LLVMIntNE, bits, LLVMConstNull(type), "");
}

static void leave_together(struct flow *f, unsigned block, LLVMValueRef end) {
  struct mpl_widen *w = f->w;
  unsigned count = LLVMGetNumSuccessors(end);
  for (unsigned s = 0; s < count; s++) {
    unsigned to = number_of(w, LLVMGetSuccessor(end, s));
    if (!mpl_is_diverged(w, to)) continue;
    w->parts[w->part_of[to]].at =
        LLVMAppendBasicBlockInContext(w->ir->context, w->function, "part");
    if (!edge_mask(w, block, to)) add_edge_mask(w, block, to, w->all);
  }
  if (count == 1) {
    LLVMBuildBr(w->b, target(f, LLVMGetSuccessor(end, 0)));
  } else if (LLVMIsABranchInst(end)) {
    LLVMValueRef condition = LLVMGetCondition(end);
    condition = w->tested[block] ? test(w, block, condition) : mpl_scalar(w, condition);
    LLVMBuildCondBr(w->b, condition, target(f, LLVMGetSuccessor(end, 0)),
                    target(f, LLVMGetSuccessor(end, 1)));
  } else {
    LLVMValueRef choice = LLVMBuildSwitch(w->b, mpl_scalar(w, LLVMGetOperand(end, 0)),
                                          target(f, LLVMGetSuccessor(end, 0)), count - 1);
    for (unsigned k = 1; k < count; k++)
      LLVMAddCase(choice, LLVMGetOperand(end, 2 * k), target(f, LLVMGetSuccessor(end, k)));
  }
}

/* A branch that varies and has one place to go to, but for where nobody comes. */
static void leave_for_one(struct flow *f, LLVMValueRef end) {
  struct mpl_widen *w = f->w;
  for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
    unsigned to = number_of(w, LLVMGetSuccessor(end, s));
    if (!w->in[to]) continue;
    LLVMBuildBr(w->b, w->blocks[to]);
    return;
  }
}

static void widen_together(struct flow *f, unsigned block) {
  struct mpl_widen *w = f->w;
  LLVMPositionBuilderAtEnd(w->b, w->blocks[block]);
  EACH_PHI(i, w->cfg->blocks[block]) {
    if (i == w->counter) continue; /* the chunks' */
    bool vector = is_vector(w, i);
    LLVMTypeRef type = LLVMTypeOf(i);
    set_value(w, i, LLVMBuildPhi(w->b, vector ? mpl_vector_type(w, type) : type, ""), vector);
  }
  w->mask = w->masks[block] = w->all;
  widen_instructions(w, block);
  w->mask = NULL;
  LLVMSetCurrentDebugLocation2(w->b, NULL);
  w->ends[block] = LLVMGetInsertBlock(w->b);
  if (block == w->latch) return;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(w->cfg->blocks[block]);
  unsigned count = LLVMGetNumSuccessors(end);
  int behind = mpl_part_behind(w, block);
  if (behind < 0 && count > 1 && !w->tested[block] &&
      mpl_stride_at(w, LLVMGetOperand(end, 0), block)) {
    leave_for_one(f, end);
    return;
  }
  if (behind < 0) {
    leave_together(f, block, end);
    return;
  }
  mask_edges(w, block, w->all);
  w->parts[behind].at = w->ends[block];
}

static LLVMValueRef incoming_from(LLVMValueRef phi, LLVMBasicBlockRef from) {
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
    if (LLVMGetIncomingBlock(phi, k) == from) return LLVMGetIncomingValue(phi, k);
  return NULL;
}

/* Phis of blocks that all reach: from such blocks, and from parts that end there. */
static void fill_phis(struct flow *f, unsigned block) {
  struct mpl_widen *w = f->w;
  EACH_PHI(i, w->cfg->blocks[block]) {
    if (i == w->counter) continue;
    bool vector = is_vector(w, i);
    LLVMValueRef phi = (LLVMValueRef)mpl_map_get(vector ? &w->vectors : &w->scalars, i, 0);
    for (unsigned p = 0; p < w->num_parts; p++) {
      uintptr_t *blended = mpl_map_at(&f->blends, i, p, false);
      if (blended) LLVMAddIncoming(phi, (LLVMValueRef *)blended, &w->parts[p].at, 1);
    }
    for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
      unsigned from = number_of(w, LLVMGetIncomingBlock(i, k));
      LLVMValueRef end = w->in[from] && w->ends[from] ? LLVMGetBasicBlockTerminator(w->ends[from])
                                                      : NULL,
                   value;
      bool direct = false;
      for (unsigned s = 0; end && s < LLVMGetNumSuccessors(end); s++)
        direct |= LLVMGetSuccessor(end, s) == w->blocks[block];
      if (mpl_is_diverged(w, from) || !direct || edge_mask(w, from, block)) continue;
      LLVMPositionBuilderBefore(w->b, end);
      if ((value = incoming_from(phi, w->ends[from]))) {
        LLVMAddIncoming(phi, &value, &w->ends[from], 1); /* a second edge of a switch */
        continue;
      }
      value = vector ? mpl_vector(w, LLVMGetIncomingValue(i, k))
                     : mpl_scalar(w, LLVMGetIncomingValue(i, k));
      LLVMAddIncoming(phi, &value, &w->ends[from], 1);
    }
  }
}

void mpl_widen_flow(struct mpl_widen *w) {
  struct flow f = {.w = w};
  f.masked = mpl_allocate(w->num_loops + 1, sizeof *f.masked);
  for (unsigned b = w->first; b <= w->last; b++)
    if (w->in[b] && !w->diverged[b])
      w->blocks[b] = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "wide");
  mpl_map_set(&w->scalars, w->counter, 0);
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
    if (b == w->first) {
      LLVMPositionBuilderAtEnd(w->b, w->blocks[b]);
      set_value(w, w->counter, LLVMBuildPhi(w->b, LLVMTypeOf(w->counter), "chunk"), false);
    }
    (w->diverged[b] ? widen_diverged : widen_together)(&f, b);
  }
  for (unsigned b = w->first; b <= w->last; b++)
    if (w->in[b] && !w->diverged[b]) fill_phis(&f, b);
  for (unsigned l = 0; l < w->num_loops; l++) free(f.masked[l].list);
  free(f.masked);
  mpl_map_free(&f.blends);
}
