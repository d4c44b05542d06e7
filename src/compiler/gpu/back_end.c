/* What LLVM's passes leave, in forms that do well in its back end for GPUs and in NVIDIA's
 * compiler.
 *
 * Comparisons of vectors of half and of short, which LLVM 19 cannot select for NVPTX, are made one by one.
 * Its vectorisers would put them together again.
 *
 * The sign of a short or a char in 64 bits is that of a conversion.  LLVM makes arithmetic of the
 * upper bits of it, which takes two registers, and which the compiler in driver 580 gets wrong: of
 * 3 * x - 189, ..., 3 * x - 182 as shorts, one was another.
 *
 * Quotients and square roots of float are as exact as the program asks for: OpenCL C leaves 2.5 and
 * 3 ULP, and what the processor has is off by at most 2 and 1, and many times as fast as the
 * rounded ones.  (LLVM 19 does not look at what clang says of that.)
 *
 * A switch is compares, as LLVM 19 makes it; jump tables, which came with version 20, are untried.
 *
 * Places and sizes in y and z are read by instructions of which LLVM 21's back end knows no range (entry.c). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compiler/analysis/ir.h"
#include "compiler/passes.h"
#include "compiler/plugin.h"
#include "gpu.h"

static bool compares_small_vectors(LLVMValueRef i) {
  if (!LLVMIsACmpInst(i)) return false;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0));
  if (!mpl_is_vector_type(type)) return false;
  LLVMTypeRef element = LLVMGetElementType(type);
  return LLVMGetTypeKind(element) == LLVMHalfTypeKind || mpl_integer_bits(element) == 16;
}

static LLVMValueRef compare_each(LLVMBuilderRef b, LLVMValueRef i) {
  LLVMTypeRef index_type = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(i)));
  LLVMValueRef result = LLVMGetPoison(LLVMTypeOf(i));
  for (unsigned n = 0; n < LLVMGetVectorSize(LLVMTypeOf(i)); n++) {
    LLVMValueRef at = LLVMConstInt(index_type, n, false);
    LLVMValueRef left = LLVMBuildExtractElement(b, LLVMGetOperand(i, 0), at, "");
    LLVMValueRef right = LLVMBuildExtractElement(b, LLVMGetOperand(i, 1), at, "");
    LLVMValueRef one = LLVMIsAFCmpInst(i) ? LLVMBuildFCmp(b, LLVMGetFCmpPredicate(i), left, right, "")
                                          : LLVMBuildICmp(b, LLVMGetICmpPredicate(i), left, right, "");
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
  if (LLVMGetInstructionOpcode(i) != LLVMAShr || mpl_integer_bits(type) != 64 ||
      !is_constant(LLVMGetOperand(i, 1)))
    return NULL;
  uint64_t k = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1));
  if (k != 32 && k != 48 && k != 56) return NULL;
  struct upper u = {b, LLVMIntTypeInContext(LLVMGetTypeContext(type), 64 - (unsigned)k),
                    (unsigned)k};
  LLVMValueRef upper = without_low(&u, LLVMGetOperand(i, 0));
  return upper ? LLVMBuildSExt(b, upper, type, "") : NULL;
}

/* --- x * (m + y), where m is x * y: m * x + m, which is one instruction --- */

static bool is_product(LLVMValueRef v, LLVMValueRef x, LLVMValueRef y) {
  if (!mpl_is_op(v, LLVMMul)) return false;
  LLVMValueRef left = LLVMGetOperand(v, 0), right = LLVMGetOperand(v, 1);
  return (left == x && right == y) || (left == y && right == x);
}

