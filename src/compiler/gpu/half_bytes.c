/* The bytes of a half.
 *
 * The compiler in driver 580 takes a byte store of a register that a conversion to half has filled
 * for a conversion to a byte: of 2.0 the lower byte was 2, and not 0 (H200).  So where a half is
 * written byte by byte, since it is aligned to one, it comes out of a whole word, of which that
 * compiler does not know what it was. */
#include <string.h>

#include "compiler/analysis/ir.h"
#include "gpu.h"

static bool is_half(LLVMTypeRef type) {
  return LLVMGetTypeKind(mpl_element_of(type)) == LLVMHalfTypeKind;
}

/* `bits`: of 16. */
static LLVMValueRef by_word(LLVMBuilderRef b, LLVMValueRef bits) {
  static const char text[] = "mov.b32 $0, {$1, $1};", constraints[] = "=r,h";
  LLVMTypeRef type = LLVMTypeOf(bits), word = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  return LLVMBuildTrunc(b, mpl_call_assembly(b, text, constraints, false, word, &bits, 1), type, "");
}

/* The bits of a half, or of each of a vector. */
static LLVMValueRef bits_of(LLVMBuilderRef b, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value), bits = LLVMInt16TypeInContext(LLVMGetTypeContext(type));
  if (!mpl_is_vector_type(type)) return by_word(b, LLVMBuildBitCast(b, value, bits, ""));
  unsigned count = LLVMGetVectorSize(type);
  LLVMValueRef result = LLVMGetPoison(LLVMVectorType(bits, count));
  for (unsigned k = 0; k < count; k++) {
    LLVMValueRef at = LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(type)), k, false);
    LLVMValueRef one = LLVMBuildBitCast(b, LLVMBuildExtractElement(b, value, at, ""), bits, "");
    result = LLVMBuildInsertElement(b, result, by_word(b, one), at, "");
  }
  return result;
}

static bool is_bytewise(LLVMValueRef user, LLVMValueRef value) {
  if (LLVMIsAStoreInst(user))
    return LLVMGetOperand(user, 0) == value && LLVMGetAlignment(user) == 1;
  if (!LLVMIsATruncInst(user)) return false;
  return LLVMGetIntTypeWidth(mpl_element_of(LLVMTypeOf(user))) <= 8;
}

/* What stands for the half, or for its bits, in users that take bytes of it. */
static void replace_in(LLVMBuilderRef b, LLVMValueRef value, LLVMValueRef half) {
  MPL_EACH_USER(user, value) {
    if (!is_bytewise(user, value)) continue;
    LLVMPositionBuilderBefore(b, user);
    LLVMSetOperand(user, 0, bits_of(b, half));
  }
}

static unsigned bits_of_element(LLVMTypeRef type) {
  return mpl_integer_bits(mpl_element_of(type));
}

void mpl_gpu_keep_half_bytes(LLVMValueRef function) {
  MPL_BUILDER(b, LLVMGetTypeContext(LLVMTypeOf(function)));
  MPL_EACH_INSTRUCTION_OF(i, function) {
    LLVMTypeRef type = LLVMTypeOf(i);
    if (is_half(type)) replace_in(b, i, i);
    if (LLVMIsABitCastInst(i) && is_half(LLVMTypeOf(LLVMGetOperand(i, 0))) &&
        bits_of_element(type) == 16)
      replace_in(b, i, LLVMGetOperand(i, 0));
  }
}
