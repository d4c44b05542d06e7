/* Kernels for the checking engine (src/check): not one function for all work-items of a group, but
 * one for each, in which ids and collectives are calls of the engine (struct mpl_item_host).  The
 * group function hands that function to the engine.  The library's functions on arrays of operands
 * are those that compiled kernels use. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "abi/items.h"
#include "compiler/analysis/markers.h"
#include "compiler/analysis/regions.h"
#include "compiler/passes.h"
#include "items.h"
#include "source_place.h"
#include "used.h"

/* Functions of the engine: their places in struct mpl_item_host. */
#define HOST(name) offsetof(struct mpl_item_host, name)

struct item {
  struct mpl_module_ir *ir;
  LLVMBuilderRef b;
  LLVMValueRef function; /* (launch, group) of one work-item */
  LLVMValueRef host;     /* its struct mpl_item_host, read in the entry block */
  struct mpl_map order;  /* sync call -> its number in the order of the control-flow graph */
};

/* The engine's function there. */
static LLVMValueRef engine(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef host,
                           size_t offset) {
  return mpl_load_behind(ir, b, ir->ptr, host, offset);
}

static LLVMValueRef read_host(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef launch) {
  LLVMValueRef host = mpl_load_field(b, ir->launch_type, launch, MPL_LAUNCH_HOST, "host");
  return mpl_load_behind(ir, b, ir->ptr, host, offsetof(struct mpl_host, items));
}

/* --- Ids --- */

static void lower_id(struct item *item, LLVMValueRef call, int which) {
  struct mpl_module_ir *ir = item->ir;
  LLVMValueRef argument = mpl_const32(ir, (unsigned)which);
  LLVMPositionBuilderBefore(item->b, call);
  LLVMValueRef id =
      mpl_call(item->b, engine(ir, item->b, item->host, HOST(id)), ir->i64, &argument, 1);
  if (LLVMTypeOf(call) != ir->i64) id = LLVMBuildTrunc(item->b, id, LLVMTypeOf(call), "");
  mpl_replace(call, id);
}

static void say_at(struct item *item, LLVMValueRef call, LLVMValueRef function,
                   LLVMValueRef argument) {
  struct mpl_module_ir *ir = item->ir;
  LLVMValueRef args[] = {function, mpl_constant(ir, mpl_source_place(ir, call), "mpl.place"),
                         argument};
  LLVMPositionBuilderBefore(item->b, call);
  mpl_call(item->b, engine(ir, item->b, item->host, HOST(at)), ir->void_type, args, 3);
}

static void lower_at(struct item *item, LLVMValueRef call) {
  say_at(item, call, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1));
  LLVMInstructionEraseFromParent(call);
}

static void lower_branch(struct item *item, LLVMValueRef call) {
  struct mpl_module_ir *ir = item->ir;
  LLVMValueRef fields[] = {mpl_source_place(ir, call), LLVMGetOperand(call, 2),
                           LLVMGetOperand(call, 3), LLVMGetOperand(call, 4)};
  LLVMValueRef branch = LLVMConstStructInContext(ir->context, fields, 4, false);
  LLVMValueRef args[] = {mpl_constant(ir, branch, "mpl.branch"), LLVMGetOperand(call, 0),
                         LLVMGetOperand(call, 1)};
  LLVMPositionBuilderBefore(item->b, call);
  mpl_call(item->b, engine(ir, item->b, item->host, HOST(branch)), ir->void_type, args, 3);
  LLVMInstructionEraseFromParent(call);
}

/* --- Meetings --- */

static enum mpl_item_meet how_of(const struct mpl_marker_row *marker) {
  static const enum mpl_item_meet meets[] = {
      [MPL_DOES_NOTHING] = MPL_MEET_ONLY,        [MPL_DOES_COMBINE] = MPL_MEET_RESULT,
      [MPL_DOES_BROADCAST] = MPL_MEET_BROADCAST, [MPL_DOES_ACTIVE] = MPL_MEET_ACTIVE,
      [MPL_DOES_YIELD] = MPL_MEET_YIELD,         [MPL_DOES_JOIN] = MPL_MEET_JOIN};
  return marker->in_place ? MPL_MEET_IN_PLACE : meets[marker->does];
}

/* One form for all of the library's functions on arrays (mpl_item_meeting.combine):
 *   void (void *operands, void *result, const uint32_t *with, uint64_t count, uint64_t active,
 *         uint64_t number) */
