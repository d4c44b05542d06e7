/* Kernels for the checking engine (../check): not one function for all work-items of a group, but
 * one for each, in which ids and collectives are calls of the engine (struct mpl_item_host).  The
 * group function hands that function to the engine.  The library's functions on arrays of operands
 * are those that compiled kernels use. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/items.h"
#include "compiler/analysis/regions.h"
#include "source_place.h"

/* What is asked of the engine: where it is in struct mpl_item_host. */
#define HOST(name) offsetof(struct mpl_item_host, name)

#define JOIN "__mpl_join" /* where lanes meet again */

struct item {
  struct mpl_module_ir *ir;
  LLVMBuilderRef b;
  LLVMValueRef function; /* (launch, group) of one work-item */
  LLVMValueRef host;     /* its struct mpl_item_host, read in the entry block */
  struct mpl_map order;  /* sync call -> its number in the order of the control-flow graph */
};

static LLVMValueRef const32(struct mpl_module_ir *ir, uint64_t value) {
  return LLVMConstInt(ir->i32, value, false);
}

/* The engine's function there. */
static LLVMValueRef engine(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef host,
                           size_t offset) {
  LLVMValueRef place = mpl_offset(ir, b, host, mpl_const64(ir, offset));
  return LLVMBuildLoad2(b, ir->ptr, place, "");
}

static LLVMValueRef read_host(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef launch) {
  LLVMValueRef host = mpl_load_field(b, ir->launch_type, launch, MPL_LAUNCH_HOST, "host");
  LLVMValueRef items = mpl_const64(ir, offsetof(struct mpl_host, items));
  return LLVMBuildLoad2(b, ir->ptr, mpl_offset(ir, b, host, items), "items");
}

/* --- Ids --- */

/* Which id a marker asks the engine for, or -1. */
static int id_of(enum mpl_marker marker) {
  switch (marker) {
  case MPL_MARK_LOCAL_ID_0:
    return MPL_ITEM_LOCAL_ID_0;
  case MPL_MARK_LOCAL_ID_1:
    return MPL_ITEM_LOCAL_ID_1;
  case MPL_MARK_LOCAL_ID_2:
    return MPL_ITEM_LOCAL_ID_2;
  case MPL_MARK_LOCAL_LINEAR_ID:
    return MPL_ITEM_LOCAL_LINEAR_ID;
  case MPL_MARK_LANE_ID:
    return MPL_ITEM_LANE;
  case MPL_MARK_LANES_GROUP_ID:
    return MPL_ITEM_SUB_GROUP;
  case MPL_MARK_LANES_HERE:
    return MPL_ITEM_SUB_GROUP_SIZE;
  default:
    return -1;
  }
}

static void lower_id(struct item *item, LLVMValueRef call, int which) {
  struct mpl_module_ir *ir = item->ir;
  LLVMTypeRef type = LLVMFunctionType(ir->i64, &ir->i32, 1, false);
  LLVMValueRef argument = const32(ir, (unsigned)which);
  LLVMPositionBuilderBefore(item->b, call);
  LLVMValueRef id =
      LLVMBuildCall2(item->b, type, engine(ir, item->b, item->host, HOST(id)), &argument, 1, "");
  if (LLVMTypeOf(call) != ir->i64) id = LLVMBuildTrunc(item->b, id, LLVMTypeOf(call), "");
  LLVMReplaceAllUsesWith(call, id);
  LLVMInstructionEraseFromParent(call);
}

/* What is a parameter of the function, or a constant; else null. */
static LLVMValueRef parameter(struct item *item, unsigned sub_group, enum mpl_marker marker) {
  switch (marker) {
  case MPL_MARK_LAUNCH:
    return LLVMGetParam(item->function, 0);
  case MPL_MARK_GROUP:
    return LLVMGetParam(item->function, 1);
  case MPL_MARK_LANES_SIZE:
    return const32(item->ir, sub_group);
  default:
    return NULL;
  }
}

static void say_at(struct item *item, LLVMValueRef call, LLVMValueRef function,
                   LLVMValueRef argument) {
  struct mpl_module_ir *ir = item->ir;
  LLVMTypeRef params[] = {ir->ptr, ir->ptr, ir->i64};
  LLVMValueRef args[] = {function, mpl_constant(ir, mpl_source_place(ir, call), "mpl.place"), argument};
  LLVMPositionBuilderBefore(item->b, call);
  LLVMBuildCall2(item->b, LLVMFunctionType(ir->void_type, params, 3, false),
                 engine(ir, item->b, item->host, HOST(at)), args, 3, "");
}

