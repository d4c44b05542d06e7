/* For the checking engine: in front of each access to memory that work-items may share, and of each
 * fence, a call that tells the engine of it (mpl_item_host.access).
 *
 * Which accesses: those of the kernels and of what they call, but to variables of the work-item's
 * own and to constants.  What the engine itself calls (functions on arrays of operands) is left
 * alone. */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "abi/items.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"
#include "filter.h"
#include "items.h"
#include "objects.h"
#include "repeats.h"
#include "source_place.h"
#include "used.h"

#define HOOK     "mpl.access"
#define INSIDE   "mpl.inside"

struct watch {
  bool arrays_only; /* private arrays, which the rest leaves out */
  struct mpl_objects objects;
  struct mpl_repeats *repeats;
  struct mpl_filter *filter; /* null: the engine hears of accesses */
  struct mpl_module_ir *ir;
  LLVMBuilderRef b;
  LLVMValueRef hook;                  /* a variable: the engine's function */
  struct mpl_map seen;                /* functions */
  struct mpl_cfg cfg;                 /* of the function */
  struct mpl_map waits;               /* reads that decide whether a loop of it ends */
  LLVMValueRef kernel, launch, group; /* its parameters */
};

/* The object that a pointer points into, if it is one object. */
static LLVMValueRef place_in(struct mpl_module_ir *ir, LLVMValueRef pointer) {
  for (;;) {
    if (mpl_has_name(ir, pointer)) return pointer;
    LLVMOpcode opcode = LLVMIsAInstruction(pointer)    ? LLVMGetInstructionOpcode(pointer)
                        : LLVMIsAConstantExpr(pointer) ? LLVMGetConstOpcode(pointer)
                                                       : LLVMRet;
    if (opcode != LLVMGetElementPtr && opcode != LLVMAddrSpaceCast && opcode != LLVMBitCast &&
        opcode != LLVMFreeze)
      return pointer;
    pointer = LLVMGetOperand(pointer, 0);
  }
}

/* Null: only objects seen before. */
static LLVMValueRef common_base(struct mpl_module_ir *ir, LLVMValueRef pointer,
                                struct mpl_map *seen) {
  LLVMValueRef place = place_in(ir, pointer), base = NULL;
  bool is_phi = LLVMIsAPHINode(place);
  if (!is_phi && !LLVMIsASelectInst(place)) return place;
  if (!mpl_map_add(seen, place)) return NULL;
  unsigned count = is_phi ? LLVMCountIncoming(place) : 2;
  for (unsigned k = 0; k < count; k++) {
    LLVMValueRef from = is_phi ? LLVMGetIncomingValue(place, k) : LLVMGetOperand(place, k + 1),
                 one = common_base(ir, from, seen);
    if (one && base && one != base) return place;
    if (one) base = one;
  }
  return base;
}

/* What it was computed from: also where one of several places in that is chosen, or a loop steps
 * from one to the next. */
static LLVMValueRef base_of(struct mpl_module_ir *ir, LLVMValueRef pointer) {
  MPL_MAP(seen);
  LLVMValueRef base = common_base(ir, pointer, &seen);
  return base ? base : place_in(ir, pointer);
}

/* It is a variable of the work-item's own, one of several perhaps: what LLVM makes of accesses to
 * these at the ends of two branches. */
static bool leads_to_own(struct mpl_module_ir *ir, LLVMValueRef pointer, struct mpl_map *seen) {
  LLVMValueRef base = base_of(ir, pointer);
  bool chosen = LLVMIsASelectInst(base) || LLVMIsAPHINode(base);
  if (LLVMIsAAllocaInst(base) || mpl_map_has(seen, base)) return true;
  if (!chosen) return false;
  mpl_map_set(seen, base, 1);
  if (LLVMIsASelectInst(base))
    return leads_to_own(ir, LLVMGetOperand(base, 1), seen) &&
           leads_to_own(ir, LLVMGetOperand(base, 2), seen);
  for (unsigned k = 0; k < LLVMCountIncoming(base); k++)
    if (!leads_to_own(ir, LLVMGetIncomingValue(base, k), seen)) return false;
  return true;
}

static bool is_launch(struct watch *w, LLVMValueRef base) {
  return mpl_marker_of(base) == MPL_MARK_LAUNCH || base == w->launch;
}

/* What only this work-item sees, or nobody writes: its variables, constants, and what the run time
 * says of launch and group, arguments too. */
