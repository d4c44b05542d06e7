/* What is the same for the whole launch or group is read once, in a set-up block at the top: the
 * arguments, sizes and ids, and cheap arithmetic on them.  Behind this pass such values stand
 * outside all regions and can be used in any of them. */
#include "abi/kernel.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"

/* Does the pointer lead into memory that nobody writes while a group runs: the launch, the group,
 * the argument block? */
static bool is_invariant_memory(LLVMValueRef pointer) {
  for (;;) {
    if (LLVMIsAArgument(pointer)) return true; /* group functions have the two only */
    if (!LLVMIsAInstruction(pointer)) return false;
    switch (LLVMGetInstructionOpcode(pointer)) {
    case LLVMGetElementPtr:
    case LLVMAddrSpaceCast:
      pointer = LLVMGetOperand(pointer, 0);
      break;
    case LLVMLoad: { /* launch->args and launch->host, but not group->scratch or ->local_base */
      LLVMValueRef from = LLVMGetOperand(pointer, 0);
      while (LLVMIsAGetElementPtrInst(from)) from = LLVMGetOperand(from, 0);
      return LLVMIsAArgument(from) && from == LLVMGetParam(mpl_function_of(pointer), 0);
    }
    default:
      return false;
    }
  }
}

/* An index that the run decides may lead outside, behind a condition that says so. */
static bool is_at_fixed_place(LLVMValueRef pointer) {
  for (; LLVMIsAInstruction(pointer) && !LLVMIsALoadInst(pointer);
       pointer = LLVMGetOperand(pointer, 0))
    for (int k = 1; k < LLVMGetNumOperands(pointer); k++)
      if (!LLVMIsAConstantInt(LLVMGetOperand(pointer, k))) return false;
  return true;
}

static bool is_movable(LLVMValueRef i, LLVMBasicBlockRef setup) {
  if (LLVMIsALoadInst(i)) {
    LLVMValueRef pointer = LLVMGetOperand(i, 0);
    bool always = LLVMGetInstructionParent(i) == LLVMGetNextBasicBlock(setup);
    if (LLVMGetVolatile(i) || !is_invariant_memory(pointer) ||
        (!always && !is_at_fixed_place(pointer)))
      return false;
  } else if (!mpl_only_computes(i, MPL_INTEGER | MPL_SELECT | MPL_ADDRESS | MPL_POINTER)) {
    return false;
  }
  for (int k = 0; k < LLVMGetNumOperands(i); k++) {
    LLVMValueRef operand = LLVMGetOperand(i, k);
    if (LLVMIsAInstruction(operand) &&
        (LLVMGetInstructionParent(operand) != setup || LLVMIsAAllocaInst(operand)))
      return false;
  }
  return true;
}

static bool is_static_alloca(LLVMValueRef i) {
  return LLVMIsAAllocaInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0));
}

static void move_to(LLVMBuilderRef b, LLVMValueRef i) {
  LLVMInstructionRemoveFromParent(i);
  LLVMInsertIntoBuilder(b, i);
}

static LLVMValueRef load_unit(struct mpl_module_ir *ir, LLVMValueRef function,
                              enum mpl_unit_field field, LLVMValueRef before) {
  MPL_BUILDER(b, ir->context);
  LLVMPositionBuilderBefore(b, before);
  return mpl_load_field(b, ir->unit_type, LLVMGetParam(function, 1), field, "");
}

/* The value of a marker that is the same for the whole launch, group or sub-group. */
static LLVMValueRef parameter(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel,
                              LLVMValueRef call) {
  enum mpl_marker marker = mpl_marker_of(call);
  if (marker == MPL_MARK_LANES_GROUP_ID) return load_unit(ir, kernel->group, MPL_UNIT_ID, call);
  if (marker == MPL_MARK_LANES_HERE) return load_unit(ir, kernel->group, MPL_UNIT_HERE, call);
  return mpl_parameter_of(ir, kernel, marker);
}

/* It may count on one sub-group being the whole work-group. */
static bool knows_one_sub_group(LLVMValueRef function) {
  bool combines = false;
  MPL_EACH_INSTRUCTION_OF(i, function) {
    int one = mpl_marker_row(i)->one;
    if (one == MPL_ONE_DIFFERS) return false;
    combines |= one == MPL_ONE_COMBINES;
  }
  return combines;
}

static void use_parameters(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  kernel->uses_lanes = mpl_uses_lanes(kernel->group);
  if (kernel->uses_lanes) kernel->flags |= MPL_KERNEL_USES_LANES;
  if (knows_one_sub_group(kernel->group)) kernel->flags |= MPL_KERNEL_ONE_SUB_GROUP;
  MPL_EACH_INSTRUCTION_OF(i, kernel->group) {
    if (mpl_is_sync(mpl_marker_of(i))) { /* later passes add their own */
      kernel->flags |= MPL_KERNEL_HAS_SYNC;
      kernel->num_syncs++;
    }
    LLVMValueRef value = parameter(ir, kernel, i);
    if (!value) continue;
    mpl_replace(i, value);
  }
}

bool mpl_hoist_launch(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  use_parameters(ir, kernel);
  LLVMBasicBlockRef old = LLVMGetEntryBasicBlock(kernel->group);
  LLVMBasicBlockRef setup = LLVMInsertBasicBlockInContext(ir->context, old, "setup");
  MPL_BUILDER(b, ir->context);
  LLVMPositionBuilderAtEnd(b, setup);
  LLVMValueRef jump = LLVMBuildBr(b, old);
  LLVMPositionBuilderBefore(b, jump);
  unsigned moved = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (LLVMBasicBlockRef block = old; block; block = LLVMGetNextBasicBlock(block)) {
      MPL_EACH_INSTRUCTION(i, block) {
        if (!is_movable(i, setup) && !is_static_alloca(i)) continue;
        if (LLVMIsALoadInst(i)) mpl_mark(ir, i, "invariant.load");
        move_to(b, i);
        moved++;
        changed = true;
      }
    }
  }
  mpl_remark(ir, kernel->group, "%u instructions are done once for the work-group", moved);
  return true;
}