static void lower_at(struct item *item, LLVMValueRef call) {
  say_at(item, call, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1));
  LLVMInstructionEraseFromParent(call);
}

static void lower_branch(struct item *item, LLVMValueRef call) {
  struct mpl_module_ir *ir = item->ir;
  LLVMValueRef fields[] = {mpl_source_place(ir, call), LLVMGetOperand(call, 2), LLVMGetOperand(call, 3),
                           LLVMGetOperand(call, 4)};
  LLVMValueRef branch = LLVMConstStructInContext(ir->context, fields, 4, false);
  LLVMTypeRef params[] = {ir->ptr, ir->i32, ir->i64};
  LLVMValueRef args[] = {mpl_constant(ir, branch, "mpl.branch"), LLVMGetOperand(call, 0),
                         LLVMGetOperand(call, 1)};
  LLVMPositionBuilderBefore(item->b, call);
  LLVMBuildCall2(item->b, LLVMFunctionType(ir->void_type, params, 3, false),
                 engine(ir, item->b, item->host, HOST(branch)), args, 3, "");
  LLVMInstructionEraseFromParent(call);
}

/* --- Meetings --- */

/* How a marker's call is carried out: which of its operands are what. */
struct shape {
  enum mpl_item_meet how;
  bool lanes;
  int number;  /* the operand that is the meeting's argument, or -1 */
  int combine; /* the operand that is the library's function, or -1 */
};

static struct shape shape_of(enum mpl_marker marker) {
  switch (marker) {
  case MPL_MARK_BARRIER:
    return (struct shape){MPL_MEET_ONLY, false, -1, -1};
  case MPL_MARK_REDUCE:
    return (struct shape){MPL_MEET_RESULT, false, -1, 1};
  case MPL_MARK_SCAN:
    return (struct shape){MPL_MEET_IN_PLACE, false, -1, 1};
  case MPL_MARK_BROADCAST:
    return (struct shape){MPL_MEET_BROADCAST, false, 1, -1};
  case MPL_MARK_LANES_BARRIER:
    return (struct shape){MPL_MEET_ONLY, true, -1, -1};
  case MPL_MARK_LANES_REDUCE:
    return (struct shape){MPL_MEET_RESULT, true, -1, 1};
  case MPL_MARK_LANES_SCAN:
    return (struct shape){MPL_MEET_IN_PLACE, true, -1, 1};
  case MPL_MARK_LANES_CLUSTER:
  case MPL_MARK_LANES_PERMUTE:
    return (struct shape){MPL_MEET_IN_PLACE, true, 1, 2};
  case MPL_MARK_LANES_BROADCAST:
    return (struct shape){MPL_MEET_BROADCAST, true, 1, -1};
  case MPL_MARK_LANES_ACTIVE:
    return (struct shape){MPL_MEET_ACTIVE, true, -1, -1};
  case MPL_MARK_YIELD:
    return (struct shape){MPL_MEET_YIELD, false, -1, -1};
  default:
    return (struct shape){MPL_MEET_JOIN, true, -1, -1};
  }
}

static LLVMValueRef library_function(LLVMValueRef call, int operand) {
  LLVMValueRef function = LLVMGetOperand(call, (unsigned)operand);
  while (LLVMIsAConstantExpr(function)) function = LLVMGetOperand(function, 0);
  return function;
}

/* One form for all of the library's functions on arrays (mpl_item_meeting.combine):
 *   void (void *operands, void *result, const uint32_t *with, uint64_t count, uint64_t active,
 *         uint64_t number) */
