#include "compiler/analysis/indexed.h"

#include "build.h"
#include "instructions.h"

static bool is_one_step(LLVMValueRef at, bool of_vectors) {
  return LLVMIsAGetElementPtrInst(at) && LLVMGetNumOperands(at) == 2 &&
         mpl_is_vector_type(LLVMTypeOf(LLVMGetOperand(at, 0))) == of_vectors;
}

/* Is there a number of 16 bits among those that the value is made of, as far as one looks?  mpl_is_made_of asks
 * whether all are such; here one is enough, since LLVM may compute with its width. */
static bool is_from_halves(LLVMValueRef value, unsigned depth) {
  if (mpl_integer_bits(mpl_element_of(LLVMTypeOf(value))) == 16) return true;
  if (!LLVMIsAPHINode(value) && (!LLVMIsAInstruction(value) || !mpl_only_computes(value, MPL_INTEGER | MPL_SELECT)))
    return false;
  unsigned below = depth + (LLVMIsAPHINode(value) ? 2 : 1);
  bool any = false;
  for (int k = 0; below <= MPL_DEEPEST && !any && k < LLVMGetNumOperands(value); k++)
    any = is_from_halves(LLVMGetOperand(value, k), below);
  return any;
}

bool mpl_is_indexed(LLVMTargetDataRef layout, LLVMBuilderRef b, LLVMValueRef at, struct mpl_indexed *found) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(at));
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  int64_t beyond = 0;
  while (is_one_step(at, true) && LLVMIsAConstantInt(LLVMGetOperand(at, 1))) {
    beyond += LLVMConstIntGetSExtValue(LLVMGetOperand(at, 1)) *
              (int64_t)LLVMABISizeOfType(layout, LLVMGetGEPSourceElementType(at));
    at = LLVMGetOperand(at, 0);
  }
  if (!is_one_step(at, false) || !mpl_is_vector_type(LLVMTypeOf(LLVMGetOperand(at, 1))))
    return false;
  LLVMValueRef index = LLVMGetOperand(at, 1),
               by = LLVMConstInt(LLVMInt64TypeInContext(context), (uint64_t)beyond, true);
  bool is_signed = LLVMIsASExtInst(index);
  if (!is_signed && !LLVMIsAZExtInst(index)) return false;
  index = LLVMGetOperand(index, 0);
  unsigned bits = LLVMGetIntTypeWidth(LLVMGetElementType(LLVMTypeOf(index)));
  if (bits > (is_signed ? 32 : 31)) return false;
  found->from_halves = is_from_halves(index, 0);
  LLVMTypeRef indices = LLVMVectorType(i32, LLVMGetVectorSize(LLVMTypeOf(index)));
  found->index = LLVMBuildIntCast2(b, index, indices, is_signed, "");
  found->step = LLVMGetGEPSourceElementType(at);
  found->base = LLVMBuildGEP2(b, LLVMInt8TypeInContext(context), LLVMGetOperand(at, 0), &by, 1, "");
  return true;
}

/* Two lanes' indices leave a vector at once.  Not those from numbers of 16 bits: LLVM 19 for x86-64 takes two for
 * the lower one in an address where it knows that to be such a number under a mask of 7 (`table[at[i] & 63]`). */
static LLVMValueRef lane_index(LLVMBuilderRef b, const struct mpl_indexed *at, LLVMValueRef pairs, unsigned lane) {
  LLVMTypeRef i64 = LLVMGetElementType(LLVMTypeOf(pairs)), i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(i64));
  if (at->from_halves)
    return LLVMBuildSExt(b, LLVMBuildExtractElement(b, at->index, LLVMConstInt(i64, lane, false), ""), i64, "");
  LLVMValueRef pair = LLVMBuildExtractElement(b, pairs, LLVMConstInt(i64, lane / 2, false), "");
  if (lane % 2) return LLVMBuildAShr(b, pair, LLVMConstInt(i64, 32, false), "");
  return LLVMBuildSExt(b, LLVMBuildTrunc(b, pair, i32, ""), i64, "");
}

LLVMValueRef mpl_load_each(LLVMBuilderRef b, LLVMTypeRef type, const struct mpl_indexed *at, unsigned align) {
  unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(at->index));
  LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(type));
  LLVMValueRef value = LLVMGetPoison(LLVMVectorType(type, lanes)),
               pairs = LLVMBuildBitCast(b, at->index, LLVMVectorType(i64, lanes / 2), "");
  for (unsigned k = 0; k < lanes; k++) {
    LLVMValueRef index = lane_index(b, at, pairs, k),
                 from = LLVMBuildGEP2(b, at->step, at->base, &index, 1, ""),
                 loaded = mpl_aligned_load(b, type, from, align);
    value = LLVMBuildInsertElement(b, value, loaded, LLVMConstInt(i64, k, false), "");
  }
  return value;
}