static LLVMValueRef wrapper(struct mpl_module_ir *ir, LLVMValueRef sync) {
  char name[256];
  const struct mpl_marker_row *marker = mpl_marker_row(sync);
  LLVMValueRef function = mpl_combine_of(sync);
  snprintf(name, sizeof name, "mpl_item.%s%.200s", marker->name, LLVMGetValueName(function));
  LLVMValueRef found = LLVMGetNamedFunction(ir->module, name);
  if (found) return found;
  LLVMTypeRef params[] = {ir->ptr, ir->ptr, ir->ptr, ir->i64, ir->i64, ir->i64};
  MPL_BUILDER(b, ir->context);
  LLVMValueRef f = mpl_begin_function(ir->module, b, name, ir->void_type, params, 6);
  LLVMSetLinkage(f, LLVMInternalLinkage);
  LLVMValueRef args[4], *arg = args;
  *arg++ = LLVMGetParam(f, 0);
  if (marker->own > 1) *arg++ = LLVMGetParam(f, 2);
  if (marker->scope == MPL_SCOPE_LANES) {
    *arg++ = LLVMBuildTrunc(b, LLVMGetParam(f, 3), ir->i32, "");
    *arg++ = LLVMGetParam(f, 4);
  } else {
    *arg++ = LLVMGetParam(f, 3);
  }
  if (LLVMGetNumArgOperands(sync) > marker->own + 1)
    *arg++ = LLVMBuildTrunc(b, LLVMGetParam(f, 5), ir->i32, "");
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMValueRef result = LLVMBuildCall2(b, type, function, args, (unsigned)(arg - args), "");
  LLVMSetInstructionCallConv(result, LLVMGetFunctionCallConv(function));
  if (LLVMGetReturnType(type) != ir->void_type) LLVMBuildStore(b, result, LLVMGetParam(f, 1));
  LLVMBuildRetVoid(b);
  return f;
}

/* A struct mpl_item_meeting. */
static LLVMValueRef meeting(struct item *item, LLVMValueRef call, LLVMTypeRef operand) {
  struct mpl_module_ir *ir = item->ir;
  const struct mpl_marker_row *marker = mpl_marker_row(call);
  LLVMTypeRef result = LLVMTypeOf(call);
  LLVMValueRef fields[] = {
      marker->does == MPL_DOES_COMBINE ? wrapper(ir, call) : LLVMConstNull(ir->ptr),
      mpl_const32(ir, how_of(marker)),
      mpl_const32(ir, marker->scope == MPL_SCOPE_LANES),
      mpl_const32(ir, operand ? LLVMABISizeOfType(ir->layout, operand) : 0),
      mpl_const32(ir, result != ir->void_type ? LLVMStoreSizeOfType(ir->layout, result) : 0),
      mpl_const32(ir, marker->own > 1),
      mpl_const32(ir, mpl_map_get(&item->order, call, 0)),
      mpl_const32(ir, mpl_marker_of(call) == MPL_MARK_LANES_PERMUTE && mpl_is_surely_stored(call))};
  return mpl_constant(ir, LLVMConstStructInContext(ir->context, fields, 8, false), "mpl.meeting");
}

/* Room for operand and result, in the entry block. */
static LLVMValueRef room(struct item *item, LLVMTypeRef operand, LLVMTypeRef result) {
  struct mpl_module_ir *ir = item->ir;
  LLVMTypeRef type = operand ? operand : ir->i64;
  if (result != ir->void_type &&
      LLVMABISizeOfType(ir->layout, result) > LLVMABISizeOfType(ir->layout, type))
    type = result;
  LLVMPositionBuilderBefore(item->b,
                            LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(item->function)));
  return LLVMBuildAlloca(item->b, type, "meet");
}

static void lower_meeting(struct item *item, LLVMValueRef call) {
  struct mpl_module_ir *ir = item->ir;
  const struct mpl_marker_row *marker = mpl_marker_row(call);
  unsigned operands = LLVMGetNumArgOperands(call) - (marker->does == MPL_DOES_COMBINE);
  if (marker->does == MPL_DOES_YIELD)
    say_at(item, call, LLVMConstNull(ir->ptr), mpl_const64(ir, 0));
  LLVMValueRef value = marker->own ? LLVMGetOperand(call, 0) : NULL;
  LLVMTypeRef operand = value ? LLVMTypeOf(value) : NULL, result = LLVMTypeOf(call);
  LLVMValueRef place = room(item, operand, result), number = mpl_const64(ir, 0);
  LLVMPositionBuilderBefore(item->b, call);
  if (value) LLVMBuildStore(item->b, value, place);
  if (operands > 1) number = LLVMGetOperand(call, 1);
  if (LLVMTypeOf(number) != ir->i64) number = LLVMBuildZExt(item->b, number, ir->i64, "");
  LLVMValueRef args[] = {meeting(item, call, operand), place, number};
  mpl_call(item->b, engine(ir, item->b, item->host, HOST(meet)), ir->void_type, args, 3);
  if (result != ir->void_type)
    LLVMReplaceAllUsesWith(call, LLVMBuildLoad2(item->b, result, place, ""));
  LLVMInstructionEraseFromParent(call);
}

/* --- A kernel --- */

