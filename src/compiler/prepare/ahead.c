/* Lines that are written to behind a scan are asked for in front of it.
 *
 *   x = work_group_scan_...(in[id]);  out[id] = x;
 *
 * becomes a loop that reads for all work-items, and one that writes.  While one of them runs the
 * processor does not foresee what the other goes through, and begins to wait for it again in each
 * group.  Where a place depends on nothing but ids and what all share, the first loop can ask for
 * it. */
#include <llvm-c/DebugInfo.h>

#include "compiler/analysis/loops.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"

struct ahead {
  struct mpl_module_ir *ir;
  struct mpl_flow flow;
  LLVMBuilderRef b;
  LLVMValueRef sync; /* in the block of the stores, behind which they are */
};

static bool is_behind(const struct ahead *a, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value)) return false;
  if (LLVMGetInstructionParent(value) != LLVMGetInstructionParent(a->sync)) return false;
  for (LLVMValueRef i = a->sync; i; i = LLVMGetNextInstruction(i))
    if (i == value) return true;
  return false;
}

static bool is_known(const void *data, LLVMValueRef value) {
  return !is_behind(data, value) || mpl_is_id(mpl_marker_of(value));
}

/* In front of the sync point. */
static LLVMValueRef copy(const struct ahead *a, LLVMValueRef value) {
  if (!is_behind(a, value)) return value;
  LLVMValueRef made = LLVMInstructionClone(value);
  if (!mpl_marker_of(value))
    for (int k = 0; k < LLVMGetNumOperands(value); k++)
      LLVMSetOperand(made, k, copy(a, LLVMGetOperand(value, k)));
  LLVMInsertIntoBuilder(a->b, made);
  return made;
}

static bool is_wanted(struct ahead *a, LLVMValueRef store) {
  LLVMValueRef place = LLVMGetOperand(store, 1);
  struct mpl_shape shape = mpl_shape_of(&a->flow.shapes, place);
  int64_t size = (int64_t)LLVMABISizeOfType(a->ir->layout, LLVMTypeOf(LLVMGetOperand(store, 0)));
  return mpl_space_of(place) == MPL_GLOBAL_SPACE && shape.kind == MPL_STRIDED &&
         shape.stride == size && mpl_is_made_of(place, MPL_INTEGER | MPL_ADDRESS, is_known, a);
}

static void ask(struct ahead *a, LLVMValueRef store) {
  enum { WRITE = 1, KEEP = 3, DATA = 1 };
  LLVMPositionBuilderBefore(a->b, a->sync);
  LLVMSetCurrentDebugLocation2(a->b, LLVMInstructionGetDebugLoc(store));
  LLVMValueRef args[] = {copy(a, LLVMGetOperand(store, 1)), mpl_const32(a->ir, WRITE),
                         mpl_const32(a->ir, KEEP), mpl_const32(a->ir, DATA)};
  mpl_call_intrinsic(a->b, "llvm.prefetch", LLVMTypeOf(args[0]), args, 4);
  mpl_remark(a->ir, store, "asked for in front of the scan");
}

static bool look_behind(struct ahead *a) {
  bool changed = false;
  for (LLVMValueRef i = LLVMGetNextInstruction(a->sync); i; i = LLVMGetNextInstruction(i)) {
    if (mpl_is_sync(mpl_marker_of(i))) break;
    if (!LLVMIsAStoreInst(i) || !is_wanted(a, i)) continue;
    ask(a, i);
    changed = true;
  }
  return changed;
}

/* Values that sub-groups scan stay in registers. */
bool mpl_ask_ahead(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  if (kernel->uses_lanes || ir->filters) return false;
  MPL_BUILDER(b, ir->context);
  struct ahead a = {.ir = ir, .b = b};
  bool changed = false;
  mpl_flow_find(&a.flow, kernel->group);
  MPL_EACH_INSTRUCTION_OF(i, kernel->group) {
    enum mpl_marker marker = mpl_marker_of(i);
    if (!mpl_is_group_sync(marker) || !mpl_is_in_place(marker)) continue;
    a.sync = i;
    changed |= look_behind(&a);
  }
  mpl_flow_free(&a.flow);
  return changed;
}
