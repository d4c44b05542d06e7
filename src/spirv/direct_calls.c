/* Instructions that are one call of a function each (tables/spirv_calls.def): of pipes, and of
 * device-side enqueue (SPIR-V specification, 3.49.23 and 3.49.24).  Reservations, queues and events
 * are pointers there too. */
#include <stdio.h>

#include "call.h"

enum { NOTHING, VALUE };
enum { ITEM, GROUP };

static const struct row {
  SpvOp opcode;
  const char *function;
  unsigned has_result, of_group, generic;
} rows[] = {
#define MPL_SPIRV_CALL(opcode, function, result, scope, generic)                                   \
  {SpvOp##opcode, #function, result, scope, generic},
#include "tables/spirv_calls.def"
};

LLVMValueRef mpl_spirv_generic(mpl_spirv r, LLVMValueRef pointer) {
  LLVMTypeRef type = mpl_spirv_pointer(r, SPACE_GENERIC);
  if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind)
    mpl_spirv_fail("an instruction of pipes or queues has a number in place of a pointer");
  return LLVMTypeOf(pointer) == type ? pointer : LLVMBuildAddrSpaceCast(r->b, pointer, type, "");
}

LLVMValueRef mpl_spirv_direct_call(mpl_spirv r, const char *name, LLVMTypeRef result,
                                   LLVMValueRef *values, unsigned count) {
  LLVMTypeRef types[CALL_ARGS] = {0}; /* gcc 12 wonders */
  for (unsigned i = 0; i < count; i++) types[i] = LLVMTypeOf(values[i]);
  return mpl_spirv_c_call(r, mpl_spirv_c_function(r, name, result, types, count), result, values,
                          count);
}

static void name_of(mpl_spirv r, mpl_spirv_in in, const struct row *row, unsigned scope, char *name,
                    size_t room) {
  if (!row->of_group) {
    snprintf(name, room, "%s", row->function);
    return;
  }
  uint64_t which = mpl_spirv_constant(r, mpl_spirv_word(in, scope));
  if (which != SpvScopeSubgroup && which != SpvScopeWorkgroup)
    mpl_spirv_fail("%s must be for a work-group or a sub-group: other scopes are not supported",
                   mpl_spirv_op_name(in->opcode));
  snprintf(name, room, "__%s_group_%s", which == SpvScopeSubgroup ? "sub" : "work", row->function);
}

/* As clang hands it over: numbers of 32 bits. */
static LLVMValueRef argument(mpl_spirv r, LLVMValueRef value, bool is_generic) {
  if (is_generic) return mpl_spirv_generic(r, value);
  if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind) return value;
  return LLVMBuildIntCast2(r->b, value, r->i32, false, "");
}

static void call(mpl_spirv r, mpl_spirv_in in, const struct row *row) {
  LLVMValueRef values[CALL_ARGS];
  char name[CALL_NAME];
  unsigned scope = row->has_result ? 3 : 1, first = scope + row->of_group, count = 0;
  name_of(r, in, row, scope, name, sizeof name);
  for (unsigned i = first; i < in->count && count < CALL_ARGS; i++, count++)
    values[count] = argument(r, mpl_spirv_operand(r, in, i), row->generic >> count & 1);
  LLVMTypeRef result = row->has_result ? mpl_spirv_type(r, mpl_spirv_word(in, 1)) : r->void_type;
  LLVMValueRef value = mpl_spirv_direct_call(r, name, result, values, count);
  if (row->has_result) mpl_spirv_result(r, in, value);
}

bool mpl_spirv_direct(mpl_spirv r, mpl_spirv_in in) {
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].opcode != (SpvOp)in->opcode) continue;
    call(r, in, &rows[i]);
    return true;
  }
  return false;
}
