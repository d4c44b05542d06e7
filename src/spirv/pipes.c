/* Pipes (SPIR-V specification, 3.49.23): the same calls that clang makes of OpenCL C's functions
 * (builtins/pipe.cl).  A reservation is a pointer there too. */
#include <stdio.h>
#include <string.h>

#include "reader.h"

enum { NO_DATA = -1 };

static const struct row {
  SpvOp opcode;
  const char
      *function; /* of work-items; of groups, what stands behind __work_group or __sub_group */
  bool has_result, of_group;
  int data; /* which operand, from the pipe on, points to the packet */
} rows[] = {
    {SpvOpReadPipe, "__read_pipe_2", true, false, 1},
    {SpvOpWritePipe, "__write_pipe_2", true, false, 1},
    {SpvOpReservedReadPipe, "__read_pipe_4", true, false, 3},
    {SpvOpReservedWritePipe, "__write_pipe_4", true, false, 3},
    {SpvOpReserveReadPipePackets, "__reserve_read_pipe", true, false, NO_DATA},
    {SpvOpReserveWritePipePackets, "__reserve_write_pipe", true, false, NO_DATA},
    {SpvOpCommitReadPipe, "__commit_read_pipe", false, false, NO_DATA},
    {SpvOpCommitWritePipe, "__commit_write_pipe", false, false, NO_DATA},
    {SpvOpIsValidReserveId, "_Z19is_valid_reserve_id13ocl_reserveid", true, false, NO_DATA},
    {SpvOpGetNumPipePackets, "__get_pipe_num_packets_ro", true, false, NO_DATA},
    {SpvOpGetMaxPipePackets, "__get_pipe_max_packets_ro", true, false, NO_DATA},
    {SpvOpGroupReserveReadPipePackets, "reserve_read_pipe", true, true, NO_DATA},
    {SpvOpGroupReserveWritePipePackets, "reserve_write_pipe", true, true, NO_DATA},
    {SpvOpGroupCommitReadPipe, "commit_read_pipe", false, true, NO_DATA},
    {SpvOpGroupCommitWritePipe, "commit_write_pipe", false, true, NO_DATA},
};

static void name_of(mpl_spirv r, mpl_spirv_in in, const struct row *row, unsigned scope, char *name,
                    size_t room) {
  if (!row->of_group) {
    snprintf(name, room, "%s", row->function);
    return;
  }
  uint64_t which = mpl_spirv_constant(r, mpl_spirv_word(in, scope));
  if (which != SpvScopeSubgroup && which != SpvScopeWorkgroup)
    mpl_spirv_fail("%s is for a work-group or a sub-group", mpl_spirv_op_name(in->opcode));
  snprintf(name, room, "__%s_group_%s", which == SpvScopeSubgroup ? "sub" : "work", row->function);
}

/* As clang hands it over: packets by generic pointers, numbers of 32 bits. */
static LLVMValueRef argument(mpl_spirv r, LLVMValueRef value, bool is_data) {
  if (is_data) return LLVMBuildAddrSpaceCast(r->b, value, mpl_spirv_pointer(r, SPACE_GENERIC), "");
  if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind) return value;
  return LLVMBuildIntCast2(r->b, value, r->i32, false, "");
}

static void call(mpl_spirv r, mpl_spirv_in in, const struct row *row) {
  enum { MOST = 6 };
  LLVMValueRef values[MOST];
  LLVMTypeRef types[MOST];
  char name[64];
  unsigned scope = row->has_result ? 3 : 1, first = scope + row->of_group, count = 0;
  name_of(r, in, row, scope, name, sizeof name);
  for (unsigned i = first; i < in->count && count < MOST; i++, count++) {
    values[count] = argument(r, mpl_spirv_operand(r, in, i), (int)count == row->data);
    types[count] = LLVMTypeOf(values[count]);
  }
  LLVMTypeRef result = row->has_result ? mpl_spirv_type(r, mpl_spirv_word(in, 1)) : r->void_type;
  LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
  LLVMValueRef function = LLVMGetNamedFunction(r->module, name);
  if (!function) function = LLVMAddFunction(r->module, name, type);
  if (LLVMGlobalGetValueType(function) != type)
    mpl_spirv_fail("%s has operands of types that it must not have", mpl_spirv_op_name(in->opcode));
  LLVMValueRef value = LLVMBuildCall2(r->b, type, function, values, count, "");
  if (row->has_result) mpl_spirv_result(r, in, value);
}

bool mpl_spirv_pipe(mpl_spirv r, mpl_spirv_in in) {
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].opcode != (SpvOp)in->opcode) continue;
    call(r, in, &rows[i]);
    return true;
  }
  return false;
}
