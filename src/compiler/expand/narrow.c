/* What ends as a byte or two is computed with as few, where its bits are the same: of
 * `(77 * p.x + 150 * p.y) >> 8` with bytes C makes numbers of 32 bits (C11, 6.3.1.1), a quarter or half as
 * many lanes in a register.  LLVM does so for some scalars, by the types that the target's data layout calls
 * native (AArch64's has none of 16 bits), and seldom for vectors. */
#include "compiler/analysis/build.h"
#include "compiler/analysis/target.h"
#include "expand.h"

enum { WIDEST = 64 };

static unsigned bits_of(LLVMValueRef value) {
  return mpl_integer_bits(LLVMTypeOf(value));
}

static LLVMValueRef operand(LLVMValueRef i, unsigned k) {
  return LLVMGetOperand(i, k);
}

/* --- how large it may be --- */

static uint64_t ones(uint64_t most) {
  return most ? UINT64_MAX >> __builtin_clzll(most) : 0;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static uint64_t most_of(LLVMValueRef value, unsigned depth);

/* A minimum or maximum of numbers of which none is negative, if it is one of signed numbers. */
static uint64_t most_of_extreme(LLVMValueRef i, struct mpl_extreme is, unsigned depth) {
  uint64_t a = most_of(operand(i, 0), depth), b = most_of(operand(i, 1), depth),
           highest = ones(is.is_signed ? (1ull << (bits_of(i) - 1)) - 1 : UINT64_MAX);
  if (is.is_signed && (a > highest || b > highest)) return UINT64_MAX;
  return is.largest == (a > b) ? a : b;
}

/* The most that it can be as an unsigned number; UINT64_MAX where nothing is known. */
static uint64_t most_of(LLVMValueRef value, unsigned depth) {
  enum { HALF = 1u << 31 };
  uint64_t a, b;
  struct mpl_extreme extreme = mpl_extreme_of(value);
  if (LLVMIsAConstantInt(value)) return LLVMConstIntGetZExtValue(value);
  if (!LLVMIsAInstruction(value) || depth > MPL_DEEPEST) return UINT64_MAX;
  if (LLVMIsAZExtInst(value)) {
    unsigned bits = bits_of(operand(value, 0));
    return bits < WIDEST ? (1ull << bits) - 1 : UINT64_MAX;
  }
  if (extreme.is) return most_of_extreme(value, extreme, depth + 1);
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMAnd:
    return smaller(most_of(operand(value, 0), depth + 1), most_of(operand(value, 1), depth + 1));
  case LLVMAdd:
  case LLVMMul:
  case LLVMOr:
  case LLVMXor:
  case LLVMShl:
  case LLVMLShr:
    break;
  default:
    return UINT64_MAX;
  }
  a = most_of(operand(value, 0), depth + 1), b = most_of(operand(value, 1), depth + 1);
  if (a >= HALF || b >= HALF) return UINT64_MAX; /* nothing here comes near 64 bits */
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMAdd:
    a += b;
    break;
  case LLVMMul:
    a *= b;
    break;
  case LLVMShl:
    a = b < 32 ? a << b : UINT64_MAX;
    break;
  case LLVMLShr:
    return LLVMIsAConstantInt(operand(value, 1)) && b < 32 ? a >> b : a;
  default:
    a = ones(a | b);
  }
  return a >= 1ull << (bits_of(value) - 1) ? UINT64_MAX : a; /* it might wrap */
}

/* --- whether fewer bits do --- */

static bool is_small(LLVMValueRef value, unsigned bits) {
  return most_of(value, 0) < 1ull << bits;
}

/* Are its low bits made of low bits of what is as small?  Of what a shift to the right, a minimum or a
 * maximum takes, no other bit may be set. */
