/* Splits the kernels: every region between sync points becomes a loop over the work-items. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"
#include "compiler/analysis/slots.h"
#include "compiler/passes.h"
#include "split.h"

/* Field `index` of an array of three in struct mpl_group. */
static LLVMValueRef group_field(struct mpl_split *s, unsigned field, unsigned index,
                                const char *name) {
  LLVMValueRef indices[] = {mpl_const64(s->ir, 0), LLVMConstInt(s->ir->i32, field, false),
                            mpl_const64(s->ir, index)};
  LLVMValueRef at =
      LLVMBuildInBoundsGEP2(s->b, s->ir->group_type, LLVMGetParam(s->function, 1), indices, 3, "");
  LLVMValueRef value = LLVMBuildLoad2(s->b, s->ir->i64, at, name);
  mpl_set_metadata(s->ir, value, "invariant.load", LLVMMDNodeInContext2(s->ir->context, NULL, 0));
  return value;
}

/* The run time aligns it for vectors; variables of the programmer's may want more. */
static LLVMValueRef aligned(struct mpl_split *s, LLVMValueRef scratch) {
  if (s->align <= SCRATCH_ALIGN) return scratch;
  LLVMValueRef at = LLVMBuildPtrToInt(s->b, scratch, s->ir->i64, "");
  LLVMValueRef behind = LLVMBuildAnd(s->b, LLVMBuildNeg(s->b, at, ""),
                                     mpl_const64(s->ir, s->align - 1), "");
  return mpl_offset(s->ir, s->b, scratch, behind);
}

/* The group that the builder's function, s->function, runs or belongs to. */
void mpl_read_group(struct mpl_split *s) {
  static const char *const names[] = {"size.x", "size.y", "size.z"};
  for (unsigned d = 0; d < 3; d++)
    s->size[d] = s->kernel->dims && d >= s->kernel->dims
                     ? mpl_const64(s->ir, 1)
                     : group_field(s, MPL_GROUP_SIZE, d, names[d]);
  s->rows = LLVMBuildNUWMul(s->b, s->size[1], s->size[2], "rows");
  s->items = LLVMBuildNUWMul(s->b, s->rows, s->size[0], "items");
  /* Up to a multiple of 64, written so that LLVM sees a multiple and that it is not 0. */
  LLVMValueRef last = LLVMBuildNUWSub(s->b, s->items, mpl_const64(s->ir, 1), "");
  LLVMValueRef full = LLVMBuildOr(s->b, last, mpl_const64(s->ir, 63), "");
  s->padded = LLVMBuildNUWAdd(s->b, full, mpl_const64(s->ir, 1), "padded");
  s->scratch = mpl_load_field(s->b, s->ir->group_type, LLVMGetParam(s->function, 1),
                              MPL_GROUP_SCRATCH, "scratch");
  s->scratch = aligned(s, s->scratch);
}

static LLVMValueRef unit_field(struct mpl_split *s, enum mpl_unit_field field, const char *name) {
  return mpl_load_field(s->b, s->ir->unit_type, LLVMGetParam(s->function, 1), field, name);
}

static void read_sub_group(struct mpl_split *s) {
  s->first = unit_field(s, MPL_UNIT_FIRST, "first");
  s->first_id[0] = unit_field(s, MPL_UNIT_X, "first.x");
  s->first_id[1] = unit_field(s, MPL_UNIT_Y, "first.y");
  s->first_id[2] = unit_field(s, MPL_UNIT_Z, "first.z");
  s->here = LLVMBuildZExt(s->b, unit_field(s, MPL_UNIT_HERE, ""), s->ir->i64, "here");
}

