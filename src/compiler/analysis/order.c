/* The order of blocks: topological but for the back edges of loops, and each loop in one piece.
 *
 * Work-items that wait for one another go on with the earliest block first (split/emit/schedule.c): in this
 * order those that left a loop wait for those that are still in it, and those that passed over a
 * branch for those that took it.  Loops are found as strongly connected components, again inside
 * each without the edges back to where it is entered (Tarjan, "Depth-First Search and Linear Graph
 * Algorithms", 1972). */
#include <stdlib.h>

#include "cfg.h"

struct order {
  const struct mpl_cfg *cfg;
  unsigned *level;       /* how deep a block is known to be in loops: the walk stays in its level */
  unsigned *index, *low; /* of the walk; index 0 is unseen */
  bool *waits;           /* on the stack of components */
  unsigned *out, placed;
};

struct components {
  unsigned *blocks, *ends; /* blocks of one after another; where each ends */
  unsigned num_blocks, count;
};

/* Fills `found` with the components of the blocks of `level` that `root` leads to, the last in
 * topological order first.  Edges to `root` do not count. */
static void find_components(struct order *o, unsigned root, unsigned level, unsigned size,
                            struct components *found) {
  struct frame {
    unsigned block, edge;
  } *walk = mpl_allocate(size, sizeof *walk);
  MPL_ARRAY(unsigned, stack, size);
  unsigned depth = 0, waiting = 0, seen = 0;
  walk[depth++] = (struct frame){root, 0};
  o->index[root] = o->low[root] = ++seen;
  stack[waiting++] = root;
  o->waits[root] = true;
  while (depth) {
    struct frame *top = &walk[depth - 1];
    unsigned b = top->block;
    if (top->edge < o->cfg->succs[b].count) {
      unsigned to = o->cfg->succs[b].to[top->edge++];
      if (o->level[to] != level || to == root) continue;
      if (!o->index[to]) {
        o->index[to] = o->low[to] = ++seen;
        stack[waiting++] = to;
        o->waits[to] = true;
        walk[depth++] = (struct frame){to, 0};
      } else if (o->waits[to] && o->index[to] < o->low[b]) {
        o->low[b] = o->index[to];
      }
      continue;
    }
    if (o->low[b] == o->index[b]) { /* the first of its component; the others lie on it */
      unsigned last;
      do {
        last = stack[--waiting];
        o->waits[last] = false;
        found->blocks[found->num_blocks++] = last;
      } while (last != b);
      found->ends[found->count++] = found->num_blocks;
    }
    depth--;
    if (depth && o->low[b] < o->low[walk[depth - 1].block])
      o->low[walk[depth - 1].block] = o->low[b];
  }
  free(walk);
}

/* Places the `size` blocks of `level` that begin with `root`. */
static void place(struct order *o, unsigned root, unsigned level, unsigned size) {
  struct components c = {.blocks = mpl_allocate(size, sizeof *c.blocks),
                         .ends = mpl_allocate(size, sizeof *c.ends)};
  find_components(o, root, level, size, &c);
  for (unsigned k = c.count; k-- > 0;) {
    unsigned begin = k ? c.ends[k - 1] : 0, members = c.ends[k] - begin;
    unsigned first = c.blocks[c.ends[k] - 1]; /* where it is entered */
    if (members == 1) {
      o->out[o->placed++] = first;
      continue;
    }
    for (unsigned m = begin; m < c.ends[k]; m++) {
      o->level[c.blocks[m]] = level + 1;
      o->index[c.blocks[m]] = 0;
    }
    place(o, first, level + 1, members);
    for (unsigned m = begin; m < c.ends[k]; m++) o->level[c.blocks[m]] = UINT32_MAX;
  }
  free(c.blocks);
  free(c.ends);
}

void mpl_cfg_order(const struct mpl_cfg *cfg, unsigned *order) {
  unsigned n = cfg->count;
  struct order o = {.cfg = cfg,
                    .level = mpl_allocate(n, sizeof *o.level),
                    .index = mpl_allocate(n, sizeof *o.index),
                    .low = mpl_allocate(n, sizeof *o.low),
                    .waits = mpl_allocate(n, sizeof *o.waits),
                    .out = order};
  place(&o, 0, 0, n);
  free(o.level);
  free(o.index);
  free(o.low);
  free(o.waits);
}
