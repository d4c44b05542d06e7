/* The code of diverged blocks is one straight line from where lanes part to where they meet.  So
 * those that hang together have to have one way in and one way out.  Where they have several, or a
 * way leads around a loop, more blocks are taken in, though all lanes reach them together: in the
 * end the block is found that dominates all ways in, or that post-dominates all ways out. */
#include "widen.h"

static void set_part(struct mpl_widen *w, unsigned block, int part) {
  if (!mpl_is_diverged(w, block) || w->part_of[block] >= 0) return;
  w->part_of[block] = part;
  for (unsigned s = 0; s < w->cfg->succs[block].count; s++)
    set_part(w, w->cfg->succs[block].to[s], part);
  for (unsigned p = 0; p < w->cfg->preds[block].count; p++)
    set_part(w, w->cfg->preds[block].to[p], part);
}

static bool varies(struct mpl_widen *w, unsigned block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(w->cfg->blocks[block]);
  return block != w->latch && LLVMGetNumSuccessors(end) > 1 &&
         mpl_stride_at(w, LLVMGetOperand(end, 0), block) != 0;
}

int mpl_part_behind(struct mpl_widen *w, unsigned block) {
  struct mpl_edges *succs = &w->cfg->succs[block];
  for (unsigned s = 0; s < succs->count; s++)
    for (unsigned t = 0; t < succs->count; t++) {
      unsigned a = succs->to[s], b = succs->to[t];
      if ((s == t && !varies(w, block)) || !mpl_is_diverged(w, a) || !mpl_is_diverged(w, b))
        continue;
      if (w->part_of[a] == w->part_of[b]) return w->part_of[a];
    }
  return -1;
}

/* What the branch leads to by masks is one part. */
static void join_parts(struct mpl_widen *w, unsigned block) {
  int part = mpl_part_behind(w, block);
  for (unsigned s = 0; part >= 0 && s < w->cfg->succs[block].count; s++) {
    unsigned to = w->cfg->succs[block].to[s];
    if (!mpl_is_diverged(w, to) || w->part_of[to] == part) continue;
    int other = w->part_of[to];
    for (unsigned b = w->first; b <= w->last; b++)
      if (w->part_of[b] == other) w->part_of[b] = part;
  }
}

static bool take_in(struct mpl_widen *w, unsigned block) {
  if (block == w->header || block == w->latch || !w->in[block] || w->diverged[block]) return false;
  return w->diverged[block] = true;
}

/* The ways in and out of a diverged block; true if there are too many. */
static bool follow_ways(struct mpl_widen *w, unsigned block, struct mpl_part *part) {
  struct mpl_edges *in = &w->cfg->preds[block], *out = &w->cfg->succs[block];
  unsigned none = w->cfg->count;
  for (unsigned k = 0; k < in->count; k++) {
    unsigned from = in->to[k], known = part->from;
    if (w->diverged[from] || from == known) continue;
    part->from = known == none || from < known ? from : known;
    if (known != none && take_in(w, from < known ? known : from)) return true;
  }
  for (unsigned k = 0; k < out->count; k++) {
    unsigned to = out->to[k], known = part->meet;
    if (!w->in[to] || w->diverged[to]) continue;
    if (to <= block && take_in(w, to)) return true;
    if (to == known) continue;
    part->meet = known == none || to > known ? to : known;
    if (known != none && take_in(w, to < known ? to : known)) return true;
  }
  return false;
}

/* Ways past a part that the branch leads into by masks. */
static bool follow_ways_past(struct mpl_widen *w, unsigned block) {
  int part = mpl_part_behind(w, block);
  for (unsigned s = 0; part >= 0 && s < w->cfg->succs[block].count; s++) {
    unsigned to = w->cfg->succs[block].to[s];
    if (!mpl_is_diverged(w, to) && to != w->parts[part].meet && take_in(w, to)) return true;
  }
  return false;
}

bool mpl_parts_find(struct mpl_widen *w) {
  unsigned none = w->cfg->count;
  w->num_parts = 0;
  for (unsigned b = 0; b < none; b++) w->part_of[b] = -1;
  for (unsigned b = w->first; b <= w->last; b++)
    if (mpl_is_diverged(w, b) && w->part_of[b] < 0) {
      w->parts[w->num_parts] = (struct mpl_part){.from = none, .meet = none, .first = b};
      set_part(w, b, (int)w->num_parts++);
    }
  for (unsigned b = w->first; b <= w->last; b++)
    if (w->in[b] && !w->diverged[b]) join_parts(w, b);
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!mpl_is_diverged(w, b)) continue;
    struct mpl_part *part = &w->parts[w->part_of[b]];
    part->last = b;
    if (follow_ways(w, b, part)) return true;
  }
  for (unsigned b = w->first; b <= w->last; b++)
    if (w->in[b] && !w->diverged[b] && follow_ways_past(w, b)) return true;
  return false;
}
