/* The table of collectives as algebra. */
#include "algebra.h"

#include <stdlib.h>
#include <string.h>

#include "markers.h"

enum kind { SIGNED, UNSIGNED, FLOATING };
enum identity { ZERO, ONE, ONES, HIGHEST, LOWEST };

static const char *const forms[] = {
#define MPL_FORM(form, result) #form,
#include "tables/collectives.def"
};
static const struct {
  const char *name;
  enum identity identity;
} operations[] = {
#define MPL_OPERATION(op, types, identity, feature) {#op, identity},
#include "tables/collectives.def"
};
static const struct {
  const char *name;
  enum kind kind;
} types[] = {
#define MPL_GROUP_TYPE(type, llvm, kind) {#type, kind},
#include "tables/collectives.def"
};
#define ARRAY_SIZE(array) (sizeof(array) / sizeof *(array))

/* Moves on behind the word and an underscore or the end; null if the text begins otherwise. */
static const char *behind(const char *text, const char *word) {
  size_t length = strlen(word);
  if (!text || strncmp(text, word, length)) return NULL;
  text += length;
  return *text == '_' ? text + 1 : !*text || *text == '.' ? text : NULL; /* "name.1": linked in */
}

/* Library functions are named form_operation_type, those that other modules use __mpl_ before that.
 */
static bool parse(const char *name, struct mpl_collective *c) {
  static const char common[] = "__mpl_";
  if (!strncmp(name, common, sizeof common - 1)) name += sizeof common - 1;
  for (unsigned f = 0; f < ARRAY_SIZE(forms); f++)
    for (unsigned o = 0; o < ARRAY_SIZE(operations); o++)
      for (unsigned t = 0; t < ARRAY_SIZE(types); t++) {
        const char *end = behind(behind(behind(name, forms[f]), operations[o].name), types[t].name);
        if (!end || (*end && *end != '.')) continue;
        c->form = f;
        c->operation = o;
        c->is_signed = types[t].kind == SIGNED;
        c->is_floating = types[t].kind == FLOATING;
        return true;
      }
  return false;
}

bool mpl_collective_of(LLVMValueRef sync, struct mpl_collective *c) {
  enum mpl_marker marker = mpl_marker_of(sync);
  if (marker != MPL_MARK_REDUCE && marker != MPL_MARK_SCAN) return false;
  LLVMValueRef function = LLVMGetOperand(sync, 1);
  while (LLVMIsAConstantExpr(function)) function = LLVMGetOperand(function, 0);
  c->type = LLVMTypeOf(sync);
  return LLVMIsAFunction(function) && parse(LLVMGetValueName(function), c);
}

bool mpl_is_vote(const struct mpl_collective *c, LLVMValueRef operand) {
  switch (c->operation) {
  case MPL_OP_and:
  case MPL_OP_or:
  case MPL_OP_logical_and:
  case MPL_OP_logical_or:
    if (!LLVMIsAZExtInst(operand)) return false;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(operand, 0));
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
  default:
    return false;
  }
}

bool mpl_is_and(const struct mpl_collective *c) {
  return c->operation == MPL_OP_and || c->operation == MPL_OP_logical_and;
}

LLVMValueRef mpl_identity(const struct mpl_collective *c) {
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

static LLVMValueRef lesser(LLVMBuilderRef b, bool is_signed, LLVMValueRef x, LLVMValueRef y,
                           LLVMValueRef if_less, LLVMValueRef if_not) {
  LLVMValueRef less = LLVMBuildICmp(b, is_signed ? LLVMIntSLT : LLVMIntULT, x, y, "");
  return LLVMBuildSelect(b, less, if_less, if_not, "");
}

LLVMValueRef mpl_combine(LLVMBuilderRef b, const struct mpl_collective *c, LLVMValueRef x,
                         LLVMValueRef y) {
  switch (c->operation) {
  case MPL_OP_add:
    return LLVMBuildAdd(b, x, y, "");
  case MPL_OP_mul:
    return LLVMBuildMul(b, x, y, "");
  case MPL_OP_min:
    return lesser(b, c->is_signed, y, x, y, x);
  case MPL_OP_max:
    return lesser(b, c->is_signed, x, y, y, x);
  case MPL_OP_and:
  case MPL_OP_logical_and: /* operands are 0 or 1 by then */
    return LLVMBuildAnd(b, x, y, "");
  case MPL_OP_or:
  case MPL_OP_logical_or:
    return LLVMBuildOr(b, x, y, "");
  case MPL_OP_xor:
  case MPL_OP_logical_xor:
    return LLVMBuildXor(b, x, y, "");
  }
  abort();
}
