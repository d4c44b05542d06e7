/* Functions of groups (SPIR-V specification, 3.49.21 and 3.49.24): OpenCL C's functions of
 * tables/collectives.def. */
#include <stdio.h>
#include <string.h>

#include "call.h"
#include "reader.h"

static const struct reduction {
  SpvOp opcode;
  const char *op;
  bool is_signed;
} reductions[] = {
#define S                                     true
#define U                                     false
#define MPL_SPIRV_REDUCTION(opcode, op, sign) {SpvOp##opcode, #op, sign},
#include "tables/spirv_groups.def"
};

static const struct function {
  SpvOp opcode;
  const char *name;
  bool is_signed;
} functions[] = {
#define MPL_SPIRV_GROUP(opcode, name, sign) {SpvOp##opcode, #name, sign},
#include "tables/spirv_groups.def"
#undef S
#undef U
};

static const struct {
  SpvOp opcode;
  const char *name;
} shuffles[] = {
#define MPL_SPIRV_SHUFFLE(opcode, name) {SpvOp##opcode, #name},
#include "tables/spirv_groups.def"
};

static bool in_sub_group(mpl_spirv r, mpl_spirv_in in) {
  uint64_t scope = mpl_spirv_constant(r, mpl_spirv_word(in, 3));
  if (scope != SpvScopeSubgroup && scope != SpvScopeWorkgroup)
    mpl_spirv_fail("%s must be for a work-group or a sub-group: other scopes are not supported",
                   mpl_spirv_op_name(in->opcode));
  return scope == SpvScopeSubgroup;
}

static void require_sub_group(mpl_spirv r, mpl_spirv_in in) {
  if (!in_sub_group(r, in))
    mpl_spirv_fail("%s must be for a sub-group: other scopes are not supported",
                   mpl_spirv_op_name(in->opcode));
}

static bool is_truth(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

/* Calls the function on one component; truths are int for it. */
static LLVMValueRef call_on(mpl_spirv r, const char *name, LLVMTypeRef result, LLVMValueRef value,
                            LLVMValueRef *more, unsigned num_more, bool is_signed,
                            bool more_signed) {
  struct mpl_spirv_call call;
  LLVMTypeRef returned = is_truth(result) ? r->i32 : result;
  mpl_spirv_call_begin(&call, "%s", name);
  if (value && is_truth(LLVMTypeOf(value))) value = LLVMBuildZExt(r->b, value, r->i32, "");
  if (value) mpl_spirv_call_add(&call, value, is_signed);
  for (unsigned i = 0; i < num_more; i++) mpl_spirv_call_add(&call, more[i], more_signed);
  LLVMValueRef got = mpl_spirv_call_end(r, &call, returned, is_signed, CALL_CONVERGENT);
  return returned == result ? got : LLVMBuildICmp(r->b, LLVMIntNE, got, LLVMConstNull(r->i32), "");
}

/* The same for each component of a vector. */
static LLVMValueRef call_on_each(mpl_spirv r, const char *name, LLVMValueRef value,
                                 LLVMValueRef *more, unsigned num_more, bool is_signed,
                                 bool more_signed) {
  LLVMTypeRef type = LLVMTypeOf(value);
  unsigned lanes = mpl_spirv_lanes(type);
  if (lanes == 1) return call_on(r, name, type, value, more, num_more, is_signed, more_signed);
  LLVMValueRef whole = LLVMGetPoison(type);
  for (unsigned i = 0; i < lanes; i++) {
    LLVMValueRef at = LLVMConstInt(r->i32, i, false);
    LLVMValueRef part = LLVMBuildExtractElement(r->b, value, at, "");
    part = call_on(r, name, LLVMTypeOf(part), part, more, num_more, is_signed, more_signed);
    whole = LLVMBuildInsertElement(r->b, whole, part, at, "");
  }
  return whole;
}

static LLVMValueRef reduce(mpl_spirv r, mpl_spirv_in in, const struct reduction *row) {
  static const char *const forms[] = {"reduce", "scan_inclusive", "scan_exclusive"};
  bool non_uniform =
      in->opcode >= SpvOpGroupNonUniformIAdd && in->opcode <= SpvOpGroupNonUniformLogicalXor;
  bool sub_group = in_sub_group(r, in);
  uint32_t form = mpl_spirv_word(in, 4);
  char name[80];
  LLVMValueRef size = NULL, value = mpl_spirv_operand(r, in, 5);
  if (non_uniform) require_sub_group(r, in);
  if (form == SpvGroupOperationClusteredReduce && non_uniform) {
    size = mpl_spirv_operand(r, in, 6);
    snprintf(name, sizeof name, "sub_group_clustered_reduce_%s", row->op);
  } else if (form > SpvGroupOperationExclusiveScan)
    mpl_spirv_fail("%s has no group operation %u", mpl_spirv_op_name(in->opcode), form);
  else {
    /* Outside of work-groups only add, min and max have a form for all work-items; where they all
     * come, the other functions are the same. */
    bool core = !strcmp(row->op, "add") || !strcmp(row->op, "min") || !strcmp(row->op, "max");
    snprintf(name, sizeof name, "%s_%s_%s",
             !sub_group             ? "work_group"
             : non_uniform || !core ? "sub_group_non_uniform"
                                    : "sub_group",
             forms[form], row->op);
  }
  return call_on_each(r, name, value, &size, size != NULL, row->is_signed, false);
}

/* The bits of a ballot counted: all, or those up to the work-item. */
static LLVMValueRef count_bits(mpl_spirv r, mpl_spirv_in in) {
  static const char *const names[] = {"sub_group_ballot_bit_count",
                                      "sub_group_ballot_inclusive_scan",
                                      "sub_group_ballot_exclusive_scan"};
  uint32_t form = mpl_spirv_word(in, 4);
  require_sub_group(r, in);
  if (form > SpvGroupOperationExclusiveScan)
    mpl_spirv_fail("the bits of a ballot are to be counted in an unknown way");
  return call_on(r, names[form], r->i32, mpl_spirv_operand(r, in, 5), NULL, 0, false, false);
}

static LLVMValueRef all_equal(mpl_spirv r, LLVMValueRef value, const char *name) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMValueRef all = NULL;
  for (unsigned i = 0; i < mpl_spirv_lanes(type); i++) {
    LLVMValueRef part = value;
    if (mpl_spirv_lanes(type) > 1)
      part = LLVMBuildExtractElement(r->b, value, LLVMConstInt(r->i32, i, false), "");
    part = call_on(r, name, r->i1, part, NULL, 0, true, false);
    all = all ? LLVMBuildAnd(r->b, all, part, "") : part;
  }
  return all;
}

