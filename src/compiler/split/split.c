/* Splits the kernels: every region between sync points becomes a loop over the work-items.  A plan says
 * how (plan/), then it is made (emit/). */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "abi/kernel.h"
#include "compiler/passes.h"
#include "compiler/split/emit/emit.h"
#include "few.h"
#include "ids.h"
#include "unit_strides.h"

struct split {
  struct mpl_split_unit unit;
  struct mpl_split_plan plan;
  struct mpl_split emit;
};

static void free_split(struct split *s) {
  mpl_emit_end(&s->emit);
  mpl_plan_free(&s->plan);
  mpl_regions_free(&s->unit.regions);
  free(s->unit.arrays);
}

static uint64_t most_aligned(LLVMBasicBlockRef setup) {
  uint64_t most = MPL_SCRATCH_ALIGN;
  MPL_EACH_INSTRUCTION(i, setup) {
    if (LLVMIsAAllocaInst(i) && LLVMGetAlignment(i) > most) most = LLVMGetAlignment(i);
  }
  return most;
}

/* What the run time allocates for a group. */
static void ask_for_scratch(const struct split *s) {
  struct mpl_ir_kernel *kernel = s->unit.kernel;
  uint64_t bytes = s->plan.bytes;
  if (bytes > INT32_MAX)
    mpl_report(
        s->unit.ir, s->unit.function,
        "'%s' keeps %llu bytes of private variables for each work-item across barriers, which "
        "is more than it may: %d",
        kernel->name, (unsigned long long)bytes, INT32_MAX);
  if (bytes > kernel->scratch_per_item) kernel->scratch_per_item = (unsigned)bytes;
  if (bytes)
    kernel->scratch_fixed = MPL_MOST_BEHIND + (unsigned)(s->unit.align - MPL_SCRATCH_ALIGN);
  kernel->private_size = kernel->scratch_per_item;
}

/* `again`: it is the kernel's second function, of which nothing is told. */
static void split(struct split *s, bool along_x, bool again) {
  struct mpl_split_unit *unit = &s->unit;
  unit->setup = LLVMGetEntryBasicBlock(unit->function);
  unit->align = most_aligned(unit->setup);
  if (unit->lanes || unit->ir->filters)
    mpl_regions_find(&unit->regions, unit->function);
  else
    mpl_regions_find_with_arrays(&unit->regions, unit->function);
  unit->inner = along_x ? 0 : mpl_inner_dimension(unit);
  unit->kernel->flags |= unit->inner == 1 ? MPL_KERNEL_ALONG_Y
                         : unit->inner    ? MPL_KERNEL_ALONG_Z
                                          : 0;
  mpl_emit_begin(&s->emit, unit);
  mpl_keep_arrays(&s->emit, unit);
  mpl_plan_split(&s->plan, unit);
  ask_for_scratch(s);
  if (!unit->lanes && !again) mpl_tell_plan(&s->plan);
  mpl_dump_plan(&s->plan);
  mpl_emit_split(&s->emit, &s->plan);
}

/* Ids that no region uses any more are left over in dead code. */
static void drop_ids(LLVMValueRef function) {
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (!mpl_is_id(mpl_marker_of(i))) continue;
    mpl_replace(i, LLVMConstNull(LLVMTypeOf(i)));
  }
}