static bool is_own(struct watch *w, LLVMValueRef base) {
  if (LLVMIsAAllocaInst(base) || (LLVMIsAGlobalVariable(base) && LLVMIsGlobalConstant(base)))
    return true;
  if (is_launch(w, base) || mpl_marker_of(base) == MPL_MARK_GROUP || base == w->group) return true;
  return LLVMIsALoadInst(base) && is_launch(w, base_of(w->ir, LLVMGetOperand(base, 0)));
}

/* The same of an access.  In C and C++ what is not known to be in the argument block may be beside
 * it, and somebody may write there. */
static bool is_of_own(struct watch *w, LLVMValueRef base, LLVMValueRef pointer, LLVMValueRef size,
                      unsigned flags) {
  if (!is_own(w, base)) return false;
  return !w->ir->records || !LLVMIsALoadInst(base) ||
         (!(flags & MPL_ACCESS_WRITE) && mpl_is_in_block(w->ir, w->filter->kernel, pointer, size));
}

/* --- One access --- */

static unsigned order_flags(LLVMAtomicOrdering order) {
  switch (order) {
  case LLVMAtomicOrderingAcquire:
    return MPL_ACCESS_ACQUIRE;
  case LLVMAtomicOrderingRelease:
    return MPL_ACCESS_RELEASE;
  case LLVMAtomicOrderingAcquireRelease:
  case LLVMAtomicOrderingSequentiallyConsistent:
    return MPL_ACCESS_ACQUIRE | MPL_ACCESS_RELEASE;
  default:
    return 0;
  }
}

/* Volatile ones too: before OpenCL 2.0 kernels had nothing else to wait with.  Whoever does not
 * wait with them, but trusts that others go in step, has a race. */
static unsigned atomic_flags(struct watch *w, LLVMValueRef i) {
  LLVMAtomicOrdering order = LLVMGetOrdering(i);
  if (order == LLVMAtomicOrderingNotAtomic)
    return !LLVMGetVolatile(i)         ? 0
           : mpl_map_has(&w->waits, i) ? MPL_ACCESS_ATOMIC
                                       : MPL_ACCESS_ATOMIC | MPL_ACCESS_VOLATILE;
  return MPL_ACCESS_ATOMIC | order_flags(order);
}

/* `v.x = 1` reads all of v, and writes it back. */
bool mpl_goes_back(LLVMValueRef load) {
  LLVMValueRef user = mpl_only_user(load);
  while (user && LLVMIsAInsertElementInst(user)) user = mpl_only_user(user);
  return user && user != mpl_only_user(load) && LLVMIsAStoreInst(user) &&
         LLVMGetOperand(user, 1) == LLVMGetOperand(load, 0);
}

/* The program's own accesses have types (TBAA), not those to structures that are handed over as
 * integers. */
static bool has_type(struct mpl_module_ir *ir, LLVMValueRef load) {
  return mpl_metadata_of(ir, load, "tbaa") != NULL;
}

/* A structure that is copied, holes and all, as one integer. */
static bool is_copy(struct mpl_module_ir *ir, LLVMValueRef load) {
  LLVMValueRef user = mpl_only_user(load);
  return user && LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == load && !has_type(ir, load);
}

/* A vector of three is read as one of four. */
static bool is_three_of_four(LLVMValueRef load) {
  if (!mpl_is_vector_type(LLVMTypeOf(load)) || LLVMGetVectorSize(LLVMTypeOf(load)) != 4)
    return false;
  MPL_EACH_USER(user, load) {
    if (!LLVMIsAShuffleVectorInst(user)) return false;
    for (unsigned k = 0; k < LLVMGetNumMaskElements(user); k++)
      if (LLVMGetMaskValue(user, k) == 3) return false;
  }
  return true;
}

