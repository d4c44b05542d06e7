/* Floats that are known to be small, as integers.
 *
 * A multiprocessor rounds 16 floats in a cycle, or converts as many to integers, where it adds up
 * 128.  A sum with 2^23 has the integer in its lowest bits, rounded as the sum is; with 1.5 * 2^23
 * one that is less than 0, too, but a sum that is rounded towards 0 rounds that the other way. */
#include <math.h>

#include "compiler/analysis/ir.h"
#include "gpu.h"

static const double most = 0x1p22;

struct range {
  double low, high;
  bool is_number; /* no NaN */
};

static bool is_call_of(LLVMValueRef v, const char *name) {
  return LLVMIsACallInst(v) && mpl_calls(v, name);
}

static struct range range_of(LLVMValueRef v, unsigned depth);

/* `other` if it is the larger (the smaller), else `usual`, which is what it is if one is a NaN. */
static struct range extreme(struct range other, struct range usual, bool largest) {
  struct range r = usual;
  bool both = other.is_number && usual.is_number;
  if (largest) {
    r.high = fmax(usual.high, other.high);
    if (both) r.low = fmax(usual.low, other.low);
  } else {
    r.low = fmin(usual.low, other.low);
    if (both) r.high = fmin(usual.high, other.high);
  }
  return r;
}

static struct range either(struct range a, struct range b) {
  return (struct range){fmin(a.low, b.low), fmax(a.high, b.high), a.is_number && b.is_number};
}

/* a < b ? a : b and the like. */
static struct range range_of_select(LLVMValueRef v, unsigned depth) {
  LLVMValueRef test = LLVMGetOperand(v, 0), yes = LLVMGetOperand(v, 1), no = LLVMGetOperand(v, 2);
  struct range of_yes = range_of(yes, depth + 1), of_no = range_of(no, depth + 1);
  if (!LLVMIsAFCmpInst(test)) return either(of_yes, of_no);
  LLVMValueRef left = LLVMGetOperand(test, 0), right = LLVMGetOperand(test, 1);
  LLVMRealPredicate is = LLVMGetFCmpPredicate(test);
  bool greater = is == LLVMRealOGT || is == LLVMRealOGE || is == LLVMRealUGT || is == LLVMRealUGE;
  bool less = is == LLVMRealOLT || is == LLVMRealOLE || is == LLVMRealULT || is == LLVMRealULE;
  bool same = left == yes && right == no, turned = left == no && right == yes;
  if ((!greater && !less) || (!same && !turned)) return either(of_yes, of_no);
  bool ordered = is == LLVMRealOGT || is == LLVMRealOGE || is == LLVMRealOLT || is == LLVMRealOLE;
  bool largest = greater == same;
  return ordered ? extreme(of_yes, of_no, largest) : extreme(of_no, of_yes, largest);
}

/* fmin and fmax: the number, if the other is none. */
static struct range range_of_extreme(LLVMValueRef v, bool largest, unsigned depth) {
  struct range a = range_of(LLVMGetOperand(v, 0), depth + 1),
               b = range_of(LLVMGetOperand(v, 1), depth + 1);
  return a.is_number ? extreme(b, a, largest) : extreme(a, b, largest);
}

static struct range range_of_product(LLVMValueRef v, struct range unknown, unsigned depth) {
  struct range factor = range_of(LLVMGetOperand(v, 1), depth + 1);
  if (!(factor.low == factor.high && factor.low > 0 && factor.high <= most)) return unknown;
  struct range r = range_of(LLVMGetOperand(v, 0), depth + 1);
  r.low = (float)(r.low * factor.low);
  r.high = (float)(r.high * factor.low);
  return r;
}

static struct range range_of(LLVMValueRef v, unsigned depth) {
  const struct range unknown = {-INFINITY, INFINITY, false};
  LLVMBool lossy;
  if (LLVMIsAConstantFP(v)) {
    double number = LLVMConstRealGetDouble(v, &lossy);
    return isnan(number) ? unknown : (struct range){number, number, true};
  }
  if (depth == MPL_DEEPEST || !LLVMIsAInstruction(v)) return unknown;
  if (LLVMIsASelectInst(v)) return range_of_select(v, depth);
  if (LLVMGetInstructionOpcode(v) == LLVMFMul) return range_of_product(v, unknown, depth);
  if (is_call_of(v, "llvm.maxnum.")) return range_of_extreme(v, true, depth);
  if (is_call_of(v, "llvm.minnum.")) return range_of_extreme(v, false, depth);
  return unknown;
}

/* --- Conversions --- */

/* What is rounded to the nearest integer; null: no such call. */
static LLVMValueRef rounded_by(LLVMValueRef v) {
  bool is = is_call_of(v, "llvm.rint.") || is_call_of(v, "llvm.nearbyint.") ||
            is_call_of(v, "llvm.roundeven.");
  return is ? LLVMGetOperand(v, 0) : NULL;
}

/* `v` lies between, and is rounded to the nearest or towards 0. */
static LLVMValueRef by_sum(LLVMBuilderRef b, LLVMValueRef i, LLVMValueRef v, struct range range,
                           bool to_nearest) {
  bool has_sign = range.low < 0;
  LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(i)));
  LLVMValueRef operands[] = {v, LLVMConstReal(LLVMTypeOf(v), has_sign ? 0x1.8p23 : 0x1p23)}, sum;
  if (to_nearest)
    sum = LLVMBuildFAdd(b, operands[0], operands[1], "");
  else
    sum = mpl_call_intrinsic(b, "llvm.nvvm.add.rz.f", NULL, operands, 2);
  LLVMValueRef bits = LLVMBuildBitCast(b, sum, word, ""), number;
  unsigned mask = 1;
  while (mask < range.high) mask = mask << 1 | 1;
  if (has_sign)
    number = LLVMBuildSub(b, bits, LLVMConstInt(word, 0x4b400000 /* of 1.5 * 2^23 */, false), "");
  else
    number = LLVMBuildAnd(b, bits, LLVMConstInt(word, mask, false), "");
  return LLVMBuildTruncOrBitCast(b, number, LLVMTypeOf(i), "");
}

static LLVMValueRef converted(LLVMBuilderRef b, LLVMValueRef i) {
  if (!LLVMIsAFPToSIInst(i) && !LLVMIsAFPToUIInst(i)) return NULL;
  LLVMValueRef from = LLVMGetOperand(i, 0), unrounded = rounded_by(from);
  LLVMTypeRef to = LLVMTypeOf(i);
  if (LLVMGetTypeKind(LLVMTypeOf(from)) != LLVMFloatTypeKind || LLVMGetIntTypeWidth(to) > 32)
    return NULL;
  if (unrounded) from = unrounded;
  struct range range = range_of(from, 0);
  LLVMPositionBuilderBefore(b, i);
  if (range.is_number && range.low >= (unrounded ? -most / 2 : 0) && range.high <= most / 2)
    return by_sum(b, i, from, range, unrounded);
  if (!unrounded || LLVMGetIntTypeWidth(to) < 32) return NULL;
  return mpl_call_intrinsic(b, LLVMIsAFPToSIInst(i) ? "llvm.nvvm.f2i.rn" : "llvm.nvvm.f2ui.rn", NULL, &from, 1);
}

void mpl_gpu_convert_to_integers(LLVMValueRef function) {
  MPL_BUILDER(b, LLVMGetTypeContext(LLVMTypeOf(function)));
  MPL_EACH_INSTRUCTION_OF(i, function) {
    LLVMValueRef now = converted(b, i);
    if (!now) continue;
    mpl_replace(i, now);
  }
}
