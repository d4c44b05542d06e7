/* The upper half of a product of 64 bits, as of mul_hi: no processor multiplies lanes of 128, and
 * LLVM would take one after another.  It is the sum of four products of halves (Warren, Hacker's
 * Delight, 8-2). */
#include "values.h"

enum { HALF = 32, WHOLE = 64 };

struct product {
  LLVMValueRef a, b; /* of 64 bits */
  bool is_signed;
};

/* What a number of 128 bits is an extension of; null: of none. */
static LLVMValueRef extended(struct mpl_emit *e, LLVMValueRef value, bool is_signed) {
  LLVMOpcode extends = is_signed ? LLVMSExt : LLVMZExt;
  if (LLVMIsACastInst(value)) {
    LLVMValueRef from = LLVMGetOperand(value, 0);
    bool fits = LLVMGetInstructionOpcode(value) == extends && LLVMTypeOf(from) == e->ir->i64;
    return fits ? from : NULL;
  }
  if (!LLVMIsAConstantInt(value)) return NULL;
  LLVMValueRef part = LLVMBuildTrunc(e->b, value, e->ir->i64, "");
  return LLVMBuildCast(e->b, extends, part, LLVMTypeOf(value), "") == value ? part : NULL;
}

static bool find_product(struct mpl_emit *e, LLVMValueRef i, struct product *p) {
  LLVMValueRef shift = LLVMIsATruncInst(i) ? LLVMGetOperand(i, 0) : NULL;
  if (!shift || LLVMTypeOf(i) != e->ir->i64 || !LLVMIsABinaryOperator(shift)) return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(shift);
  LLVMValueRef by = LLVMGetOperand(shift, 1), product = LLVMGetOperand(shift, 0);
  if ((opcode != LLVMLShr && opcode != LLVMAShr) ||
      LLVMGetIntTypeWidth(LLVMTypeOf(shift)) != 2 * WHOLE || !LLVMIsAConstantInt(by) ||
      LLVMConstIntGetZExtValue(by) != WHOLE || !LLVMIsABinaryOperator(product) ||
      LLVMGetInstructionOpcode(product) != LLVMMul)
    return false;
  for (int is_signed = 0; is_signed < 2; is_signed++) {
    p->is_signed = is_signed;
    p->a = extended(e, LLVMGetOperand(product, 0), is_signed);
    p->b = extended(e, LLVMGetOperand(product, 1), is_signed);
    if (p->a && p->b) return true;
  }
  return false;
}

LLVMValueRef mpl_high_product(struct mpl_emit *e, LLVMValueRef i) {
  struct product p;
  if (e->width == 1 || !find_product(e, i, &p)) return NULL;
  LLVMValueRef a = mpl_vector(e, p.a), b = mpl_vector(e, p.b), t, u, v, high,
               half = mpl_splat(e, mpl_const64(e->ir, HALF)),
               low = mpl_splat(e, mpl_const64(e->ir, UINT32_MAX)),
               al = LLVMBuildAnd(e->b, a, low, ""), ah = LLVMBuildLShr(e->b, a, half, ""),
               bl = LLVMBuildAnd(e->b, b, low, ""), bh = LLVMBuildLShr(e->b, b, half, "");
  t = LLVMBuildLShr(e->b, LLVMBuildMul(e->b, al, bl, ""), half, "");
  u = LLVMBuildAdd(e->b, LLVMBuildMul(e->b, ah, bl, ""), t, "");
  v = LLVMBuildAnd(e->b, u, low, "");
  v = LLVMBuildAdd(e->b, LLVMBuildMul(e->b, al, bh, ""), v, "");
  high = LLVMBuildMul(e->b, ah, bh, "");
  high = LLVMBuildAdd(e->b, high, LLVMBuildLShr(e->b, u, half, ""), "");
  high = LLVMBuildAdd(e->b, high, LLVMBuildLShr(e->b, v, half, ""), "");
  if (!p.is_signed) return high;
  LLVMValueRef sign = mpl_splat(e, mpl_const64(e->ir, WHOLE - 1)),
               of_a = LLVMBuildAnd(e->b, LLVMBuildAShr(e->b, a, sign, ""), b, ""),
               of_b = LLVMBuildAnd(e->b, LLVMBuildAShr(e->b, b, sign, ""), a, "");
  return LLVMBuildSub(e->b, LLVMBuildSub(e->b, high, of_a, ""), of_b, "");
}