/* LLVM's way to write it is another instruction, for which the product waits. */
static LLVMValueRef distribute(LLVMBuilderRef b, LLVMValueRef i) {
  LLVMTypeRef type = LLVMTypeOf(i);
  if (LLVMGetInstructionOpcode(i) != LLVMMul || LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
    return NULL;
  for (unsigned n = 0; n < 2; n++) {
    LLVMValueRef x = LLVMGetOperand(i, n), sum = LLVMGetOperand(i, 1 - n);
    if (!mpl_is_op(sum, LLVMAdd) || !mpl_only_user(sum)) continue;
    for (unsigned k = 0; k < 2; k++) {
      LLVMValueRef product = LLVMGetOperand(sum, k), y = LLVMGetOperand(sum, 1 - k);
      if (is_product(product, x, y))
        return LLVMBuildAdd(b, LLVMBuildMul(b, product, x, ""), product, "");
    }
  }
  return NULL;
}

/* --- Accuracy --- */

/* clang says it of calls of sqrt; the library's would not say it any more. */
bool mpl_keep_accuracy(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef i) {
  unsigned kind = LLVMGetMDKindID("fpmath", strlen("fpmath"));
  LLVMValueRef accuracy = LLVMIsACallInst(i) ? LLVMGetMetadata(i, kind) : NULL;
  if (!accuracy || !mpl_calls(i, "_Z4sqrt")) return false;
  LLVMValueRef operand = LLVMGetOperand(i, 0);
  LLVMValueRef root = mpl_call_intrinsic(b, "llvm.sqrt", LLVMTypeOf(i), &operand, 1);
  LLVMSetMetadata(root, kind, accuracy);
  mpl_replace(i, root);
  return true;
}

/* How many ULP an operation may be off; 0: it is rounded. */
static double allowed_error(LLVMValueRef i) {
  unsigned kind = LLVMGetMDKindID("fpmath", strlen("fpmath"));
  LLVMValueRef node = LLVMGetMetadata(i, kind), value;
  LLVMBool lossy;
  if (!node || LLVMGetMDNodeNumOperands(node) != 1) return 0;
  LLVMGetMDNodeOperands(node, &value);
  return LLVMIsAConstantFP(value) ? LLVMConstRealGetDouble(value, &lossy) : 0;
}

static bool is_one(LLVMValueRef v) {
  LLVMBool lossy;
  return LLVMIsAConstantFP(v) && LLVMConstRealGetDouble(v, &lossy) == 1;
}

/* 1 / v, rounded, if v and that are constants without subnormal numbers; else 0. */
static double inverse_of(LLVMValueRef v) {
  LLVMBool lossy;
  if (!LLVMIsAConstantFP(v)) return 0;
  double divisor = fabs(LLVMConstRealGetDouble(v, &lossy));
  if (!(divisor >= 0x1p-126 && divisor <= 0x1p126)) return 0;
  return (float)(1 / LLVMConstRealGetDouble(v, &lossy));
}

static bool is_root(LLVMValueRef i) {
  return mpl_calls(i, "llvm.sqrt.");
}

static LLVMValueRef approximate(LLVMBuilderRef b, LLVMValueRef i) {
  /* PTX's: div.full, rcp.approx, a product with a rounded inverse; and sqrt.approx. */
  enum { OF_QUOTIENT = 2, OF_ROOT = 1 };
  LLVMTypeRef type = LLVMTypeOf(i);
  if (LLVMGetTypeKind(type) != LLVMFloatTypeKind) return NULL;
  LLVMValueRef operands[] = {LLVMGetOperand(i, 0), is_root(i) ? NULL : LLVMGetOperand(i, 1)};
  if (is_root(i))
    return allowed_error(i) < OF_ROOT
               ? NULL
               : mpl_call_assembly(b, "sqrt.approx.f32 $0, $1;", "=f,f", false, type, operands, 1);
  if (LLVMGetInstructionOpcode(i) != LLVMFDiv || allowed_error(i) < OF_QUOTIENT) return NULL;
  double inverse = inverse_of(operands[1]);
  if (inverse) return LLVMBuildFMul(b, operands[0], LLVMConstReal(type, inverse), "");
  if (is_one(operands[0]))
    return mpl_call_assembly(b, "rcp.approx.f32 $0, $1;", "=f,f", false, type, &operands[1], 1);
  return mpl_call_assembly(b, "div.full.f32 $0, $1, $2;", "=f,f,f", false, type, operands, 2);
}

/* What a deep group has elsewhere. */
static LLVMValueRef read_place(LLVMBuilderRef b, LLVMValueRef i) {
  static const char prefix[] = "llvm.nvvm.read.ptx.sreg.";
  char text[64];
  LLVMValueRef callee = mpl_callee_of(i);
  const char *name = callee ? LLVMGetValueName(callee) : "", *place = name + sizeof prefix - 1;
  if (!mpl_begins(name, prefix) || !(mpl_begins(place, "tid.") || mpl_begins(place, "ntid.")) || strchr(place, 'x'))
    return NULL;
  snprintf(text, sizeof text, "mov.u32 $0, %%%s;", place);
  return mpl_call_assembly(b, text, "=r", false, LLVMTypeOf(i), NULL, 0);
}

void mpl_gpu_finish(LLVMModuleRef module) {
  MPL_BUILDER(b, LLVMGetModuleContext(module));
  MPL_EACH_FUNCTION(f, module) {
    mpl_set_attribute_value(f, "no-jump-tables", "true");
    MPL_EACH_INSTRUCTION_OF(i, f) {
      LLVMPositionBuilderBefore(b, i);
      LLVMValueRef other = compares_small_vectors(i) ? compare_each(b, i) : narrow_sign(b, i);
      if (!other && mpl_ir_version() >= 21) other = read_place(b, i);
      if (!other) other = distribute(b, i);
      if (!other && (is_root(i) || LLVMGetInstructionOpcode(i) == LLVMFDiv))
        other = approximate(b, i);
      if (!other) continue;
      mpl_replace(i, other);
    }
    mpl_gpu_keep_half_bytes(f);
  }
}

void mpl_gpu_finish_numbers(LLVMModuleRef module) {
  mpl_gpu_join_bytes(module);
  MPL_EACH_FUNCTION(f, module) {
    mpl_gpu_convert_parts(f);
    mpl_gpu_convert_to_integers(f);
    mpl_gpu_pass_floats(f);
  }
}