/* In front of an instruction: that `i` accesses `size` bytes at `pointer`, or (null) is a fence. */
static void tell_at(struct watch *w, LLVMValueRef before, LLVMValueRef i, LLVMValueRef pointer,
                    LLVMValueRef size, unsigned flags) {
  struct mpl_module_ir *ir = w->ir;
  LLVMValueRef base = pointer ? base_of(ir, pointer) : NULL;
  bool is_private = base && LLVMIsAAllocaInst(base);
  if (w->arrays_only != (is_private && mpl_is_marked_array(ir, base))) return;
  if (!base || flags & MPL_ACCESS_ATOMIC) ir->watches_atomics = true;
  if (base && is_of_own(w, base, pointer, size, flags) && !is_private) return;
  if (w->filter) {
    if (flags & MPL_ACCESS_VOLATILE) flags &= ~(unsigned)MPL_ACCESS_ATOMIC; /* the engine decides */
    MPL_MAP(seen);
    unsigned argument = base ? mpl_named_argument(ir, base) : 0;
    bool is_seen = base && leads_to_own(ir, base, &seen); /* own_arrays.c */
    if (is_seen && !(flags & MPL_ACCESS_ATOMIC)) return;
    uint64_t whole = mpl_named_size(ir, base);
    if (base && ir->records && !whole) argument = mpl_find_root(ir, w->filter->kernel, base);
    if (ir->records && flags & MPL_ACCESS_READ && !(flags & MPL_ACCESS_COPIED))
      flags = (flags & ~(unsigned)MPL_ACCESS_UNUSED) | MPL_ACCESS_USED; /* told_accesses.c */
    struct mpl_filter_access access = {before, pointer,  base,  size,
                                       flags,  argument, whole, .is_range = false};
    mpl_filter_access(w->filter, &access);
    return;
  }
  LLVMValueRef variable = LLVMConstNull(ir->ptr);
  if (base && LLVMIsAInstruction(base)) variable = mpl_variable_name(ir, base);
  LLVMValueRef fields[] = {mpl_source_place(ir, i), variable, mpl_const32(ir, flags),
                           mpl_const32(ir, 0)};
  LLVMValueRef access =
      mpl_constant(ir, LLVMConstStructInContext(ir->context, fields, 4, false), "mpl.access_at");
  LLVMSetGlobalConstant(access, false); /* the engine numbers it */
  LLVMPositionBuilderBefore(w->b, before);
  LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(i));
  LLVMValueRef last = LLVMGetPreviousInstruction(before), given = pointer;
  if (base) mpl_object_watch(&w->objects, access, pointer, base, size);
  if (is_private) return;
  if (pointer && LLVMTypeOf(pointer) != ir->ptr)
    pointer = LLVMBuildAddrSpaceCast(w->b, pointer, ir->ptr, "");
  unsigned argument = base ? mpl_named_argument(ir, base) : 0;
  LLVMValueRef args[] = {access, pointer ? pointer : LLVMConstNull(ir->ptr), size,
                         mpl_const32(ir, argument)};
  mpl_call(w->b, LLVMBuildLoad2(w->b, ir->ptr, w->hook, ""), ir->void_type, args, 4);
  if (!base || !LLVMIsAInstruction(base) || mpl_function_of(i) != w->kernel) return;
  LLVMValueRef first = last ? LLVMGetNextInstruction(last)
                            : LLVMGetFirstInstruction(LLVMGetInstructionParent(before));
  mpl_repeats_note(w->repeats, first, before, given, base, size, flags, argument,
                   mpl_named_size(ir, base));
}

static void tell(struct watch *w, LLVMValueRef i, LLVMValueRef pointer, LLVMValueRef size,
                 unsigned flags) {
  tell_at(w, i, i, pointer, size, flags);
}

static LLVMValueRef size_of(struct watch *w, LLVMTypeRef type) {
  return mpl_const64(w->ir, LLVMStoreSizeOfType(w->ir->layout, type));
}

/* Of loads and stores; what must be a multiple of nothing is 1. */
static unsigned alignment_flags(LLVMValueRef i) {
  unsigned align = LLVMGetAlignment(i);
  return align ? (unsigned)__builtin_ctz(align) << MPL_ACCESS_ALIGN_SHIFT : 0;
}

static void watch_load(struct watch *w, LLVMValueRef i) {
  unsigned flags = MPL_ACCESS_READ | atomic_flags(w, i) | alignment_flags(i);
  LLVMTypeRef type = LLVMTypeOf(i);
  LLVMValueRef size = size_of(w, type);
  bool is_copied = !w->ir->records && is_copy(w->ir, i);
  if (!has_type(w->ir, i)) flags |= MPL_ACCESS_PIECE;
  if (mpl_goes_back(i) || is_copied) flags |= MPL_ACCESS_UNUSED;
  if (is_copied) flags |= MPL_ACCESS_COPIED;
  if (!(flags & MPL_ACCESS_UNUSED)) flags |= mpl_use_flags(&w->cfg, i);
  if (!w->ir->records && is_three_of_four(i))
    size = mpl_const64(w->ir, 3 * LLVMStoreSizeOfType(w->ir->layout, LLVMGetElementType(type)));
  tell(w, i, LLVMGetOperand(i, 0), size, flags);
}

