/* Kernels that are filters, behind widening: accesses of what was not widened, and what runs a
 * group. */
#include <llvm-c/DebugInfo.h>
#include <stddef.h>
#include <stdlib.h>

#include "abi/filter.h"
#include "abi/items.h"
#include "compiler/passes.h"
#include "look.h"

static void look_alone(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef call) {
  LLVMValueRef function = mpl_function_of(call), next = LLVMGetNextInstruction(call);
  LLVMBasicBlockRef rest = mpl_ir_split(next, "filter.rest");
  LLVMBasicBlockRef from = LLVMGetInstructionParent(call);
  LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(from));
  LLVMPositionBuilderAtEnd(b, from);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
  struct look l = {.ir = ir, .b = b, .function = function, .call = call, .lanes = 1};
  mpl_look_at_call(&l, 0);
  LLVMBuildBr(b, rest);
  LLVMInstructionEraseFromParent(call);
}

/* void (launch, group) { host->items->filter(launch, group, what was compiled, uses); } */
static void make_group_function(struct mpl_module_ir *ir, LLVMBuilderRef b,
                                struct mpl_ir_kernel *kernel) {
  LLVMTypeRef two[] = {ir->ptr, ir->ptr};
  LLVMValueRef f = mpl_begin_function(ir->module, b, "mpl_filter", ir->void_type, two, 2);
  LLVMSetCurrentDebugLocation2(b, NULL);
  LLVMValueRef launch = LLVMGetParam(f, 0);
  LLVMValueRef host = mpl_load_field(b, ir->launch_type, launch, MPL_LAUNCH_HOST, "host");
  LLVMValueRef items = mpl_load_behind(ir, b, ir->ptr, host, offsetof(struct mpl_host, items));
  LLVMValueRef filter = mpl_load_behind(ir, b, ir->ptr, items, offsetof(struct mpl_item_host, filter));
  LLVMValueRef args[] = {launch, LLVMGetParam(f, 1), kernel->group, kernel->filter_uses};
  mpl_call(b, filter, ir->void_type, args, 4);
  LLVMBuildRetVoid(b);
  LLVMSetLinkage(kernel->group, LLVMInternalLinkage);
  kernel->group = f;
}

/* What the group's phase is nobody changes but at a barrier: so it stays in a register. */
static void tell_state_apart(struct mpl_module_ir *ir, LLVMValueRef function) {
  static const char name[] = "maniple filter";
  LLVMMetadataRef text = LLVMMDStringInContext2(ir->context, name, sizeof name - 1);
  LLVMMetadataRef domain = LLVMMDNodeInContext2(ir->context, &text, 1);
  LLVMMetadataRef of_scope[] = {text, domain}, scope, state;
  scope = LLVMMDNodeInContext2(ir->context, of_scope, 2);
  state = LLVMMDNodeInContext2(ir->context, &scope, 1);
  unsigned noalias = LLVMGetMDKindIDInContext(ir->context, "noalias", 7);
  unsigned of_state =
      LLVMGetMDKindIDInContext(ir->context, MPL_FILTER_STATE, sizeof MPL_FILTER_STATE - 1);
  MPL_EACH_INSTRUCTION_OF(i, function) {
    LLVMValueRef callee = mpl_callee_of(i);
    bool stores = LLVMIsAStoreInst(i) || (callee && LLVMGetIntrinsicID(callee));
    if (LLVMIsALoadInst(i) && LLVMGetMetadata(i, of_state)) {
      mpl_set_metadata(ir, i, "alias.scope", state);
      LLVMSetMetadata(i, of_state, NULL);
    } else if (stores && LLVMGetMetadata(i, of_state)) { /* it is what is read */
      LLVMSetMetadata(i, of_state, NULL);
    } else if (stores) {
      LLVMMetadataRef scopes[16] = {scope};
      LLVMValueRef old = LLVMGetMetadata(i, noalias), each[15];
      unsigned count = old ? LLVMGetMDNodeNumOperands(old) : 0;
      if (count > 15) continue;
      if (old) LLVMGetMDNodeOperands(old, each);
      for (unsigned k = 0; k < count; k++) scopes[k + 1] = LLVMValueAsMetadata(each[k]);
      mpl_set_metadata(ir, i, "noalias", LLVMMDNodeInContext2(ir->context, scopes, count + 1));
    }
  }
}

bool mpl_finish_filters(struct mpl_module_ir *ir) {
  MPL_BUILDER(b, ir->context);
  MPL_LIST(LLVMValueRef, looks);
  size_t count = 0;
  MPL_EACH_FUNCTION(f, ir->module) MPL_EACH_INSTRUCTION_OF(i, f) {
    if (!mpl_is_look(i)) continue;
    MPL_APPEND(looks, count) = i;
  }
  for (size_t k = 0; k < count; k++) look_alone(ir, b, looks[k]);
  MPL_EACH_FUNCTION(f, ir->module) tell_state_apart(ir, f);
  MPL_EACH_KERNEL(kernel, ir) make_group_function(ir, b, kernel);
  return true;
}
