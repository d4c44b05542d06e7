/* Loops that lanes leave at different iterations: they go on until none is left in it. */
#include <stdlib.h>

#include "flow.h"

/* How a value, or lanes, come out of a loop: by its count, with all that are still there, or by
 * another way, at whatever iteration. */
enum { BY_COUNT = 1, EARLY = 2 };

/* A value, or (edge) a set of lanes, that leaves a masked loop; kept in a phi at its top where some
 * leave early. */
struct leaving {
  LLVMValueRef value; /* null: the lanes of the edge */
  unsigned from, to;
  unsigned ways;
  LLVMValueRef phi, kept, last; /* early: at the top, and at the end of a turn; what it ends with */
};

static bool is_outside(const struct mpl_inner_loop *loop, unsigned block) {
  return block < loop->header || block > loop->last;
}

int mpl_counted_at(struct mpl_widen *w, const struct mpl_inner_loop *loop) {
  if (mpl_left_together_at(w, loop) >= 0) return -1;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(w->cfg->blocks[loop->last]);
  if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return -1;
  unsigned to[2], backs = 0;
  for (unsigned s = 0; s < 2; s++) to[s] = mpl_block_number(w, LLVMGetSuccessor(end, s));
  bool first = to[0] == loop->header;
  if (to[!first] != loop->header || !is_outside(loop, to[first])) return -1;
  for (unsigned p = 0; p < w->cfg->preds[loop->header].count; p++) {
    unsigned from = w->cfg->preds[loop->header].to[p];
    backs += w->in[from] && !is_outside(loop, from);
  }
  return backs != 1 || mpl_stride_at(w, LLVMGetCondition(end), loop->last) ? -1 : (int)loop->last;
}

static LLVMValueRef go_on(struct mpl_widen *w, const struct mpl_inner_loop *loop, unsigned latch) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(w->cfg->blocks[latch]),
               again = mpl_scalar(w, LLVMGetCondition(end));
  bool is = mpl_block_number(w, LLVMGetSuccessor(end, 0)) == loop->header;
  return is ? again : LLVMBuildNot(w->b, again, "");
}

static void add_leaving(struct mpl_masked_loop *m, struct leaving leaving) {
  m->list = mpl_grow(m->list, &m->capacity, m->count + 1, sizeof *m->list);
  m->list[m->count++] = leaving;
}

void mpl_masked_loop_free(struct mpl_masked_loop *m) {
  free(m->list);
  mpl_map_free(&m->next);
  mpl_map_free(&m->made);
}

/* In front of the loop: of the lanes of an edge, or of a value's. */
static LLVMValueRef left_before(struct mpl_widen *w, const struct mpl_masked_loop *m,
                                LLVMValueRef value) {
  if (!value) return m->stay ? m->left : LLVMConstNull(mpl_mask_type(w));
  LLVMValueRef made = (LLVMValueRef)mpl_map_get((struct mpl_map *)&m->made, value, 0);
  return made ? made : mpl_of_none(mpl_vector_type(w, LLVMTypeOf(value)));
}

static LLVMValueRef keep(struct mpl_widen *w, const struct mpl_inner_loop *loop,
                         LLVMValueRef first) {
  LLVMValueRef phi = LLVMBuildPhi(w->b, LLVMTypeOf(first), "leaving");
  LLVMBasicBlockRef before = loop->before;
  LLVMAddIncoming(phi, &first, &before, 1);
  return phi;
}

bool mpl_is_place(LLVMValueRef user) {
  return LLVMIsAGetElementPtrInst(user) != NULL;
}

/* By the edges over which phis behind the loop take it; anything else there wants it from all. */
static unsigned ways_of_phi(struct mpl_widen *w, const struct mpl_inner_loop *loop, int counted,
                            LLVMValueRef phi, LLVMValueRef value) {
  unsigned ways = 0;
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    if (LLVMGetIncomingValue(phi, k) != value) continue;
    unsigned from = mpl_block_number(w, LLVMGetIncomingBlock(phi, k));
    if (is_outside(loop, from)) return BY_COUNT | EARLY;
    ways |= (int)from == counted ? BY_COUNT : EARLY;
  }
  return ways;
}

/* The ways by which the value comes to where it is used behind the loop; 0: it is not. */
static unsigned ways_of(struct mpl_widen *w, const struct mpl_inner_loop *loop, int counted,
                        LLVMValueRef value) {
  unsigned ways = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    unsigned block = mpl_cfg_block_of(w->cfg, user);
    if (block >= w->cfg->count || !w->in[block]) continue;
    if (is_outside(loop, block))
      ways |= LLVMIsAPHINode(user) ? ways_of_phi(w, loop, counted, user, value) : BY_COUNT | EARLY;
    else if (mpl_is_place(user))
      ways |= ways_of(w, loop, counted, user);
  }
  return counted >= 0 || !ways ? ways : EARLY;
}

bool mpl_leaves_loop(struct mpl_widen *w, const struct mpl_inner_loop *loop, LLVMValueRef value) {
  return ways_of(w, loop, -1, value);
}

