/* Groups of few work-items: those of one row that a chunk of lanes takes.
 *
 * Between regions a group's values wait in scratch memory, and each region is a loop over chunks.  A group
 * that is one chunk needs neither; what a kernel does in turns around a sync point then is the time of
 * loads that wait for stores, and of tests for chunks that there are not.  So a small kernel with turns of
 * that kind has a second function, for groups of MPL_FEW work-items, whose number is a constant there:
 * regions are straight vector code, and LLVM makes registers of the places of slots.
 *
 * Until the loops are widened, places are in scratch memory there too: variables of the function would be
 * taken for those of a work-item. */
#include "few.h"

#include <stddef.h>

#include "abi/kernel.h"
#include "compiler/passes.h"

/* May it be one?  What its regions are is not known yet. */
static bool may_be(const struct mpl_module_ir *ir, const struct mpl_ir_kernel *kernel) {
  return !ir->filters && !kernel->has_rows && !kernel->reqd_local[0] && kernel->num_syncs;
}

LLVMValueRef mpl_copy_for_few(const struct mpl_module_ir *ir, const struct mpl_ir_kernel *kernel) {
  if (!may_be(ir, kernel) || mpl_length_of(kernel->group) > MPL_GIVEN_FEW_LENGTH) return NULL;
  return mpl_copy_group(kernel, "mpl_few.");
}

bool mpl_takes_few(const struct mpl_split_plan *plan, LLVMValueRef copy, unsigned *length) {
  const struct mpl_regions *r = &plan->unit->regions;
  bool turns = false;
  if (r->masked || r->count > MPL_GIVEN_FEW_REGIONS || plan->bytes > MPL_GIVEN_FEW_BYTES ||
      plan->unit->align > MPL_SCRATCH_ALIGN)
    return false;
  for (unsigned k = 0; k < r->count; k++)
    turns |= r->list[k].sync && mpl_region_repeats(r, k);
  return turns && (*length += mpl_length_of(copy)) <= MPL_GIVEN_FEW_LENGTHS;
}

/* --- behind the loops: places on the stack --- */

static LLVMValueRef scratch_of(struct mpl_module_ir *ir, LLVMValueRef function) {
  MPL_EACH_INSTRUCTION_OF(i, function) {
    int64_t offset;
    if (!LLVMIsALoadInst(i) || LLVMTypeOf(i) != ir->ptr) continue;
    LLVMValueRef base = mpl_base_of(ir, LLVMGetOperand(i, 0), &offset);
    if (base == LLVMGetParam(function, 1) && offset == (int64_t)offsetof(struct mpl_group, scratch))
      return i;
  }
  return NULL;
}

/* Where the place begins that is used here, in bytes of scratch memory; false: not known. */
static bool begin_of(struct mpl_module_ir *ir, LLVMValueRef scratch, LLVMValueRef user, int64_t *begin) {
  *begin = 0;
  if (!LLVMIsAGetElementPtrInst(user)) return true;
  return mpl_base_of(ir, user, begin) == scratch;
}

/* Of the next place behind `begin`, at most `end`. */
static int64_t next_place(struct mpl_module_ir *ir, LLVMValueRef scratch, int64_t begin, int64_t end) {
  MPL_EACH_USER(user, scratch) {
    int64_t other;
    begin_of(ir, scratch, user, &other);
    if (other > begin && other < end) end = other;
  }
  return end;
}

static bool are_known(struct mpl_module_ir *ir, LLVMValueRef scratch) {
  MPL_EACH_USER(user, scratch) {
    int64_t begin;
    if (!begin_of(ir, scratch, user, &begin)) return false;
  }
  return true;
}

/* Behind its last element a place has room for what is read and written of lanes that are not there. */
static LLVMValueRef add_place(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef scratch,
                              uint64_t bytes) {
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetInstructionParent(scratch)));
  LLVMValueRef place = LLVMBuildAlloca(b, LLVMArrayType2(ir->i8, bytes + MPL_MOST_BEHIND), "place");
  LLVMSetAlignment(place, MPL_SCRATCH_ALIGN);
  return place;
}

static void move_places(struct mpl_module_ir *ir, LLVMValueRef scratch, int64_t end) {
  MPL_MAP(places);
  MPL_BUILDER(b, ir->context);
  MPL_EACH_USER(user, scratch) {
    int64_t begin;
    begin_of(ir, scratch, user, &begin);
    uintptr_t *known = mpl_map_at(&places, scratch, (uintptr_t)begin, true);
    if (!*known)
      *known = (uintptr_t)add_place(ir, b, scratch,
                                    (uint64_t)(next_place(ir, scratch, begin, end) - begin));
    if (LLVMIsAGetElementPtrInst(user))
      LLVMReplaceAllUsesWith(user, (LLVMValueRef)*known);
    else
      mpl_replace_operand(user, scratch, (LLVMValueRef)*known);
  }
}

bool mpl_place_few(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  LLVMValueRef scratch = kernel->few ? scratch_of(ir, kernel->few) : NULL;
  if (!scratch || !are_known(ir, scratch)) return false;
  move_places(ir, scratch, (int64_t)kernel->scratch_per_item * MPL_PADDED_FEW);
  mpl_remark(ir, kernel->group, "groups of %u work-items have a function of their own", MPL_FEW);
  return true;
}
