/* What a kernel that is to have a filter calls: collectives that all work-items surely reach, or of
 * which the filter sees whether they do, and nothing whose effect cannot be undone. */
#include <string.h>

#include "abi/filter.h"
#include "abi/items.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"
#include "filter.h"
#include "items.h"
#include "used.h"

/* A barrier whose memory_scope has not all that wait for one another. */
static bool is_narrow(LLVMValueRef at) {
  uint64_t scope = LLVMConstIntGetZExtValue(LLVMGetOperand(at, 1)) >> MPL_FENCE_SCOPE_SHIFT;
  bool lanes = mpl_described_flags(LLVMGetOperand(at, 0)) & MPL_FUNCTION_SUB_GROUP;
  return scope == MPL_FENCE_WORK_ITEM || (scope == MPL_FENCE_SUB_GROUP && !lanes);
}

/* The memories that it orders; 0: that is not known. */
static uint64_t fences_of(LLVMValueRef at) { /* in front of a collective that is called */
  LLVMValueRef flags = LLVMGetOperand(at, 1);
  uint64_t all = 1 << MPL_FILTER_LOCAL | 1 << MPL_FILTER_GLOBAL;
  switch (mpl_described_kind(LLVMGetOperand(at, 0))) {
  case MPL_FUNCTION_BARRIER: /* CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE; 4: nothing is ordered */
    if (!LLVMIsAConstantInt(flags)) return 0;
    if (is_narrow(at)) return 4;
    return LLVMConstIntGetZExtValue(flags) & all ?: 4;
  case MPL_FUNCTION_REDUCE:
  case MPL_FUNCTION_SCAN_INCLUSIVE:
  case MPL_FUNCTION_SCAN_EXCLUSIVE:
  case MPL_FUNCTION_VOTE:
  case MPL_FUNCTION_BROADCAST:
    return all;
  case MPL_FUNCTION_OTHER:
    return mpl_is_described_as(LLVMGetOperand(at, 0), "wait_group_events") ? all : 0;
  default:
    return 0;
  }
}

static const char unknown[] = "it calls a function of the work-group that no filter knows";

/* It is known before the kernel runs, or the same for all of a work-group that is the unit. */
static bool is_same_for_all(struct mpl_filter *f, LLVMValueRef value) {
  if (LLVMIsAConstant(value)) return true;
  if (f->kernel->uses_lanes) return false;
  if (!f->has_shapes) {
    mpl_flow_find(&f->flow, f->kernel->group);
    f->has_shapes = true;
  }
  return mpl_is_uniform(&f->flow.shapes, value);
}

static void forget_shapes(struct mpl_filter *f) {
  if (!f->has_shapes) return;
  mpl_flow_free(&f->flow);
  f->has_shapes = false;
}

static LLVMValueRef num_items(struct mpl_filter *f) {
  LLVMValueRef count = NULL;
  for (unsigned d = 0; d < 3; d++) {
    LLVMValueRef indices[] = {mpl_const64(f->ir, 0), mpl_const32(f->ir, MPL_GROUP_SIZE),
                              mpl_const64(f->ir, d)};
    LLVMValueRef group = LLVMGetParam(f->kernel->group, 1);
    LLVMValueRef at = LLVMBuildInBoundsGEP2(f->b, f->ir->group_type, group, indices, 3, "");
    LLVMValueRef size = LLVMBuildLoad2(f->b, f->ir->i64, at, "");
    mpl_mark(f->ir, size, "invariant.load");
    count = d ? LLVMBuildMul(f->b, count, size, "") : size;
  }
  return count;
}

/* The work-item whose value is broadcast has to be there. */
static void look_at_place(struct mpl_filter *f, LLVMValueRef sync, LLVMValueRef place) {
  if (LLVMIsAConstant(place) && LLVMIsNull(place)) return;
  if (!is_same_for_all(f, place)) mpl_filter_refuse(f, unknown);
  LLVMPositionBuilderBefore(f->b, sync);
  mpl_filter_stop_if(f, LLVMBuildICmp(f->b, LLVMIntUGE, place, num_items(f), ""));
}

static void look_at_group(struct mpl_filter *f, LLVMValueRef sync, LLVMValueRef at) {
  const struct mpl_marker_row *row = mpl_marker_row(sync);
  if (!at || row->filter != MPL_FILTER_KNOWN) {
    mpl_filter_refuse(f, unknown);
    return;
  }
  if (row->does == MPL_DOES_BROADCAST) look_at_place(f, sync, LLVMGetOperand(sync, 1));
  mpl_note_number(f->ir, sync, MPL_FILTER_FENCES, fences_of(at));
}

