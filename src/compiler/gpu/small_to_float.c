/* Bytes and half-words of a word, as floats.
 *
 * NVIDIA's compiler makes one instruction of taking such a part out of its word and converting it,
 * but of these a multiprocessor does 16 in a cycle, where it does 64 permutations of bytes and 128
 * sums (H200: a blur of bytes took 1.5 times as long for it).  2^23 + n is a float whose lowest bits
 * are n: so a permutation and a difference do the same, and for a product with a constant c the
 * fused (2^23 + n) * c - 2^23 * c, which is rounded as n * c is. */
#include "compiler/analysis/ir.h"
#include "gpu.h"

enum { LIFTED = 0x4b000000 /* the bits of 2^23 */ };
static const double lift = 0x1p23;

/* `bits` of the word, from `first` on: a multiple of 8.  Words have 32 bits, or are longer, and the
 * part is in the lowest of these, or they are vectors of so many bits in all. */
struct part {
  LLVMValueRef word;
  unsigned first, bits;
};

static unsigned width_of(LLVMValueRef v) {
  return mpl_integer_bits(LLVMTypeOf(v));
}

static uint64_t constant_of(LLVMValueRef v) {
  v = LLVMGetOperand(v, 1);
  return LLVMIsAConstantInt(v) ? LLVMConstIntGetZExtValue(v) : 0;
}

/* Behind a shift: the part of what was shifted. */
static void look_behind_shift(struct part *part) {
  if (width_of(part->word) != 32 || !mpl_is_op(part->word, LLVMLShr)) return;
  uint64_t by = constant_of(part->word);
  if (!by || by % 8 || by + part->bits > 32) return;
  part->first = (unsigned)by;
  part->word = LLVMGetOperand(part->word, 0);
}

/* Elements side by side: of 32 bits, since the vector is in registers of that size. */
static bool is_element(LLVMValueRef v, struct part *part) {
  LLVMValueRef at = LLVMGetOperand(v, 1), vector = LLVMGetOperand(v, 0);
  if (!LLVMIsAConstantInt(at)) return false;
  *part = (struct part){vector, (unsigned)LLVMConstIntGetZExtValue(at) * part->bits, part->bits};
  return LLVMGetVectorSize(LLVMTypeOf(vector)) * part->bits % 32 == 0;
}

/* What is loaded alone is a word already. */
static bool is_part(LLVMValueRef v, struct part *part) {
  unsigned width = width_of(v);
  *part = (struct part){v, 0, width};
  if (width == 8 || width == 16) {
    if (mpl_is_op(v, LLVMExtractElement)) return is_element(v, part);
    if (!mpl_is_op(v, LLVMTrunc)) return false;
    part->word = LLVMGetOperand(v, 0);
    if (width_of(part->word) < 32) return false;
  } else if (width == 32 && mpl_is_op(v, LLVMAnd)) {
    uint64_t mask = constant_of(v);
    if (mask != UINT8_MAX && mask != UINT16_MAX) return false;
    part->bits = mask == UINT8_MAX ? 8 : 16;
    part->word = LLVMGetOperand(v, 0);
  } else if (width == 32 && (mpl_is_op(v, LLVMLShr) || mpl_is_op(v, LLVMAShr))) {
    uint64_t by = constant_of(v);
    *part = (struct part){LLVMGetOperand(v, 0), (unsigned)by, 32 - (unsigned)by};
    return by == 16 || by == 24;
  } else {
    return false;
  }
  look_behind_shift(part);
  return true;
}

/* The part's 32 bits; the part is from first % 32 on. */
static LLVMValueRef word_of(LLVMBuilderRef b, const struct part *part, LLVMTypeRef word) {
  LLVMTypeRef type = LLVMTypeOf(part->word);
  if (!mpl_is_vector_type(type)) return LLVMBuildTruncOrBitCast(b, part->word, word, "");
  unsigned count = LLVMGetVectorSize(type) * part->bits / 32;
  if (count == 1) return LLVMBuildBitCast(b, part->word, word, "");
  LLVMValueRef words = LLVMBuildBitCast(b, part->word, LLVMVectorType(word, count), "");
  return LLVMBuildExtractElement(b, words, LLVMConstInt(word, part->first / 32, false), "");
}

/* 2^23 + the part, or if it has a sign, + half of its range too. */
static LLVMValueRef lifted(LLVMBuilderRef b, LLVMValueRef conversion, const struct part *part,
                           bool has_sign) {
  unsigned first = part->first / 8 % 4;
  LLVMTypeRef type = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(conversion)));
  LLVMValueRef word = word_of(b, part, type);
  if (has_sign) {
    uint64_t signs = part->bits == 8 ? 0x80808080 : 0x80008000 >> part->first % 16;
    word = LLVMBuildXor(b, word, LLVMConstInt(type, signs, false), "");
  }
  /* Bytes 4 to 7 are those of 2^23: 0, 0, 0, 0x4b. */
  unsigned bytes = part->bits == 8 ? 0x7540 | first : 0x7500 | (first + 1) << 4 | first;
  LLVMValueRef operands[] = {word, LLVMConstInt(type, LIFTED, false),
                             LLVMConstInt(type, bytes, false)};
  LLVMValueRef bits = mpl_call_intrinsic(b, "llvm.nvvm.prmt", NULL, operands, 3);
  return LLVMBuildBitCast(b, bits, LLVMTypeOf(conversion), "");
}

