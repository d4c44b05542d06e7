/* A pointer as what varies and a number of bytes, by which accesses at known distances are found.
 */
#ifndef MPL_COMPILER_REPEATS_PLACE_H
#define MPL_COMPILER_REPEATS_PLACE_H

#include "compiler/analysis/ir.h"

enum { MPL_MOST_VARIABLES_OF_PLACE = 6 };

struct mpl_repeats_place {
  LLVMValueRef root;
  struct {
    LLVMValueRef value;
    uint64_t scale;
    bool is_extended; /* from 32 bits, with its sign */
  } variables[MPL_MOST_VARIABLES_OF_PLACE];
  unsigned count;
  int64_t constant;
};

void mpl_repeats_find_place(struct mpl_module_ir *, LLVMValueRef pointer,
                            struct mpl_repeats_place *);
/* They are as far from one another as their constants. */
bool mpl_repeats_same_variables(const struct mpl_repeats_place *, const struct mpl_repeats_place *);

#endif
