/* Numbers that are rounded and then converted to integers.
 *
 * To those of their size it is one instruction of AArch64, which LLVM's back end knows for some roundings of
 * scalars alone.  It does to each number what a rounding and a conversion that saturates do, and the ordinary
 * one is not defined where they differ.
 *
 * Of halves x86 rounds and converts floats.  The back end would make halves of them in between, and that of
 * version 21 loses the rounding: it takes llvm.rint and the conversion for one operation, which its expansion
 * truncates. */
#include <stdio.h>
#include <string.h>

#include "compiler/analysis/ir.h"
#include "compiler/plugin.h"

enum { REGISTER = 128 /* bits */ };

static bool converts_to_signed(LLVMValueRef i) { return LLVMIsAFPToSIInst(i) || mpl_calls(i, "llvm.fptosi.sat."); }
static bool converts_to_unsigned(LLVMValueRef i) { return LLVMIsAFPToUIInst(i) || mpl_calls(i, "llvm.fptoui.sat."); }

/* The rounding of what `conversion` converts, or null; `letter`: which one, in AArch64's names. */
static LLVMValueRef rounding_in(LLVMValueRef conversion, char *letter) {
  static const struct {
    const char *name;
    char letter;
  } roundings[] = {{"llvm.rint.", 'n'}, {"llvm.nearbyint.", 'n'}, {"llvm.roundeven.", 'n'},
                   {"llvm.ceil.", 'p'}, {"llvm.floor.", 'm'},     {"llvm.round.", 'a'}};
  if (!converts_to_signed(conversion) && !converts_to_unsigned(conversion)) return NULL;
  LLVMValueRef rounding = LLVMGetOperand(conversion, 0);
  for (unsigned k = 0; k < sizeof roundings / sizeof *roundings; k++)
    if (mpl_calls(rounding, roundings[k].name)) {
      *letter = roundings[k].letter;
      return rounding;
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

static LLVMValueRef at_once(LLVMBuilderRef b, LLVMValueRef conversion, LLVMValueRef value, char rounding) {
  char name[32];
  if (!has_form(LLVMTypeOf(conversion), LLVMTypeOf(value))) return NULL;
  snprintf(name, sizeof name, "llvm.aarch64.neon.fcvt%c%c", rounding, converts_to_signed(conversion) ? 's' : 'u');
  return convert(b, name, LLVMTypeOf(conversion), value);
}

/* The float that is rounded in place of the half; null: `value` is none. */
static LLVMValueRef rounded_float(LLVMBuilderRef b, LLVMValueRef rounding, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value), one = LLVMFloatTypeInContext(LLVMGetTypeContext(type));
  if (LLVMGetTypeKind(mpl_element_of(type)) != LLVMHalfTypeKind) return NULL;
  LLVMTypeRef floats = mpl_is_vector_type(type) ? LLVMVectorType(one, LLVMGetVectorSize(type)) : one;
  LLVMValueRef wide = LLVMBuildFPExt(b, value, floats, ""), called = LLVMGetCalledValue(rounding);
  LLVMValueRef function =
      LLVMGetIntrinsicDeclaration(LLVMGetGlobalParent(called), LLVMGetIntrinsicID(called), &floats, 1);
  return mpl_call(b, function, floats, &wide, 1);
}

void mpl_convert_rounded(LLVMModuleRef module) {
  const char *target = LLVMGetTarget(module);
  bool is_arm = mpl_begins(target, "aarch64");
  if (!is_arm && !mpl_begins(target, "x86_64")) return;
  MPL_BUILDER(b, LLVMGetModuleContext(module));
  MPL_EACH_FUNCTION(f, module) MPL_EACH_INSTRUCTION_OF(i, f) {
    char letter;
    LLVMValueRef rounding = rounding_in(i, &letter), by;
    if (!rounding) continue;
    LLVMValueRef value = LLVMGetOperand(rounding, 0);
    LLVMPositionBuilderBefore(b, i);
    if (is_arm && (by = at_once(b, i, value, letter)))
      mpl_replace(i, by);
    else if (!is_arm && (by = rounded_float(b, rounding, value)))
      LLVMSetOperand(i, 0, by);
    else
      continue;
    if (!LLVMGetFirstUse(rounding)) LLVMInstructionEraseFromParent(rounding);
  }
}
