/* The loops of a function, and what is mostly looked at with them: its control flow and shapes. */
#ifndef MPL_COMPILER_LOOPS_H
#define MPL_COMPILER_LOOPS_H

#include "shape.h"

struct mpl_loop {
  unsigned header, latch; /* of several latches each makes a loop of its own */
  unsigned *blocks;       /* header first, in the order of their numbers */
  unsigned num_blocks;
  bool *in;               /* per block of the function */
  bool innermost;         /* no other loop is in it, and no other block leads back */
};

struct mpl_loops {
  struct mpl_loop *list;  /* by their headers' numbers */
  unsigned count;
};

void mpl_loops_find(struct mpl_loops *, const struct mpl_cfg *);
void mpl_loops_free(struct mpl_loops *);

/* Good until the function changes. */
struct mpl_flow {
  LLVMValueRef function;
  struct mpl_cfg cfg;
  struct mpl_shapes shapes;
  struct mpl_loops loops;
};

void mpl_flow_find(struct mpl_flow *, LLVMValueRef function);
void mpl_flow_find_again(struct mpl_flow *);
void mpl_flow_free(struct mpl_flow *);
/* Loops, and flow, until the end of the block. */
#define MPL_LOOPS(name, cfg)                                                                       \
  MPL_FREED(mpl_loops_free) struct mpl_loops name;                                                 \
  mpl_loops_find(&(name), cfg)
#define MPL_FLOW(name, function)                                                                   \
  MPL_FREED(mpl_flow_free) struct mpl_flow name;                                                   \
  mpl_flow_find(&(name), function)

/* Each instruction of the loop's blocks. */
#define MPL_EACH_INSTRUCTION_IN(i, loop, cfg)                                                      \
  for (unsigned at_##i = 0; at_##i < (loop)->num_blocks; at_##i++)                                 \
    MPL_EACH_INSTRUCTION(i, (cfg)->blocks[(loop)->blocks[at_##i]])

unsigned mpl_loop_syncs(const struct mpl_cfg *, const struct mpl_loop *); /* its sync points' number */
/* Does the block have a way out of the loop? */
bool mpl_loop_leaves(const struct mpl_cfg *, const struct mpl_loop *, unsigned block);
/* Is the value the same in all iterations, made by such operations of what is made outside? */
bool mpl_loop_fixes(const struct mpl_cfg *, const struct mpl_loop *, LLVMValueRef, unsigned kinds);

/* All work-items run it equally often. */
bool mpl_loop_is_uniform(const struct mpl_flow *, const struct mpl_loop *);
/* In instructions. */
unsigned mpl_loop_size(const struct mpl_flow *, const struct mpl_loop *);

#endif
