/* Finds what compaction.c changes: a store under a condition, to a place that an add-scan of the
 * same condition counts. */
#ifndef MPL_COMPILER_COMPACTION_MATCH_H
#define MPL_COMPILER_COMPACTION_MATCH_H

#include "compiler/analysis/regions.h"

enum { MPL_MOST_COMPACTED = 4 }; /* stores in one block */

struct mpl_compacted_store {
  LLVMValueRef store;
  LLVMValueRef narrow; /* the 32-bit part of the address that may wrap, or null */
  bool is_signed;      /* how it is extended */
};

struct mpl_compaction {
  struct mpl_module_ir *ir;
  struct mpl_regions *regions;
  LLVMBasicBlockRef head, then, join; /* head branches to then or join; then leads to join */
  LLVMValueRef scan, flag, truth; /* the operand is `flag`: 0 or 1, as `truth` says if not null */
  LLVMValueRef condition;         /* of the branch */
  bool holds;                     /* what it is where the store is reached */
  bool exclusive;
  struct mpl_compacted_store stores[MPL_MOST_COMPACTED];
  unsigned num_stores;
};

/* Is the instruction an add-scan of integers? */
bool mpl_is_add_scan(LLVMValueRef instruction, bool *exclusive);

/* Looks at the branch that ends the block; ir and regions are given. */
bool mpl_match_compaction(struct mpl_compaction *, unsigned block);

/* Is the value one that every work-item which stores knows beforehand: the condition, or its flag?
 */
static inline bool mpl_compaction_knows(const struct mpl_compaction *m, LLVMValueRef value) {
  return value == m->condition || value == m->flag || value == m->truth;
}

#endif
