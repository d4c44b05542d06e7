/* Control flow of a widened loop: what flow.c, edges.c and masked_loop.c have from each other. */
#ifndef MANIPLE_COMPILER_VECTOR_FLOW_H
#define MANIPLE_COMPILER_VECTOR_FLOW_H

#include "widen.h"

/* --- edges.c: masks, which are vectors of i1; null stands for all lanes --- */

LLVMTypeRef mpl_mask_type(struct mpl_widen *);
LLVMValueRef mpl_full_mask(struct mpl_widen *, LLVMValueRef mask); /* a vector if it was null */

/* The lanes that take the edge from one block to another; null: nothing is known of it (yet). */
LLVMValueRef mpl_edge_mask(struct mpl_widen *, unsigned from, unsigned to);
/* These beside those that are known to take it. */
void mpl_add_edge_mask(struct mpl_widen *, unsigned from, unsigned to, LLVMValueRef mask);
void mpl_set_edge_mask(struct mpl_widen *, unsigned from, unsigned to, LLVMValueRef mask);
/* The edges that `block` ends with, for the lanes of `mask`.  Of a loop that counts, only the one
 * back: mpl_close_loop knows the other's. */
void mpl_mask_edges(struct mpl_widen *, unsigned block, LLVMValueRef mask);

unsigned mpl_block_number(struct mpl_widen *, LLVMBasicBlockRef block);

#define MPL_EACH_PHI(i, block)                                                                     \
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i);                    \
       i = LLVMGetNextInstruction(i))

bool mpl_is_vector(struct mpl_widen *, LLVMValueRef phi);
/* What the phi is for the lanes that come by edges on which masks stand: the forward ones, or those
 * back; of a part's, or of all (-1).  A value that all lanes share that are there stays one: they
 * have all come by one edge. */
LLVMValueRef mpl_handed_over(struct mpl_widen *, LLVMValueRef phi, bool back, int part);
void mpl_set_value(struct mpl_widen *, LLVMValueRef value, LLVMValueRef now, bool vector);

/* --- masked_loop.c --- */

struct mpl_masked_loop {
  struct leaving *list;
  unsigned count;
  size_t capacity;

  /* Behind turns of all lanes (whole_turns.c). */
  LLVMValueRef stay, left;    /* who goes on, and who does not; null: there were no such turns */
  struct mpl_map next, made;  /* phi of the header -> what it goes on with; value -> those lanes' */
  LLVMBasicBlockRef done;     /* behind the loop, whether or not someone went on */
};
void mpl_masked_loop_free(struct mpl_masked_loop *);

/* The block whose branch ends a turn of the loop alike for all lanes that come to it, where lanes
 * leave elsewhere as well (`for (k = 0; k < n; k++) if (...) break;`); -1 if there is none. */
int mpl_counted_at(struct mpl_widen *, const struct mpl_inner_loop *);
/* The top of loop `l`, for the lanes that enter it. */
void mpl_open_loop(struct mpl_widen *, struct mpl_masked_loop *, unsigned l, LLVMValueRef entering);
/* The end of its last block; the builder stands behind the loop then. */
void mpl_close_loop(struct mpl_widen *, struct mpl_masked_loop *, unsigned l);
/* Is the value used behind the loop? */
bool mpl_leaves_loop(struct mpl_widen *, const struct mpl_inner_loop *, LLVMValueRef value);

/* --- whole_turns.c --- */

/* These turns, if all enter; mpl_open_loop goes on from there. */
void mpl_take_whole_turns(struct mpl_widen *, struct mpl_masked_loop *, unsigned l,
                          LLVMValueRef entering);
void mpl_widen_block(struct mpl_widen *, unsigned block); /* flow.c: its instructions */

/* An index is used where the place in a private array is that is computed from it (arrays.c). */
bool mpl_is_place(LLVMValueRef user);

#endif
