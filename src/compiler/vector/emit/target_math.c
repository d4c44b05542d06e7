/* Math instructions of the processor (tables/target_math.def), which the built-in library asks for
 * as functions of scalars. */
#include <stdio.h>
#include <string.h>

#include "compiler/analysis/target.h"
#include "values.h"

static const struct {
  const char *function, *intrinsic;
  unsigned bytes, says;
} forms[] = {
#define MPL_TARGET_MATH(function, intrinsic, bytes, says) {function, intrinsic, bytes, says},
#include "tables/target_math.def"
};
enum { FORMS = sizeof forms / sizeof *forms };

static unsigned form_of(LLVMValueRef callee) {
  const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName(callee) : "";
  unsigned k = 0;
  while (k < FORMS && strcmp(forms[k].function, name)) k++;
  return k;
}

static unsigned bytes_of(const struct mpl_module_ir *ir, unsigned form) {
  return forms[form].bytes ? forms[form].bytes : ir->target->register_bytes;
}

/* One instruction, of operands of its own width. */
static LLVMValueRef instruction(struct mpl_module_ir *ir, LLVMBuilderRef b, unsigned form,
                                LLVMValueRef *own, unsigned count) {
  char name[64], bits[8] = "";
  if (!forms[form].bytes) snprintf(bits, sizeof bits, "%u", 8 * bytes_of(ir, form));
  snprintf(name, sizeof name, "%s%s", forms[form].intrinsic, bits);
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(ir->module, id, NULL, 0), args[8];
  LLVMTypeRef type = LLVMGlobalGetValueType(function), types[8];
  unsigned all = LLVMCountParamTypes(type);
  LLVMGetParamTypes(type, types);
  for (unsigned k = 0; k < all; k++) {
    bool vector = mpl_is_vector_type(types[k]);
    args[k] = k < count ? own[k]
              : vector  ? LLVMConstNull(types[k]) /* of lanes that are masked off */
              : types[k] != ir->i32
                  ? LLVMConstAllOnes(types[k])
                  : LLVMConstInt(types[k], k == count ? forms[form].says : 4, false);
  }
  return LLVMBuildCall2(b, type, function, args, all, "");
}

LLVMValueRef mpl_target_math(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef callee,
                             LLVMValueRef *operands, unsigned count) {
  LLVMTypeRef wide = LLVMTypeOf(operands[0]), element = LLVMGetElementType(wide);
  bool is_double = LLVMGetTypeKind(element) == LLVMDoubleTypeKind;
  unsigned form = form_of(callee), width = LLVMGetVectorSize(wide),
           lanes = bytes_of(ir, form) / (is_double ? 8 : 4);
  LLVMValueRef result = NULL;
  int which[MPL_MOST_LANES];
  for (unsigned first = 0; first < width; first += lanes) {
    LLVMValueRef own[MPL_TARGET_OPERANDS];
    for (unsigned k = 0; k < count && k < MPL_TARGET_OPERANDS; k++)
      own[k] = mpl_elements(b, operands[k], NULL, first, lanes); /* behind the end poison */
    LLVMValueRef part = instruction(ir, b, form, own, count);
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
  for (unsigned form = 0; form < FORMS; form++) {
    LLVMValueRef function = LLVMGetNamedFunction(ir->module, forms[form].function);
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
