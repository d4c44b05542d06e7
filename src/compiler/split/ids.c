/* Ids are not negative: what is left of one that is divided by a power of two are bits of it, whatever the
 * program's type for it is, and lanes of a chunk are seen to be side by side, or to have the same
 * (vector/lanes/contiguous.c). */
#include "ids.h"

#include "compiler/analysis/markers.h"

/* The id may have been cut to as many bits as it needs. */
static bool is_short_id(LLVMValueRef value) {
  enum { BITS = 32 };
  if (LLVMIsATruncInst(value)) {
    if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) < BITS) return false;
    value = LLVMGetOperand(value, 0);
  }
  return mpl_is_local_id(mpl_marker_of(value)) || mpl_marker_of(value) == MPL_MARK_LOCAL_LINEAR_ID;
}

/* The power of two; 0: it is none. */
static uint64_t power_of(LLVMValueRef value) {
  if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64) return 0;
  int64_t number = LLVMConstIntGetSExtValue(value);
  return number > 0 && !(number & (number - 1)) ? (uint64_t)number : 0;
}

void mpl_divide_ids(struct mpl_module_ir *ir, LLVMValueRef function) {
  MPL_BUILDER(b, ir->context);
  MPL_EACH_INSTRUCTION_OF(i, function) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    if (opcode != LLVMSDiv && opcode != LLVMSRem && opcode != LLVMUDiv && opcode != LLVMURem) continue;
    LLVMValueRef id = LLVMGetOperand(i, 0), now;
    uint64_t power = power_of(LLVMGetOperand(i, 1));
    if (!power || !is_short_id(id)) continue;
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMPositionBuilderBefore(b, i); /* with its line */
    if (opcode == LLVMSRem || opcode == LLVMURem)
      now = LLVMBuildAnd(b, id, LLVMConstInt(type, power - 1, false), "");
    else
      now = LLVMBuildLShr(b, id, LLVMConstInt(type, (uint64_t)__builtin_ctzll(power), false), "");
    mpl_replace(i, now);
  }
}