static void keep_what_leaves(struct mpl_widen *w, struct mpl_masked_loop *m,
                             const struct mpl_inner_loop *loop) {
  int counted = mpl_counted_at(w, loop);
  for (unsigned b = loop->header; b <= loop->last; b++) {
    if (!w->in[b]) continue;
    for (unsigned s = 0; s < w->cfg->succs[b].count; s++) {
      unsigned to = w->cfg->succs[b].to[s];
      if (is_outside(loop, to) && (int)b != counted)
        add_leaving(m, (struct leaving){.from = b,
                                        .to = to,
                                        .ways = EARLY,
                                        .phi = keep(w, loop, left_before(w, m, NULL))});
    }
    MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b]) {
      if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind) continue;
      unsigned ways = ways_of(w, loop, counted, i);
      if (!ways) continue;
      LLVMValueRef phi = NULL;
      if (ways & EARLY) phi = keep(w, loop, left_before(w, m, i));
      add_leaving(m, (struct leaving){.value = i, .ways = ways, .phi = phi});
    }
  }
}

void mpl_open_loop(struct mpl_widen *w, struct mpl_masked_loop *m, unsigned l,
                   LLVMValueRef entering) {
  struct mpl_inner_loop *loop = &w->loops[l];
  LLVMBasicBlockRef header = w->cfg->blocks[loop->header];
  unsigned count = 0;
  LLVMValueRef *first = mpl_allocate(64, sizeof *first);
  size_t capacity = 64;
  MPL_EACH_PHI(i, header) {
    first = mpl_grow(first, &capacity, count + 1, sizeof *first);
    first[count++] = m->stay ? (LLVMValueRef)mpl_map_get(&m->next, i, 0)
                             : mpl_handed_over(w, i, false, -1);
  }
  LLVMValueRef yes = LLVMConstInt(w->ir->i1, 1, false);
  LLVMValueRef some = m->stay || !entering || entering == w->all ? yes : mpl_any_lane(w, entering);
  loop->before = LLVMGetInsertBlock(w->b);
  loop->top = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "lanes");
  loop->parted = m->stay != NULL;
  if (m->stay) {
    entering = m->stay;
    m->done = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "done");
    LLVMBuildCondBr(w->b, mpl_any_lane(w, m->stay), loop->top, m->done);
  } else {
    LLVMBuildBr(w->b, loop->top);
  }
  LLVMPositionBuilderAtEnd(w->b, loop->top);
  loop->active = LLVMBuildPhi(w->b, mpl_mask_type(w), "active");
  loop->some = LLVMBuildPhi(w->b, w->ir->i1, "some");
  LLVMAddIncoming(loop->some, &some, &loop->before, 1);
  entering = mpl_full_mask(w, entering);
  LLVMAddIncoming(loop->active, &entering, &loop->before, 1);
  count = 0;
  MPL_EACH_PHI(i, header) {
    LLVMValueRef phi = LLVMBuildPhi(w->b, LLVMTypeOf(first[count]), "");
    LLVMAddIncoming(phi, &first[count++], &loop->before, 1);
    mpl_set_value(w, i, phi, mpl_is_vector(w, i));
  }
  free(first);
  keep_what_leaves(w, m, loop);
}

/* Once more, with the lanes that stay, if there is one and (null: always) the loop goes on. */
static void end_turn(struct mpl_widen *w, const struct mpl_inner_loop *loop, LLVMValueRef stay,
                     LLVMValueRef again) {
  LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "left");
  LLVMBasicBlockRef from = LLVMGetInsertBlock(w->b);
  LLVMValueRef any = mpl_any_lane(w, stay), no = LLVMConstInt(w->ir->i1, 0, false),
               yes = LLVMConstInt(w->ir->i1, 1, false);
  LLVMAddIncoming(loop->some, &yes, &from, 1);
  LLVMBuildCondBr(w->b, again ? LLVMBuildSelect(w->b, any, again, no, "") : any, loop->top, after);
  LLVMPositionBuilderAtEnd(w->b, after);
}

/* A loop that all lanes leave together has those that enter it to its end, and what they have made
 * then is what leaves; with no lane it has one turn, and what they share may be poison. */
static void close_together(struct mpl_widen *w, struct mpl_masked_loop *m,
                           const struct mpl_inner_loop *loop, unsigned at) {
  LLVMBasicBlockRef from = LLVMGetInsertBlock(w->b);
  LLVMValueRef active = loop->active, again = go_on(w, loop, at);
  for (unsigned k = 0; k < m->count; k++) {
    struct leaving *out = &m->list[k];
    LLVMValueRef next = out->value ? mpl_vector(w, out->value) : active;
    if (out->value)
      mpl_set_value(w, out->value, next, true);
    else
      mpl_set_edge_mask(w, out->from, out->to, next);
    LLVMAddIncoming(out->phi, &next, &from, 1);
  }
  LLVMAddIncoming(active, &active, &from, 1);
  end_turn(w, loop, active, again);
}

