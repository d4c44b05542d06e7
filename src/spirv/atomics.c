/* Atomics, fences and barriers (SPIR-V specification, 3.49.18 and 3.49.20).  The processor keeps
 * all threads coherent, so a scope makes no difference but to the checking engine. */
#include "abi/items.h"
#include "call.h"
#include "reader.h"
#include "runtime/device.h"

static const struct {
  SpvOp opcode;
  LLVMAtomicRMWBinOp llvm;
} rows[] = {
#define MPL_SPIRV_ATOMIC(opcode, llvm) {SpvOp##opcode, LLVMAtomicRMWBinOp##llvm},
#include "tables/spirv_ops.def"
    {SpvOpAtomicFAddEXT, LLVMAtomicRMWBinOpFAdd},
    {SpvOpAtomicFMinEXT, LLVMAtomicRMWBinOpFMin},
    {SpvOpAtomicFMaxEXT, LLVMAtomicRMWBinOpFMax},
};

/* What is not known now may be the strictest. */
static uint32_t semantics_of(mpl_spirv r, uint32_t id) {
  LLVMValueRef value = mpl_spirv_value(r, id);
  return LLVMIsAConstantInt(value) ? (uint32_t)LLVMConstIntGetZExtValue(value)
                                   : SpvMemorySemanticsSequentiallyConsistentMask;
}

static LLVMAtomicOrdering ordering(mpl_spirv r, mpl_spirv_in in, unsigned word) {
  uint32_t semantics = semantics_of(r, mpl_spirv_word(in, word));
  if (semantics & SpvMemorySemanticsSequentiallyConsistentMask)
    return LLVMAtomicOrderingSequentiallyConsistent;
  if (semantics & SpvMemorySemanticsAcquireReleaseMask) return LLVMAtomicOrderingAcquireRelease;
  bool acquires = semantics & SpvMemorySemanticsAcquireMask;
  bool releases = semantics & SpvMemorySemanticsReleaseMask;
  if (acquires && releases) return LLVMAtomicOrderingAcquireRelease;
  if (acquires) return LLVMAtomicOrderingAcquire;
  return releases ? LLVMAtomicOrderingRelease : LLVMAtomicOrderingMonotonic;
}

enum { NO_SCOPE = -1, SCOPE_WORK_GROUP = 1 };

/* As memory_scope (OpenCL C 3.0, 6.15.12.4); NO_SCOPE: it is not known now. */
static int scope_of(mpl_spirv r, uint32_t id) {
  static const signed char opencl[] = {
      [SpvScopeCrossDevice] = 3, [SpvScopeDevice] = 2, [SpvScopeWorkgroup] = SCOPE_WORK_GROUP,
      [SpvScopeSubgroup] = 4,    [SpvScopeInvocation] = 0};
  LLVMValueRef scope = mpl_spirv_value(r, id);
  uint64_t number = LLVMIsAConstantInt(scope) ? LLVMConstIntGetZExtValue(scope) : SpvScopeMax;
  return number < sizeof opencl ? opencl[number] : NO_SCOPE;
}

/* The instruction, with its scope. */
static LLVMValueRef scoped(mpl_spirv r, mpl_spirv_in in, unsigned word, LLVMValueRef instruction) {
  int scope = scope_of(r, mpl_spirv_word(in, word));
  if (scope == NO_SCOPE) return instruction;
  LLVMMetadataRef value = LLVMValueAsMetadata(LLVMConstInt(r->i32, (unsigned)scope, false));
  unsigned kind =
      LLVMGetMDKindIDInContext(r->context, MPL_SCOPE_METADATA, sizeof MPL_SCOPE_METADATA - 1);
  LLVMSetMetadata(instruction, kind,
                  LLVMMetadataAsValue(r->context, LLVMMDNodeInContext2(r->context, &value, 1)));
  return instruction;
}

static unsigned size_of(mpl_spirv r, LLVMTypeRef type) {
  return (unsigned)LLVMStoreSizeOfType(r->layout, type);
}

static LLVMValueRef load(mpl_spirv r, mpl_spirv_in in) {
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 1));
  LLVMAtomicOrdering order = ordering(r, in, 5);
  if (order == LLVMAtomicOrderingRelease) order = LLVMAtomicOrderingMonotonic;
  if (order == LLVMAtomicOrderingAcquireRelease) order = LLVMAtomicOrderingAcquire;
  LLVMValueRef value = LLVMBuildLoad2(r->b, type, mpl_spirv_operand(r, in, 3), "");
  LLVMSetOrdering(value, order);
  LLVMSetAlignment(value, size_of(r, type));
  return scoped(r, in, 4, value);
}

