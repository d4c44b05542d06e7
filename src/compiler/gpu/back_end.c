/* What LLVM's passes leave, in forms that do well in its back end for GPUs and in NVIDIA's
 * compiler.
 *
 * Comparisons of vectors of half, which LLVM 19 cannot select for NVPTX, are made one by one.  Its
 * vectorisers would put them together again.
 *
 * The sign of a short or a char in 64 bits is that of a conversion.  LLVM makes arithmetic of the
 * upper bits of it, which takes two registers, and which the compiler in driver 580 gets wrong: of
 * 3 * x - 189, ..., 3 * x - 182 as shorts, one was another. */
#include "compiler/analysis/ir.h"
#include "compiler/plugin.h"

static bool is_of_halves(LLVMValueRef i) {
  if (LLVMGetInstructionOpcode(i) != LLVMFCmp) return false;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0));
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
         LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMHalfTypeKind;
}

static LLVMValueRef compare_each(LLVMBuilderRef b, LLVMValueRef i) {
  LLVMTypeRef index_type = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(i)));
  LLVMValueRef result = LLVMGetPoison(LLVMTypeOf(i));
  for (unsigned n = 0; n < LLVMGetVectorSize(LLVMTypeOf(i)); n++) {
    LLVMValueRef at = LLVMConstInt(index_type, n, false);
    LLVMValueRef left = LLVMBuildExtractElement(b, LLVMGetOperand(i, 0), at, "");
    LLVMValueRef right = LLVMBuildExtractElement(b, LLVMGetOperand(i, 1), at, "");
    LLVMValueRef one = LLVMBuildFCmp(b, LLVMGetFCmpPredicate(i), left, right, "");
    result = LLVMBuildInsertElement(b, result, one, at, "");
  }
  return result;
}

/* --- v >> k, where the k low bits of v are zero: a conversion of v without them --- */

struct upper {
  LLVMBuilderRef b;
  LLVMTypeRef narrow; /* 64 - k bits */
  unsigned k;
};

static bool is_constant(LLVMValueRef v) {
  return LLVMIsAConstantInt(v) != NULL;
}

/* v without its k low bits, in the narrow type; null if it is not known that they are zero. */
static LLVMValueRef without_low(const struct upper *u, LLVMValueRef v) {
  if (is_constant(v)) {
    uint64_t bits = LLVMConstIntGetZExtValue(v);
    return bits << (64 - u->k) ? NULL : LLVMConstInt(u->narrow, bits >> u->k, false);
  }
  if (!LLVMIsAInstruction(v)) return NULL;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
  if (opcode != LLVMAdd && opcode != LLVMSub && opcode != LLVMMul && opcode != LLVMShl) return NULL;
  LLVMValueRef left = LLVMGetOperand(v, 0), right = LLVMGetOperand(v, 1);
  if (opcode == LLVMShl) {
    if (!is_constant(right) || LLVMConstIntGetZExtValue(right) != u->k) return NULL;
    return LLVMBuildTrunc(u->b, left, u->narrow, "");
  }
  if (opcode == LLVMMul) {
    LLVMValueRef by = is_constant(right) ? without_low(u, right) : NULL;
    return by ? LLVMBuildMul(u->b, LLVMBuildTrunc(u->b, left, u->narrow, ""), by, "") : NULL;
  }
  if (!is_constant(left) && !is_constant(right)) return NULL; /* no deeper trees */
  left = without_low(u, left);
  right = left ? without_low(u, right) : NULL;
  return right ? LLVMBuildBinOp(u->b, opcode, left, right, "") : NULL;
}

static LLVMValueRef narrow_sign(LLVMBuilderRef b, LLVMValueRef i) {
  LLVMTypeRef type = LLVMTypeOf(i);
  if (LLVMGetInstructionOpcode(i) != LLVMAShr || LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(type) != 64 || !is_constant(LLVMGetOperand(i, 1)))
    return NULL;
  uint64_t k = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1));
  if (k != 32 && k != 48 && k != 56) return NULL;
  struct upper u = {b, LLVMIntTypeInContext(LLVMGetTypeContext(type), 64 - (unsigned)k),
                    (unsigned)k};
  LLVMValueRef upper = without_low(&u, LLVMGetOperand(i, 0));
  return upper ? LLVMBuildSExt(b, upper, type, "") : NULL;
}

void mpl_gpu_finish(LLVMModuleRef module) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  MPL_EACH_FUNCTION(f, module) {
    MPL_EACH_INSTRUCTION_OF(i, f) {
      LLVMPositionBuilderBefore(b, i);
      LLVMValueRef other = is_of_halves(i) ? compare_each(b, i) : narrow_sign(b, i);
      if (!other) continue;
      LLVMReplaceAllUsesWith(i, other);
      LLVMInstructionEraseFromParent(i);
    }
  }
  LLVMDisposeBuilder(b);
}