static LLVMValueRef or_masks(struct mpl_widen *w, LLVMValueRef a, LLVMValueRef b) {
  return a && b ? LLVMBuildOr(w->b, a, b, "") : a ? a : b;
}

/* Lanes that take a way back. */
static LLVMValueRef staying(struct mpl_widen *w, const struct mpl_inner_loop *loop) {
  LLVMValueRef stay = NULL;
  for (unsigned p = 0; p < w->cfg->preds[loop->header].count; p++) {
    unsigned from = w->cfg->preds[loop->header].to[p];
    if (from >= loop->header) stay = or_masks(w, stay, mpl_edge_mask(w, from, loop->header));
  }
  return stay;
}

/* What the lanes that leave early in this turn have made, beside what others made before. */
static void keep_early(struct mpl_widen *w, struct mpl_masked_loop *m, LLVMBasicBlockRef from) {
  LLVMValueRef leave = NULL;
  for (unsigned k = 0; k < m->count; k++)
    if (!m->list[k].value)
      leave = or_masks(w, leave, mpl_edge_mask(w, m->list[k].from, m->list[k].to));
  for (unsigned k = 0; k < m->count; k++) {
    struct leaving *out = &m->list[k];
    if (!(out->ways & EARLY)) continue;
    LLVMValueRef next = out->value
                            ? mpl_choose(w, leave, mpl_vector(w, out->value), out->phi)
                            : LLVMBuildOr(w->b, out->phi, mpl_edge_mask(w, out->from, out->to), "");
    if (!out->value) mpl_set_edge_mask(w, out->from, out->to, next);
    LLVMAddIncoming(out->phi, &next, &from, 1);
    out->kept = next;
  }
}

/* What leaves the loop has done so in it, or in front of it if nobody went on. */
static void join(struct mpl_widen *w, struct mpl_masked_loop *m,
                 const struct mpl_inner_loop *loop) {
  LLVMBasicBlockRef from[] = {LLVMGetInsertBlock(w->b), loop->before};
  LLVMBuildBr(w->b, m->done);
  LLVMPositionBuilderAtEnd(w->b, m->done);
  for (unsigned k = 0; k < m->count; k++) {
    struct leaving *out = &m->list[k];
    LLVMValueRef in = out->value ? mpl_vector(w, out->value) : mpl_edge_mask(w, out->from, out->to),
                 both[] = {in, left_before(w, m, out->value)},
                 phi = LLVMBuildPhi(w->b, LLVMTypeOf(in), "");
    LLVMAddIncoming(phi, both, from, 2);
    if (out->value)
      mpl_set_value(w, out->value, phi, true);
    else
      mpl_set_edge_mask(w, out->from, out->to, phi);
  }
}

/* Lanes that take a way back go on, as long as the loop's count does; what the others have made is
 * kept as they leave.  Those that are there when the count ends leave behind the loop, with what
 * the last turn made. */
void mpl_close_loop(struct mpl_widen *w, struct mpl_masked_loop *m, unsigned l) {
  struct mpl_inner_loop *loop = &w->loops[l];
  LLVMSetCurrentDebugLocation2(w->b, NULL);
  LLVMBasicBlockRef from = LLVMGetInsertBlock(w->b);
  MPL_EACH_PHI(i, w->cfg->blocks[loop->header]) {
    struct mpl_map *values = mpl_is_vector(w, i) ? &w->vectors : &w->scalars;
    LLVMValueRef next = mpl_handed_over(w, i, true, -1);
    LLVMAddIncoming((LLVMValueRef)mpl_map_get(values, i, 0), &next, &from, 1);
  }
  int together = mpl_left_together_at(w, loop), counted = mpl_counted_at(w, loop);
  if (together >= 0) {
    close_together(w, m, loop, (unsigned)together);
    return;
  }
  LLVMValueRef stay = staying(w, loop);
  LLVMValueRef again = counted < 0 ? NULL : go_on(w, loop, (unsigned)counted);
  for (unsigned k = 0; k < m->count; k++)
    if (m->list[k].ways & BY_COUNT) m->list[k].last = mpl_vector(w, m->list[k].value);
  keep_early(w, m, from);
  LLVMAddIncoming(loop->active, &stay, &from, 1);
  end_turn(w, loop, stay, again);
  for (unsigned k = 0; k < m->count; k++) {
    struct leaving *out = &m->list[k];
    if (!out->value) continue;
    LLVMValueRef left = !out->last   ? out->kept
                        : !out->kept ? out->last
                                     : mpl_choose(w, stay, out->last, out->kept);
    mpl_set_value(w, out->value, left, true);
  }
  if (m->stay) join(w, m, loop);
  if (counted < 0) return;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(w->cfg->blocks[counted]);
  for (unsigned s = 0; s < 2; s++) {
    unsigned to = mpl_block_number(w, LLVMGetSuccessor(end, s));
    if (to != loop->header) mpl_set_edge_mask(w, (unsigned)counted, to, stay);
  }
}
