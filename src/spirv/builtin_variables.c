/* Variables that the device fills (SPIR-V specification, 3.21, BuiltIn).  OpenCL C has functions in
 * their place: a variable is a private copy of their answers, made at the beginning of a function,
 * and LLVM leaves only loads of it. */
#include "call.h"
#include "reader.h"

enum kind { EACH, SIZE, UINT, MASK };

static const struct {
  SpvBuiltIn builtin;
  const char *function;
  enum kind kind;
} rows[] = {
#define MPL_SPIRV_BUILTIN(name, function, kind) {SpvBuiltIn##name, #function, kind},
#include "tables/spirv_builtins.def"
};

static LLVMValueRef ask(mpl_spirv r, const char *function, LLVMValueRef dimension,
                        LLVMTypeRef result) {
  struct mpl_spirv_call call;
  mpl_spirv_call_begin(&call, "%s", function);
  if (dimension) mpl_spirv_call_add(&call, dimension, false);
  return mpl_spirv_call_end(r, &call, result, false, CALL_PURE);
}

static LLVMValueRef value_of(mpl_spirv r, uint32_t builtin, LLVMTypeRef type) {
  unsigned row = 0, rows_count = sizeof rows / sizeof *rows;
  while (row < rows_count && rows[row].builtin != (SpvBuiltIn)builtin) row++;
  if (row == rows_count) mpl_spirv_fail("built-in variable %u is not one of OpenCL's", builtin);
  LLVMTypeRef scalar = mpl_spirv_scalar(type);
  if (LLVMGetTypeKind(scalar) != LLVMIntegerTypeKind)
    mpl_spirv_fail("the built-in variable of %s has a type that it must not have",
                   rows[row].function);
  if (rows[row].kind == MASK) return ask(r, rows[row].function, NULL, LLVMVectorType(r->i32, 4));
  if (rows[row].kind != EACH)
    return LLVMBuildIntCast2(
        r->b, ask(r, rows[row].function, NULL, rows[row].kind == UINT ? r->i32 : r->i64), type,
        false, "");
  LLVMValueRef vector = LLVMGetPoison(type);
  if (mpl_spirv_lanes(type) != 3)
    mpl_spirv_fail("the built-in variable for %s must be a vector of three",
                   rows[row].function);
  for (unsigned i = 0; i < 3; i++) {
    LLVMValueRef at = LLVMConstInt(r->i32, i, false), part = ask(r, rows[row].function, at, r->i64);
    part = LLVMBuildIntCast2(r->b, part, scalar, false, "");
    vector = LLVMBuildInsertElement(r->b, vector, part, at, "");
  }
  return vector;
}

/* Is it such a variable, with an element for each dimension?  Then the row of its function. */
static int row_of_each(mpl_spirv r, uint32_t id) {
  const struct mpl_spirv_decoration *builtin = mpl_spirv_decoration(r, id, SpvDecorationBuiltIn);
  mpl_spirv_in def = &mpl_spirv_at(r, id)->def;
  if (!builtin || !r->function || !def->words || def->opcode != SpvOpVariable) return -1;
  for (unsigned row = 0; row < sizeof rows / sizeof *rows; row++)
    if (rows[row].builtin == (SpvBuiltIn)builtin->words[0] && rows[row].kind == EACH)
      return (int)row;
  return -1;
}

/* Of any dimension, as OpenCL C's functions answer for those that are not there: SPIR-V has no
 * answer for them (3.49.12, OpVectorExtractDynamic), and its modules were OpenCL C. */
static LLVMValueRef ask_at(mpl_spirv r, unsigned row, LLVMValueRef index, LLVMTypeRef scalar) {
  LLVMTypeRef wide = LLVMTypeOf(index);
  if (LLVMGetIntTypeWidth(wide) > 32) {
    LLVMValueRef none = LLVMConstInt(wide, 3, false);
    LLVMValueRef is_there = LLVMBuildICmp(r->b, LLVMIntULT, index, none, "");
    index = LLVMBuildSelect(r->b, is_there, index, none, "");
  }
  index = LLVMBuildIntCast2(r->b, index, r->i32, false, "");
  LLVMValueRef value = ask(r, rows[row].function, index, r->i64);
  return LLVMBuildIntCast2(r->b, value, scalar, false, "");
}

LLVMValueRef mpl_spirv_builtin_element(mpl_spirv r, uint32_t vector, LLVMValueRef index) {
  mpl_spirv_in load = &mpl_spirv_at(r, vector)->def;
  if (!load->words || load->opcode != SpvOpLoad) return NULL;
  int row = row_of_each(r, mpl_spirv_word(load, 3));
  LLVMTypeRef scalar = mpl_spirv_scalar(LLVMTypeOf(mpl_spirv_value(r, vector)));
  return row < 0 ? NULL : ask_at(r, (unsigned)row, index, scalar);
}

LLVMValueRef mpl_spirv_builtin_place(mpl_spirv r, uint32_t variable, LLVMValueRef index) {
  int row = row_of_each(r, variable);
  if (row < 0 || LLVMIsAConstant(index)) return NULL;
  uint32_t type_id = mpl_spirv_pointee(r, mpl_spirv_at(r, variable)->type_id);
  LLVMTypeRef scalar = mpl_spirv_scalar(mpl_spirv_type(r, type_id));
  LLVMBasicBlockRef here = LLVMGetInsertBlock(r->b);
  LLVMPositionBuilderAtEnd(r->b, r->entry);
  LLVMValueRef place = LLVMBuildAlloca(r->b, scalar, "");
  LLVMPositionBuilderAtEnd(r->b, here);
  LLVMBuildStore(r->b, ask_at(r, (unsigned)row, index, scalar), place);
  return place;
}

LLVMValueRef mpl_spirv_builtin_variable(mpl_spirv r, uint32_t id) {
  const struct mpl_spirv_decoration *builtin = mpl_spirv_decoration(r, id, SpvDecorationBuiltIn);
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_pointee(r, mpl_spirv_at(r, id)->type_id));
  LLVMBasicBlockRef here = LLVMGetInsertBlock(r->b);
  LLVMPositionBuilderAtEnd(r->b, r->entry);
  LLVMValueRef place = LLVMBuildAlloca(r->b, type, "");
  LLVMBuildStore(r->b, value_of(r, builtin->words[0], type), place);
  LLVMPositionBuilderAtEnd(r->b, here);
  return place;
}
