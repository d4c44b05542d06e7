/* Loops that lanes leave at different iterations: they go on until none is left in it. */
#include <stdlib.h>

#include "flow.h"

/* A value, or (edge) a set of lanes, that leaves a masked loop; kept in a phi at its top where some
 * leave early. */
struct leaving {
  LLVMValueRef value; /* null: the lanes of the edge */
  unsigned from, to;
  unsigned ways;
  LLVMValueRef phi, kept, last; /* early: at the top, and at the end of a turn; what it ends with */
};

static LLVMValueRef go_on(struct mpl_emit *e, const struct mpl_inner_loop *loop, unsigned latch) {
  const struct mpl_cfg *cfg = e->items->cfg;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg->blocks[latch]),
               again = mpl_scalar(e, LLVMGetCondition(end));
  return cfg->succs[latch].to[0] == loop->header ? again : LLVMBuildNot(e->b, again, "");
}

static void add_leaving(struct mpl_masked_loop *m, struct leaving leaving) {
  MPL_APPEND(m->list, m->count) = leaving;
}

void mpl_masked_loop_free(struct mpl_masked_loop *m) {
  free(m->list);
  mpl_map_free(&m->next);
  mpl_map_free(&m->made);
}

/* In front of the loop: of the lanes of an edge, or of a value's. */
static LLVMValueRef left_before(struct mpl_emit *e, const struct mpl_masked_loop *m,
                                LLVMValueRef value) {
  if (!value) return m->stay ? m->left : LLVMConstNull(mpl_mask_type(e));
  LLVMValueRef made = (LLVMValueRef)mpl_map_get(&m->made, value, 0);
  return made ? made : mpl_of_none(mpl_vector_type(e, LLVMTypeOf(value)));
}

static LLVMValueRef keep(struct mpl_emit *e, const struct mpl_masked_loop *m, LLVMValueRef first) {
  LLVMValueRef phi = LLVMBuildPhi(e->b, LLVMTypeOf(first), "leaving");
  LLVMBasicBlockRef before = m->before;
  LLVMAddIncoming(phi, &first, &before, 1);
  return phi;
}

static void keep_what_leaves(struct mpl_emit *e, struct mpl_masked_loop *m,
                             const struct mpl_inner_loop *loop, int counted) {
  const struct mpl_item_loop *items = e->items;
  MPL_EACH_LOOP_BLOCK(b, items, loop) {
    MPL_EACH_EDGE(to, &items->cfg->succs[b]) {
      if (mpl_is_outside(loop, to) && (int)b != counted)
        add_leaving(m, (struct leaving){.from = b,
                                        .to = to,
                                        .ways = MPL_EARLY,
                                        .phi = keep(e, m, left_before(e, m, NULL))});
    }
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) {
      if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind) continue;
      unsigned ways = mpl_ways_of(e->items, loop, counted, i);
      if (!ways) continue;
      LLVMValueRef phi = NULL;
      if (ways & MPL_EARLY) phi = keep(e, m, left_before(e, m, i));
      add_leaving(m, (struct leaving){.value = i, .ways = ways, .phi = phi});
    }
  }
}

void mpl_open_loop(struct mpl_emit *e, unsigned l, LLVMValueRef entering) {
  struct mpl_masked_loop *m = &e->masked[l];
  const struct mpl_inner_loop *loop = &e->items->loops[l];
  LLVMBasicBlockRef header = e->items->cfg->blocks[loop->header];
  MPL_EACH_PHI(i, header)
  if (!m->stay) mpl_map_set(&m->next, i, (uintptr_t)mpl_handed_over(e, i, false, -1));
  LLVMValueRef yes = LLVMConstInt(e->ir->i1, 1, false);
  LLVMValueRef some = m->stay || !entering || entering == e->all ? yes : mpl_any_lane(e, entering);
  m->before = LLVMGetInsertBlock(e->b);
  if (m->stay) {
    entering = m->stay;
    mpl_begin_versions(e, &m->on, mpl_any_lane(e, m->stay), "lanes", NULL, "done");
    m->top = LLVMGetInsertBlock(e->b);
  } else {
    m->top = mpl_new_block(e, "lanes");
    mpl_go_on_in(e->b, m->top);
  }
  m->active = LLVMBuildPhi(e->b, mpl_mask_type(e), "active");
  m->some = LLVMBuildPhi(e->b, e->ir->i1, "some");
  LLVMAddIncoming(m->some, &some, &m->before, 1);
  entering = mpl_full_mask(e, entering);
  LLVMAddIncoming(m->active, &entering, &m->before, 1);
  MPL_EACH_PHI(i, header) {
    LLVMValueRef first = (LLVMValueRef)mpl_map_get(&m->next, i, 0);
    mpl_set_value(e, i, mpl_phi(e->b, &first, &m->before, 1), mpl_varies(e->lanes, i));
  }
  keep_what_leaves(e, m, loop, e->lanes->loops[l].counted);
}

static LLVMValueRef what_leaves(struct mpl_emit *e, const struct leaving *out) {
  return out->value ? mpl_vector(e, out->value) : mpl_edge_mask(e, out->from, out->to);
}

static void set_leaving(struct mpl_emit *e, const struct leaving *out, LLVMValueRef now) {
  if (out->value)
    mpl_set_value(e, out->value, now, true);
  else
    mpl_set_edge_mask(e, out->from, out->to, now);
}