static void build_store(mpl_spirv r, mpl_spirv_in in, LLVMValueRef value) {
  LLVMAtomicOrdering order = ordering(r, in, 3);
  if (order == LLVMAtomicOrderingAcquire) order = LLVMAtomicOrderingMonotonic;
  if (order == LLVMAtomicOrderingAcquireRelease) order = LLVMAtomicOrderingRelease;
  LLVMValueRef made = LLVMBuildStore(r->b, value, mpl_spirv_operand(r, in, 1));
  LLVMSetOrdering(made, order);
  LLVMSetAlignment(made, size_of(r, LLVMTypeOf(value)));
  scoped(r, in, 2, made);
}

static LLVMValueRef compare_exchange(mpl_spirv r, mpl_spirv_in in) {
  LLVMAtomicOrdering failure = ordering(r, in, 6);
  if (failure == LLVMAtomicOrderingRelease) failure = LLVMAtomicOrderingMonotonic;
  if (failure == LLVMAtomicOrderingAcquireRelease) failure = LLVMAtomicOrderingAcquire;
  LLVMValueRef both =
      LLVMBuildAtomicCmpXchg(r->b, mpl_spirv_operand(r, in, 3), mpl_spirv_operand(r, in, 8),
                             mpl_spirv_operand(r, in, 7), ordering(r, in, 5), failure, false);
  return LLVMBuildExtractValue(r->b, scoped(r, in, 4, both), 0, "");
}

static LLVMValueRef modify(mpl_spirv r, mpl_spirv_in in, LLVMAtomicRMWBinOp operation,
                           LLVMValueRef value) {
  LLVMValueRef pointer = mpl_spirv_operand(r, in, 3);
  return scoped(r, in, 4,
                LLVMBuildAtomicRMW(r->b, operation, pointer, value, ordering(r, in, 5), false));
}

static LLVMValueRef step(mpl_spirv r, mpl_spirv_in in, LLVMAtomicRMWBinOp operation) {
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 1));
  return modify(r, in, operation, LLVMConstInt(type, 1, false));
}

/* cl_mem_fence_flags, OpenCL C 3.0, 6.15.9 */
static LLVMValueRef fence_flags(mpl_spirv r, uint32_t semantics) {
  enum { LOCAL = 1, GLOBAL = 2, IMAGE = 4 };
  uint32_t flags = (semantics & SpvMemorySemanticsWorkgroupMemoryMask ? LOCAL : 0) |
                   (semantics & SpvMemorySemanticsCrossWorkgroupMemoryMask ? GLOBAL : 0) |
                   (semantics & SpvMemorySemanticsImageMemoryMask ? IMAGE : 0);
  return LLVMConstInt(r->i32, flags, false);
}

/* Of both instructions the second word is the scope of their memory, and the third the semantics. */
static void call_barrier(mpl_spirv r, mpl_spirv_in in, const char *name) {
  struct mpl_spirv_call call;
  int scope = scope_of(r, mpl_spirv_word(in, 2));
  if (scope == NO_SCOPE) scope = SCOPE_WORK_GROUP;
  mpl_spirv_call_begin(&call, "%s", name);
  mpl_spirv_call_add(&call, fence_flags(r, semantics_of(r, mpl_spirv_word(in, 3))), false);
  mpl_spirv_call_add_named(&call, LLVMConstInt(r->i32, (unsigned)scope, false), -1,
                           "12memory_scope");
  mpl_spirv_call_end(r, &call, r->void_type, false, CALL_CONVERGENT);
}

/* Of a wider scope than a work-group's nothing is promised of when its groups run, so that all that
 * can be waited for is the work-group; other run times do the same. */
static void control_barrier(mpl_spirv r, mpl_spirv_in in) {
  uint64_t scope = mpl_spirv_constant(r, mpl_spirv_word(in, 1));
  if (scope == SpvScopeInvocation) return;
  if (scope > SpvScopeSubgroup)
    mpl_spirv_fail("OpControlBarrier must be for a work-group or a sub-group: other scopes are not "
                   "supported");
  call_barrier(r, in, scope == SpvScopeSubgroup ? "sub_group_barrier" : "work_group_barrier");
}

/* --- Named barriers: calls of builtins/group/named_barrier.cl --- */

/* A variable of the module in local memory; with `is_zero` it begins with zero (the compiler's pass
 * `local` knows such a one by its section, in global memory). */
static LLVMValueRef local_variable(mpl_spirv r, LLVMTypeRef type, const char *name, bool is_zero) {
  LLVMValueRef variable = LLVMGetNamedGlobal(r->module, name);
  if (!variable) {
    variable =
        LLVMAddGlobalInAddressSpace(r->module, type, name, is_zero ? SPACE_GLOBAL : SPACE_LOCAL);
    LLVMSetInitializer(variable, is_zero ? LLVMConstNull(type) : LLVMGetUndef(type));
    LLVMSetLinkage(variable, LLVMInternalLinkage);
    LLVMSetAlignment(variable, LLVMABIAlignmentOfType(r->layout, type));
    if (is_zero) LLVMSetSection(variable, "maniple.local=");
  }
  return is_zero ? LLVMBuildAddrSpaceCast(r->b, variable, mpl_spirv_pointer(r, SPACE_LOCAL), "")
                 : variable;
}