/* In front of the regions: calls `function` in their place if `is`. */
static void call_instead(struct mpl_split *e, LLVMValueRef function, LLVMValueRef is) {
  LLVMValueRef jump = LLVMGetBasicBlockTerminator(e->setup),
               args[] = {LLVMGetParam(e->function, 0), LLVMGetParam(e->function, 1)};
  LLVMBasicBlockRef own = mpl_append_block(e, "own"), other = mpl_append_block(e, "other");
  for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++)
    mpl_ir_replace_incoming(LLVMGetSuccessor(jump, s), e->setup, own);
  LLVMMoveBasicBlockAfter(own, e->setup);
  LLVMBuildCondBr(e->b, is, other, own);
  LLVMInstructionRemoveFromParent(jump);
  LLVMPositionBuilderAtEnd(e->b, own);
  LLVMInsertIntoBuilder(e->b, jump);
  LLVMPositionBuilderAtEnd(e->b, other);
  LLVMMetadataRef program = LLVMGetSubprogram(e->function);
  if (program) {
    unsigned line = LLVMDISubprogramGetLine(program);
    LLVMMetadataRef at = LLVMDIBuilderCreateDebugLocation(e->ir->context, line, 0, program, NULL);
    LLVMSetCurrentDebugLocation2(e->b, at);
  }
  mpl_call(e->b, function, e->ir->void_type, args, 2);
  LLVMBuildRetVoid(e->b);
  mpl_add_attribute(function, "noinline");
}

/* Splits a copy that is not split yet, which is called where `is` then; `kept`: where the kernel has it. */
static void split_second(struct split *whole, LLVMValueRef copy, unsigned items, LLVMValueRef is,
                         LLVMValueRef *kept) {
  struct split second = {.unit = {.ir = whole->unit.ir,
                                  .kernel = whole->unit.kernel,
                                  .function = copy,
                                  .items = items}};
  split(&second, true, true);
  *kept = copy;
  call_instead(&whole->emit, copy, is);
  drop_ids(copy);
  free_split(&second);
}

/* A copy that is not wanted goes. */
static bool is_kept(LLVMValueRef copy, bool wanted) {
  if (copy && !wanted) LLVMDeleteFunction(copy);
  return copy && wanted;
}

/* Of three lanes and less the others are idle; it does not matter then what lies side by side. */
static LLVMValueRef is_narrow(struct mpl_split *e) {
  enum { NARROW = 4 };
  LLVMValueRef size = e->size[e->unit->inner];
  LLVMPositionBuilderBefore(e->b, LLVMGetBasicBlockTerminator(e->setup));
  LLVMValueRef narrow = LLVMBuildICmp(e->b, LLVMIntULT, size, mpl_const64(e->ir, NARROW), ""),
               less = LLVMBuildICmp(e->b, LLVMIntULT, size, e->size[0], "");
  return LLVMBuildAnd(e->b, narrow, less, "");
}

static LLVMValueRef is_few(struct mpl_split *e) {
  LLVMPositionBuilderBefore(e->b, LLVMGetBasicBlockTerminator(e->setup));
  LLVMValueRef few = mpl_const64(e->ir, MPL_FEW),
               row = LLVMBuildICmp(e->b, LLVMIntEQ, e->size[0], few, ""),
               all = LLVMBuildICmp(e->b, LLVMIntEQ, e->items, few, "");
  return LLVMBuildAnd(e->b, row, all, "");
}

/* Instructions of the kernels that have a function for few work-items, and for strides of one. */
struct lengths {
  unsigned few, unit;
};

static void split_work_group(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel,
                             struct lengths *lengths) {
  unsigned asked = mpl_dimensions_asked(kernel->group);
  kernel->has_rows = asked & (asked - 1);
  bool may_choose = kernel->has_rows && !kernel->reqd_local[0];
  struct mpl_unit_strides strides;
  LLVMValueRef group = kernel->group, other = may_choose ? mpl_ir_clone(group) : NULL,
               few = mpl_copy_for_few(ir, kernel),
               unit = mpl_copy_for_unit_strides(ir, kernel, &strides, &lengths->unit);
  struct split s = {.unit = {.ir = ir, .kernel = kernel, .function = group}};
  split(&s, false, false);
  if (is_kept(other, s.unit.inner)) split_second(&s, other, 0, is_narrow(&s.emit), &kernel->along_x);
  if (is_kept(few, few && mpl_takes_few(&s.plan, few, &lengths->few)))
    split_second(&s, few, MPL_FEW, is_few(&s.emit), &kernel->few);
  if (is_kept(unit, !s.unit.inner)) { /* lanes of both lie along x else */
    LLVMPositionBuilderBefore(s.emit.b, LLVMGetBasicBlockTerminator(s.emit.setup));
    split_second(&s, unit, 0, mpl_are_unit_strides(s.emit.b, &strides), &kernel->unit);
    mpl_remark(ir, group, "strides of one have a function of their own");
  }
  drop_ids(group);
  free_split(&s);
}

