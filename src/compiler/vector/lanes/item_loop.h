/* A work-item loop as the splitter leaves it: independent iterations that count work-items, one
 * beside the other (split/emit/frames.c), and the loops inside of it.  Nothing here depends on how
 * many lanes it will have, and nothing changes once it was found. */
#ifndef MPL_COMPILER_ITEM_LOOP_H
#define MPL_COMPILER_ITEM_LOOP_H

#include "compiler/analysis/cfg.h"
#include "compiler/analysis/slots.h"
#include "compiler/analysis/target.h"

/* A loop inside of the work-item loop, entered at its header only. */
struct mpl_inner_loop {
  unsigned header, last; /* its blocks are numbered from the one to the other */
  int parent;            /* index of the loop around it, or -1 */
};

/* A loop over all work-items of short rows, or over those of one. */
struct mpl_pieces {
  LLVMValueRef latch;     /* the branch at its end */
  bool whole;             /* it is the latter: no ids and strides, */
  bool one_chunk;         /* and the row is one chunk */
  unsigned lanes;         /* of a row; 0: it is not known how many; or (whole) of a chunk */
  LLVMValueRef ids[3];
  struct mpl_map strides; /* of values, from lane to lane of a piece */
};

/* What the kernel's plan says of all its loops. */
struct mpl_loop_limits {
  unsigned row;       /* work-items that whole rows have, or 0: the kernel does not say */
  bool alone;         /* the function's only work-item loop */
  bool one_copy;      /* under a mask, of all chunks (budget.c) */
  bool one_at_a_time; /* no copy does several chunks */
  bool plain;         /* nothing is guessed */
  bool row_copy;      /* it is a copy for short rows, of the loop over one; */
  bool one_chunk;     /* and all work-items of it are one chunk */
};

struct mpl_item_loop {
  struct mpl_module_ir *ir;
  const struct mpl_cfg *cfg;
  LLVMValueRef function, counter, count; /* counts from its first value to `count` */
  unsigned header, latch, first, last;   /* blocks of the work-item loop: first to last */
  bool *in;                              /* per block: in the loop */
  int *inner;                            /* per block: innermost loop around it, or -1 */
  struct mpl_inner_loop *loops;
  unsigned num_loops;
  struct mpl_map arrays;           /* private array -> 1 + its unit; 1: for each lane one */
  const struct mpl_pieces *pieces; /* or null */
  struct mpl_loop_limits limits;

  /* Of sub-groups, all of whose lanes are one chunk. */
  bool sub_group;     /* sub-group functions may be called */
  bool exact;         /* nothing may be assumed */
  LLVMValueRef whole; /* a condition that is true here, or null */

  const char *refusal; /* it cannot be widened, and this is why; or null */
};

/* Is it the branch at the end of one? */
bool mpl_is_work_item_loop(struct mpl_module_ir *, LLVMValueRef end);
/* The loop whose latch ends in `end`; what the plan says, pieces and the sub-group's fields are set
 * before.  Tells the cause of a refusal. */
void mpl_item_loop_find(struct mpl_item_loop *, LLVMValueRef end);
void mpl_item_loop_free(struct mpl_item_loop *);

static inline bool mpl_is_in_items(const struct mpl_item_loop *items, unsigned block) {
  return block < items->cfg->count && items->in[block];
}
/* The block that makes the value; `cfg->count`: none of the loop's does. */
static inline unsigned mpl_own_block(const struct mpl_item_loop *items, LLVMValueRef value) {
  unsigned none = items->cfg->count,
           block = LLVMIsAInstruction(value) ? mpl_cfg_block_of(items->cfg, value) : none;
  return mpl_is_in_items(items, block) ? block : none;
}
static inline bool mpl_is_made_inside(const struct mpl_item_loop *items, LLVMValueRef value) {
  return mpl_own_block(items, value) < items->cfg->count;
}
static inline bool mpl_is_outside(const struct mpl_inner_loop *loop, unsigned block) {
  return block < loop->header || block > loop->last;
}
/* Loops around it, and itself; of -1 none. */
static inline unsigned mpl_loop_depth(const struct mpl_item_loop *items, int loop) {
  unsigned depth = 0;
  for (; loop >= 0; loop = items->loops[loop].parent) depth++;
  return depth;
}
unsigned mpl_block_number(const struct mpl_item_loop *, LLVMBasicBlockRef);

/* What a select takes that asks whether the sub-group is a whole one, where it is. */
static inline bool mpl_is_known_choice(const struct mpl_item_loop *items, LLVMValueRef i) {
  return items->whole && LLVMIsASelectInst(i) && LLVMGetOperand(i, 0) == items->whole;
}

/* forward_progress.c */
bool mpl_may_wait(const struct mpl_item_loop *, unsigned loop);
/* loop_exits.c: how a value, or lanes, come out of a loop: by its count (that ends at block
 * `counted`, or -1), with all that are still there, or by another way, at whatever iteration. */
enum { MPL_BY_COUNT = 1, MPL_EARLY = 2 };
unsigned mpl_ways_of(const struct mpl_item_loop *, const struct mpl_inner_loop *, int counted,
                     LLVMValueRef value);
/* forms.c: sub-group functions; null: lanes may call it. */
bool mpl_is_lanes_call(LLVMValueRef);
const char *mpl_cannot_call_lanes(LLVMValueRef call);

/* The block that enters a loop: where a phi of its header does not come from the latch. */
static inline LLVMBasicBlockRef mpl_block_before(LLVMValueRef phi, LLVMBasicBlockRef latch) {
  LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, 0);
  return from == latch ? LLVMGetIncomingBlock(phi, 1) : from;
}

/* Each of its blocks, and their instructions; and each block of a loop inside. */
#define MPL_EACH_LOOP_BLOCK(b, items, loop)                                                        \
  for (unsigned b = (loop)->header; b <= (loop)->last; b++)                                        \
    if ((items)->in[b])
#define MPL_EACH_ITEM_BLOCK(b, items)                                                              \
  for (unsigned b = (items)->first; b <= (items)->last; b++)                                       \
    if ((items)->in[b])
#define MPL_EACH_ITEM_INSTRUCTION(i, items)                                                        \
  MPL_EACH_ITEM_BLOCK(at_of_##i, items) MPL_EACH_INSTRUCTION(i, (items)->cfg->blocks[at_of_##i])

#endif
