#include "compiler/analysis/indexed.h"

static bool is_vector(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

static bool is_one_step(LLVMValueRef at, bool of_vectors) {
  return LLVMIsAGetElementPtrInst(at) && LLVMGetNumOperands(at) == 2 &&
         is_vector(LLVMGetOperand(at, 0)) == of_vectors;
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
  if (!is_one_step(at, false) || !is_vector(LLVMGetOperand(at, 1))) return false;
  LLVMValueRef index = LLVMGetOperand(at, 1),
               by = LLVMConstInt(LLVMInt64TypeInContext(context), (uint64_t)beyond, true);
  bool is_signed = LLVMIsASExtInst(index);
  if (!is_signed && !LLVMIsAZExtInst(index)) return false;
  index = LLVMGetOperand(index, 0);
  unsigned bits = LLVMGetIntTypeWidth(LLVMGetElementType(LLVMTypeOf(index)));
  if (bits > (is_signed ? 32 : 31)) return false;
  LLVMTypeRef indices = LLVMVectorType(i32, LLVMGetVectorSize(LLVMTypeOf(index)));
  found->index = LLVMBuildIntCast2(b, index, indices, is_signed, "");
  found->step = LLVMGetGEPSourceElementType(at);
  found->base = LLVMBuildGEP2(b, LLVMInt8TypeInContext(context), LLVMGetOperand(at, 0), &by, 1, "");
  return true;
}

/* Two lanes' indices leave a vector at once. */
static LLVMValueRef lane_index(LLVMBuilderRef b, LLVMValueRef pairs, unsigned lane) {
  LLVMTypeRef i64 = LLVMGetElementType(LLVMTypeOf(pairs)), i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(i64));
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
    LLVMValueRef index = lane_index(b, pairs, k),
                 from = LLVMBuildGEP2(b, at->step, at->base, &index, 1, ""),
                 loaded = LLVMBuildLoad2(b, type, from, "");
    LLVMSetAlignment(loaded, align);
    value = LLVMBuildInsertElement(b, value, loaded, LLVMConstInt(i64, k, false), "");
  }
  return value;
}