/* What a shuffle asks of the lane that it takes a value from, if that is surely written. */
static unsigned source_of(const struct mpl_filter *f, LLVMValueRef sync, LLVMValueRef function) {
  static const struct {
    const char *name;
    unsigned asked;
  } shuffles[] = {{"sub_group_shuffle", MPL_LANES_AT},
                  {"sub_group_shuffle_xor", MPL_LANES_XOR},
                  {"sub_group_shuffle_up", MPL_LANES_UP},
                  {"sub_group_shuffle_down", MPL_LANES_DOWN}};
  if (f->ir->records) return 0; /* the engine does not know either */
  if (mpl_marker_of(sync) != MPL_MARK_LANES_PERMUTE || !mpl_is_surely_stored(sync)) return 0;
  for (size_t k = 0; k < sizeof shuffles / sizeof *shuffles; k++)
    if (mpl_is_described_as(function, shuffles[k].name)) return shuffles[k].asked;
  return 0;
}

/* What the engine wants of those that come (check/engine/meet.c, check/functions/opencl_items.c);
 * of a function that is not told of, all that might be. */
static unsigned asked_of(const struct mpl_filter *f, LLVMValueRef sync, LLVMValueRef at) {
  const unsigned any = MPL_FUNCTION_SUB_GROUP | MPL_FUNCTION_UNIFORM | MPL_FUNCTION_INSIDE;
  unsigned flags = at ? mpl_described_flags(LLVMGetOperand(at, 0)) : any, asked = 0;
  const struct mpl_marker_row *row = mpl_marker_row(sync);
  if (!(flags & MPL_FUNCTION_ANY_LANES)) asked |= MPL_LANES_ALL;
  if (row->does == MPL_DOES_BROADCAST || row == &mpl_markers[MPL_MARK_LANES_CLUSTER]) {
    if (flags & MPL_FUNCTION_UNIFORM) asked |= MPL_LANES_SAME;
    if (flags & MPL_FUNCTION_INSIDE && row->does == MPL_DOES_BROADCAST) asked |= MPL_LANES_INSIDE;
  }
  return at ? asked | source_of(f, sync, LLVMGetOperand(at, 0)) : asked;
}

static void ask_lanes(struct mpl_filter *f, unsigned asked, LLVMValueRef argument,
                      unsigned fences) {
  struct mpl_module_ir *ir = f->ir;
  LLVMValueRef args[] = {[MPL_LANES_GROUP] = LLVMGetParam(f->kernel->group, 1),
                         [MPL_LANES_ASKED] = mpl_const32(ir, asked),
                         [MPL_LANES_ARGUMENT] = argument,
                         [MPL_LANES_FENCES] = mpl_const32(ir, fences)};
  mpl_build_marker(ir, f->b, MPL_MARK_FILTER_LANES, ir->void_type, args, MPL_LANES_OPERANDS);
}

static void look_at_lanes(struct mpl_filter *f, LLVMValueRef sync, LLVMValueRef at) {
  struct mpl_module_ir *ir = f->ir;
  unsigned asked = asked_of(f, sync, at), fences = 0;
  LLVMValueRef argument = mpl_const64(ir, 0);
  LLVMPositionBuilderBefore(f->b, sync);
  if (mpl_marker_of(sync) == MPL_MARK_LANES_BARRIER) {
    fences = at ? (unsigned)fences_of(at) : 0;
    if (!fences) mpl_filter_refuse(f, "it calls a barrier with flags that are not known");
    fences &= 1 << MPL_FILTER_LOCAL | 1 << MPL_FILTER_GLOBAL;
    f->has_steps |= fences != 0;
  }
  if (asked & ~(unsigned)MPL_LANES_ALL)
    argument = LLVMBuildZExtOrBitCast(f->b, LLVMGetOperand(sync, 1), ir->i64, "");
  if (asked || fences) ask_lanes(f, asked, argument, fences);
}

static bool tells_of(LLVMValueRef i, enum mpl_function_kind kind) {
  return mpl_marker_of(i) == MPL_MARK_AT && mpl_described_kind(LLVMGetOperand(i, 0)) == kind;
}

/* All of the unit have to bring that value to the next collective. */
static void look_at_expected(struct mpl_filter *f, LLVMValueRef at) {
  LLVMValueRef value = LLVMGetOperand(at, 1);
  bool lanes = mpl_described_flags(LLVMGetOperand(at, 0)) & MPL_FUNCTION_SUB_GROUP;
  if (!lanes && !is_same_for_all(f, value)) mpl_filter_refuse(f, unknown);
  if (!lanes) return;
  LLVMPositionBuilderBefore(f->b, at);
  ask_lanes(f, MPL_LANES_ALL | (LLVMIsAConstant(value) ? 0 : MPL_LANES_SAME), value, 0);
}

