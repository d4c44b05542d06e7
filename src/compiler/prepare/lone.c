/* Groups of one work-item: what host programs launch that take a CPU for a few fast processors.
 *
 * A loop over work-items that has one turn is a chunk of lanes of which one is there, and what is
 * kept between regions lies in memory.  So a kernel with sync points has a second function, which
 * is what is written: nobody is waited for, and what a collective combines is its operand.  LLVM
 * may widen its own loops.  A kernel without sync points is run in larger groups, if nothing in it
 * depends on them (source/groups.c). */
#include <stddef.h>

#include "abi/kernel.h"
#include "compiler/analysis/algebra.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"

/* Null: there is none. */
static LLVMValueRef result_of(struct mpl_module_ir *ir, LLVMValueRef sync) {
  struct mpl_collective collective;
  if (LLVMTypeOf(sync) == ir->void_type) return NULL;
  if (mpl_collective_of(sync, &collective) && collective.form == MPL_FORM_scan_exclusive)
    return mpl_identity(&collective);
  return LLVMGetOperand(sync, 0);
}

/* A number of work-items in one dimension: of the group, or of those that are not ragged. */
static bool is_size(struct mpl_module_ir *ir, LLVMValueRef function, LLVMValueRef load) {
  int64_t offset;
  LLVMValueRef base = mpl_base_of(ir, LLVMGetOperand(load, 0), &offset);
  bool of_group = base == LLVMGetParam(function, 1);
  if ((!of_group && base != LLVMGetParam(function, 0)) || LLVMTypeOf(load) != ir->i64) return false;
  uint64_t first =
      of_group ? offsetof(struct mpl_group, size) : offsetof(struct mpl_launch, local_size);
  return offset >= (int64_t)first && offset < (int64_t)(first + 3 * sizeof(uint64_t));
}

static LLVMValueRef value_for(struct mpl_module_ir *ir, LLVMValueRef function, LLVMValueRef i) {
  if (LLVMIsALoadInst(i)) return is_size(ir, function, i) ? mpl_const64(ir, 1) : NULL;
  return mpl_is_id(mpl_marker_of(i)) ? LLVMConstNull(LLVMTypeOf(i)) : NULL;
}

static void make_lone(struct mpl_module_ir *ir, LLVMValueRef function) {
  MPL_EACH_INSTRUCTION_OF(i, function) {
    bool sync = mpl_is_sync(mpl_marker_of(i));
    LLVMValueRef value = sync ? result_of(ir, i) : value_for(ir, function, i);
    if (value) LLVMReplaceAllUsesWith(i, value);
    if (value || sync) LLVMInstructionEraseFromParent(i);
  }
}

static bool may_be_lone(const struct mpl_ir_kernel *kernel) {
  if (kernel->uses_lanes) return false;
  return kernel->reqd_local[0] ? mpl_is_always_lone(kernel) : kernel->flags & MPL_KERNEL_HAS_SYNC;
}

/* Instructions from which on a kernel's second function, or those of a program together, would take
 * LLVM too long for what is rarely launched. */
enum { MOST_OF_KERNEL = 2000, MOST_OF_PROGRAM = 8000 };

bool mpl_copy_for_lone_items(struct mpl_module_ir *ir) {
  bool changed = false;
  unsigned sum = 0;
  MPL_EACH_KERNEL(kernel, ir) {
    if (ir->filters || !may_be_lone(kernel)) continue;
    unsigned length = mpl_is_always_lone(kernel) ? 0 : mpl_length_of(kernel->group);
    if (length > MOST_OF_KERNEL || sum + length > MOST_OF_PROGRAM) continue;
    sum += length;
    kernel->lone = mpl_copy_group(kernel, "mpl_lone.");
    LLVMSetLinkage(kernel->lone, LLVMExternalLinkage); /* until the table refers to it */
    make_lone(ir, kernel->lone);
    mpl_remark(ir, kernel->group, "groups of one work-item have a function of their own");
    changed = true;
  }
  return changed;
}
