/* Control flow of a widened loop: what flow.c, edge_masks.c and masked_loop.c have from each other.
 */
#ifndef MPL_COMPILER_EMIT_FLOW_H
#define MPL_COMPILER_EMIT_FLOW_H

#include "values.h"
#include "versions.h"

/* --- edge_masks.c: masks, which are vectors of i1; null stands for all lanes --- */

/* The lanes that take the edge from one block to another; null: nothing is known of it (yet). */
LLVMValueRef mpl_edge_mask(struct mpl_emit *, unsigned from, unsigned to);
/* These beside those that are known to take it. */
void mpl_add_edge_mask(struct mpl_emit *, unsigned from, unsigned to, LLVMValueRef mask);
void mpl_set_edge_mask(struct mpl_emit *, unsigned from, unsigned to, LLVMValueRef mask);
/* The edges that `block` ends with, for the lanes of `mask`.  Of a loop that counts, only the one
 * back: mpl_close_loop knows the other's. */
void mpl_mask_edges(struct mpl_emit *, unsigned block, LLVMValueRef mask);

/* What the phi is for the lanes that come by edges on which masks stand: the forward ones, or those
 * back; of a part's, or of all (-1).  A value that all lanes share that are there stays one: they
 * have all come by one edge. */
LLVMValueRef mpl_handed_over(struct mpl_emit *, LLVMValueRef phi, bool back, int part);

/* --- masked_loop.c --- */

void mpl_masked_loop_free(struct mpl_masked_loop *);
/* The top of loop `l`, for the lanes that enter it. */
void mpl_open_loop(struct mpl_emit *, unsigned l, LLVMValueRef entering);
/* The end of its last block; the builder stands behind the loop then. */
void mpl_close_loop(struct mpl_emit *, unsigned l);

/* --- full_mask_loop.c --- */

/* These turns, if all enter; mpl_open_loop goes on from there. */
void mpl_take_whole_turns(struct mpl_emit *, unsigned l, LLVMValueRef entering);
void mpl_widen_block(struct mpl_emit *, unsigned block); /* flow.c: its instructions */

/* --- speculate_bounds.c: the test of a bound that the builder is behind --- */

LLVMValueRef mpl_bound_fails(struct mpl_emit *, LLVMValueRef value);

#endif