static LLVMValueRef wrapper(struct mpl_module_ir *ir, enum mpl_marker marker,
                            LLVMValueRef function) {
  char name[256];
  snprintf(name, sizeof name, "mpl_item.%u.%.200s", (unsigned)marker, LLVMGetValueName(function));
  LLVMValueRef found = LLVMGetNamedFunction(ir->module, name);
  if (found) return found;
  LLVMTypeRef params[] = {ir->ptr, ir->ptr, ir->ptr, ir->i64, ir->i64, ir->i64};
  LLVMValueRef f = LLVMAddFunction(ir->module, name, LLVMFunctionType(ir->void_type, params, 6, 0));
  LLVMSetLinkage(f, LLVMInternalLinkage);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ir->context);
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(ir->context, f, "entry"));
  LLVMValueRef args[4], *arg = args;
  *arg++ = LLVMGetParam(f, 0);
  if (marker == MPL_MARK_LANES_PERMUTE) *arg++ = LLVMGetParam(f, 2);
  if (mpl_is_lanes_sync(marker)) {
    *arg++ = LLVMBuildTrunc(b, LLVMGetParam(f, 3), ir->i32, "");
    *arg++ = LLVMGetParam(f, 4);
  } else {
    *arg++ = LLVMGetParam(f, 3);
  }
  if (marker == MPL_MARK_LANES_CLUSTER) *arg++ = LLVMBuildTrunc(b, LLVMGetParam(f, 5), ir->i32, "");
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMValueRef result = LLVMBuildCall2(b, type, function, args, (unsigned)(arg - args), "");
  LLVMSetInstructionCallConv(result, LLVMGetFunctionCallConv(function));
  if (LLVMGetReturnType(type) != ir->void_type) LLVMBuildStore(b, result, LLVMGetParam(f, 1));
  LLVMBuildRetVoid(b);
  LLVMDisposeBuilder(b);
  return f;
}

/* A struct mpl_item_meeting. */
static LLVMValueRef meeting(struct item *item, LLVMValueRef call, enum mpl_marker marker,
                            struct shape shape, LLVMTypeRef operand) {
  struct mpl_module_ir *ir = item->ir;
  LLVMTypeRef result = LLVMTypeOf(call);
  LLVMValueRef combine = LLVMConstNull(ir->ptr);
  if (shape.combine >= 0) combine = wrapper(ir, marker, library_function(call, shape.combine));
  LLVMValueRef fields[] = {
      combine,
      const32(ir, shape.how),
      const32(ir, shape.lanes),
      const32(ir, operand ? LLVMABISizeOfType(ir->layout, operand) : 0),
      const32(ir, result != ir->void_type ? LLVMStoreSizeOfType(ir->layout, result) : 0),
      const32(ir, marker == MPL_MARK_LANES_PERMUTE),
      const32(ir, mpl_map_get(&item->order, call, 0))};
  return mpl_constant(ir, LLVMConstStructInContext(ir->context, fields, 7, false), "mpl.meeting");
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

static void lower_meeting(struct item *item, LLVMValueRef call, enum mpl_marker marker) {
  struct mpl_module_ir *ir = item->ir;
  struct shape shape = shape_of(marker);
  if (shape.how == MPL_MEET_YIELD) say_at(item, call, LLVMConstNull(ir->ptr), mpl_const64(ir, 0));
  bool has_operand = shape.how == MPL_MEET_RESULT || shape.how == MPL_MEET_IN_PLACE ||
                     shape.how == MPL_MEET_BROADCAST;
  LLVMValueRef value = has_operand ? LLVMGetOperand(call, 0) : NULL;
  LLVMTypeRef operand = value ? LLVMTypeOf(value) : NULL, result = LLVMTypeOf(call);
  LLVMValueRef place = room(item, operand, result), number = mpl_const64(ir, 0);
  LLVMPositionBuilderBefore(item->b, call);
  if (value) LLVMBuildStore(item->b, value, place);
  if (shape.number >= 0) number = LLVMGetOperand(call, (unsigned)shape.number);
  if (LLVMTypeOf(number) != ir->i64) number = LLVMBuildZExt(item->b, number, ir->i64, "");
  LLVMTypeRef params[] = {ir->ptr, ir->ptr, ir->i64};
  LLVMValueRef args[] = {meeting(item, call, marker, shape, operand), place, number};
  LLVMBuildCall2(item->b, LLVMFunctionType(ir->void_type, params, 3, false),
                 engine(ir, item->b, item->host, HOST(meet)), args, 3, "");
  if (result != ir->void_type)
    LLVMReplaceAllUsesWith(call, LLVMBuildLoad2(item->b, result, place, ""));
  LLVMInstructionEraseFromParent(call);
}

/* --- A kernel --- */

static bool calls(LLVMValueRef i, const char *name) {
  LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
  return callee && !strcmp(LLVMGetValueName(callee), name);
}

/* The block's first instruction behind its phis. */
static LLVMValueRef first_of(LLVMBasicBlockRef block) {
  LLVMValueRef i = LLVMGetFirstInstruction(block);
  while (LLVMIsAPHINode(i)) i = LLVMGetNextInstruction(i);
  return i;
}

/* Lanes that have parted meet again where they do in compiled kernels: at the heads of regions, of
 * which the first goes on.  Those that no sync stands at get a call that stands for one. */
static void number_heads(struct item *item) {
  struct mpl_module_ir *ir = item->ir;
  LLVMTypeRef type = LLVMFunctionType(ir->void_type, NULL, 0, false);
  LLVMValueRef join = LLVMGetNamedFunction(ir->module, JOIN);
  if (!join) join = LLVMAddFunction(ir->module, JOIN, type);
  mpl_ir_split(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(item->function)), "first");
  struct mpl_regions regions;
  mpl_regions_find(&regions, item->function);
  for (unsigned k = 1; k < regions.count; k++) {
    LLVMValueRef sync = regions.list[k].sync;
    if (!sync) {
      LLVMPositionBuilderBefore(item->b, first_of(regions.cfg.blocks[regions.list[k].head]));
      sync = LLVMBuildCall2(item->b, type, join, NULL, 0, "");
    }
    mpl_map_set(&item->order, sync, k);
  }
  mpl_regions_free(&regions);
}

