/* Products that processors have no instruction for.
 *
 * LLVM takes lanes of 128 bits one after another, and extends each lane of 32 bits by itself where
 * there are many (tables/targets.def). */
#include "values.h"

enum { HALF = 32, WHOLE = 64 };

/* A number for each of `count` lanes. */
static LLVMValueRef number_of(struct mpl_emit *e, unsigned count, unsigned bits, uint64_t number) {
  LLVMTypeRef type = LLVMIntTypeInContext(e->ir->context, bits);
  return mpl_part_of(e, mpl_splat(e, LLVMConstInt(type, number, false)), 0, count);
}

/* Pairs of neighbours as one number.  One that is poison does not spoil the other. */
static LLVMValueRef pairs_of(struct mpl_emit *e, LLVMValueRef lanes, unsigned bits) {
  LLVMTypeRef type = LLVMVectorType(LLVMIntTypeInContext(e->ir->context, bits), e->width / 2);
  return LLVMBuildBitCast(e->b, LLVMBuildFreeze(e->b, lanes, ""), type, "");
}

/* --- of bytes --- */

static bool is_product_of_bytes(struct mpl_emit *e, LLVMValueRef i) {
  LLVMTypeRef type = LLVMTypeOf(i);
  return LLVMGetInstructionOpcode(i) == LLVMMul && e->width > 1 && mpl_integer_bits(type) == 8 &&
         !LLVMIsAConstant(LLVMGetOperand(i, 0)) && !LLVMIsAConstant(LLVMGetOperand(i, 1));
}

/* Of pairs: the first in the lower half of one product, the other in the upper half of a second. */
static LLVMValueRef multiply_bytes(struct mpl_emit *e, LLVMValueRef i) {
  enum { BYTE = 8, PAIR = 16, LOWER = 0xff };
  LLVMValueRef x = mpl_vector(e, LLVMGetOperand(i, 0)), y = mpl_vector(e, LLVMGetOperand(i, 1)),
               a = pairs_of(e, x, PAIR), b = pairs_of(e, y, PAIR), first, second,
               low = number_of(e, e->width / 2, PAIR, LOWER);
  first = LLVMBuildAnd(e->b, LLVMBuildMul(e->b, a, b, ""), low, "");
  second = LLVMBuildAnd(e->b, b, LLVMBuildNot(e->b, low, ""), "");
  a = LLVMBuildLShr(e->b, a, number_of(e, e->width / 2, PAIR, BYTE), "");
  second = LLVMBuildMul(e->b, a, second, "");
  return LLVMBuildBitCast(e->b, LLVMBuildOr(e->b, first, second, ""), LLVMTypeOf(x), "");
}

/* --- upper halves --- */

struct product {
  LLVMValueRef a, b; /* lanes that are multiplied */
  bool is_signed;
};

/* Has it the value of its lower half, extended? */
static bool is_extended(struct mpl_emit *e, LLVMValueRef value, LLVMTypeRef half, bool is_signed) {
  LLVMOpcode extends = is_signed ? LLVMSExt : LLVMZExt;
  if (LLVMIsACastInst(value))
    return LLVMGetInstructionOpcode(value) == extends &&
           LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(value, 0))) <= LLVMGetIntTypeWidth(half);
  if (mpl_is_op(value, LLVMAnd) && !is_signed) value = LLVMGetOperand(value, 1);
  if (!LLVMIsAConstantInt(value)) return false;
  LLVMValueRef part = LLVMBuildTrunc(e->b, value, half, "");
  return LLVMBuildCast(e->b, extends, part, LLVMTypeOf(value), "") == value;
}

static LLVMValueRef half_of(struct mpl_emit *e, LLVMValueRef value, LLVMTypeRef half) {
  LLVMValueRef from = LLVMIsACastInst(value) ? LLVMGetOperand(value, 0) : value;
  if (LLVMTypeOf(from) == half) return mpl_vector(e, from);
  return LLVMBuildTrunc(e->b, mpl_vector(e, value), mpl_vector_type(e, half), "");
}

