#include "cfg.h"

#include <stdlib.h>

static void add_edge(struct mpl_edges *edges, unsigned to) {
  MPL_APPEND(edges->to, edges->count) = to;
}

/* The blocks that can be reached, in no particular order but for the entry, which comes first. */
static unsigned find_reachable(LLVMBasicBlockRef entry, LLVMBasicBlockRef *blocks) {
  MPL_MAP(seen);
  unsigned count = 0;
  mpl_map_set(&seen, entry, 1);
  blocks[count++] = entry;
  for (unsigned b = 0; b < count; b++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(blocks[b]);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
      LLVMBasicBlockRef to = LLVMGetSuccessor(end, s);
      if (!mpl_map_add(&seen, to)) continue;
      blocks[count++] = to;
    }
  }
  return count;
}

/* Numbers blocks by post order of the reversed graph, from `root`. */
static unsigned number_backwards(struct mpl_cfg *cfg, unsigned root, unsigned *number,
                                 unsigned *order, unsigned next) {
  struct frame {
    unsigned block, edge;
  } *stack = mpl_allocate(cfg->count, sizeof *stack);
  unsigned depth = 0, seen = cfg->count + 1;
  stack[depth++] = (struct frame){root, 0};
  number[root] = seen;
  while (depth) {
    struct frame *top = &stack[depth - 1];
    if (top->edge < cfg->preds[top->block].count) {
      unsigned to = cfg->preds[top->block].to[top->edge++];
      if (number[to] != UINT32_MAX) continue;
      number[to] = seen;
      stack[depth++] = (struct frame){to, 0};
    } else {
      order[next] = top->block;
      number[top->block] = next++;
      depth--;
    }
  }
  free(stack);
  return next;
}

static unsigned meet(const unsigned *ipdom, const unsigned *number, unsigned a, unsigned b) {
  while (a != b) {
    while (number[a] < number[b]) a = ipdom[a];
    while (number[b] < number[a]) b = ipdom[b];
  }
  return a;
}

/* Ends in `unreachable`: no work-item comes here, so it is no way to the exit. */
static bool is_dead_end(struct mpl_cfg *cfg, unsigned block) {
  return LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(cfg->blocks[block])) != NULL;
}

/* Post-dominators by the iteration of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance
 * Algorithm", 2001) on the reversed graph.  The virtual exit is `count`; of an endless loop one
 * block hangs on it too. */
static void find_post_dominators(struct mpl_cfg *cfg) {
  unsigned n = cfg->count, placed = 0;
  MPL_ARRAY(unsigned, number, n + 1);
  MPL_ARRAY(unsigned, order, n);
  MPL_ARRAY(bool, is_root, n);
  for (unsigned b = 0; b < n; b++) number[b] = UINT32_MAX;
  for (unsigned pass = 0; pass < 2; pass++) { /* the exits, then what cannot reach one */
    for (unsigned b = n; b-- > 0;) {
      if (number[b] != UINT32_MAX || (!pass && (cfg->succs[b].count || is_dead_end(cfg, b))))
        continue;
      is_root[b] = true;
      placed = number_backwards(cfg, b, number, order, placed);
    }
  }
  number[n] = n;
  for (unsigned b = 0; b < n; b++) cfg->ipdom[b] = UINT32_MAX;
  cfg->ipdom[n] = n;
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = n; i-- > 0;) {
      unsigned b = order[i], found = is_root[b] ? n : UINT32_MAX;
      MPL_EACH_EDGE(to, &cfg->succs[b]) {
        if (cfg->ipdom[to] == UINT32_MAX || is_dead_end(cfg, to)) continue;
        found = found == UINT32_MAX ? to : meet(cfg->ipdom, number, found, to);
      }
      if (found == cfg->ipdom[b]) continue;
      cfg->ipdom[b] = found;
      changed = true;
    }
  }
  for (unsigned b = 0; b < n; b++) /* all ways from it are dead ends */
    if (cfg->ipdom[b] == UINT32_MAX) cfg->ipdom[b] = n;
}

static void find_edges(struct mpl_cfg *cfg) {
  for (unsigned b = 0; b < cfg->count; b++) mpl_map_set(&cfg->index, cfg->blocks[b], b);
  for (unsigned b = 0; b < cfg->count; b++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg->blocks[b]);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
      unsigned to = mpl_map_get(&cfg->index, LLVMGetSuccessor(end, s), 0);
      add_edge(&cfg->succs[b], to);
      add_edge(&cfg->preds[to], b);
    }
  }
}

static void drop_edges(struct mpl_cfg *cfg) {
  for (unsigned b = 0; b < cfg->count; b++) {
    free(cfg->succs[b].to);
    free(cfg->preds[b].to);
    cfg->succs[b] = cfg->preds[b] = (struct mpl_edges){0};
  }
}

/* Numbers the blocks by the order that their edges allow. */
static void renumber(struct mpl_cfg *cfg) {
  LLVMBasicBlockRef *old = cfg->blocks;
  MPL_ARRAY(unsigned, order, cfg->count);
  find_edges(cfg);
  mpl_cfg_order(cfg, order);
  cfg->blocks = mpl_allocate(cfg->count, sizeof *cfg->blocks);
  for (unsigned b = 0; b < cfg->count; b++) cfg->blocks[b] = old[order[b]];
  drop_edges(cfg);
  find_edges(cfg);
  free(old);
}

void mpl_cfg_build(struct mpl_cfg *cfg, LLVMValueRef function) {
  *cfg = (struct mpl_cfg){0};
  cfg->blocks = mpl_allocate(LLVMCountBasicBlocks(function), sizeof *cfg->blocks);
  cfg->count = find_reachable(LLVMGetEntryBasicBlock(function), cfg->blocks);
  cfg->succs = mpl_allocate(cfg->count, sizeof *cfg->succs);
  cfg->preds = mpl_allocate(cfg->count, sizeof *cfg->preds);
  cfg->ipdom = mpl_allocate(cfg->count + 1, sizeof *cfg->ipdom);
  renumber(cfg);
  find_post_dominators(cfg);
}

void mpl_cfg_free(struct mpl_cfg *cfg) {
  drop_edges(cfg);
  free(cfg->blocks);
  free(cfg->succs);
  free(cfg->preds);
  free(cfg->ipdom);
  mpl_map_free(&cfg->index);
}

bool mpl_cfg_is_header(const struct mpl_cfg *cfg, unsigned block) {
  MPL_EACH_EDGE(from, &cfg->preds[block])
  if (from >= block) return true;
  return false;
}

/* Marks what is reached from `first` by those edges, but `first` only if it is reached again. */
static void mark_from(const struct mpl_cfg *cfg, const struct mpl_edges *edges, unsigned first, bool *marked) {
  MPL_ARRAY(unsigned, stack, cfg->count + 1);
  unsigned depth = 0;
  stack[depth++] = first;
  while (depth) {
    const struct mpl_edges *next = &edges[stack[--depth]];
    MPL_EACH_EDGE(block, next) {
      if (!marked[block]) stack[depth++] = block;
      marked[block] = true;
    }
  }
}

void mpl_cfg_mark_loop(const struct mpl_cfg *cfg, unsigned header, unsigned latch, bool *marked) {
  marked[header] = true;
  if (marked[latch]) return;
  marked[latch] = true;
  mark_from(cfg, cfg->preds, latch, marked);
}

void mpl_cfg_reach(const struct mpl_cfg *cfg, unsigned from, bool *marked) {
  mark_from(cfg, cfg->succs, from, marked);
}
