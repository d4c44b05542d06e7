/* The table of operations as algebra. */
#include "algebra.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "markers.h"

enum kind { SIGNED, UNSIGNED, FLOATING };
enum identity { ZERO, ONE, ONES, HIGHEST, LOWEST };

static const char *const forms[] = {
#define MPL_FORM(form, result) #form,
#include "tables/collectives.def"
};
enum { LIBRARY = -3, LESSER, GREATER }; /* no opcodes */
static const struct operation {
  const char *name;
  enum identity identity;
  int llvm; /* an LLVMOpcode, or one of those */
} operations[] = {
#define OPCODE(name)                                                       LLVM##name
#define MPL_OPERATION(op, types, identity, feature, order, combined, llvm) {#op, identity, llvm},
#include "tables/operations.def"
};
static const struct {
  const char *name;
  enum kind kind;
} types[] = {
#define MPL_SUB_GROUP_TYPE(type, llvm, kind, set) {#type, kind},
#include "tables/collectives.def"
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static bool is_word(const char *text, size_t length, const char *word) {
  return strlen(word) == length && !strncmp(text, word, length);
}

/* Library functions are named form_operation_type, those that other modules use __mpl_ before that,
 * and linked in ones perhaps ".1" behind it. */
static bool parse(const char *name, struct mpl_collective *c) {
  static const char common[] = "__mpl_";
  if (!strncmp(name, common, sizeof common - 1)) name += sizeof common - 1;
  size_t f = 0, o = 0, t = 0, length = strcspn(name, "."), type = length;
  while (f < COUNT(forms) && strncmp(name, forms[f], strlen(forms[f]))) f++;
  while (type && name[type - 1] != '_') type--;
  size_t op = f < COUNT(forms) ? strlen(forms[f]) + 1 : length;
  if (op >= type || name[op - 1] != '_') return false;
  while (o < COUNT(operations) && !is_word(name + op, type - 1 - op, operations[o].name)) o++;
  while (t < COUNT(types) && !is_word(name + type, length - type, types[t].name)) t++;
  if (o == COUNT(operations) || t == COUNT(types)) return false;
  c->form = f;
  c->operation = o;
  c->is_signed = types[t].kind == SIGNED;
  c->is_floating = types[t].kind == FLOATING;
  return true;
}

static const char *combine_name(LLVMValueRef call) {
  LLVMValueRef function = LLVMGetOperand(call, LLVMGetNumArgOperands(call) - 1);
  while (LLVMIsAConstantExpr(function)) function = LLVMGetOperand(function, 0);
  return LLVMIsAFunction(function) ? LLVMGetValueName(function) : "";
}

bool mpl_lanes_collective_of(LLVMValueRef call, struct mpl_collective *c) {
  static const char lanes[] = "lanes_", cluster[] = "cluster_";
  const char *name = combine_name(call);
  if (strncmp(name, lanes, sizeof lanes - 1)) return false;
  name += sizeof lanes - 1;
  c->type = LLVMTypeOf(LLVMGetOperand(call, 0));
  if (strncmp(name, cluster, sizeof cluster - 1)) return parse(name, c);
  char reduce[64]; /* of some lanes */
  snprintf(reduce, sizeof reduce, "reduce_%s", name + sizeof cluster - 1);
  return parse(reduce, c);
}

bool mpl_collective_of(LLVMValueRef sync, struct mpl_collective *c) {
  enum mpl_marker marker = mpl_marker_of(sync);
  if (marker != MPL_MARK_REDUCE && marker != MPL_MARK_SCAN) return false;
  c->type = LLVMTypeOf(sync);
  return parse(combine_name(sync), c);
}

bool mpl_is_one_step(const struct mpl_collective *c) {
  return !c->is_floating && operations[c->operation].llvm != LIBRARY;
}

bool mpl_is_vote(const struct mpl_collective *c, LLVMValueRef operand) {
  int opcode = operations[c->operation].llvm;
  if ((opcode != LLVMAnd && opcode != LLVMOr) || !LLVMIsAZExtInst(operand)) return false;
  return mpl_integer_bits(LLVMTypeOf(LLVMGetOperand(operand, 0))) == 1;
}

bool mpl_is_and(const struct mpl_collective *c) {
  return operations[c->operation].llvm == LLVMAnd;
}

LLVMValueRef mpl_identity(const struct mpl_collective *c) {
  LLVMValueRef zero = LLVMConstNull(c->type);
  LLVMValueRef one = c->is_floating ? LLVMConstReal(c->type, 1) : LLVMConstInt(c->type, 1, false);
  LLVMValueRef ones = c->is_floating ? zero : LLVMConstAllOnes(c->type), highest, lowest;
  if (c->is_floating) {
    highest = LLVMConstReal(c->type, INFINITY);
    lowest = LLVMConstReal(c->type, -INFINITY);
  } else {
    LLVMValueRef sign = LLVMConstInt(c->type, (uint64_t)1 << (LLVMGetIntTypeWidth(c->type) - 1), false);
    highest = c->is_signed ? LLVMConstNot(sign) : ones;
    lowest = c->is_signed ? sign : zero;
  }
  LLVMValueRef identities[] = {
      [ZERO] = zero, [ONE] = one, [ONES] = ones, [HIGHEST] = highest, [LOWEST] = lowest};
  return identities[operations[c->operation].identity];
}

LLVMValueRef mpl_combine(LLVMBuilderRef b, const struct mpl_collective *c, LLVMValueRef x,
                         LLVMValueRef y) {
  int llvm = operations[c->operation].llvm;
  if (llvm > 0) return LLVMBuildBinOp(b, (LLVMOpcode)llvm, x, y, "");
  LLVMIntPredicate less = c->is_signed ? LLVMIntSLT : LLVMIntULT;
  LLVMValueRef is = LLVMBuildICmp(b, less, llvm == LESSER ? y : x, llvm == LESSER ? x : y, "");
  return LLVMBuildSelect(b, is, y, x, "");
}

/* Atomics that are an instruction, and those that choose one of two. */
static const struct {
  LLVMOpcode does;
  LLVMIntPredicate chooses;
  LLVMRealPredicate chooses_float;
} atomics[] = {
    [LLVMAtomicRMWBinOpAdd] = {.does = LLVMAdd},
    [LLVMAtomicRMWBinOpSub] = {.does = LLVMSub},
    [LLVMAtomicRMWBinOpAnd] = {.does = LLVMAnd},
    [LLVMAtomicRMWBinOpOr] = {.does = LLVMOr},
    [LLVMAtomicRMWBinOpXor] = {.does = LLVMXor},
    [LLVMAtomicRMWBinOpMax] = {.chooses = LLVMIntSGT},
    [LLVMAtomicRMWBinOpMin] = {.chooses = LLVMIntSLT},
    [LLVMAtomicRMWBinOpUMax] = {.chooses = LLVMIntUGT},
    [LLVMAtomicRMWBinOpUMin] = {.chooses = LLVMIntULT},
    [LLVMAtomicRMWBinOpFAdd] = {.does = LLVMFAdd},
    [LLVMAtomicRMWBinOpFSub] = {.does = LLVMFSub},
    [LLVMAtomicRMWBinOpFMax] = {.chooses_float = LLVMRealOGT},
    [LLVMAtomicRMWBinOpFMin] = {.chooses_float = LLVMRealOLT},
};

LLVMIntPredicate mpl_atomic_chooses(LLVMAtomicRMWBinOp operation) {
  return operation < sizeof atomics / sizeof *atomics ? atomics[operation].chooses : 0;
}

LLVMValueRef mpl_apply_atomic(LLVMBuilderRef b, LLVMAtomicRMWBinOp operation, LLVMValueRef old,
                              LLVMValueRef value) {
  if (operation == LLVMAtomicRMWBinOpXchg) return value;
  if (operation >= sizeof atomics / sizeof *atomics) return NULL;
  if (atomics[operation].does) return LLVMBuildBinOp(b, atomics[operation].does, old, value, "");
  LLVMIntPredicate chooses = atomics[operation].chooses;
  LLVMRealPredicate chooses_float = atomics[operation].chooses_float;
  if (!chooses && !chooses_float) return NULL;
  LLVMValueRef is;
  if (chooses) {
    is = LLVMBuildICmp(b, chooses, old, value, "");
  } else { /* as fmin and fmax: a NaN is not chosen */
    LLVMValueRef no_number = LLVMBuildFCmp(b, LLVMRealUNO, value, value, "");
    is = LLVMBuildOr(b, LLVMBuildFCmp(b, chooses_float, old, value, ""), no_number, "");
  }
  return LLVMBuildSelect(b, is, old, value, "");
}
