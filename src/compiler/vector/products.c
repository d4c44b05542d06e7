/* The upper half of a product of 64 bits, as of mul_hi: no processor multiplies lanes of 128, and
 * LLVM would take one after another.  It is the sum of four products of halves (Warren, Hacker's
 * Delight, 8-2). */
#include "widen.h"

enum { HALF = 32, WHOLE = 64 };

struct product {
  LLVMValueRef a, b; /* of 64 bits */
  bool is_signed;
};

/* What a number of 128 bits is an extension of; null: of none. */
static LLVMValueRef extended(struct mpl_widen *w, LLVMValueRef value, bool is_signed) {
  LLVMOpcode extends = is_signed ? LLVMSExt : LLVMZExt;
  if (LLVMIsACastInst(value)) {
    LLVMValueRef from = LLVMGetOperand(value, 0);
    bool fits = LLVMGetInstructionOpcode(value) == extends && LLVMTypeOf(from) == w->ir->i64;
    return fits ? from : NULL;
  }
  if (!LLVMIsAConstantInt(value)) return NULL;
  LLVMValueRef part = LLVMBuildTrunc(w->b, value, w->ir->i64, "");
  return LLVMBuildCast(w->b, extends, part, LLVMTypeOf(value), "") == value ? part : NULL;
}

static bool find_product(struct mpl_widen *w, LLVMValueRef i, struct product *p) {
  LLVMValueRef shift = LLVMIsATruncInst(i) ? LLVMGetOperand(i, 0) : NULL;
  if (!shift || LLVMTypeOf(i) != w->ir->i64 || !LLVMIsABinaryOperator(shift)) return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(shift);
  LLVMValueRef by = LLVMGetOperand(shift, 1), product = LLVMGetOperand(shift, 0);
  if ((opcode != LLVMLShr && opcode != LLVMAShr) ||
      LLVMGetIntTypeWidth(LLVMTypeOf(shift)) != 2 * WHOLE || !LLVMIsAConstantInt(by) ||
      LLVMConstIntGetZExtValue(by) != WHOLE || !LLVMIsABinaryOperator(product) ||
      LLVMGetInstructionOpcode(product) != LLVMMul)
    return false;
  for (int is_signed = 0; is_signed < 2; is_signed++) {
    p->is_signed = is_signed;
    p->a = extended(w, LLVMGetOperand(product, 0), is_signed);
    p->b = extended(w, LLVMGetOperand(product, 1), is_signed);
    if (p->a && p->b) return true;
  }
  return false;
}

LLVMValueRef mpl_high_product(struct mpl_widen *w, LLVMValueRef i) {
  struct product p;
  if (w->width == 1 || !find_product(w, i, &p)) return NULL;
  LLVMValueRef a = mpl_vector(w, p.a), b = mpl_vector(w, p.b), t, u, v, high,
               half = mpl_splat(w, mpl_const64(w->ir, HALF)),
               low = mpl_splat(w, mpl_const64(w->ir, UINT32_MAX)),
               al = LLVMBuildAnd(w->b, a, low, ""), ah = LLVMBuildLShr(w->b, a, half, ""),
               bl = LLVMBuildAnd(w->b, b, low, ""), bh = LLVMBuildLShr(w->b, b, half, "");
  t = LLVMBuildLShr(w->b, LLVMBuildMul(w->b, al, bl, ""), half, "");
  u = LLVMBuildAdd(w->b, LLVMBuildMul(w->b, ah, bl, ""), t, "");
  v = LLVMBuildAnd(w->b, u, low, "");
  v = LLVMBuildAdd(w->b, LLVMBuildMul(w->b, al, bh, ""), v, "");
  high = LLVMBuildAdd(w->b, LLVMBuildMul(w->b, ah, bh, ""), LLVMBuildLShr(w->b, u, half, ""), "");
  high = LLVMBuildAdd(w->b, high, LLVMBuildLShr(w->b, v, half, ""), "");
  if (!p.is_signed) return high;
  LLVMValueRef sign = mpl_splat(w, mpl_const64(w->ir, WHOLE - 1)),
               of_a = LLVMBuildAnd(w->b, LLVMBuildAShr(w->b, a, sign, ""), b, ""),
               of_b = LLVMBuildAnd(w->b, LLVMBuildAShr(w->b, b, sign, ""), a, "");
  return LLVMBuildSub(w->b, LLVMBuildSub(w->b, high, of_a, ""), of_b, "");
}