static LLVMValueRef call_named_barrier(mpl_spirv r, const char *name, LLVMTypeRef result,
                                       LLVMValueRef *values, unsigned count) {
  LLVMTypeRef types[3];
  for (unsigned i = 0; i < count; i++) types[i] = LLVMTypeOf(values[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
  LLVMValueRef function = LLVMGetNamedFunction(r->module, name);
  if (!function) {
    function = LLVMAddFunction(r->module, name, type);
    mpl_spirv_add_attribute(r, function, (unsigned)LLVMAttributeFunctionIndex, "convergent", 0);
  }
  return LLVMBuildCall2(r->b, type, function, values, count, "");
}

static bool is_named_barrier(mpl_spirv r, uint32_t type_id) {
  return mpl_spirv_type_def(r, type_id, SpvOpTypeNamedBarrier) != NULL;
}

static LLVMValueRef make_named_barrier(mpl_spirv r, mpl_spirv_in in) {
  LLVMValueRef count = mpl_spirv_operand(r, in, 3);
  if (!is_named_barrier(r, mpl_spirv_word(in, 1)))
    mpl_spirv_fail("OpNamedBarrierInitialize makes a value of OpTypeNamedBarrier only");
  if (LLVMTypeOf(count) != r->i32)
    mpl_spirv_fail("OpNamedBarrierInitialize takes the number of sub-groups as an integer of 32 "
                   "bits");
  LLVMTypeRef pool = LLVMArrayType2(r->i64, MPL_NAMED_BARRIERS * MPL_NAMED_BARRIER_WORDS);
  LLVMValueRef values[] = {local_variable(r, pool, "named_barriers", false),
                           local_variable(r, r->i32, "next_named_barrier", true), count};
  return call_named_barrier(r, "__work_group_named_barrier", mpl_spirv_pointer(r, SPACE_LOCAL),
                            values, 3);
}

static void wait_at_named_barrier(mpl_spirv r, mpl_spirv_in in) {
  LLVMValueRef barrier = mpl_spirv_operand(r, in, 1);
  if (!is_named_barrier(r, mpl_spirv_at(r, mpl_spirv_word(in, 1))->type_id))
    mpl_spirv_fail("OpMemoryNamedBarrier waits at a value of OpTypeNamedBarrier only");
  call_barrier(r, in, "sub_group_barrier");
  call_named_barrier(r, "__sub_group_named_barrier_wait", r->void_type, &barrier, 1);
}

static LLVMValueRef with_value(mpl_spirv r, mpl_spirv_in in) {
  switch ((SpvOp)in->opcode) {
  case SpvOpAtomicLoad:
    return load(r, in);
  case SpvOpNamedBarrierInitialize:
    return make_named_barrier(r, in);
  case SpvOpAtomicCompareExchange:
  case SpvOpAtomicCompareExchangeWeak:
    return compare_exchange(r, in);
  case SpvOpAtomicIIncrement:
    return step(r, in, LLVMAtomicRMWBinOpAdd);
  case SpvOpAtomicIDecrement:
    return step(r, in, LLVMAtomicRMWBinOpSub);
  case SpvOpAtomicFlagTestAndSet: {
    LLVMValueRef was = modify(r, in, LLVMAtomicRMWBinOpXchg, LLVMConstInt(r->i32, 1, false));
    return LLVMBuildICmp(r->b, LLVMIntNE, was, LLVMConstNull(r->i32), "");
  }
  default:
    break;
  }
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].opcode == (SpvOp)in->opcode)
      return modify(r, in, rows[i].llvm, mpl_spirv_operand(r, in, 6));
  return NULL;
}

bool mpl_spirv_atomic(mpl_spirv r, mpl_spirv_in in) {
  LLVMAtomicOrdering order;
  switch ((SpvOp)in->opcode) {
  case SpvOpAtomicStore:
    build_store(r, in, mpl_spirv_operand(r, in, 4));
    return true;
  case SpvOpAtomicFlagClear:
    build_store(r, in, LLVMConstNull(r->i32));
    return true;
  case SpvOpMemoryBarrier:
    order = ordering(r, in, 2);
    if (order != LLVMAtomicOrderingMonotonic)
      scoped(r, in, 1, LLVMBuildFence(r->b, order, false, ""));
    return true;
  case SpvOpControlBarrier:
    control_barrier(r, in);
    return true;
  case SpvOpMemoryNamedBarrier:
    wait_at_named_barrier(r, in);
    return true;
  default:
    break;
  }
  LLVMValueRef value = with_value(r, in);
  if (value) mpl_spirv_result(r, in, value);
  return value != NULL;
}