/* Lanes that have parted meet again where they do in compiled kernels: at the heads of regions, of
 * which the first goes on.  Those that no sync stands at get a call that stands for one. */
static void number_heads(struct item *item) {
  mpl_ir_split(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(item->function)), "first");
  MPL_FREED(mpl_regions_free) struct mpl_regions regions;
  mpl_regions_find_in_items(&regions, item->function);
  for (unsigned k = 1; k < regions.count; k++) {
    LLVMValueRef sync = regions.list[k].sync;
    if (!sync) {
      LLVMPositionBuilderBefore(item->b, mpl_behind_phis(regions.cfg.blocks[regions.list[k].head]));
      sync = mpl_build_marker(item->ir, item->b, MPL_MARK_JOIN, item->ir->void_type, NULL, 0);
    }
    mpl_map_set(&item->order, sync, k);
  }
}

static void lower(struct item *item, struct mpl_ir_kernel *kernel) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(item->function);
  LLVMPositionBuilderBefore(item->b, LLVMGetFirstInstruction(entry));
  item->host = read_host(item->ir, item->b, LLVMGetParam(item->function, 0));
  MPL_EACH_INSTRUCTION_OF(i, item->function) {
    enum mpl_marker marker = mpl_marker_of(i);
    LLVMValueRef value = mpl_parameter_of(item->ir, kernel, marker);
    if (value) {
      mpl_replace(i, value);
    } else if (marker == MPL_MARK_AT) {
      lower_at(item, i);
    } else if (marker == MPL_MARK_BRANCH) {
      lower_branch(item, i);
    } else if (mpl_markers[marker].item_id != MPL_ITEM_NO_ID) {
      lower_id(item, i, mpl_markers[marker].item_id);
    } else if (mpl_is_sync(marker) || marker == MPL_MARK_JOIN) {
      if (mpl_is_sync(marker)) kernel->flags |= MPL_KERNEL_HAS_SYNC;
      lower_meeting(item, i);
    }
  }
}

/* void (launch, group) {
 *   host->run(launch, group, one work-item, size of sub-groups, number of branches, watched); } */
static void make_group_function(struct mpl_module_ir *ir, LLVMBuilderRef b,
                                struct mpl_ir_kernel *kernel, unsigned branches) {
  char name[512];
  snprintf(name, sizeof name, "mpl_items.%s", kernel->name);
  LLVMTypeRef two[] = {ir->ptr, ir->ptr};
  LLVMValueRef f = mpl_begin_function(ir->module, b, name, ir->void_type, two, 2);
  LLVMValueRef host = read_host(ir, b, LLVMGetParam(f, 0));
  uint32_t tells = ir->access_hook ? MPL_TELLS : 0;
  if (tells && !ir->watches_atomics) tells |= MPL_TELLS_NO_ATOMICS;
  LLVMValueRef args[] = {LLVMGetParam(f, 0),
                         LLVMGetParam(f, 1),
                         kernel->group,
                         mpl_const32(ir, kernel->sub_group),
                         mpl_const32(ir, branches),
                         mpl_const32(ir, tells)};
  if (ir->access_hook) {
    LLVMBuildStore(b, engine(ir, b, host, HOST(access)), ir->access_hook);
    LLVMBuildStore(b, engine(ir, b, host, HOST(inside)), ir->inside_hook);
  }
  mpl_call(b, engine(ir, b, host, HOST(run)), ir->void_type, args, 6);
  LLVMBuildRetVoid(b);
  LLVMSetLinkage(kernel->group, LLVMInternalLinkage);
  kernel->group = f;
  kernel->flags |= MPL_KERNEL_PER_ITEM;
}

/* A frame that is larger than the guard below a work-item's stack is not to reach over it. */
static void probe_stacks(struct mpl_module_ir *ir) {
  MPL_EACH_FUNCTION(f, ir->module) {
    if (LLVMGetFirstBasicBlock(f)) mpl_set_attribute_value(f, "probe-stack", "inline-asm");
  }
}

bool mpl_make_items(struct mpl_module_ir *ir) {
  probe_stacks(ir);
  MPL_EACH_KERNEL(kernel, ir) {
    kernel->uses_lanes = mpl_uses_lanes(kernel->group);
    mpl_insert_yields(ir, kernel);
  }
  MPL_BUILDER(b, ir->context);
  MPL_EACH_KERNEL(kernel, ir) {
    struct item item = {.ir = ir, .b = b, .function = kernel->group};
    LLVMSetCurrentDebugLocation2(b, NULL);
    unsigned branches = mpl_mark_branches(ir, item.function);
    if (kernel->uses_lanes) number_heads(&item);
    lower(&item, kernel);
    mpl_map_free(&item.order);
    make_group_function(ir, b, kernel, branches);
  }
  return ir->num_kernels > 0;
}