static void watch_call(struct watch *w, LLVMValueRef i) {
  LLVMValueRef callee = mpl_callee_of(i);
  if (w->filter && mpl_is_rare(callee, "pixel")) {
    mpl_filter_pixel(w->filter, i, base_of(w->ir, LLVMGetOperand(i, 1)));
    return;
  }
  unsigned id = callee ? LLVMGetIntrinsicID(callee) : 0;
  if (!id) return;
  size_t length;
  const char *name = LLVMIntrinsicGetName(id, &length);
  bool moves = !strncmp(name, "llvm.memcpy", 11) || !strncmp(name, "llvm.memmove", 12);
  if (!moves && strncmp(name, "llvm.memset", 11) != 0) return;
  LLVMValueRef size = LLVMGetOperand(i, 2);
  if (LLVMTypeOf(size) != w->ir->i64) {
    LLVMPositionBuilderBefore(w->b, i);
    size = LLVMBuildZExt(w->b, size, w->ir->i64, "");
  }
  /* A copied structure may have holes: what was never written is no mistake there. */
  if (moves)
    tell(w, i, LLVMGetOperand(i, 1), size, MPL_ACCESS_READ | MPL_ACCESS_UNUSED | MPL_ACCESS_COPIED);
  tell(w, i, LLVMGetOperand(i, 0), size, MPL_ACCESS_WRITE);
}

/* One that fails only reads: its write is told of afterwards, with size 0 if there was none. */
static void watch_exchange(struct watch *w, LLVMValueRef i) {
  LLVMValueRef pointer = LLVMGetOperand(i, 0), next = LLVMGetNextInstruction(i);
  LLVMValueRef size = size_of(w, LLVMTypeOf(LLVMGetOperand(i, 1)));
  unsigned writes = w->filter ? MPL_ACCESS_WRITE : 0; /* perhaps */
  tell(w, i, pointer, size,
       writes | MPL_ACCESS_READ | MPL_ACCESS_ATOMIC | MPL_ACCESS_USED |
           order_flags(LLVMGetCmpXchgSuccessOrdering(i)));
  if (w->filter) return;
  LLVMPositionBuilderBefore(w->b, next);
  LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(i));
  LLVMValueRef done = LLVMBuildExtractValue(w->b, i, 1, "");
  LLVMValueRef written = LLVMBuildSelect(w->b, done, size, mpl_const64(w->ir, 0), "");
  tell_at(w, next, i, pointer, written,
          MPL_ACCESS_WRITE | MPL_ACCESS_ATOMIC | order_flags(LLVMGetCmpXchgSuccessOrdering(i)));
}

/* What is added to counts at once; what is only exchanged may be the first that is written. */
static void watch_atomic(struct watch *w, LLVMValueRef i) {
  unsigned flags = MPL_ACCESS_READ | MPL_ACCESS_WRITE | atomic_flags(w, i) | alignment_flags(i);
  bool exchanges = LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg;
  flags |= exchanges ? mpl_use_flags(&w->cfg, i) : MPL_ACCESS_USED;
  tell(w, i, LLVMGetOperand(i, 0), size_of(w, LLVMTypeOf(i)), flags);
}

static void watch_instruction(struct watch *w, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMLoad:
    watch_load(w, i);
    break;
  case LLVMStore:
    tell(w, i, LLVMGetOperand(i, 1), size_of(w, LLVMTypeOf(LLVMGetOperand(i, 0))),
         MPL_ACCESS_WRITE | atomic_flags(w, i) | alignment_flags(i));
    break;
  case LLVMAtomicRMW:
    watch_atomic(w, i);
    break;
  case LLVMAtomicCmpXchg:
    watch_exchange(w, i);
    break;
  case LLVMFence:
    tell(w, i, NULL, mpl_const64(w->ir, 0), order_flags(LLVMGetOrdering(i)));
    break;
  case LLVMCall:
    watch_call(w, i);
    break;
  default:
    break;
  }
}

/* --- Functions --- */

/* Or it may: behind it, what was found of stamps need not hold. */
static bool lets_others_run(struct watch *w, LLVMValueRef i) {
  if (LLVMIsATerminatorInst(i)) return true;
  if (!LLVMIsACallInst(i) || mpl_ir_is_pure_call(i) || mpl_is_hint(i)) return false;
  LLVMValueRef called = LLVMGetCalledValue(i);
  return !LLVMIsALoadInst(called) || LLVMGetOperand(called, 0) != w->ir->inside_hook;
}