/* The conversion's part; false: it is another. */
static bool converts_part(LLVMValueRef v, struct part *part) {
  if (!mpl_is_op(v, LLVMUIToFP) && !mpl_is_op(v, LLVMSIToFP)) return false;
  if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMFloatTypeKind) return false;
  LLVMValueRef from = LLVMGetOperand(v, 0);
  return is_part(from, part) && (!mpl_is_op(from, LLVMAShr) || mpl_is_op(v, LLVMSIToFP));
}

static bool has_sign(LLVMValueRef conversion) {
  LLVMValueRef from = LLVMGetOperand(conversion, 0);
  return mpl_is_op(conversion, LLVMSIToFP) && (width_of(from) < 32 || mpl_is_op(from, LLVMAShr));
}

/* A constant by which 2^23 can be multiplied, or 0; a product with less than 0 could be -0. */
static double factor_of(LLVMValueRef v) {
  LLVMBool lossy;
  double factor = LLVMIsAConstantFP(v) ? LLVMConstRealGetDouble(v, &lossy) : 0;
  return factor >= 0x1p-126 && factor <= 0x1p104 ? factor : 0;
}

static LLVMValueRef multiplied(LLVMBuilderRef b, LLVMValueRef product) {
  struct part part;
  if (!mpl_is_op(product, LLVMFMul)) return NULL;
  for (unsigned n = 0; n < 2; n++) {
    LLVMValueRef conversion = LLVMGetOperand(product, n);
    double factor = factor_of(LLVMGetOperand(product, 1 - n));
    if (!factor || !converts_part(conversion, &part) || has_sign(conversion)) continue;
    LLVMTypeRef type = LLVMTypeOf(product);
    LLVMPositionBuilderBefore(b, conversion);
    LLVMValueRef operands[] = {lifted(b, conversion, &part, false), LLVMGetOperand(product, 1 - n),
                               LLVMConstReal(type, -factor * lift)};
    LLVMPositionBuilderBefore(b, product);
    return mpl_call_intrinsic(b, "llvm.fma", type, operands, 3);
  }
  return NULL;
}

/* A byte or half-word with a sign that is no part: its upper bits are 0. */
static LLVMValueRef converted_alone(LLVMBuilderRef b, LLVMValueRef conversion) {
  LLVMTypeRef type = LLVMTypeOf(conversion),
              word = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  if (!mpl_is_op(conversion, LLVMSIToFP) || LLVMGetTypeKind(type) != LLVMFloatTypeKind) return NULL;
  unsigned bits = width_of(LLVMGetOperand(conversion, 0));
  if (bits != 8 && bits != 16) return NULL;
  unsigned sign = 1u << (bits - 1);
  LLVMPositionBuilderBefore(b, conversion);
  LLVMValueRef lifted = LLVMBuildXor(b, LLVMBuildZExt(b, LLVMGetOperand(conversion, 0), word, ""),
                                     LLVMConstInt(word, LIFTED | sign, false), "");
  return LLVMBuildFAdd(b, LLVMBuildBitCast(b, lifted, type, ""), LLVMConstReal(type, -lift - sign),
                       "");
}

static LLVMValueRef converted(LLVMBuilderRef b, LLVMValueRef conversion) {
  struct part part;
  if (!converts_part(conversion, &part)) return converted_alone(b, conversion);
  if (!LLVMGetFirstUse(conversion)) return LLVMGetPoison(LLVMTypeOf(conversion));
  LLVMPositionBuilderBefore(b, conversion);
  bool is_signed = has_sign(conversion);
  double least = lift + (is_signed ? (double)(1u << (part.bits - 1)) : 0);
  return LLVMBuildFAdd(b, lifted(b, conversion, &part, is_signed),
                       LLVMConstReal(LLVMTypeOf(conversion), -least), "");
}

static void replace(LLVMValueRef old, LLVMValueRef now) {
  if (!now) return;
  mpl_replace(old, now);
}

void mpl_gpu_convert_parts(LLVMValueRef function) {
  MPL_BUILDER(b, LLVMGetTypeContext(LLVMTypeOf(function)));
  MPL_EACH_INSTRUCTION_OF(i, function) replace(i, multiplied(b, i));
  MPL_EACH_INSTRUCTION_OF(i, function) replace(i, converted(b, i));
}
