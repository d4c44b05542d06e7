/* Private arrays whose contents live on from region to region.  One copy does for all work-items if
 * they all do the same to it.  Else each work-item has its own in scratch memory, unit by unit: that of
 * one work-item beside that of the next, as what work-items access together should be. */
#include "compiler/analysis/arrays.h"
#include "emit.h"

/* Is all that is done with the pointer known, and in one region? */
static bool stays_in(const struct mpl_regions *r, LLVMValueRef pointer, struct mpl_map *seen,
                     unsigned *region) {
  if (!mpl_map_add(seen, pointer)) return true;
  MPL_EACH_USER(user, pointer) {
    if (*region == UINT32_MAX) *region = mpl_region_of(r, user);
    if (mpl_region_of(r, user) != *region) return false;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMGetElementPtr:
    case LLVMAddrSpaceCast:
    case LLVMPHI:
    case LLVMSelect:
      if (!stays_in(r, user, seen, region)) return false;
      break;
    case LLVMStore:
      if (LLVMGetOperand(user, 0) == pointer) return false;
      break;
    case LLVMLoad:
    case LLVMICmp:
      break;
    case LLVMCall:
      if (LLVMGetIntrinsicID(LLVMGetCalledValue(user))) break;
      return false;
    default:
      return false;
    }
  }
  return true;
}

static void drop_lifetimes(LLVMValueRef pointer) {
  MPL_EACH_USER(user, pointer) {
    if (mpl_calls(user, "llvm.lifetime")) LLVMInstructionEraseFromParent(user);
  }
}

/* A user of `value` outside of the setup, or null. */
static LLVMValueRef user_in_region(struct mpl_split *e, LLVMValueRef value) {
  MPL_EACH_USER(user, value)
  if (LLVMGetInstructionParent(user) != e->setup) return user;
  return NULL;
}

/* The user gets a copy of its own; a phi, one for each block that it comes from. */
static void copy_for(struct mpl_split *e, LLVMValueRef value, LLVMValueRef user) {
  int first = 0, count = LLVMGetNumOperands(user);
  while (LLVMGetOperand(user, first) != value) first++;
  bool phi = LLVMIsAPHINode(user) != NULL;
  LLVMBasicBlockRef from = phi ? LLVMGetIncomingBlock(user, (unsigned)first) : NULL;
  LLVMPositionBuilderBefore(e->b, phi ? LLVMGetBasicBlockTerminator(from) : user);
  LLVMValueRef copy = LLVMInstructionClone(value);
  LLVMInsertIntoBuilder(e->b, copy);
  for (int k = first; k < count; k++)
    if (LLVMGetOperand(user, k) == value &&
        (!phi || LLVMGetIncomingBlock(user, (unsigned)k) == from))
      LLVMSetOperand(user, (unsigned)k, copy);
}

/* Addresses inside of an array are computed where they are used, since the array's own may be
 * another one there. */
static void sink_addresses(struct mpl_split *e, LLVMValueRef pointer) {
  MPL_EACH_USER(at, pointer) {
    LLVMValueRef user;
    if (LLVMGetInstructionParent(at) != e->setup) continue;
    if (!LLVMIsAGetElementPtrInst(at) && !LLVMIsAAddrSpaceCastInst(at)) continue;
    sink_addresses(e, at);
    while ((user = user_in_region(e, at))) copy_for(e, at, user);
    if (!LLVMGetFirstUse(at)) LLVMInstructionEraseFromParent(at);
  }
}

static bool is_in_region(const void *data, LLVMValueRef user) {
  const struct mpl_split *e = data;
  return LLVMGetInstructionParent(user) != e->setup;
}

/* Bytes from the array's begin, at the builder. */
static LLVMValueRef offset_of(struct mpl_split *e, LLVMValueRef pointer) {
  LLVMValueRef sum = NULL;
  for (; LLVMIsAGetElementPtrInst(pointer); pointer = LLVMGetOperand(pointer, 0)) {
    LLVMValueRef by = mpl_distance(e->ir, e->b, pointer, false);
    sum = sum ? LLVMBuildNSWAdd(e->b, sum, by, "") : by;
  }
  return sum ? sum : mpl_const64(e->ir, 0);
}

/* Unit n of all work-items is behind unit n - 1 of all. */
static void move_access(struct mpl_split *e, LLVMValueRef array, unsigned unit,
                        LLVMValueRef access) {
  int operand = LLVMIsAStoreInst(access) != NULL;
  unsigned size = (unsigned)LLVMABISizeOfType(e->ir->layout, mpl_accessed_type(access));
  LLVMPositionBuilderBefore(e->b, access);
  LLVMValueRef at = offset_of(e, LLVMGetOperand(access, operand)), inside = NULL;
  if (size < unit) {
    inside = LLVMBuildAnd(e->b, at, mpl_const64(e->ir, unit - 1), "");
    at = LLVMBuildNSWSub(e->b, at, inside, "");
  }
  at = LLVMBuildExactSDiv(e->b, at, mpl_const64(e->ir, unit), "");
  at = LLVMBuildMul(e->b, at, LLVMBuildMul(e->b, e->padded, mpl_const64(e->ir, unit), ""), "");
  if (inside) at = LLVMBuildAdd(e->b, at, inside, "");
  LLVMSetOperand(access, (unsigned)operand, mpl_offset(e->ir, e->b, array, at));
  LLVMSetAlignment(access, size);
}

static void move_accesses(struct mpl_split *e, LLVMValueRef array, unsigned unit,
                          LLVMValueRef pointer) {
  MPL_EACH_USER(user, pointer) {
    if (LLVMIsAGetElementPtrInst(user)) {
      move_accesses(e, array, unit, user);
      LLVMInstructionEraseFromParent(user);
    } else {
      move_access(e, array, unit, user);
    }
  }
}

/* The unit; 0: what one work-item has stays in one piece. */
static unsigned interleave(struct mpl_split *e, LLVMValueRef alloca) {
  if (e->unit->lanes) return 0;
  unsigned unit = mpl_unit_of_array(e->ir->layout, alloca, is_in_region, e);
  if (!unit) return 0;
  LLVMValueRef array = LLVMInstructionClone(alloca); /* has no uses but the new ones, meanwhile */
  LLVMPositionBuilderBefore(e->b, alloca);
  LLVMInsertIntoBuilder(e->b, array);
  move_accesses(e, array, unit, alloca);
  mpl_replace(array, alloca);
  return unit;
}

/* A private array that one region uses and forgets can stay where it is: the work-items use it one
 * after another. */
void mpl_keep_arrays(struct mpl_split *e, struct mpl_split_unit *unit) {
  MPL_EACH_INSTRUCTION(i, e->setup) {
    if (!LLVMIsAAllocaInst(i)) continue;
    MPL_MAP(seen);
    drop_lifetimes(i);
    sink_addresses(e, i);
    unsigned region = UINT32_MAX;
    bool stays = stays_in(&unit->regions, i, &seen, &region) && region != UINT32_MAX &&
                 !mpl_region_repeats(&unit->regions, region);
    if (stays) continue;
    struct mpl_kept_array *array = &MPL_APPEND(unit->arrays, unit->num_arrays);
    *array = (struct mpl_kept_array){i, 0, mpl_is_uniform_array(&unit->regions.arrays, i)};
    if (!array->shared) array->unit = interleave(e, i);
  }
}