/* Its lanes are all there, and their ids are as affine in the lane as addresses want them. */
static LLVMValueRef is_whole(struct mpl_split *s) {
  LLVMValueRef lanes = mpl_const64(s->ir, s->lanes),
               end = LLVMBuildAdd(s->b, s->first_id[0], lanes, "");
  LLVMValueRef full = LLVMBuildICmp(s->b, LLVMIntEQ, s->here, lanes, "full");
  LLVMValueRef in_row = LLVMBuildICmp(s->b, LLVMIntULE, end, s->size[0], "in.row");
  bool asked = false;
  for (unsigned k = 0; k < s->regions.count; k++) asked |= s->frames[k].uses_ids;
  return asked ? LLVMBuildAnd(s->b, full, in_row, "whole") : full;
}

static void read_unit(struct mpl_split *s) {
  LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(s->setup));
  mpl_read_group(s);
  read_sub_group(s);
  s->is_whole = is_whole(s);
}

/* What the places of slots that all share are, for those who look at the loops later. */
static void mark_place(struct mpl_split *s, struct mpl_slot *slot) {
  struct mpl_collective collective;
  bool is_array = slot->kind == MPL_SLOT_ARRAY;
  struct mpl_shared_place place = {.kind = is_array ? MPL_PLACE_ARRAY : MPL_PLACE_VALUE};
  LLVMValueRef sync = slot->scan ? slot->scan : slot->reduce;
  if (sync && mpl_collective_of(sync, &collective)) {
    unsigned counted = slot->type == s->ir->i1 ? MPL_OP_or : MPL_OP_add;
    place.kind = slot->scan ? MPL_PLACE_SCAN : slot->is_vote ? MPL_PLACE_VOTE : MPL_PLACE_SUM;
    place.operation = slot->is_vote ? counted : collective.operation;
    place.is_signed = collective.is_signed;
  }
  mpl_mark_shared_place(s->ir, slot->place, &place);
}

/* Those of sub-groups are in the work-group's scratch memory. */
static void make_places(struct mpl_split *s) {
  LLVMPositionBuilderBefore(s->b, LLVMGetFirstInstruction(s->setup));
  for (unsigned h = 0; h < s->num_slots && !s->lanes; h++) {
    struct mpl_slot *slot = s->slots[h];
    if ((slot->varying && !slot->scan) || slot->unused) continue;
    if (!slot->place) slot->place = LLVMBuildAlloca(s->b, slot->type, "uniform");
    mark_place(s, slot);
  }
}

static void free_split(struct mpl_split *s) {
  for (unsigned k = 0; k < s->regions.count; k++)
    if (s->regions.list[k].sync) LLVMDeleteInstruction(s->regions.list[k].sync);
  for (unsigned h = 0; h < s->num_slots; h++) {
    free(s->slots[h]->live);
    free(s->slots[h]->occupied);
    free(s->slots[h]);
  }
  free(s->slots);
  free(s->frames);
  mpl_map_free(&s->slot_of);
  mpl_map_free(&s->needs);
  mpl_map_free(&s->copies);
  mpl_map_free(&s->bases);
  mpl_map_free(&s->combines);
  mpl_regions_free(&s->regions);
  LLVMDisposeBuilder(s->b);
}

/* Work-item loops stay loops: a group is small, and a call of memset or memcpy for each pass over
 * it costs more than the pass.  Not for sub-groups: their loops are of constant length, and a
 * function with these attributes is not inlined into the driver, which has none. */
static void mark_function(struct mpl_split *s) {
  static const char *const names[] = {"no-builtin-memset", "no-builtin-memcpy", MPL_GROUP_FUNCTION};
  for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
    mpl_set_attribute_value(s->function, names[k], "");
}