static void watch_function(struct watch *w, LLVMValueRef function) {
  if (LLVMIsDeclaration(function) || !mpl_map_add(&w->seen, function)) return;
  MPL_EACH_INSTRUCTION_OF(i, function) {
    LLVMValueRef callee = mpl_callee_of(i);
    if (callee && !(w->filter && mpl_is_rare(callee, "pixel"))) watch_function(w, callee);
  }
  if (w->filter)
    mpl_filter_look_at(w->filter, function);
  else
    mpl_objects_find(&w->objects, function);
  mpl_cfg_build(&w->cfg, function);
  mpl_find_waiting_reads(&w->cfg, &w->waits);
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (w->repeats && function == w->kernel && lets_others_run(w, i))
      mpl_repeats_end_run(w->repeats);
    watch_instruction(w, i);
  }
  if (!w->filter && !w->arrays_only)
    mpl_scopes_tell(&w->objects, function, function != w->kernel);
  mpl_map_free(&w->waits);
  mpl_cfg_free(&w->cfg);
}

/* LLVM makes loads unconditional where that does no harm to one work-item; to another's eyes they
 * are races that the program does not have.  With this attribute it does not. */
#define AS_WRITTEN "sanitize_thread"

bool mpl_keep_accesses(struct mpl_module_ir *ir) {
  if (!ir->watched) return false;
  MPL_EACH_FUNCTION(f, ir->module) {
    if (!LLVMIsDeclaration(f)) mpl_add_attribute(f, AS_WRITTEN);
  }
  return true;
}

/* Kernels that have no filter are gone then. */
static void watch_for_filters(struct mpl_module_ir *ir) {
  MPL_BUILDER(b, ir->context);
  struct mpl_filter filter = {.ir = ir, .b = b};
  struct watch w = {.ir = ir, .b = b, .filter = &filter};
  unsigned kept = 0;
  for (unsigned k = 0; k < ir->num_kernels; k++) {
    struct mpl_ir_kernel kernel = ir->kernels[k];
    w.kernel = kernel.group;
    w.launch = LLVMGetParam(kernel.group, 0);
    w.group = LLVMGetParam(kernel.group, 1);
    mpl_map_free(&w.seen); /* what one kernel may call another may not */
    mpl_filter_begin(&filter, &kernel);
    watch_function(&w, kernel.group);
    if (mpl_filter_end(&filter))
      ir->kernels[kept++] = kernel;
    else
      mpl_ir_free_kernel(&kernel);
  }
  ir->num_kernels = kept;
  mpl_map_free(&w.seen);
  mpl_map_free(&filter.shifts);
}

/* One of which nobody asked is gone after a clean-up. */
static LLVMValueRef find_hook(struct mpl_module_ir *ir, const char *name) {
  LLVMValueRef hook = LLVMGetNamedGlobal(ir->module, name);
  if (hook) return hook;
  hook = mpl_constant(ir, LLVMConstNull(ir->ptr), name);
  LLVMSetGlobalConstant(hook, false);
  return hook;
}

static void watch_kernels(struct watch *w) {
  struct mpl_module_ir *ir = w->ir;
  MPL_EACH_KERNEL(kernel, ir) {
    w->kernel = kernel->group;
    w->launch = LLVMGetParam(w->kernel, 0);
    w->group = LLVMGetParam(w->kernel, 1);
    watch_function(w, w->kernel);
    if (w->repeats) mpl_repeats_group(w->repeats);
  }
  mpl_map_free(&w->seen);
  mpl_map_free(&w->objects.shadows);
}

void mpl_watch_arrays(struct mpl_module_ir *ir) {
  MPL_BUILDER(b, ir->context);
  struct watch w = {.ir = ir, .b = b, .arrays_only = true};
  ir->inside_hook = find_hook(ir, INSIDE);
  w.objects = (struct mpl_objects){.ir = ir, .b = w.b, .hook = ir->inside_hook, .marks = true};
  watch_kernels(&w);
}

bool mpl_watch_accesses(struct mpl_module_ir *ir) {
  if (!ir->watched) return false;
  MPL_EACH_FUNCTION(f, ir->module) mpl_drop_attribute(f, AS_WRITTEN);
  if (ir->filters) {
    watch_for_filters(ir);
    return true;
  }
  MPL_BUILDER(b, ir->context);
  struct watch w = {.ir = ir, .b = b};
  w.hook = ir->access_hook = find_hook(ir, HOOK);
  ir->inside_hook = find_hook(ir, INSIDE);
  w.repeats = ir->repeats = mpl_allocate(1, sizeof *ir->repeats);
  w.repeats->ir = ir;
  w.objects = (struct mpl_objects){.ir = ir, .b = w.b, .hook = ir->inside_hook};
  watch_kernels(&w);
  return true;
}