/* The vector that a call's operand stands for: C hands over a long one in private memory, and a short one
 * as a number or as other elements, which have the same beginning in memory. */
static LLVMValueRef value_handed(LLVMBuilderRef b, LLVMValueRef call, LLVMValueRef handed,
                                 LLVMTypeRef type, bool in_memory) {
  LLVMValueRef place = handed;
  if (LLVMTypeOf(handed) == type) return handed;
  if (!in_memory) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(mpl_function_of(call));
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
    place = LLVMBuildAlloca(b, LLVMTypeOf(handed), "");
    LLVMPositionBuilderBefore(b, call);
    LLVMBuildStore(b, handed, place);
  }
  return LLVMBuildLoad2(b, type, place, "");
}

/* A broadcast of a vector becomes one of a value, whose result is one too: AAPCS64 (6.9) returns a long one
 * in memory whose place is the first argument. */
static void broadcast_by_value(struct mpl_module_ir *ir, LLVMValueRef function) {
  MPL_BUILDER(b, ir->context);
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (mpl_marker_of(i) != MPL_MARK_LANES_BROADCAST) continue;
    LLVMAttributeRef returned = LLVMGetCallSiteEnumAttribute(i, 1, mpl_enum_attribute("sret"));
    LLVMTypeRef type = returned ? LLVMGetTypeAttributeValue(returned) : LLVMTypeOf(i);
    unsigned first = returned ? 1 : 0;
    LLVMValueRef handed = LLVMGetOperand(i, first);
    if (!returned && LLVMTypeOf(handed) == type) continue;
    LLVMPositionBuilderBefore(b, i);
    LLVMValueRef args[] = {value_handed(b, i, handed, type, LLVMTypeOf(handed) == ir->ptr),
                           LLVMGetOperand(i, first + 1)};
    LLVMValueRef value = mpl_build_marker(ir, b, MPL_MARK_LANES_BROADCAST, type, args, 2);
    if (returned)
      LLVMBuildStore(b, value, LLVMGetOperand(i, 0));
    else
      LLVMReplaceAllUsesWith(i, value);
    LLVMInstructionEraseFromParent(i);
  }
}

/* A kernel that calls sub-group functions becomes a function that runs one sub-group: its loops
 * over lanes are one chunk of vectors, and so can have these functions inside. */
static void split_sub_groups(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  LLVMValueRef function = kernel->group;
  struct split s = {
      .unit = {.ir = ir, .kernel = kernel, .lanes = kernel->sub_group, .function = function}};
  broadcast_by_value(ir, function);
  mpl_ir_scalarize(function);
  split(&s, false, false);
  drop_ids(function);
  mpl_expand_sub_group(ir, function);
  if (mpl_widen_sub_group(ir, function, s.unit.lanes, s.emit.is_whole)) {
    mpl_tell(ir, kernel->group, MPL_FACT_WIDENED,
             "sub-groups of %u: one chunk of vectors; regions: %u", s.unit.lanes,
             s.unit.regions.count);
    mpl_build_driver(&s.plan);
  }
  free_split(&s);
}

bool mpl_split_kernels(struct mpl_module_ir *ir) {
  struct lengths lengths = {0};
  MPL_EACH_KERNEL(kernel, ir) {
    mpl_divide_ids(ir, kernel->group);
    if (kernel->uses_lanes)
      split_sub_groups(ir, kernel);
    else
      split_work_group(ir, kernel, &lengths);
  }
  return ir->num_kernels > 0;
}