static LLVMValueRef by_function(mpl_spirv r, mpl_spirv_in in, const struct function *row) {
  LLVMTypeRef result = mpl_spirv_type(r, mpl_spirv_word(in, 1));
  LLVMValueRef value = in->count > 4 ? mpl_spirv_operand(r, in, 4) : NULL, more = NULL;
  require_sub_group(r, in);
  if (in->opcode == SpvOpGroupNonUniformAllEqual) return all_equal(r, value, row->name);
  if (in->count > 5) more = LLVMBuildIntCast2(r->b, mpl_spirv_operand(r, in, 5), r->i32, false, "");
  if (value && LLVMTypeOf(value) == result)
    return call_on_each(r, row->name, value, &more, more != NULL, row->is_signed, false);
  return call_on(r, row->name, result, value, &more, more != NULL, row->is_signed, false);
}

static LLVMValueRef rotate(mpl_spirv r, mpl_spirv_in in) {
  require_sub_group(r, in);
  LLVMValueRef value = mpl_spirv_operand(r, in, 4), whole, parts[16];
  unsigned lanes = mpl_spirv_lanes(LLVMTypeOf(value));
  bool clustered = in->count > 6;
  for (unsigned i = 0; i < lanes; i++) {
    struct mpl_spirv_call call;
    LLVMValueRef at = LLVMConstInt(r->i32, i, false), part = value;
    if (lanes > 1) part = LLVMBuildExtractElement(r->b, value, at, "");
    LLVMTypeRef type = LLVMTypeOf(part);
    if (is_truth(type)) part = LLVMBuildZExt(r->b, part, r->i32, "");
    mpl_spirv_call_begin(&call, clustered ? "sub_group_clustered_rotate" : "sub_group_rotate");
    mpl_spirv_call_add(&call, part, true);
    mpl_spirv_call_add(&call, mpl_spirv_operand(r, in, 5), true);
    if (clustered) mpl_spirv_call_add(&call, mpl_spirv_operand(r, in, 6), false);
    parts[i] = mpl_spirv_call_end(r, &call, LLVMTypeOf(part), true, CALL_CONVERGENT);
    if (is_truth(type)) parts[i] = LLVMBuildTrunc(r->b, parts[i], type, "");
  }
  if (lanes == 1) return parts[0];
  whole = LLVMGetPoison(LLVMTypeOf(value));
  for (unsigned i = 0; i < lanes; i++)
    whole = LLVMBuildInsertElement(r->b, whole, parts[i], LLVMConstInt(r->i32, i, false), "");
  return whole;
}

static LLVMValueRef vote(mpl_spirv r, mpl_spirv_in in) {
  char name[32];
  snprintf(name, sizeof name, "%s_%s", in_sub_group(r, in) ? "sub_group" : "work_group",
           in->opcode == SpvOpGroupAll ? "all" : "any");
  return call_on(r, name, r->i1, mpl_spirv_operand(r, in, 4), NULL, 0, true, false);
}

