/* The code of diverged blocks is one straight line from where lanes part to where they meet.  So
 * those that hang together have to have one way in and one way out.  Where they have several, or a
 * way leads around a loop, more blocks are taken in, though all lanes reach them together: in the
 * end the block is found that dominates all ways in, or that post-dominates all ways out. */
#include "analysis.h"

static void set_part(struct mpl_lanes *lanes, unsigned block, int part) {
  const struct mpl_item_loop *items = lanes->items;
  if (!mpl_is_diverged(lanes, block) || lanes->blocks[block].part >= 0) return;
  lanes->blocks[block].part = part;
  MPL_EACH_EDGE(to, &items->cfg->succs[block])
  set_part(lanes, to, part);
  MPL_EACH_EDGE(from, &items->cfg->preds[block])
  set_part(lanes, from, part);
}

bool mpl_branch_varies(const struct mpl_lanes *lanes, unsigned block) {
  const struct mpl_item_loop *items = lanes->items;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(items->cfg->blocks[block]);
  return block != items->latch && LLVMGetNumSuccessors(end) > 1 &&
         mpl_stride_at(lanes, LLVMGetOperand(end, 0), block) != 0;
}

int mpl_part_behind(const struct mpl_lanes *lanes, unsigned block) {
  struct mpl_edges *succs = &lanes->items->cfg->succs[block];
  for (unsigned s = 0; s < succs->count; s++)
    for (unsigned t = 0; t < succs->count; t++) {
      unsigned a = succs->to[s], b = succs->to[t];
      if ((s == t && !mpl_branch_varies(lanes, block)) || !mpl_is_diverged(lanes, a) ||
          !mpl_is_diverged(lanes, b))
        continue;
      if (lanes->blocks[a].part == lanes->blocks[b].part) return lanes->blocks[a].part;
    }
  return -1;
}

/* What the branch leads to by masks is one part. */
static void join_parts(struct mpl_lanes *lanes, unsigned block) {
  const struct mpl_item_loop *items = lanes->items;
  int part = mpl_part_behind(lanes, block);
  for (unsigned s = 0; part >= 0 && s < items->cfg->succs[block].count; s++) {
    unsigned to = items->cfg->succs[block].to[s];
    if (!mpl_is_diverged(lanes, to) || lanes->blocks[to].part == part) continue;
    int other = lanes->blocks[to].part;
    for (unsigned b = items->first; b <= items->last; b++)
      if (lanes->blocks[b].part == other) lanes->blocks[b].part = part;
  }
}

static bool take_in(struct mpl_lanes *lanes, unsigned block) {
  const struct mpl_item_loop *items = lanes->items;
  if (block == items->header || block == items->latch || !items->in[block] ||
      lanes->blocks[block].diverged)
    return false;
  return lanes->blocks[block].diverged = true;
}

/* The ways in and out of a diverged block; true if there are too many. */
static bool follow_ways(struct mpl_lanes *lanes, unsigned block, struct mpl_part *part) {
  const struct mpl_item_loop *items = lanes->items;
  struct mpl_edges *in = &items->cfg->preds[block], *out = &items->cfg->succs[block];
  unsigned none = items->cfg->count;
  MPL_EACH_EDGE(from, in) {
    unsigned known = part->from;
    if (lanes->blocks[from].diverged || from == known) continue;
    part->from = known == none || from < known ? from : known;
    if (known != none && take_in(lanes, from < known ? known : from)) return true;
  }
  MPL_EACH_EDGE(to, out) {
    unsigned known = part->meet;
    if (!items->in[to] || lanes->blocks[to].diverged) continue;
    if (to <= block && take_in(lanes, to)) return true;
    if (to == known) continue;
    part->meet = known == none || to > known ? to : known;
    if (known != none && take_in(lanes, to < known ? to : known)) return true;
  }
  return false;
}

/* Ways past a part that the branch leads into by masks. */
static bool follow_ways_past(struct mpl_lanes *lanes, unsigned block) {
  const struct mpl_item_loop *items = lanes->items;
  int part = mpl_part_behind(lanes, block);
  for (unsigned s = 0; part >= 0 && s < items->cfg->succs[block].count; s++) {
    unsigned to = items->cfg->succs[block].to[s];
    if (!mpl_is_diverged(lanes, to) && to != lanes->parts[part].meet && take_in(lanes, to))
      return true;
  }
  return false;
}

bool mpl_parts_find(struct mpl_lanes *lanes) {
  const struct mpl_item_loop *items = lanes->items;
  unsigned none = items->cfg->count;
  lanes->num_parts = 0;
  for (unsigned b = 0; b < none; b++) lanes->blocks[b].part = -1;
  for (unsigned b = items->first; b <= items->last; b++)
    if (mpl_is_diverged(lanes, b) && lanes->blocks[b].part < 0) {
      lanes->parts[lanes->num_parts] = (struct mpl_part){.from = none, .meet = none, .first = b};
      set_part(lanes, b, (int)lanes->num_parts++);
    }
  for (unsigned b = items->first; b <= items->last; b++)
    if (items->in[b] && !lanes->blocks[b].diverged) join_parts(lanes, b);
  for (unsigned b = items->first; b <= items->last; b++) {
    if (!mpl_is_diverged(lanes, b)) continue;
    struct mpl_part *part = &lanes->parts[lanes->blocks[b].part];
    part->last = b;
    if (follow_ways(lanes, b, part)) return true;
  }
  for (unsigned b = items->first; b <= items->last; b++)
    if (items->in[b] && !lanes->blocks[b].diverged && follow_ways_past(lanes, b)) return true;
  return false;
}
