/* Math instructions of the processor (tables/target_math.def), which the built-in library asks for
 * as functions of scalars. */
#include <stdio.h>
#include <string.h>

#include "values.h"

static unsigned bytes_of(const struct mpl_module_ir *ir, const struct mpl_target_math *row) {
  return row->bytes ? row->bytes : ir->target->register_bytes;
}

/* One instruction, of operands of its own width. */
static LLVMValueRef instruction(struct mpl_module_ir *ir, LLVMBuilderRef b,
                                const struct mpl_target_math *row, LLVMValueRef *own,
                                unsigned count) {
  char name[64], bits[8] = "";
  if (!row->bytes) snprintf(bits, sizeof bits, "%u", 8 * bytes_of(ir, row));
  snprintf(name, sizeof name, "%s%s", row->intrinsic, bits);
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(ir->module, id, NULL, 0), args[8];
  LLVMTypeRef type = LLVMGlobalGetValueType(function), types[8];
  unsigned all = LLVMCountParamTypes(type);
  LLVMGetParamTypes(type, types);
  for (unsigned k = 0; k < all; k++) {
    bool vector = mpl_is_vector_type(types[k]);
    args[k] = k < count ? own[k]
              : vector  ? LLVMConstNull(types[k]) /* of lanes that are masked off */
              : types[k] != ir->i32 ? LLVMConstAllOnes(types[k])
                                    : LLVMConstInt(types[k], k == count ? row->says : 4, false);
  }
  return LLVMBuildCall2(b, type, function, args, all, "");
}

LLVMValueRef mpl_target_math(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef callee,
                             LLVMValueRef *operands, unsigned count) {
  LLVMTypeRef wide = LLVMTypeOf(operands[0]), element = LLVMGetElementType(wide);
  bool is_double = LLVMGetTypeKind(element) == LLVMDoubleTypeKind;
  const struct mpl_target_math *row = mpl_target_math_of(callee);
  unsigned width = LLVMGetVectorSize(wide), lanes = bytes_of(ir, row) / (is_double ? 8 : 4);
  LLVMValueRef result = NULL;
  int which[MPL_MOST_LANES];
  for (unsigned first = 0; first < width; first += lanes) {
    LLVMValueRef own[MPL_TARGET_OPERANDS];
    for (unsigned k = 0; k < count && k < MPL_TARGET_OPERANDS; k++)
      own[k] = mpl_elements(b, operands[k], NULL, first, lanes); /* behind the end poison */
    LLVMValueRef part = instruction(ir, b, row, own, count);
    if (first + lanes >= width && !first) return mpl_elements(b, part, NULL, 0, width);
    part = mpl_elements(b, part, NULL, 0, width);
    for (unsigned k = 0; k < width; k++)
      which[k] = (int)(k < first ? k : width + (k - first) % lanes);
    result = !result ? part : mpl_shuffle(b, result, part, which, width);
  }
  return result;
}

/* What is left of one work-item, or of all. */
bool mpl_lower_target_math(struct mpl_module_ir *ir) {
  bool changed = false;
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ir->context);
  for (const struct mpl_target_math *row = mpl_target_math_rows; row->function; row++) {
    LLVMValueRef function = LLVMGetNamedFunction(ir->module, row->function);
    for (LLVMUseRef use; function && (use = LLVMGetFirstUse(function));) {
      LLVMValueRef call = LLVMGetUser(use), operands[MPL_TARGET_OPERANDS];
      LLVMValueRef zero = LLVMConstInt(ir->i32, 0, false);
      unsigned count = LLVMGetNumArgOperands(call);
      LLVMTypeRef single = LLVMVectorType(LLVMTypeOf(call), 1);
      LLVMPositionBuilderBefore(b, call);
      for (unsigned k = 0; k < count && k < MPL_TARGET_OPERANDS; k++)
        operands[k] =
            LLVMBuildInsertElement(b, LLVMGetPoison(single), LLVMGetOperand(call, k), zero, "");
      LLVMValueRef vector = mpl_target_math(ir, b, function, operands, count);
      mpl_replace(call, LLVMBuildExtractElement(b, vector, zero, ""));
    }
    changed |= function != NULL;
    if (function) LLVMDeleteFunction(function);
  }
  LLVMDisposeBuilder(b);
  return changed;
}
