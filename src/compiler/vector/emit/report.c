/* Says what became of each source line.  Of loads, stores and calls by the code that was made for
 * them, so that it cannot say what is not so. */
#include <llvm-c/DebugInfo.h>

#include "emit.h"

static bool has_line(LLVMValueRef i) {
  return LLVMInstructionGetDebugLoc(i) && LLVMGetDebugLocLine(i);
}

static bool is_vector(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

/* What stands in the block from `first` on. */
struct made {
  bool gather, scatter, vector;
  unsigned calls, accesses; /* of scalars */
};

static struct made look(LLVMValueRef first) {
  struct made made = {0};
  for (LLVMValueRef i = first; i; i = LLVMGetNextInstruction(i)) {
    bool load = LLVMIsALoadInst(i), store = LLVMIsAStoreInst(i);
    made.gather |= mpl_calls(i, "llvm.masked.gather");
    made.scatter |= mpl_calls(i, "llvm.masked.scatter");
    if (mpl_calls(i, "llvm.masked.") || (load && is_vector(i)) ||
        (store && is_vector(LLVMGetOperand(i, 0))))
      made.vector = true;
    else if (load || store || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
      made.accesses++;
    else if (LLVMIsACallInst(i) && is_vector(i))
      made.vector = true;
    else if (LLVMIsACallInst(i) && !mpl_calls(i, "llvm."))
      made.calls++;
  }
  return made;
}

/* The splitter's own memory: it is no variable of the program, whose other ones are global, local
 * or constant. */
static bool is_hidden(const struct mpl_lanes *lanes, LLVMValueRef pointer) {
  return !LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) && !mpl_array_of(lanes, pointer);
}

static void tell_access(struct mpl_emit *e, LLVMValueRef i, const struct made *made) {
  bool store = LLVMIsAStoreInst(i) != NULL;
  LLVMValueRef pointer = mpl_accessed_place(i);
  int stride = mpl_stride_at(e->lanes, pointer, mpl_cfg_block_of(e->items->cfg, i));
  enum mpl_fact differ = store ? MPL_FACT_SCATTER : MPL_FACT_GATHER;
  int size = (int)LLVMABISizeOfType(e->ir->layout, mpl_accessed_type(i));
  bool apart = !mpl_is_beside(stride, size);
  if (is_hidden(e->lanes, pointer)) return;
  const char *what = mpl_array_of(e->lanes, pointer) ? "private array: " : "",
             *does = store ? "stored" : "loaded";
  if (!(made->gather || made->scatter)) {
    if (made->vector && stride && stride != MPL_ANY_STRIDE && apart &&
        !mpl_array_of(e->lanes, pointer))
      mpl_tell(e->ir, i, MPL_FACT_FIELDS, "%s together with fields beside it, %d bytes apart", does,
               stride);
    else if (made->vector)
      mpl_tell(e->ir, i, MPL_FACT_WIDE, "%s%s at once", what, does);
    else if (made->accesses && !stride)
      mpl_tell(e->ir, i, MPL_FACT_SHARED, "%s once for all", does);
  } else if (stride != MPL_ANY_STRIDE) {
    mpl_tell(e->ir, i, differ, "%splaces are %d bytes apart", what, stride);
  } else {
    mpl_tell(e->ir, i, differ, "%splaces vary", what);
  }
}

static void tell_call(struct mpl_emit *e, LLVMValueRef i, const struct made *made) {
  if (made->calls > 1 || made->accesses > 1)
    mpl_tell(e->ir, i, MPL_FACT_SERIAL, "for one work-item after another");
  else if (made->vector && mpl_callee_of(i) && !mpl_calls(i, "llvm."))
    mpl_tell(e->ir, i, MPL_FACT_CALL, "for all work-items at once");
}

struct mpl_told mpl_tell_begin(struct mpl_emit *e) {
  LLVMBasicBlockRef block = LLVMGetInsertBlock(e->b);
  return (struct mpl_told){block, LLVMGetLastInstruction(block)};
}

void mpl_tell_end(struct mpl_emit *e, LLVMValueRef i, struct mpl_told before) {
  if (e->told || !has_line(i)) return;
  bool access = mpl_accessed_place(i) != NULL;
  unsigned line = LLVMGetDebugLocLine(i);
  if (e->mask && e->mask != e->all && line != e->masked_line) {
    mpl_tell(e->ir, i, MPL_FACT_MASKED, "for some work-items only");
    e->masked_line = line;
  }
  if (mpl_is_combined(e->lanes, i)) {
    mpl_tell(e->ir, i, MPL_FACT_SHARED, "combined, then done once for all");
    return;
  }
  if (access && LLVMGetInsertBlock(e->b) != before.block && !mpl_has_no_vector_form(e->lanes, i)) {
    mpl_tell(e->ir, i, MPL_FACT_WIDE, "%s at once, where it turns out to be side by side",
             LLVMIsAStoreInst(i) ? "stored" : "loaded");
    return;
  }
  if (LLVMGetInsertBlock(e->b) != before.block) { /* a loop over the lanes */
    mpl_tell(e->ir, i, MPL_FACT_SERIAL, "for one work-item after another");
    return;
  }
  struct made made = look(before.last ? LLVMGetNextInstruction(before.last)
                                      : LLVMGetFirstInstruction(before.block));
  if (access)
    tell_access(e, i, &made);
  else if (made.calls || made.accesses || made.vector)
    tell_call(e, i, &made);
}

void mpl_tell_flow(struct mpl_emit *e) {
  const struct mpl_item_loop *items = e->items;
  for (unsigned b = items->first; b <= items->last; b++) {
    if (!items->in[b] || b == items->latch) continue;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(items->cfg->blocks[b]);
    int l = items->inner[b];
    if (l >= 0 && e->lanes->masked[l] && items->loops[l].header == b && has_line(end))
      mpl_tell(e->ir, end, MPL_FACT_LOOP, "runs until the last work-item has left%s",
               mpl_may_take_whole_turns(e->lanes, (unsigned)l) ? ", without a mask while all stay"
                                                               : "");
    else if (LLVMGetNumSuccessors(end) > 1 && has_line(end) &&
             mpl_stride_at(e->lanes, LLVMGetOperand(end, 0), b))
      mpl_tell(e->ir, end, MPL_FACT_BRANCH, "both ways, under masks");
  }
}