static bool fits(LLVMValueRef value, unsigned bits, unsigned depth) {
  if (LLVMIsAConstantInt(value)) return true;
  if (LLVMIsAZExtInst(value) || LLVMIsASExtInst(value)) {
    unsigned from = bits_of(operand(value, 0));
    return from >= 8 && from <= bits;
  }
  if (!LLVMIsAInstruction(value) || depth > MPL_DEEPEST || !mpl_only_user(value)) return false;
  if (mpl_extreme_of(value).is)
    return is_small(operand(value, 0), bits) && is_small(operand(value, 1), bits) &&
           fits(operand(value, 0), bits, depth + 1) && fits(operand(value, 1), bits, depth + 1);
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
    return fits(operand(value, 0), bits, depth + 1) && fits(operand(value, 1), bits, depth + 1);
  case LLVMSelect:
    return fits(operand(value, 1), bits, depth + 1) && fits(operand(value, 2), bits, depth + 1);
  case LLVMLShr:
  case LLVMAShr:
    if (!is_small(operand(value, 0), bits)) return false;
    break;
  case LLVMShl:
    break;
  default:
    return false;
  }
  return LLVMIsAConstantInt(operand(value, 1)) && LLVMConstIntGetZExtValue(operand(value, 1)) < bits &&
         fits(operand(value, 0), bits, depth + 1);
}

/* --- the same of fewer bits --- */

static LLVMValueRef narrowed(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef value,
                             LLVMTypeRef type) {
  LLVMValueRef parts[2];
  uint64_t low = (1ull << LLVMGetIntTypeWidth(type)) - 1;
  if (LLVMIsAConstantInt(value)) return LLVMConstInt(type, LLVMConstIntGetZExtValue(value) & low, false);
  if (LLVMIsACastInst(value)) {
    LLVMPositionBuilderBefore(b, value);
    return LLVMIsASExtInst(value) ? LLVMBuildSExtOrBitCast(b, operand(value, 0), type, "")
                                  : LLVMBuildZExtOrBitCast(b, operand(value, 0), type, "");
  }
  bool chooses = LLVMIsASelectInst(value) != NULL;
  struct mpl_extreme extreme = mpl_extreme_of(value);
  for (unsigned k = 0; k < 2; k++) parts[k] = narrowed(ir, b, operand(value, k + chooses), type);
  LLVMPositionBuilderBefore(b, value);
  if (chooses) return LLVMBuildSelect(b, operand(value, 0), parts[0], parts[1], "");
  if (extreme.is)
    return mpl_call_intrinsic(b, extreme.largest ? "llvm.umax" : "llvm.umin", type, parts, 2);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  return LLVMBuildBinOp(b, opcode == LLVMAShr ? LLVMLShr : opcode, parts[0], parts[1], "");
}

/* The fewest bits of a register's elements that do; 0: as many as there are. */
static unsigned fewest(LLVMValueRef cut) {
  LLVMValueRef value = operand(cut, 0);
  if (bits_of(value) > WIDEST || !bits_of(value)) return 0;
  if (LLVMIsACastInst(value) || !LLVMIsAInstruction(value)) return 0;
  for (unsigned bits = 8; bits <= 16 && bits < bits_of(value); bits *= 2)
    if (bits >= bits_of(cut) && bits_of(cut) >= 8 && fits(value, bits, 0)) return bits;
  return 0;
}

static void erase_unused(LLVMValueRef value) {
  if (!LLVMIsAInstruction(value) || LLVMGetFirstUse(value)) return;
  LLVMValueRef of[3];
  unsigned count = LLVMIsACallInst(value) ? 2 : (unsigned)LLVMGetNumOperands(value);
  for (unsigned k = 0; k < count; k++) of[k] = operand(value, k);
  LLVMInstructionEraseFromParent(value);
  for (unsigned k = 0; k < count; k++) erase_unused(of[k]);
}

bool mpl_narrow(struct mpl_module_ir *ir, LLVMValueRef function) {
  bool changed = false;
  if (!ir->target->counted) return false;
  MPL_BUILDER(b, ir->context);
  MPL_EACH_INSTRUCTION_OF(i, function) {
    unsigned bits = LLVMIsATruncInst(i) ? fewest(i) : 0;
    if (!bits) continue;
    LLVMValueRef wide = operand(i, 0);
    LLVMValueRef value = narrowed(ir, b, wide, LLVMIntTypeInContext(ir->context, bits));
    LLVMPositionBuilderBefore(b, i);
    mpl_replace(i, LLVMBuildTruncOrBitCast(b, value, LLVMTypeOf(i), ""));
    erase_unused(wide);
    changed = true;
  }
  return changed;
}
