/* Loops with a known number of turns, and what surely runs. */
#ifndef MPL_COMPILER_TURNS_H
#define MPL_COMPILER_TURNS_H

#include "loops.h"

/* A loop that ends where it counts to, and nowhere else. */
struct mpl_turns {
  LLVMValueRef phi, condition;
  uint64_t first, step;
  uint64_t ahead;  /* so much more than the phi's number the condition compares with a constant */
  bool goes_on_if; /* what it says then */
};

/* False: it is none. */
bool mpl_turns_find(struct mpl_turns *, const struct mpl_cfg *, const struct mpl_loop *);
/* The first three of a phi that the loop counts with, wherever it ends. */
bool mpl_turns_find_counter(struct mpl_turns *, const struct mpl_cfg *, const struct mpl_loop *, LLVMValueRef phi);
/* The phi's number in the next turn; false: there is none. */
bool mpl_turns_next(const struct mpl_turns *, uint64_t *number);

/* Integers of up to 64 bits, in the lowest bits. */
bool mpl_is_number(LLVMValueRef);
uint64_t mpl_masked(uint64_t, LLVMTypeRef);
int64_t mpl_sign_extended(uint64_t, LLVMTypeRef);

/* No way leads from the entry to block `to` but through block `by`. */
bool mpl_is_on_all_ways(const struct mpl_cfg *, unsigned by, unsigned to);

#endif
