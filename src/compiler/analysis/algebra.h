/* What the compiler knows of the operations of operations.def: which one the built-in library's
 * function for a sync point does, its identity, and the instructions that combine two operands. */
#ifndef MPL_COMPILER_ALGEBRA_H
#define MPL_COMPILER_ALGEBRA_H

#include "ir.h"

enum mpl_operation {
#define MPL_OPERATION(op, ...) MPL_OP_##op,
#include "tables/operations.def"
};
enum mpl_form {
#define MPL_FORM(form, result) MPL_FORM_##form,
#include "tables/collectives.def"
};

struct mpl_collective {
  enum mpl_form form;
  enum mpl_operation operation;
  LLVMTypeRef type;
  bool is_signed, is_floating; /* the operands */
};

/* What a reduce or scan does; false if it is none of the table's. */
bool mpl_collective_of(LLVMValueRef sync, struct mpl_collective *);

/* The same of a reduction or scan of a sub-group, of all of it or of clusters. */
bool mpl_lanes_collective_of(LLVMValueRef call, struct mpl_collective *);

/* An and or or of conditions: the operand is 0 or 1, made from one bit. */
bool mpl_is_vote(const struct mpl_collective *, LLVMValueRef operand);
bool mpl_is_and(const struct mpl_collective *);

/* Integers, whose combinations may be made in any order, each in one step. */
bool mpl_is_one_step(const struct mpl_collective *);

LLVMValueRef mpl_identity(const struct mpl_collective *);
/* For those. */
LLVMValueRef mpl_combine(LLVMBuilderRef, const struct mpl_collective *, LLVMValueRef a,
                         LLVMValueRef b);

/* What an atomic leaves behind; null for an operation that OpenCL C does not have.  A minimum or maximum of
 * integers is what is there already, if it is that to the other; of others this is 0. */
LLVMIntPredicate mpl_atomic_chooses(LLVMAtomicRMWBinOp);
LLVMValueRef mpl_apply_atomic(LLVMBuilderRef, LLVMAtomicRMWBinOp, LLVMValueRef old,
                              LLVMValueRef value);

#endif