/* One remark for each region, what became of it; and for each array of which there is one. */
static void tell(struct mpl_split *s) {
  static const char *const along[] = {"", " along y", " along z"};
  for (unsigned k = 0; k < s->regions.count; k++) {
    const struct mpl_region *region = &s->regions.list[k];
    const struct mpl_frame *frame = &s->frames[k];
    const struct mpl_slot *sum = mpl_sum_slot(s, (int)k);
    LLVMValueRef head = LLVMGetFirstInstruction(s->regions.cfg.blocks[region->head]);
    mpl_remark(s->ir, region->sync ? region->sync : head, "region %u of %u: %s%s%s%s%s", k,
               s->regions.count,
               frame->loop ? "loop" : "no loop",
               frame->loop && frame->uses_ids && s->inner ? along[s->inner] : "",
               region->masked ? ", masked" : "",
               frame->broadcasts_one ? ", broadcast computed for one work-item" : "",
               !sum           ? ""
               : sum->scan    ? ", scanned in the loop before"
               : sum->is_vote ? ", votes counted"
                              : ", operands combined in loops before");
  }
  for (unsigned h = 0; h < s->num_slots; h++) {
    const struct mpl_slot *slot = s->slots[h];
    if (slot->kind == MPL_SLOT_ARRAY && !slot->varying)
      mpl_remark(s->ir, slot->value, "an array of %u bytes: one for all work-items", slot->size);
  }
}

static uint64_t most_aligned(LLVMBasicBlockRef setup) {
  uint64_t most = SCRATCH_ALIGN;
  MPL_EACH_INSTRUCTION(i, setup) {
    if (LLVMIsAAllocaInst(i) && LLVMGetAlignment(i) > most) most = LLVMGetAlignment(i);
  }
  return most;
}

static void split(struct mpl_split *s) {
  s->b = LLVMCreateBuilderInContext(s->ir->context);
  s->setup = LLVMGetEntryBasicBlock(s->function);
  s->align = most_aligned(s->setup);
  if (s->lanes || s->ir->filters)
    mpl_regions_find(&s->regions, s->function);
  else
    mpl_regions_find_with_arrays(&s->regions, s->function);
  s->frames = mpl_allocate(s->regions.count, sizeof *s->frames);
  s->inner = s->along_x ? 0 : mpl_inner_dimension(s);
  s->kernel->flags |= s->inner == 1 ? MPL_KERNEL_ALONG_Y : s->inner ? MPL_KERNEL_ALONG_Z : 0;
  LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(s->setup));
  if (!s->lanes) mpl_read_group(s);
  mpl_plan_contexts(s);
  if (!s->lanes && !s->along_x) tell(s);
  if (s->lanes) read_unit(s);
  make_places(s);
  mpl_build_frames(s);
  mpl_rewrite_values(s);
  mpl_connect_frames(s);
  if (!s->lanes) mark_function(s);
  mpl_outline_regions(s);
}

/* Ids that no region uses any more are left over in dead code. */
static void drop_ids(LLVMValueRef function) {
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (!mpl_is_id(mpl_marker_of(i))) continue;
    LLVMReplaceAllUsesWith(i, LLVMConstNull(LLVMTypeOf(i)));
    LLVMInstructionEraseFromParent(i);
  }
}

static bool has_rows(LLVMValueRef function) {
  bool asked[3] = {false};
  MPL_EACH_INSTRUCTION_OF(i, function) {
    enum mpl_marker marker = mpl_marker_of(i);
    if (mpl_is_local_id(marker)) asked[marker - MPL_MARK_LOCAL_ID_0] = true;
  }
  return asked[0] + asked[1] + asked[2] > 1;
}