/* Some copy has to have returned it. */
static void look_at_event(struct mpl_filter *f, LLVMValueRef at) {
  LLVMValueRef copys = mpl_const64(f->ir, MPL_EVENT_OF_COPY);
  LLVMPositionBuilderBefore(f->b, at);
  LLVMValueRef other = LLVMBuildICmp(f->b, LLVMIntNE, LLVMGetOperand(at, 1), copys, "");
  bool is_known = LLVMIsAConstant(other);
  if (is_known && LLVMIsNull(other)) return;
  mpl_filter_stop_if(f, is_known ? LLVMConstInt(f->ir->i1, 1, false) : other);
}

/* The engine looks whether there is one in each dimension. */
static bool has_ids(LLVMValueRef i) {
  return tells_of(i, MPL_FUNCTION_BROADCAST) &&
         (!LLVMIsAConstantInt(LLVMGetOperand(i, 1)) || !LLVMIsNull(LLVMGetOperand(i, 1)));
}

/* In the kernel each collective is told of right in front of it; some of sub-groups' need none to
 * meet, others several times. */
static void look_at_block(struct mpl_filter *f, LLVMBasicBlockRef block, bool *any) {
  LLVMValueRef of_group = NULL, of_lanes = NULL;
  MPL_EACH_INSTRUCTION(i, block) {
    enum mpl_marker marker = mpl_marker_of(i);
    if (mpl_is_at_copy(i)) {
      if (of_group) mpl_filter_refuse(f, unknown);
      *any = true;
    } else if (tells_of(i, MPL_FUNCTION_EXPECT)) {
      look_at_expected(f, i);
    } else if (tells_of(i, MPL_FUNCTION_EVENT)) {
      look_at_event(f, i);
    } else if (tells_of(i, MPL_FUNCTION_SCOPE)) {
      continue; /* what is released only the engine understands */
    } else if (has_ids(i)) {
      mpl_filter_refuse(f, "it broadcasts from an id of two or three dimensions");
    } else if (marker == MPL_MARK_AT) {
      bool lanes = mpl_described_flags(LLVMGetOperand(i, 0)) & MPL_FUNCTION_SUB_GROUP;
      if (of_group || (!lanes && !fences_of(i))) mpl_filter_refuse(f, unknown);
      of_lanes = lanes ? i : NULL;
      of_group = lanes ? NULL : i;
    } else if (mpl_is_group_sync(marker)) {
      look_at_group(f, i, of_group);
      of_group = of_lanes = NULL;
      *any = true;
    } else if (mpl_is_sync(marker)) {
      if (of_group) mpl_filter_refuse(f, unknown);
      look_at_lanes(f, i, of_lanes);
    }
    if (f->why) return;
  }
  if (of_group) mpl_filter_refuse(f, unknown);
}

static bool has_syncs(LLVMValueRef function) {
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (mpl_is_sync(mpl_marker_of(i))) return true;
  }
  return false;
}

void mpl_filter_look_at_collectives(struct mpl_filter *f) {
  bool any = false;
  if (f->kernel->has_no_groups && has_syncs(f->kernel->group))
    mpl_filter_refuse(f, "it has no work-groups, but calls a function of theirs");
  MPL_EACH_BLOCK(block, f->kernel->group) look_at_block(f, block, &any);
  forget_shapes(f);
  if (!f->why && any && mpl_parts_before_sync(f->kernel->group))
    mpl_filter_refuse(f, "work-items may part in front of a collective");
  MPL_EACH_INSTRUCTION_OF(i, f->kernel->group) {
    if (mpl_marker_of(i) == MPL_MARK_AT) LLVMInstructionEraseFromParent(i);
  }
  f->kernel->has_steps = f->has_steps;
}

/* A function of the C library's may do what cannot be undone; one of the program's that is still
 * there calls itself. */
static bool is_unknown(const struct mpl_filter *f, LLVMValueRef callee) {
  return f->ir->records && !LLVMGetIntrinsicID(callee) &&
         (LLVMIsDeclaration(callee) ? strncmp(LLVMGetValueName(callee), "__mpl_", 6) != 0
                                    : mpl_has_attribute(callee, "alwaysinline"));
}

void mpl_filter_look_at(struct mpl_filter *f, LLVMValueRef function) {
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (LLVMIsAUnreachableInst(i)) mpl_filter_refuse(f, "it may end in a trap");
    if (!LLVMIsACallInst(i)) continue;
    LLVMValueRef callee = mpl_callee_of(i);
    if (callee ? is_unknown(f, callee) : !mpl_is_of_print(f->ir, i))
      mpl_filter_refuse(f, "it calls what is not known");
    else if (callee && mpl_is_trap(i))
      mpl_filter_refuse(f, "it may end in a trap");
  }
}
