/* Blocks that only some lanes of a chunk reach, and loops that lanes leave at different iterations.
 */
#include <stdlib.h>

#include "analysis.h"

/* Blocks that lead from `block` on, to `meet` and no further, nor out of a loop if there is one; nor around a loop
 * that `branch` is in. The outermost loop whose header is come to so is noted. */
struct reach {
  struct mpl_lanes *lanes;
  unsigned branch, meet;
  bool *reached;
  int around;
  const struct mpl_inner_loop *within; /* or null */
};

static void reach(struct reach *r, unsigned block) {
  const struct mpl_lanes *lanes = r->lanes;
  const struct mpl_item_loop *items = lanes->items;
  if (block == r->meet || block == items->latch || r->reached[block] || !items->in[block]) return;
  if (r->within && mpl_is_outside(r->within, block)) return;
  for (int l = items->inner[r->branch]; l >= 0; l = items->loops[l].parent)
    if (items->loops[l].header == block) {
      if (r->around < 0 || l < r->around) r->around = l;
      return;
    }
  r->reached[block] = true;
  MPL_EACH_EDGE(to, &items->cfg->succs[block])
  reach(r, to);
}

/* The outermost loop that the branch may leave for somewhere else than `meet` inside of it. */
static int left_loop(const struct mpl_item_loop *items, unsigned block, unsigned meet) {
  int left = -1;
  for (int l = items->inner[block]; l >= 0; l = items->loops[l].parent)
    if (mpl_is_outside(&items->loops[l], meet)) left = l;
  return left;
}

/* Lanes leave the loop, and those inside of it that are around `block`, at different iterations. */
static void mask_loop(struct mpl_lanes *lanes, unsigned block, int left) {
  const struct mpl_item_loop *items = lanes->items;
  unsigned n = items->cfg->count, meet = items->cfg->ipdom[block];
  const struct mpl_inner_loop *l = &items->loops[left];
  while (!mpl_is_outside(l, meet)) meet = items->cfg->ipdom[meet];
  struct reach r = {lanes, l->header, meet, mpl_allocate(n, sizeof *r.reached), -1, NULL};
  for (int in = items->inner[block]; in != l->parent; in = items->loops[in].parent)
    lanes->loops[in].masked = true;
  MPL_EACH_LOOP_BLOCK(b, items, l) {
    lanes->blocks[b].diverged = true;
    MPL_EACH_EDGE(to, &items->cfg->succs[b]) {
      if (mpl_is_outside(l, to)) reach(&r, to);
    }
  }
  for (unsigned b = 0; b < n; b++)
    if (r.reached[b]) lanes->blocks[b].diverged = lanes->blocks[b].joins = true;
  if (meet < n) lanes->blocks[meet].joins = true;
  free(r.reached);
  if (r.around >= 0) mask_loop(lanes, block, r.around);
}

/* What is reached by one way of the branch only, and what by several, where lanes meet. */
static void part_ways(struct reach *r) {
  const struct mpl_cfg *cfg = r->lanes->items->cfg;
  MPL_ARRAY(bool, seen, cfg->count);
  MPL_EACH_EDGE(to, &cfg->succs[r->branch]) {
    for (unsigned b = 0; b < cfg->count; b++) r->reached[b] = false;
    reach(r, to);
    for (unsigned b = 0; b < cfg->count; b++) {
      if (!r->reached[b]) continue;
      r->lanes->blocks[b].diverged = true;
      r->lanes->blocks[b].joins |= seen[b];
      seen[b] = true;
    }
  }
}

void mpl_part_at(struct mpl_lanes *lanes, unsigned block) {
  const struct mpl_item_loop *items = lanes->items;
  unsigned n = items->cfg->count, meet = items->cfg->ipdom[block];
  int left = left_loop(items, block, meet);
  MPL_ARRAY(bool, reached, n);
  struct reach r = {lanes, block, meet, reached, -1, NULL};
  part_ways(&r);
  if (r.around >= 0) { /* some come to `meet` an iteration later: others have gone on from there */
    if (left < 0 || r.around < left) left = r.around;
    part_ways(&(struct reach){lanes, block, n, reached, -1, &items->loops[r.around]});
  }
  if (left >= 0) mask_loop(lanes, block, left);
  if (meet < n) lanes->blocks[meet].joins = true;
}

/* A loop that only some lanes enter is masked, and all of it diverged. */
void mpl_spread_to_loops(struct mpl_lanes *lanes) {
  const struct mpl_item_loop *items = lanes->items;
  for (unsigned l = 0; l < items->num_loops; l++)
    if (lanes->blocks[items->loops[l].header].diverged) {
      lanes->loops[l].masked = true;
      MPL_EACH_LOOP_BLOCK(b, items, &items->loops[l]) lanes->blocks[b].diverged = true;
    }
}
