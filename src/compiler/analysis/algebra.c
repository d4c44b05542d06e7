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

static LLVMValueRef floating_identity(const struct mpl_collective *c) {
  switch (operations[c->operation].identity) {
  case ONE:
    return LLVMConstReal(c->type, 1);
  case HIGHEST:
    return LLVMConstReal(c->type, INFINITY);
  case LOWEST:
    return LLVMConstReal(c->type, -INFINITY);
  default:
    return LLVMConstNull(c->type);
  }
}

LLVMValueRef mpl_identity(const struct mpl_collective *c) {
  if (c->is_floating) return floating_identity(c);
  LLVMValueRef zero = LLVMConstNull(c->type), ones = LLVMConstAllOnes(c->type);
  unsigned width = LLVMGetIntTypeWidth(c->type);
  LLVMValueRef lowest = LLVMConstInt(c->type, (uint64_t)1 << (width - 1), false);
  switch (operations[c->operation].identity) {
  case ZERO:
    return zero;
  case ONE:
    return LLVMConstInt(c->type, 1, false);
  case ONES:
    return ones;
  case HIGHEST:
    return c->is_signed ? LLVMConstNot(lowest) : ones;
  case LOWEST:
    return c->is_signed ? lowest : zero;
  }
  abort();
}

LLVMValueRef mpl_combine(LLVMBuilderRef b, const struct mpl_collective *c, LLVMValueRef x,
                         LLVMValueRef y) {
  int llvm = operations[c->operation].llvm;
  if (llvm > 0) return LLVMBuildBinOp(b, (LLVMOpcode)llvm, x, y, "");
  LLVMIntPredicate less = c->is_signed ? LLVMIntSLT : LLVMIntULT;
  LLVMValueRef is = LLVMBuildICmp(b, less, llvm == LESSER ? y : x, llvm == LESSER ? x : y, "");
  return LLVMBuildSelect(b, is, y, x, "");
}

static LLVMValueRef choose(LLVMBuilderRef b, LLVMIntPredicate predicate, LLVMValueRef x,
                           LLVMValueRef y) {
  return LLVMBuildSelect(b, LLVMBuildICmp(b, predicate, x, y, ""), x, y, "");
}

/* As fmin and fmax: a NaN is not chosen. */
static LLVMValueRef choose_float(LLVMBuilderRef b, LLVMRealPredicate predicate, LLVMValueRef x,
                                 LLVMValueRef y) {
  LLVMValueRef no_number = LLVMBuildFCmp(b, LLVMRealUNO, y, y, "");
  LLVMValueRef is = LLVMBuildOr(b, LLVMBuildFCmp(b, predicate, x, y, ""), no_number, "");
  return LLVMBuildSelect(b, is, x, y, "");
}

LLVMValueRef mpl_apply_atomic(LLVMBuilderRef b, LLVMAtomicRMWBinOp operation, LLVMValueRef old,
                              LLVMValueRef value) {
  switch (operation) {
  case LLVMAtomicRMWBinOpXchg:
    return value;
  case LLVMAtomicRMWBinOpAdd:
    return LLVMBuildAdd(b, old, value, "");
  case LLVMAtomicRMWBinOpSub:
    return LLVMBuildSub(b, old, value, "");
  case LLVMAtomicRMWBinOpAnd:
    return LLVMBuildAnd(b, old, value, "");
  case LLVMAtomicRMWBinOpOr:
    return LLVMBuildOr(b, old, value, "");
  case LLVMAtomicRMWBinOpXor:
    return LLVMBuildXor(b, old, value, "");
  case LLVMAtomicRMWBinOpMax:
    return choose(b, LLVMIntSGT, old, value);
  case LLVMAtomicRMWBinOpMin:
    return choose(b, LLVMIntSLT, old, value);
  case LLVMAtomicRMWBinOpUMax:
    return choose(b, LLVMIntUGT, old, value);
  case LLVMAtomicRMWBinOpUMin:
    return choose(b, LLVMIntULT, old, value);
  case LLVMAtomicRMWBinOpFAdd:
    return LLVMBuildFAdd(b, old, value, "");
  case LLVMAtomicRMWBinOpFSub:
    return LLVMBuildFSub(b, old, value, "");
  case LLVMAtomicRMWBinOpFMax:
    return choose_float(b, LLVMRealOGT, old, value);
  case LLVMAtomicRMWBinOpFMin:
    return choose_float(b, LLVMRealOLT, old, value);
  default:
    return NULL;
  }
}
