/* Splits the kernels: every region between sync points becomes a loop over the work-items. */
#include <llvm-c/Support.h>
#include <stdlib.h>

#include "split.h"

enum { MANY_REGIONS = 64 };

/* Field `index` of an array of three in struct mpl_group. */
static LLVMValueRef group_field(struct mpl_split *s, unsigned field, unsigned index,
                                const char *name) {
  LLVMValueRef indices[] = {mpl_const64(s->ir, 0), LLVMConstInt(s->ir->i32, field, false),
                            mpl_const64(s->ir, index)};
  LLVMValueRef at = LLVMBuildInBoundsGEP2(s->b, s->ir->group_type,
                                          LLVMGetParam(s->kernel->group, 1), indices, 3, "");
  LLVMValueRef value = LLVMBuildLoad2(s->b, s->ir->i64, at, name);
  mpl_set_metadata(s->ir, value, "invariant.load", LLVMMDNodeInContext2(s->ir->context, NULL, 0));
  return value;
}

static void read_group(struct mpl_split *s) {
  LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(s->setup));
  s->size_x = group_field(s, 1, 0, "size.x");
  s->size_y = group_field(s, 1, 1, "size.y");
  LLVMValueRef size_z = group_field(s, 1, 2, "size.z");
  s->rows = LLVMBuildNUWMul(s->b, s->size_y, size_z, "rows");
  s->items = LLVMBuildNUWMul(s->b, s->rows, s->size_x, "items");
  /* Up to a multiple of 64, written so that LLVM sees a multiple and that it is not 0. */
  LLVMValueRef last = LLVMBuildNUWSub(s->b, s->items, mpl_const64(s->ir, 1), "");
  LLVMValueRef full = LLVMBuildOr(s->b, last, mpl_const64(s->ir, 63), "");
  s->padded = LLVMBuildNUWAdd(s->b, full, mpl_const64(s->ir, 1), "padded");
  LLVMValueRef at =
      LLVMBuildStructGEP2(s->b, s->ir->group_type, LLVMGetParam(s->kernel->group, 1), 3, "");
  s->scratch = LLVMBuildLoad2(s->b, s->ir->ptr, at, "scratch");
}

static void make_places(struct mpl_split *s) {
  for (unsigned h = 0; h < s->num_homes; h++) {
    struct mpl_home *home = s->homes[h];
    if (home->varying || home->unused) continue;
    LLVMPositionBuilderBefore(s->b, LLVMGetFirstInstruction(s->setup));
    home->place = LLVMBuildAlloca(s->b, home->type, "uniform");
  }
}

/* True for memory of one work-item at a time: a private array that all share, one after another. */
static bool may_be_shared_array(struct mpl_split *s, LLVMValueRef pointer, bool any_shared) {
  while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer))
    pointer = LLVMGetOperand(pointer, 0);
  if (LLVMIsAAllocaInst(pointer)) return true;
  return any_shared &&
         (LLVMIsAPHINode(pointer) || LLVMIsASelectInst(pointer) || LLVMIsALoadInst(pointer));
}

static bool has_shared_arrays(struct mpl_split *s) {
  MPL_EACH_INSTRUCTION(i, s->setup)
  if (LLVMIsAAllocaInst(i) && !mpl_is_private_array(s, i)) return true;
  return false;
}

/* Work-items are independent between sync points: their accesses carry nothing from one to the next
 * (OpenCL C leaves races undefined), and the vectoriser may know. */
static void mark_accesses(struct mpl_split *s, bool any_shared) {
  struct mpl_regions *r = &s->regions;
  for (unsigned b = 1; b < r->cfg.count; b++) {
    MPL_EACH_INSTRUCTION(i, r->cfg.blocks[b]) {
      LLVMValueRef pointer = LLVMIsALoadInst(i)    ? LLVMGetOperand(i, 0)
                             : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1)
                                                   : NULL;
      if (!pointer || LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
        continue;
      if (!may_be_shared_array(s, pointer, any_shared)) mpl_mark_parallel(s, i);
    }
  }
}

static void free_split(struct mpl_split *s) {
  for (unsigned h = 0; h < s->num_homes; h++) {
    free(s->homes[h]->live);
    free(s->homes[h]->occupied);
    free(s->homes[h]);
  }
  free(s->homes);
  free(s->frames);
  mpl_map_free(&s->home_of);
  mpl_map_free(&s->remat);
  mpl_map_free(&s->needs);
  mpl_map_free(&s->copies);
  mpl_map_free(&s->bases);
  mpl_map_free(&s->combines);
  mpl_regions_free(&s->regions);
  LLVMDisposeBuilder(s->b);
}

/* LLVM's loop strength reduction asks of every loop what the branches before it imply, all the way
 * up: with hundreds of loops in a row that is most of the compilation, and work-item loops, which
 * count from 0 by 1, gain little from it. */
static void spare_strength_reduction(void) {
  static bool done;
  static const char *const arguments[] = {"maniple", "-disable-lsr"};
  if (!done) LLVMParseCommandLineOptions(2, arguments, NULL);
  done = true;
}

static void split(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  struct mpl_split s = {.ir = ir, .kernel = kernel};
  s.b = LLVMCreateBuilderInContext(ir->context);
  s.setup = LLVMGetEntryBasicBlock(kernel->group);
  s.access_group = mpl_ir_distinct_node(ir->context);
  mpl_regions_find(&s.regions, kernel->group);
  if (s.regions.count > MANY_REGIONS) spare_strength_reduction();
  s.frames = mpl_allocate(s.regions.count, sizeof *s.frames);
  mpl_plan_contexts(&s);
  bool any_shared = has_shared_arrays(&s);
  read_group(&s);
  make_places(&s);
  mpl_build_frames(&s);
  mpl_rewrite_values(&s);
  mpl_connect_frames(&s);
  mark_accesses(&s, any_shared);
  free_split(&s);
}

/* Ids that no region uses any more are left over in dead code. */
static void drop_ids(LLVMValueRef function) {
  MPL_EACH_BLOCK(block, function) {
    MPL_EACH_INSTRUCTION(i, block) {
      enum mpl_marker marker = mpl_marker_of(i);
      if (marker < MPL_MARK_LOCAL_ID_0 || marker > MPL_MARK_LOCAL_LINEAR_ID) continue;
      LLVMReplaceAllUsesWith(i, LLVMConstNull(LLVMTypeOf(i)));
      LLVMInstructionEraseFromParent(i);
    }
  }
}

void mpl_split_kernels(struct mpl_module_ir *ir) {
  for (unsigned k = 0; k < ir->num_kernels; k++) {
    split(ir, &ir->kernels[k]);
    drop_ids(ir->kernels[k].group);
  }
}
