/* Numbers that are rounded and then converted to integers of their size: one instruction of AArch64, which
 * LLVM's back end knows for some roundings of scalars alone.  It does to each number what a rounding and a
 * conversion that saturates do, and the ordinary one is not defined where they differ. */
#include <stdio.h>
#include <string.h>

#include "compiler/analysis/ir.h"
#include "compiler/plugin.h"

enum { REGISTER = 128 /* bits */ };

/* A conversion of `of`, or null; which intrinsic it is. */
static LLVMValueRef rounded_of(LLVMValueRef conversion, char name[32]) {
  static const struct {
    const char *rounding;
    char letter;
  } forms[] = {{"llvm.rint.", 'n'}, {"llvm.nearbyint.", 'n'}, {"llvm.roundeven.", 'n'},
               {"llvm.ceil.", 'p'}, {"llvm.floor.", 'm'},     {"llvm.round.", 'a'}};
  bool is_signed = LLVMIsAFPToSIInst(conversion) || mpl_calls(conversion, "llvm.fptosi.sat.");
  if (!is_signed && !LLVMIsAFPToUIInst(conversion) && !mpl_calls(conversion, "llvm.fptoui.sat."))
    return NULL;
  LLVMValueRef rounding = LLVMGetOperand(conversion, 0);
  for (unsigned k = 0; k < sizeof forms / sizeof *forms; k++) {
    if (!mpl_calls(rounding, forms[k].rounding)) continue;
    snprintf(name, 32, "llvm.aarch64.neon.fcvt%c%c", forms[k].letter, is_signed ? 's' : 'u');
    return LLVMGetOperand(rounding, 0);
  }
  return NULL;
}

/* Integers of 32 or 64 bits, as numbers have: one, half of a register, or halves of each other down to one. */
static bool has_form(LLVMTypeRef to, LLVMTypeRef from) {
  LLVMTypeRef integer = mpl_element_of(to);
  LLVMTypeKind number = LLVMGetTypeKind(mpl_element_of(from));
  unsigned bits = LLVMGetIntTypeWidth(integer);
  if (bits != (number == LLVMFloatTypeKind ? 32 : number == LLVMDoubleTypeKind ? 64 : 0)) return false;
  if (to == integer) return true;
  unsigned all = bits * LLVMGetVectorSize(to);
  return all >= REGISTER / 2 && !(all & (all - 1)) && LLVMGetVectorSize(to) <= MPL_MOST_BEHIND;
}

static LLVMValueRef convert(LLVMBuilderRef b, const char *name, LLVMTypeRef to, LLVMValueRef value) {
  LLVMTypeRef integer = mpl_element_of(to), types[] = {to, LLVMTypeOf(value)};
  unsigned count = to == integer ? 1 : LLVMGetVectorSize(to);
  if (count * LLVMGetIntTypeWidth(integer) > REGISTER) {
    LLVMTypeRef half = LLVMVectorType(integer, count / 2);
    LLVMValueRef low = mpl_elements(b, value, NULL, 0, count / 2),
                 high = mpl_elements(b, value, NULL, count / 2, count / 2);
    low = convert(b, name, half, low);
    return mpl_elements(b, low, convert(b, name, half, high), 0, count);
  }
  return mpl_call_overloaded(b, name, types, 2, &value, 1);
}

void mpl_convert_rounded(LLVMModuleRef module) {
  if (strncmp(LLVMGetTarget(module), "aarch64", strlen("aarch64"))) return;
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  MPL_EACH_FUNCTION(f, module) MPL_EACH_INSTRUCTION_OF(i, f) {
    char name[32];
    LLVMValueRef value = rounded_of(i, name);
    if (!value || !has_form(LLVMTypeOf(i), LLVMTypeOf(value))) continue;
    LLVMValueRef rounding = LLVMGetOperand(i, 0);
    LLVMPositionBuilderBefore(b, i);
    mpl_replace(i, convert(b, name, LLVMTypeOf(i), value));
    if (!LLVMGetFirstUse(rounding)) LLVMInstructionEraseFromParent(rounding);
  }
  LLVMDisposeBuilder(b);
}