/* Of three lanes and less the others are idle; it does not matter then what lies side by side. */
static void call_along_x(struct mpl_split *s) {
  enum { NARROW = 4 };
  LLVMValueRef jump = LLVMGetBasicBlockTerminator(s->setup), size = s->size[s->inner],
               args[] = {LLVMGetParam(s->function, 0), LLVMGetParam(s->function, 1)};
  LLVMBasicBlockRef first = LLVMGetSuccessor(jump, 0),
                    other = LLVMAppendBasicBlockInContext(s->ir->context, s->function, "along.x");
  LLVMPositionBuilderBefore(s->b, jump);
  LLVMValueRef narrow = LLVMBuildICmp(s->b, LLVMIntULT, size, mpl_const64(s->ir, NARROW), ""),
               less = LLVMBuildICmp(s->b, LLVMIntULT, size, s->size[0], "");
  LLVMBuildCondBr(s->b, LLVMBuildAnd(s->b, narrow, less, ""), other, first);
  LLVMInstructionEraseFromParent(jump);
  LLVMPositionBuilderAtEnd(s->b, other);
  LLVMMetadataRef program = LLVMGetSubprogram(s->function);
  if (program) {
    unsigned line = LLVMDISubprogramGetLine(program);
    LLVMMetadataRef at = LLVMDIBuilderCreateDebugLocation(s->ir->context, line, 0, program, NULL);
    LLVMSetCurrentDebugLocation2(s->b, at);
  }
  mpl_call(s->b, s->kernel->along_x, s->ir->void_type, args, 2);
  LLVMBuildRetVoid(s->b);
  mpl_add_attribute(s->kernel->along_x, "noinline");
}

static void split_work_group(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  kernel->has_rows = has_rows(kernel->group);
  bool may_choose = kernel->has_rows && !kernel->reqd_local[0];
  struct mpl_split s = {.ir = ir, .kernel = kernel, .function = kernel->group},
                   x = {.ir = ir, .kernel = kernel, .along_x = true};
  if (may_choose) x.function = mpl_ir_clone(kernel->group);
  split(&s);
  if (may_choose && s.inner) {
    split(&x);
    kernel->along_x = x.function;
    call_along_x(&s);
    drop_ids(x.function);
    free_split(&x);
  } else if (may_choose) {
    LLVMDeleteFunction(x.function);
  }
  drop_ids(s.function);
  free_split(&s);
}

/* A vector that is longer than registers is handed over in private memory. */
static void broadcast_by_value(struct mpl_module_ir *ir, LLVMValueRef function) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ir->context);
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (mpl_marker_of(i) != MPL_MARK_LANES_BROADCAST) continue;
    LLVMValueRef place = LLVMGetOperand(i, 0);
    if (LLVMTypeOf(place) == LLVMTypeOf(i) || LLVMTypeOf(place) != ir->ptr) continue;
    LLVMPositionBuilderBefore(b, i);
    LLVMValueRef args[] = {LLVMBuildLoad2(b, LLVMTypeOf(i), place, ""), LLVMGetOperand(i, 1)};
    LLVMReplaceAllUsesWith(
        i, mpl_build_marker(ir, b, MPL_MARK_LANES_BROADCAST, LLVMTypeOf(i), args, 2));
    LLVMInstructionEraseFromParent(i);
  }
  LLVMDisposeBuilder(b);
}

/* A kernel that calls sub-group functions becomes a function that runs one sub-group: its loops
 * over lanes are one chunk of vectors, and so can have these functions inside. */
static void split_sub_groups(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  struct mpl_split s = {
      .ir = ir, .kernel = kernel, .lanes = kernel->sub_group, .function = kernel->group};
  broadcast_by_value(ir, s.function);
  mpl_ir_scalarize(s.function);
  split(&s);
  drop_ids(s.function);
  mpl_expand_sub_group(ir, s.function);
  if (mpl_widen_sub_group(ir, s.function, s.lanes, s.is_whole)) {
    mpl_tell(ir, kernel->group, MPL_FACT_WIDENED,
             "sub-groups of %u: one chunk of vectors; regions: %u", s.lanes, s.regions.count);
    mpl_build_driver(&s);
  }
  free_split(&s);
}

bool mpl_split_kernels(struct mpl_module_ir *ir) {
  for (unsigned k = 0; k < ir->num_kernels; k++) {
    if (ir->kernels[k].uses_lanes)
      split_sub_groups(ir, &ir->kernels[k]);
    else
      split_work_group(ir, &ir->kernels[k]);
  }
  return ir->num_kernels > 0;
}