/* Of a work-group the id has up to three parts, of size_t. */
static LLVMValueRef broadcast(mpl_spirv r, mpl_spirv_in in) {
  LLVMValueRef id = mpl_spirv_operand(r, in, 5), ids[3], value = mpl_spirv_operand(r, in, 4);
  bool sub_group = in_sub_group(r, in);
  unsigned count = mpl_spirv_lanes(LLVMTypeOf(id));
  if (count > 3) mpl_spirv_fail("OpGroupBroadcast has an id of %u parts", count);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef part = id;
    if (count > 1) part = LLVMBuildExtractElement(r->b, id, LLVMConstInt(r->i32, i, false), "");
    ids[i] = LLVMBuildIntCast2(r->b, part, sub_group ? r->i32 : r->i64, false, "");
  }
  return call_on_each(r, sub_group ? "sub_group_broadcast" : "work_group_broadcast", value, ids,
                      sub_group ? 1 : count, true, false);
}

/* OpGroupAsyncCopy: a strided copy, where a stride of one is a plain one. */
static LLVMValueRef async_copy(mpl_spirv r, mpl_spirv_in in) {
  struct mpl_spirv_call call;
  LLVMValueRef stride = mpl_spirv_operand(r, in, 7);
  uint32_t pointee = mpl_spirv_pointee(r, mpl_spirv_at(r, mpl_spirv_word(in, 4))->type_id);
  LLVMTypeRef type = mpl_spirv_type(r, pointee);
  bool plain = LLVMIsAConstantInt(stride) && LLVMConstIntGetZExtValue(stride) == 1;
  mpl_spirv_call_begin(&call, "async_work_group_%scopy", plain ? "" : "strided_");
  mpl_spirv_call_add_pointer(r, &call, mpl_spirv_operand(r, in, 4), "", type, true);
  mpl_spirv_call_add_pointer(r, &call, mpl_spirv_operand(r, in, 5), "K", type, true);
  for (unsigned word = 6; word < (plain ? 7 : 8); word++)
    mpl_spirv_call_add(
        &call, LLVMBuildIntCast2(r->b, mpl_spirv_operand(r, in, word), r->i64, false, ""), false);
  mpl_spirv_call_add_named(&call, mpl_spirv_operand(r, in, 8), -1, "9ocl_event");
  return mpl_spirv_call_end(r, &call, mpl_spirv_type(r, mpl_spirv_word(in, 1)), false,
                            CALL_CONVERGENT);
}

static void wait_events(mpl_spirv r, mpl_spirv_in in) {
  struct mpl_spirv_call call;
  LLVMValueRef list = mpl_spirv_operand(r, in, 3);
  list = LLVMBuildAddrSpaceCast(r->b, list, mpl_spirv_pointer(r, SPACE_GENERIC), "");
  mpl_spirv_call_begin(&call, "wait_group_events");
  mpl_spirv_call_add(&call, mpl_spirv_operand(r, in, 2), true);
  mpl_spirv_call_add_named(&call, list, SPACE_GENERIC, "9ocl_event");
  mpl_spirv_call_end(r, &call, r->void_type, false, CALL_CONVERGENT);
}

/* A number of 64 bits, or its two halves. */
static LLVMValueRef clock_of(mpl_spirv r, mpl_spirv_in in) {
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 1));
  uint64_t scope = mpl_spirv_constant(r, mpl_spirv_word(in, 3));
  struct mpl_spirv_call call;
  mpl_spirv_call_begin(&call, "clock_read_%s%s", type == r->i64 ? "" : "hilo_",
                       scope == SpvScopeSubgroup    ? "sub_group"
                       : scope == SpvScopeWorkgroup ? "work_group"
                                                    : "device");
  return mpl_spirv_call_end(r, &call, type, false, CALL_WRITES);
}

/* --- SPV_INTEL_subgroups --- */

static LLVMValueRef component(mpl_spirv r, LLVMValueRef value, unsigned i) {
  if (mpl_spirv_lanes(LLVMTypeOf(value)) == 1) return value;
  return LLVMBuildExtractElement(r->b, value, LLVMConstInt(r->i32, i, false), "");
}

