/* After LLVM's optimiser: the result of a reduction, which the next loop copies into all lanes of a
 * vector again, stays in vector registers on the way.
 *
 *   x = reduce(v);  y = x + i;  w = {y, y, ...}
 *   v = reduced, in every lane;  w = v + {i, i, ...}
 *
 * A chain of reductions in small groups takes as long as this way does, and two moves between
 * register classes and a broadcast are a third of it. */
#include <stdlib.h>
#include <string.h>

#include "compiler/analysis/algebra.h"
#include "compiler/passes.h"

enum { MOST_STEPS = 24, MOST_LANES = 64 };

static const struct {
  const char *name;
  enum mpl_operation operation;
  bool is_signed;
} reductions[] = {
    {"llvm.vector.reduce.add", MPL_OP_add, false},  {"llvm.vector.reduce.mul", MPL_OP_mul, false},
    {"llvm.vector.reduce.and", MPL_OP_and, false},  {"llvm.vector.reduce.or", MPL_OP_or, false},
    {"llvm.vector.reduce.xor", MPL_OP_xor, false},  {"llvm.vector.reduce.smin", MPL_OP_min, true},
    {"llvm.vector.reduce.smax", MPL_OP_max, true},  {"llvm.vector.reduce.umin", MPL_OP_min, false},
    {"llvm.vector.reduce.umax", MPL_OP_max, false},
};

struct lifting {
  LLVMBuilderRef b;
  LLVMTypeRef vector, i32;
  struct mpl_map lifted;  /* (scalar, type) -> the vector with it in every lane */
  struct mpl_map reaches; /* of the value at hand: scalar -> 1 if it comes from a reduction */
  struct mpl_map seen;    /* the same: scalar -> 1 */
  unsigned steps;
};

/* Which reduction of a vector of this type it is, or -1. */
static int reduction_of(LLVMTypeRef vector, LLVMValueRef value) {
  LLVMValueRef callee = LLVMIsACallInst(value) ? LLVMIsAFunction(LLVMGetCalledValue(value)) : NULL;
  unsigned id = callee ? LLVMGetIntrinsicID(callee) : 0;
  if (!id || LLVMTypeOf(LLVMGetOperand(value, 0)) != vector) return -1;
  for (unsigned k = 0; k < sizeof reductions / sizeof *reductions; k++)
    if (id == LLVMLookupIntrinsicID(reductions[k].name, strlen(reductions[k].name))) return (int)k;
  return -1;
}

static bool is_arithmetic(LLVMValueRef value) {
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
    return true;
  default:
    return false;
  }
}

/* A loop of one block, without a reduction: what is left over when vectors are full, one by one. */
static bool is_remainder(struct lifting *s, LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  bool again = false;
  for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
    again |= LLVMGetSuccessor(end, k) == block;
  if (!again) return false;
  MPL_EACH_INSTRUCTION(i, block) if (reduction_of(s->vector, i) >= 0) return false;
  return true;
}

/* Marks the phis and the arithmetic that lead from reductions to a value; false if none do. */
static bool find_way(struct lifting *s, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value)) return false;
  bool is_reduction = reduction_of(s->vector, value) >= 0, found = is_reduction;
  if (!is_reduction && !LLVMIsAPHINode(value) && !is_arithmetic(value)) return false;
  if (mpl_map_has(&s->seen, value) || ++s->steps > MOST_STEPS)
    return mpl_map_has(&s->reaches, value);
  mpl_map_set(&s->seen, value, 1);
  if (!is_reduction && is_remainder(s, LLVMGetInstructionParent(value))) return false;
  for (int k = 0; k < LLVMGetNumOperands(value) && !is_reduction; k++)
    found |= find_way(s, LLVMGetOperand(value, k));
  if (found) mpl_map_set(&s->reaches, value, 1);
  return found;
}

static LLVMValueRef mask(struct lifting *s, unsigned lanes, unsigned distance) {
  LLVMValueRef from[MOST_LANES];
  for (unsigned k = 0; k < lanes; k++) from[k] = LLVMConstInt(s->i32, k ^ distance, false);
  return LLVMConstVector(from, lanes);
}

/* In front of where the builder is. */
static LLVMValueRef splat(struct lifting *s, LLVMValueRef value) {
  unsigned lanes = LLVMGetVectorSize(s->vector);
  LLVMValueRef none = LLVMGetPoison(s->vector), zero = LLVMConstInt(s->i32, 0, false);
  LLVMValueRef first = LLVMBuildInsertElement(s->b, none, value, zero, "");
  return LLVMBuildShuffleVector(s->b, first, none, LLVMConstNull(LLVMVectorType(s->i32, lanes)),
                                "spread");
}

/* All lanes get the result: each step combines with the lane at twice the distance, halved. */
static LLVMValueRef reduce_in_lanes(struct lifting *s, LLVMValueRef call, int which) {
  struct mpl_collective c = {.operation = reductions[which].operation,
                             .is_signed = reductions[which].is_signed,
                             .type = s->vector};
  unsigned lanes = LLVMGetVectorSize(s->vector);
  LLVMValueRef v = LLVMGetOperand(call, 0);
  LLVMPositionBuilderBefore(s->b, call);
  for (unsigned distance = lanes / 2; distance; distance /= 2) {
    LLVMValueRef other =
        LLVMBuildShuffleVector(s->b, v, LLVMGetPoison(s->vector), mask(s, lanes, distance), "");
    v = mpl_combine(s->b, &c, v, other);
  }
  return v;
}

