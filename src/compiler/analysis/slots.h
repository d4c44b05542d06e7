/* The splitter's slots: places, one for all work-items, in which a value is handed from one region to
 * another.  The splitter marks them; who looks at the work-item loops later asks what they are. */
#ifndef MPL_COMPILER_SLOTS_H
#define MPL_COMPILER_SLOTS_H

#include "algebra.h"

enum mpl_place_kind {
  MPL_PLACE_NONE,  /* it is no slot */
  MPL_PLACE_ARRAY, /* nor that, but a private array that is the same for all */
  MPL_PLACE_VALUE, /* any work-item stores it: it is the same for all */
  MPL_PLACE_SUM,   /* each work-item combines its operand with it */
  MPL_PLACE_VOTE,  /* the same; all that is asked is whether it is 0 */
  MPL_PLACE_SCAN,  /* the same; each work-item keeps what was there */
};

/* Of a sum, a vote and a scan: how operands are combined. */
struct mpl_shared_place {
  enum mpl_place_kind kind;
  unsigned operation; /* enum mpl_operation */
  bool is_signed;
};

void mpl_mark_shared_place(struct mpl_module_ir *, LLVMValueRef alloca, const struct mpl_shared_place *);
struct mpl_shared_place mpl_shared_place_of(struct mpl_module_ir *, LLVMValueRef pointer);

static inline bool mpl_is_slot(struct mpl_module_ir *ir, LLVMValueRef pointer) {
  return mpl_shared_place_of(ir, pointer).kind >= MPL_PLACE_VALUE;
}
/* A slot, or a private array of which there is one for all work-items: no loop has it alone. */
static inline bool mpl_is_shared_place(struct mpl_module_ir *ir, LLVMValueRef alloca) {
  return mpl_shared_place_of(ir, alloca).kind != MPL_PLACE_NONE;
}
/* It is combined with: a sum, a vote or a scan. */
static inline bool mpl_is_sum(struct mpl_module_ir *ir, LLVMValueRef pointer) {
  return mpl_shared_place_of(ir, pointer).kind >= MPL_PLACE_SUM;
}

#endif
