/* The control-flow graph of one function: blocks in topological order, edges, post-dominators. */
#ifndef MPL_COMPILER_CFG_H
#define MPL_COMPILER_CFG_H

#include "ir.h"

struct mpl_edges { unsigned *to; unsigned count; };

#define MPL_EACH_EDGE(block, edges)                                                                \
  for (unsigned edge_of_##block = 0, block;                                                        \
       edge_of_##block < (edges)->count && (block = (edges)->to[edge_of_##block], true);           \
       edge_of_##block++)

struct mpl_cfg {
  unsigned count;             /* reachable blocks, ordered as order.c says; 0 is the entry */
  LLVMBasicBlockRef *blocks;
  struct mpl_edges *succs, *preds;
  unsigned *ipdom;            /* immediate post-dominator; `count` for none but the function's end */
  struct mpl_map index;       /* block -> number */
};

void mpl_cfg_build(struct mpl_cfg *, LLVMValueRef function);
void mpl_cfg_free(struct mpl_cfg *);
/* One until the end of the block. */
#define MPL_CFG(name, function)                                                                    \
  MPL_FREED(mpl_cfg_free) struct mpl_cfg name;                                                     \
  mpl_cfg_build(&(name), function)

/* order.c: block numbers in the order that the graph is to be numbered by; all are reachable. */
void mpl_cfg_order(const struct mpl_cfg *, unsigned *order);

/* Marks the blocks that are reached from the block without passing one that is marked already; itself if
 * a way leads back to it. */
void mpl_cfg_reach(const struct mpl_cfg *, unsigned from, bool *marked);

/* Does a later block, or itself, lead to it? */
bool mpl_cfg_is_header(const struct mpl_cfg *, unsigned block);
/* Marks the blocks of the loop whose `latch` leads back to its header. */
void mpl_cfg_mark_loop(const struct mpl_cfg *, unsigned header, unsigned latch, bool *marked);

/* The number of the block that an instruction stands in. */
static inline unsigned mpl_cfg_block_of(const struct mpl_cfg *cfg, LLVMValueRef instruction) {
  return mpl_map_get(&cfg->index, LLVMGetInstructionParent(instruction), (uintptr_t)-1);
}

#endif
