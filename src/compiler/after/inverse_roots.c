/* x / sqrt(y) of vectors in programs with relaxed math: x times the processor's estimate of
 * 1 / sqrt(y), which one step of Newton's iteration makes as exact as a root and a quotient have to
 * be, together: 3 ulp for the one and 2.5 for the other (OpenCL C 3.0, 7.4).
 *
 * Alone, both may be off by more than that where the estimate is AVX's: they stay what they are.  So
 * do scalars, which are what is left of loops. */
#include <string.h>

#include "builtins/archive.h"
#include "compiler/analysis/target.h"
#include "compiler/passes.h"
#include "compiler/vector/emit/values.h"

enum { FEWEST = 8 /* lanes */ };

struct inverse {
  struct mpl_module_ir ir;
  LLVMBuilderRef b;
  LLVMValueRef quotient, root;
  LLVMTypeRef type;
};

static LLVMValueRef number(const struct inverse *i, double value) {
  LLVMValueRef each[MPL_MOST_LANES];
  unsigned count = LLVMGetVectorSize(i->type);
  for (unsigned k = 0; k < count; k++) each[k] = LLVMConstReal(LLVMGetElementType(i->type), value);
  return LLVMConstVector(each, count);
}

static bool is_of_floats(LLVMValueRef value) {
  return LLVMGetTypeKind(mpl_element_of(LLVMTypeOf(value))) == LLVMFloatTypeKind;
}

static bool is_relaxed(LLVMValueRef quotient) {
  LLVMFastMathFlags needed = LLVMFastMathAllowReciprocal | LLVMFastMathApproxFunc;
  return LLVMGetInstructionOpcode(quotient) == LLVMFDiv && is_of_floats(quotient) &&
         (LLVMGetFastMathFlags(quotient) & needed) == needed;
}

/* clang says of each quotient how exact it has to be, and LLVM's passes forget it. */
bool mpl_keep_rounding(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef i) {
  unsigned kind = LLVMGetMDKindID("fpmath", strlen("fpmath"));
  if (!LLVMIsABinaryOperator(i) || !is_relaxed(i) || LLVMGetMetadata(i, kind)) return false;
  LLVMValueRef rounded = LLVMBuildFDiv(b, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), "");
  LLVMFastMathFlags others = LLVMGetFastMathFlags(i) & ~(unsigned)LLVMFastMathApproxFunc;
  if (LLVMIsABinaryOperator(rounded)) LLVMSetFastMathFlags(rounded, others);
  mpl_replace(i, rounded);
  return true;
}

static bool is_opencl(LLVMModuleRef module) {
  static const char name[] = "opencl.ocl.version";
  return LLVMGetNamedMetadata(module, name, sizeof name - 1) != NULL;
}

/* A root that is nothing but a divisor: else it is computed anyway. */
static bool only_divides(LLVMValueRef root) {
  MPL_EACH_USER(user, root) {
    if (!is_relaxed(user) || LLVMGetOperand(user, 1) != root || LLVMGetOperand(user, 0) == root)
      return false;
  }
  return true;
}

static bool find(struct inverse *i, LLVMValueRef quotient) {
  if (!LLVMIsABinaryOperator(quotient) || !is_relaxed(quotient)) return false;
  i->type = LLVMTypeOf(quotient);
  i->quotient = quotient;
  i->root = LLVMGetOperand(quotient, 1);
  return mpl_is_vector_type(i->type) && LLVMGetVectorSize(i->type) >= FEWEST &&
         LLVMGetVectorSize(i->type) <= MPL_MOST_LANES && mpl_calls(i->root, "llvm.sqrt.v") &&
         only_divides(i->root);
}

static LLVMValueRef estimate(struct inverse *i, LLVMValueRef of, const char *name) {
  LLVMTypeRef element = LLVMGetElementType(i->type),
              type = LLVMFunctionType(element, &element, 1, false);
  LLVMValueRef function = LLVMAddFunction(i->ir.module, name, type);
  LLVMValueRef result = mpl_target_math(&i->ir, i->b, function, &of, 1);
  LLVMDeleteFunction(function);
  return result;
}

static LLVMValueRef fused(struct inverse *i, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z) {
  LLVMValueRef args[] = {x, y, z};
  return mpl_call_intrinsic(i->b, "llvm.fmuladd", i->type, args, 3);
}

/* One step from the estimate.  Of 0 and infinity that is no number, and the estimate is right. */
static LLVMValueRef step(struct inverse *i, LLVMValueRef of, LLVMValueRef y) {
  LLVMFastMathFlags finite = LLVMFastMathNoNaNs | LLVMFastMathNoInfs;
  LLVMValueRef product = LLVMBuildFMul(i->b, of, y, "");
  LLVMValueRef lacks = fused(i, LLVMBuildFNeg(i->b, product, ""), y, number(i, 1));
  LLVMValueRef next = fused(i, LLVMBuildFMul(i->b, y, number(i, 0.5), ""), lacks, y);
  if ((LLVMGetFastMathFlags(i->quotient) & finite) == finite) return next;
  LLVMValueRef is = LLVMBuildFCmp(i->b, LLVMRealORD, lacks, lacks, "");
  return LLVMBuildSelect(i->b, is, next, y, "");
}

/* AVX's estimate takes a subnormal number for 0. */
static LLVMValueRef step_of_avx(struct inverse *i, LLVMValueRef of) {
  LLVMValueRef small = LLVMBuildFCmp(i->b, LLVMRealOLT, of, number(i, 0x1p-126), "");
  of = LLVMBuildSelect(i->b, small, LLVMBuildFMul(i->b, of, number(i, 0x1p24), ""), of, "");
  LLVMValueRef y = step(i, of, estimate(i, of, "__mpl_estimate_avx_float"));
  return LLVMBuildSelect(i->b, small, LLVMBuildFMul(i->b, y, number(i, 0x1p12), ""), y, "");
}

static void replace(struct inverse *i, bool avx512) {
  LLVMValueRef of = LLVMGetOperand(i->root, 0), of_what = LLVMGetOperand(i->quotient, 0);
  LLVMPositionBuilderBefore(i->b, i->quotient);
  LLVMValueRef y =
      avx512 ? step(i, of, estimate(i, of, "__mpl_estimate_float")) : step_of_avx(i, of);
  if (of_what != number(i, 1)) {
    y = LLVMBuildFMul(i->b, of_what, y, "");
    if (LLVMIsABinaryOperator(y)) LLVMSetFastMathFlags(y, LLVMGetFastMathFlags(i->quotient));
  }
  mpl_replace(i->quotient, y);
  if (!LLVMGetFirstUse(i->root)) LLVMInstructionEraseFromParent(i->root);
}

void mpl_estimate_inverse_roots(LLVMModuleRef module) {
  MPL_BUILDER(b, LLVMGetModuleContext(module));
  struct inverse i = {.b = b};
  mpl_ir_begin(&i.ir, module);
  bool relaxed = is_opencl(module);
  MPL_EACH_FUNCTION(f, module) {
    if (LLVMIsDeclaration(f) || !relaxed) continue;
    i.ir.target = mpl_target_of(f);
    char abi = i.ir.target->vector_abi;
    if (abi != MPL_ARCHIVE_512 && abi != MPL_ARCHIVE_256) continue;
    MPL_EACH_INSTRUCTION_OF(at, f)
    if (find(&i, at)) replace(&i, abi == MPL_ARCHIVE_512);
  }
  mpl_ir_end(&i.ir);
}