static bool find_product(struct mpl_emit *e, LLVMValueRef i, struct product *p) {
  LLVMValueRef shift = LLVMIsATruncInst(i) ? LLVMGetOperand(i, 0) : NULL;
  LLVMTypeRef half = LLVMTypeOf(i);
  if (!shift || !LLVMIsABinaryOperator(shift)) return false;
  unsigned bits = LLVMGetIntTypeWidth(half);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(shift);
  LLVMValueRef by = LLVMGetOperand(shift, 1), product = LLVMGetOperand(shift, 0);
  if ((opcode != LLVMLShr && opcode != LLVMAShr) ||
      LLVMGetIntTypeWidth(LLVMTypeOf(shift)) != 2 * bits || !LLVMIsAConstantInt(by) ||
      LLVMConstIntGetZExtValue(by) != bits || !mpl_is_op(product, LLVMMul))
    return false;
  if (bits == HALF && (!mpl_only_user(shift) || !mpl_only_user(product))) return false;
  LLVMValueRef a = LLVMGetOperand(product, 0), b = LLVMGetOperand(product, 1);
  for (int is_signed = 0; is_signed < 2; is_signed++) {
    if (!is_extended(e, a, half, is_signed) || !is_extended(e, b, half, is_signed)) continue;
    *p = (struct product){half_of(e, a, half), half_of(e, b, half), is_signed};
    return true;
  }
  return false;
}

/* What multiplies every second lane to 64 bits reads 32 of each: of the even lanes, and once more of
 * the odd ones. */
static LLVMValueRef high_of_words(struct mpl_emit *e, const struct product *p) {
  unsigned pairs = e->width / 2;
  LLVMValueRef number = number_of(e, pairs, WHOLE, HALF), of[2][2];
  for (unsigned k = 0; k < 2; k++) {
    LLVMValueRef both = pairs_of(e, k ? p->b : p->a, WHOLE);
    of[0][k] = p->is_signed ? LLVMBuildShl(e->b, both, number, "")
                            : LLVMBuildAnd(e->b, both, number_of(e, pairs, WHOLE, UINT32_MAX), "");
    if (p->is_signed) of[0][k] = LLVMBuildAShr(e->b, of[0][k], number, "");
    of[1][k] = (p->is_signed ? LLVMBuildAShr : LLVMBuildLShr)(e->b, both, number, "");
  }
  for (unsigned odd = 0; odd < 2; odd++) {
    of[odd][0] = LLVMBuildMul(e->b, of[odd][0], of[odd][1], "");
    of[odd][0] = LLVMBuildBitCast(e->b, of[odd][0], LLVMTypeOf(p->a), "");
  }
  const struct mpl_pick upper = {e->width, 2, .first = 1, .outer = 2, .inner = (int)e->width};
  return mpl_pick(e->b, of[0][0], of[1][0], &upper);
}

/* The sum of four products of halves (Warren, Hacker's Delight, 8-2). */
static LLVMValueRef high_of_long(struct mpl_emit *e, const struct product *p) {
  LLVMValueRef a = p->a, b = p->b, t, u, v, high, half = mpl_splat(e, mpl_const64(e->ir, HALF)),
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
  if (!p->is_signed) return high;
  LLVMValueRef sign = mpl_splat(e, mpl_const64(e->ir, WHOLE - 1)),
               of_a = LLVMBuildAnd(e->b, LLVMBuildAShr(e->b, a, sign, ""), b, ""),
               of_b = LLVMBuildAnd(e->b, LLVMBuildAShr(e->b, b, sign, ""), a, "");
  return LLVMBuildSub(e->b, LLVMBuildSub(e->b, high, of_a, ""), of_b, "");
}

LLVMValueRef mpl_product(struct mpl_emit *e, LLVMValueRef i) {
  struct product p;
  if (e->width == 1) return NULL;
  if (is_product_of_bytes(e, i)) return multiply_bytes(e, i);
  unsigned most = e->ir->target->every_second;
  bool long_words = LLVMTypeOf(i) == e->ir->i64,
       words = LLVMTypeOf(i) == e->ir->i32 && most &&
               e->width * MPL_WORD > most * e->ir->target->register_bytes;
  if ((!long_words && !words) || !find_product(e, i, &p)) return NULL;
  return words ? high_of_words(e, &p) : high_of_long(e, &p);
}
