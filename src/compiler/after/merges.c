/* Bits that are merged in for some lanes, in a form that LLVM's back end for AVX-512 gets right.
 *
 * select(mask, old & C | new & ~C, old) becomes one vpternlog that has `old` as its result for the
 * other lanes.  LLVM 19 takes the wrong function of the three when what it reads from memory, the
 * constant or what is new, is not where it looks for it (LLVM's issue 157929: two tables are
 * exchanged).  Right is what it makes of old & C as the second operand of the or, if what is new is
 * in a register: so it is no load then, but a frozen one. */
#include "compiler/analysis/ir.h"
#include "compiler/plugin.h"

static LLVMValueRef behind_casts(LLVMValueRef v) {
  while (LLVMIsABitCastInst(v) || LLVMIsAFreezeInst(v)) v = LLVMGetOperand(v, 0);
  return v;
}

static bool is_same(LLVMValueRef a, LLVMValueRef b) {
  return behind_casts(a) == behind_casts(b);
}

/* Some bits of `old`. */
static bool is_part_of(LLVMValueRef v, LLVMValueRef old) {
  v = behind_casts(v);
  if (!mpl_is_op(v, LLVMAnd)) return false;
  for (unsigned k = 0; k < 2; k++)
    if (LLVMIsAConstant(LLVMGetOperand(v, 1 - k)) && is_same(LLVMGetOperand(v, k), old)) return true;
  return false;
}

static bool is_merge(LLVMValueRef v) {
  return mpl_is_op(v, LLVMOr) || mpl_is_op(v, LLVMXor) || mpl_is_op(v, LLVMAdd);
}

/* An `and` with a constant stays one: LLVM has both side by side. */
static LLVMValueRef in_register(LLVMBuilderRef b, LLVMValueRef v) {
  LLVMValueRef and = behind_casts(v);
  if (!mpl_is_op(and, LLVMAnd) || LLVMTypeOf(and) != LLVMTypeOf(v))
    return LLVMBuildFreeze(b, v, "");
  LLVMValueRef left = LLVMGetOperand(and, 0), right = LLVMGetOperand(and, 1);
  if (!LLVMIsAConstant(left)) left = LLVMBuildFreeze(b, left, "");
  if (!LLVMIsAConstant(right)) right = LLVMBuildFreeze(b, right, "");
  return LLVMBuildAnd(b, left, right, "");
}

static void order_merge(LLVMBuilderRef b, LLVMValueRef merge, LLVMValueRef old) {
  for (unsigned k = 0; k < 2; k++) {
    LLVMValueRef part = LLVMGetOperand(merge, k), other = LLVMGetOperand(merge, 1 - k);
    if (!is_part_of(part, old) || LLVMIsAConstant(other)) continue;
    LLVMPositionBuilderBefore(b, merge);
    LLVMSetOperand(merge, 0, in_register(b, other));
    LLVMSetOperand(merge, 1, part);
    return;
  }
}

static void look_at(LLVMBuilderRef b, LLVMValueRef select) {
  if (!mpl_is_vector_type(LLVMTypeOf(LLVMGetOperand(select, 0)))) return;
  for (unsigned k = 1; k <= 2; k++) {
    LLVMValueRef merge = behind_casts(LLVMGetOperand(select, k));
    if (is_merge(merge)) order_merge(b, merge, LLVMGetOperand(select, 3 - k));
  }
}

void mpl_order_merges(LLVMModuleRef module) {
  MPL_BUILDER(b, LLVMGetModuleContext(module));
  MPL_EACH_FUNCTION(f, module) MPL_EACH_INSTRUCTION_OF(i, f) {
    if (LLVMIsASelectInst(i)) look_at(b, i);
  }
}