/* Once more, with the lanes that stay, if there is one and (null: always) the loop goes on. */
static void end_turn(struct mpl_emit *e, const struct mpl_masked_loop *m, LLVMValueRef stay,
                     LLVMValueRef again) {
  LLVMBasicBlockRef after = mpl_new_block(e, "left");
  LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
  LLVMValueRef any = mpl_any_lane(e, stay), no = LLVMConstInt(e->ir->i1, 0, false),
               yes = LLVMConstInt(e->ir->i1, 1, false);
  LLVMAddIncoming(m->some, &yes, &from, 1);
  LLVMBuildCondBr(e->b, again ? LLVMBuildSelect(e->b, any, again, no, "") : any, m->top, after);
  LLVMPositionBuilderAtEnd(e->b, after);
}

/* A loop that all lanes leave together has those that enter it to its end, and what they have made
 * then is what leaves; with no lane it has one turn, and what they share may be poison. */
static void close_together(struct mpl_emit *e, struct mpl_masked_loop *m,
                           const struct mpl_inner_loop *loop, unsigned at) {
  LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
  LLVMValueRef active = m->active, again = go_on(e, loop, at);
  for (unsigned k = 0; k < m->count; k++) {
    struct leaving *out = &m->list[k];
    LLVMValueRef next = out->value ? mpl_vector(e, out->value) : active;
    set_leaving(e, out, next);
    LLVMAddIncoming(out->phi, &next, &from, 1);
  }
  LLVMAddIncoming(active, &active, &from, 1);
  end_turn(e, m, active, again);
}

static LLVMValueRef or_masks(struct mpl_emit *e, LLVMValueRef a, LLVMValueRef b) {
  return a && b ? LLVMBuildOr(e->b, a, b, "") : a ? a : b;
}

/* Lanes that take a way back. */
static LLVMValueRef staying(struct mpl_emit *e, const struct mpl_inner_loop *loop) {
  LLVMValueRef stay = NULL;
  MPL_EACH_EDGE(from, &e->items->cfg->preds[loop->header]) {
    if (from >= loop->header) stay = or_masks(e, stay, mpl_edge_mask(e, from, loop->header));
  }
  return stay;
}

/* What the lanes that leave early in this turn have made, beside what others made before.  Those that stay give
 * theirs too, until the turn in which they leave: no mask is computed of who does. */
static void keep_early(struct mpl_emit *e, struct mpl_masked_loop *m, LLVMBasicBlockRef from) {
  for (unsigned k = 0; k < m->count; k++) {
    struct leaving *out = &m->list[k];
    if (!(out->ways & MPL_EARLY)) continue;
    LLVMValueRef now = what_leaves(e, out),
                 next = out->value ? mpl_choose(e, m->active, now, out->phi)
                                   : LLVMBuildOr(e->b, out->phi, now, "");
    if (!out->value) mpl_set_edge_mask(e, out->from, out->to, next);
    LLVMAddIncoming(out->phi, &next, &from, 1);
    out->kept = next;
  }
}

/* What leaves the loop has done so in it, or in front of it if nobody went on. */
static void join(struct mpl_emit *e, struct mpl_masked_loop *m) {
  mpl_end_versions(e, &m->on);
  for (unsigned k = 0; k < m->count; k++) {
    struct leaving *out = &m->list[k];
    LLVMValueRef leaves = what_leaves(e, out), before = left_before(e, m, out->value);
    set_leaving(e, out, mpl_of_two(e, &m->on, leaves, before));
  }
}

/* Lanes that take a way back go on, as long as the loop's count does; what the others have made is
 * kept as they leave.  Those that are there when the count ends leave behind the loop, with what
 * the last turn made. */
void mpl_close_loop(struct mpl_emit *e, unsigned l) {
  const struct mpl_item_loop *items = e->items;
  struct mpl_masked_loop *m = &e->masked[l];
  const struct mpl_inner_loop *loop = &items->loops[l];
  LLVMSetCurrentDebugLocation2(e->b, NULL);
  LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
  MPL_EACH_PHI(i, items->cfg->blocks[loop->header]) {
    LLVMValueRef next = mpl_handed_over(e, i, true, -1);
    LLVMAddIncoming(mpl_made(e, i, mpl_varies(e->lanes, i)), &next, &from, 1);
  }
  int together = e->lanes->loops[l].together, counted = e->lanes->loops[l].counted;
  if (together >= 0) {
    close_together(e, m, loop, (unsigned)together);
    return;
  }
  LLVMValueRef stay = staying(e, loop);
  LLVMValueRef again = counted < 0 ? NULL : go_on(e, loop, (unsigned)counted);
  for (unsigned k = 0; k < m->count; k++)
    if (m->list[k].ways & MPL_BY_COUNT) m->list[k].last = mpl_vector(e, m->list[k].value);
  keep_early(e, m, from);
  LLVMAddIncoming(m->active, &stay, &from, 1);
  end_turn(e, m, stay, again);
  for (unsigned k = 0; k < m->count; k++) {
    struct leaving *out = &m->list[k];
    if (!out->value) continue;
    LLVMValueRef left = !out->last   ? out->kept
                        : !out->kept ? out->last
                                     : mpl_choose(e, stay, out->last, out->kept);
    mpl_set_value(e, out->value, left, true);
  }
  if (m->stay) join(e, m);
  if (counted < 0) return;
  MPL_EACH_EDGE(to, &items->cfg->succs[counted]) {
    if (to != loop->header) mpl_set_edge_mask(e, (unsigned)counted, to, stay);
  }
}