static void lower(struct item *item, struct mpl_ir_kernel *kernel) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(item->function);
  LLVMPositionBuilderBefore(item->b, LLVMGetFirstInstruction(entry));
  item->host = read_host(item->ir, item->b, LLVMGetParam(item->function, 0));
  MPL_EACH_BLOCK(block, item->function) {
    MPL_EACH_INSTRUCTION(i, block) {
      enum mpl_marker marker = mpl_marker_of(i);
      LLVMValueRef value = parameter(item, kernel->sub_group, marker);
      if (value) {
        LLVMReplaceAllUsesWith(i, value);
        LLVMInstructionEraseFromParent(i);
      } else if (calls(i, MPL_AT)) {
        lower_at(item, i);
      } else if (calls(i, MPL_BRANCH)) {
        lower_branch(item, i);
      } else if (id_of(marker) >= 0) {
        lower_id(item, i, id_of(marker));
      } else if (calls(i, JOIN)) {
        lower_meeting(item, i, MPL_NO_MARKER);
      } else if (mpl_is_sync(marker)) {
        kernel->flags |= MPL_KERNEL_HAS_SYNC;
        lower_meeting(item, i, marker);
      }
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
  LLVMTypeRef six[] = {ir->ptr, ir->ptr, ir->ptr, ir->i32, ir->i32, ir->i32};
  LLVMValueRef f =
      LLVMAddFunction(ir->module, name, LLVMFunctionType(ir->void_type, two, 2, false));
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(ir->context, f, "entry"));
  LLVMValueRef host = read_host(ir, b, LLVMGetParam(f, 0));
  LLVMValueRef args[] = {LLVMGetParam(f, 0), LLVMGetParam(f, 1), kernel->group,
                         const32(ir, kernel->sub_group), const32(ir, branches),
                         const32(ir, ir->access_hook != NULL)};
  if (ir->access_hook) LLVMBuildStore(b, engine(ir, b, host, HOST(access)), ir->access_hook);
  LLVMBuildCall2(b, LLVMFunctionType(ir->void_type, six, 6, false), engine(ir, b, host, HOST(run)),
                 args, 6, "");
  LLVMBuildRetVoid(b);
  LLVMSetLinkage(kernel->group, LLVMInternalLinkage);
  kernel->group = f;
  kernel->flags |= MPL_KERNEL_PER_ITEM;
}

static bool uses_lanes(LLVMValueRef function) {
  MPL_EACH_BLOCK(block, function) {
    MPL_EACH_INSTRUCTION(i, block) {
      enum mpl_marker marker = mpl_marker_of(i);
      if (mpl_is_lanes_sync(marker) || marker == MPL_MARK_LANE_ID ||
          marker == MPL_MARK_LANES_GROUP_ID || marker == MPL_MARK_LANES_HERE)
        return true;
    }
  }
  return false;
}

void mpl_make_items(struct mpl_module_ir *ir) {
  for (unsigned k = 0; k < ir->num_kernels; k++)
    ir->kernels[k].uses_lanes = uses_lanes(ir->kernels[k].group);
  mpl_let_spinning_yield(ir);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ir->context);
  for (unsigned k = 0; k < ir->num_kernels; k++) {
    struct item item = {.ir = ir, .b = b, .function = ir->kernels[k].group};
    LLVMSetCurrentDebugLocation2(b, NULL);
    unsigned branches = mpl_mark_branches(ir, item.function);
    if (ir->kernels[k].uses_lanes) number_heads(&item);
    lower(&item, &ir->kernels[k]);
    mpl_map_free(&item.order);
    make_group_function(ir, b, &ir->kernels[k], branches);
  }
  LLVMDisposeBuilder(b);
}