static LLVMValueRef known(struct lifting *s, LLVMValueRef value) {
  uintptr_t *at = mpl_map_at(&s->lifted, value, (uintptr_t)s->vector, false);
  return at ? (LLVMValueRef)*at : NULL;
}

static void keep(struct lifting *s, LLVMValueRef value, LLVMValueRef lifted) {
  *mpl_map_at(&s->lifted, value, (uintptr_t)s->vector, true) = (uintptr_t)lifted;
}

static LLVMValueRef lift(struct lifting *s, LLVMValueRef value);

/* The value in every lane, in front of where the builder is or further up. */
static LLVMValueRef lift_operand(struct lifting *s, LLVMValueRef value, LLVMValueRef before) {
  if (mpl_map_get(&s->reaches, value, 0)) return lift(s, value);
  LLVMPositionBuilderBefore(s->b, before);
  return splat(s, value);
}

/* Several edges from one block hand over one value. */
static LLVMValueRef handed_over(LLVMValueRef phi, LLVMBasicBlockRef from) {
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
    if (LLVMGetIncomingBlock(phi, k) == from) return LLVMGetIncomingValue(phi, k);
  return NULL;
}

static LLVMValueRef lift_phi(struct lifting *s, LLVMValueRef phi) {
  LLVMPositionBuilderBefore(s->b, phi);
  LLVMValueRef made = LLVMBuildPhi(s->b, s->vector, "");
  keep(s, phi, made);
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
    LLVMValueRef value = handed_over(made, from), end = LLVMGetBasicBlockTerminator(from);
    if (!value) value = lift_operand(s, LLVMGetIncomingValue(phi, k), end);
    LLVMAddIncoming(made, &value, &from, 1);
  }
  return made;
}

static LLVMValueRef lift(struct lifting *s, LLVMValueRef value) {
  LLVMValueRef made = known(s, value);
  if (made) return made;
  if (LLVMIsAPHINode(value)) return lift_phi(s, value);
  int which = reduction_of(s->vector, value);
  if (which >= 0) {
    made = reduce_in_lanes(s, value, which);
  } else {
    LLVMValueRef a = lift_operand(s, LLVMGetOperand(value, 0), value);
    LLVMValueRef b = lift_operand(s, LLVMGetOperand(value, 1), value);
    LLVMPositionBuilderBefore(s->b, value);
    made = LLVMBuildBinOp(s->b, LLVMGetInstructionOpcode(value), a, b, "");
  }
  keep(s, value, made);
  return made;
}

/* The scalar of a vector whose lanes are all the same; null if it is something else. */
static LLVMValueRef spread_value(LLVMValueRef i) {
  if (!LLVMIsAShuffleVectorInst(i)) return NULL;
  LLVMValueRef insert = LLVMGetOperand(i, 0);
  LLVMTypeRef type = LLVMTypeOf(i);
  if (!LLVMIsAInsertElementInst(insert) || LLVMTypeOf(insert) != type ||
      LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMIntegerTypeKind)
    return NULL;
  unsigned lanes = LLVMGetVectorSize(type), bits = LLVMGetIntTypeWidth(LLVMGetElementType(type));
  LLVMValueRef at = LLVMGetOperand(insert, 2);
  if (bits < 8 || lanes > MOST_LANES || (lanes & (lanes - 1))) return NULL;
  if (!LLVMIsAConstantInt(at) || LLVMConstIntGetZExtValue(at)) return NULL;
  for (unsigned k = 0; k < LLVMGetNumMaskElements(i); k++)
    if (LLVMGetMaskValue(i, k)) return NULL;
  return LLVMGetOperand(insert, 1);
}

static bool lift_all(struct mpl_module_ir *ir, struct lifting *s, LLVMValueRef function) {
  bool changed = false;
  MPL_EACH_INSTRUCTION_OF(i, function) {
    LLVMValueRef value = spread_value(i);
    if (!value) continue;
    s->vector = LLVMTypeOf(i);
    s->steps = 0;
    if (find_way(s, value) && s->steps <= MOST_STEPS) {
      mpl_remark(ir, i, "reduction made in all lanes of a vector");
      LLVMReplaceAllUsesWith(i, lift(s, value));
      LLVMInstructionEraseFromParent(i);
      changed = true;
    }
    mpl_map_free(&s->reaches);
    mpl_map_free(&s->seen);
  }
  return changed;
}

/* What still asks for the scalar of a reduction that has been made in lanes takes it from there. */
static void drop_reductions(struct lifting *s, LLVMValueRef function) {
  LLVMValueRef zero = LLVMConstInt(s->i32, 0, false);
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (!LLVMIsACallInst(i) || !LLVMGetNumArgOperands(i)) continue;
    s->vector = LLVMTypeOf(LLVMGetOperand(i, 0));
    LLVMValueRef made = known(s, i);
    if (!made) continue;
    LLVMPositionBuilderBefore(s->b, i);
    LLVMReplaceAllUsesWith(i, LLVMBuildExtractElement(s->b, made, zero, ""));
    LLVMInstructionEraseFromParent(i);
  }
}

bool mpl_reduce_in_lanes(struct mpl_module_ir *ir) {
  struct lifting s = {.b = LLVMCreateBuilderInContext(ir->context), .i32 = ir->i32};
  bool changed = false;
  MPL_EACH_FUNCTION(f, ir->module) {
    if (LLVMIsDeclaration(f) || !mpl_is_group_function(f)) continue;
    changed |= lift_all(ir, &s, f);
    drop_reductions(&s, f);
    mpl_map_free(&s.lifted);
  }
  LLVMDisposeBuilder(s.b);
  return changed;
}
