/* Bits of vectors.  LLVM makes of (bool)v.z the 64th of 128 bits that v is cast to, or is loaded
 * as; as components of lanes they would be vectors of thousands of bits, which its instruction
 * selection cannot take.  They are bits of numbers again. */
#include "expand.h"

/* The one element of a vector of bits that this takes, by its number; false: it is something else.
 */
static bool takes_bit(LLVMValueRef i, LLVMValueRef *vector, unsigned *bit) {
  if (!LLVMIsAExtractElementInst(i) ||
      LLVMTypeOf(i) != LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(i))))
    return false;
  LLVMValueRef number = LLVMGetOperand(i, 1);
  *vector = LLVMGetOperand(i, 0);
  if (!LLVMIsAConstantInt(number)) return false;
  *bit = (unsigned)LLVMConstIntGetZExtValue(number);
  return *bit < LLVMGetVectorSize(LLVMTypeOf(*vector));
}

static LLVMValueRef bit_of(LLVMBuilderRef b, LLVMValueRef number, unsigned bit) {
  LLVMTypeRef type = LLVMTypeOf(number);
  LLVMValueRef one = LLVMBuildAnd(b, number, LLVMConstInt(type, 1ull << bit, false), "");
  return LLVMBuildICmp(b, LLVMIntNE, one, LLVMConstNull(type), "");
}

/* Of whole bytes in memory: the byte with it. */
static LLVMValueRef of_load(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef load,
                            unsigned bit) {
  if (LLVMGetVolatile(load) || LLVMGetVectorSize(LLVMTypeOf(load)) % 8) return NULL;
  LLVMTypeRef byte = LLVMInt8TypeInContext(ir->context);
  LLVMValueRef at = mpl_const64(ir, bit / 8);
  LLVMPositionBuilderBefore(b, load);
  LLVMValueRef place = LLVMBuildInBoundsGEP2(b, byte, LLVMGetOperand(load, 0), &at, 1, "");
  LLVMValueRef value = mpl_aligned_load(b, byte, place, 1);
  return bit_of(b, value, bit % 8);
}

/* Of a vector of numbers of up to 64 bits: a bit of the one with it. */
static LLVMValueRef of_cast(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef cast,
                            unsigned bit) {
  LLVMValueRef numbers = LLVMGetOperand(cast, 0);
  LLVMTypeRef type = LLVMTypeOf(numbers);
  if (!mpl_is_vector_type(type) || LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMIntegerTypeKind)
    return NULL;
  unsigned width = LLVMGetIntTypeWidth(LLVMGetElementType(type));
  if (width > 64) return NULL;
  LLVMPositionBuilderBefore(b, cast);
  return bit_of(b, LLVMBuildExtractElement(b, numbers, mpl_const64(ir, bit / width), ""),
                bit % width);
}

bool mpl_expand_bits(struct mpl_module_ir *ir, LLVMValueRef function) {
  MPL_BUILDER(b, ir->context);
  bool changed = false;
  MPL_EACH_INSTRUCTION_OF(i, function) {
    LLVMValueRef vector, value = NULL;
    unsigned bit;
    if (!takes_bit(i, &vector, &bit)) continue;
    if (LLVMIsALoadInst(vector)) value = of_load(ir, b, vector, bit);
    if (LLVMIsABitCastInst(vector)) value = of_cast(ir, b, vector, bit);
    if (!value) continue;
    mpl_replace(i, value);
    if (!LLVMGetFirstUse(vector)) LLVMInstructionEraseFromParent(vector);
    changed = true;
  }
  return changed;
}