static LLVMValueRef shuffle(mpl_spirv r, mpl_spirv_in in, const char *name) {
  unsigned num_values = in->count > 5 ? 2 : 1;
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 1));
  LLVMValueRef id = mpl_spirv_operand(r, in, 3 + num_values), whole = LLVMGetPoison(type);
  id = LLVMBuildIntCast2(r->b, id, r->i32, false, "");
  for (unsigned i = 0; i < mpl_spirv_lanes(type); i++) {
    struct mpl_spirv_call call;
    mpl_spirv_call_begin(&call, "%s", name);
    for (unsigned k = 0; k < num_values; k++)
      mpl_spirv_call_add(&call, component(r, mpl_spirv_operand(r, in, 3 + k), i), true);
    mpl_spirv_call_add(&call, id, false);
    LLVMValueRef part = mpl_spirv_call_end(r, &call, mpl_spirv_scalar(type), true, CALL_CONVERGENT);
    if (mpl_spirv_lanes(type) == 1) return part;
    whole = LLVMBuildInsertElement(r->b, whole, part, LLVMConstInt(r->i32, i, false), "");
  }
  return whole;
}

void mpl_spirv_block_begin(struct mpl_spirv_call *call, const char *verb, LLVMTypeRef value) {
  static const char *const suffixes[] = {[1] = "_uc", [2] = "_us", [4] = "_ui", [8] = "_ul"};
  LLVMTypeRef scalar = mpl_spirv_scalar(value);
  unsigned lanes = mpl_spirv_lanes(value);
  bool is_integer = LLVMGetTypeKind(scalar) == LLVMIntegerTypeKind;
  unsigned bytes = is_integer ? LLVMGetIntTypeWidth(scalar) / 8 : 0;
  if (!bytes || bytes > 8 || !suffixes[bytes] || lanes == 3 || (lanes == 16 && bytes > 2))
    mpl_spirv_fail("a block must have 1, 2, 4 or 8 integers for each work-item, or 16 small ones");
  char number[4] = "";
  if (lanes > 1) snprintf(number, sizeof number, "%u", lanes % 100);
  mpl_spirv_call_begin(call, "intel_sub_group_block_%s%s%s", verb, suffixes[bytes], number);
}

static void add_block_pointer(mpl_spirv r, mpl_spirv_in in, unsigned word, const char *qualifier,
                              struct mpl_spirv_call *call, LLVMTypeRef value) {
  LLVMValueRef pointer = mpl_spirv_operand(r, in, word);
  mpl_spirv_call_add_pointer(r, call, pointer, qualifier, mpl_spirv_scalar(value), false);
}

static LLVMValueRef read_block(mpl_spirv r, mpl_spirv_in in) {
  struct mpl_spirv_call call;
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 1));
  mpl_spirv_block_begin(&call, "read", type);
  add_block_pointer(r, in, 3, "K", &call, type);
  return mpl_spirv_call_end(r, &call, type, false, CALL_CONVERGENT);
}

static void write_block(mpl_spirv r, mpl_spirv_in in) {
  struct mpl_spirv_call call;
  LLVMValueRef value = mpl_spirv_operand(r, in, 2);
  mpl_spirv_block_begin(&call, "write", LLVMTypeOf(value));
  add_block_pointer(r, in, 1, "", &call, LLVMTypeOf(value));
  mpl_spirv_call_add(&call, value, false);
  mpl_spirv_call_end(r, &call, r->void_type, false, CALL_CONVERGENT);
}

static LLVMValueRef read(mpl_spirv r, mpl_spirv_in in) {
  switch ((SpvOp)in->opcode) {
  case SpvOpReadClockKHR:
    return clock_of(r, in);
  case SpvOpGroupAll:
  case SpvOpGroupAny:
    return vote(r, in);
  case SpvOpGroupBroadcast:
    return broadcast(r, in);
  case SpvOpGroupAsyncCopy:
    return async_copy(r, in);
  case SpvOpGroupNonUniformBallotBitCount:
    return count_bits(r, in);
  case SpvOpGroupNonUniformRotateKHR:
    return rotate(r, in);
  case SpvOpSubgroupBlockReadINTEL:
    return read_block(r, in);
  default:
    break;
  }
  for (unsigned i = 0; i < sizeof reductions / sizeof *reductions; i++)
    if (reductions[i].opcode == (SpvOp)in->opcode) return reduce(r, in, &reductions[i]);
  for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
    if (functions[i].opcode == (SpvOp)in->opcode) return by_function(r, in, &functions[i]);
  for (unsigned i = 0; i < sizeof shuffles / sizeof *shuffles; i++)
    if (shuffles[i].opcode == (SpvOp)in->opcode) return shuffle(r, in, shuffles[i].name);
  return NULL;
}

bool mpl_spirv_group(mpl_spirv r, mpl_spirv_in in) {
  if (in->opcode == SpvOpSubgroupBlockWriteINTEL) {
    write_block(r, in);
    return true;
  }
  if (in->opcode == SpvOpGroupWaitEvents) {
    wait_events(r, in);
    return true;
  }
  LLVMValueRef value = read(r, in);
  if (value) mpl_spirv_result(r, in, value);
  return value != NULL;
}
