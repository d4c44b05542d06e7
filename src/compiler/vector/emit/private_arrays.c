/* Memory that each work-item has its own of (lanes/private_arrays.c), as an array of vectors of units, which are
 * as large as the largest access: unit u of lane k is at (u * W + k) * size.  So an index that all lanes share
 * is one access of a whole vector, of which a smaller access takes a part. */
#include <llvm-c/DebugInfo.h>

#include "compiler/analysis/arrays.h"
#include "memory.h"

LLVMValueRef mpl_entry_alloca(struct mpl_emit *e, LLVMTypeRef type, const char *name) {
  LLVMBasicBlockRef at = LLVMGetInsertBlock(e->b);
  LLVMMetadataRef place = LLVMGetCurrentDebugLocation2(e->b);
  LLVMPositionBuilderBefore(e->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(e->function)));
  LLVMValueRef memory = LLVMBuildAlloca(e->b, type, name);
  LLVMSetAlignment(memory, 64);
  mpl_continue_at(e, at);
  LLVMSetCurrentDebugLocation2(e->b, place);
  return memory;
}

/* The memory of all lanes in its place. */
LLVMValueRef mpl_wide_array(struct mpl_emit *e, LLVMValueRef alloca) {
  LLVMValueRef known = (LLVMValueRef)mpl_map_get(&e->arrays, alloca, 0);
  if (known) return known;
  LLVMTypeRef type = LLVMArrayType2(e->ir->i8, mpl_array_size(e->lanes, alloca) * e->width);
  known = mpl_entry_alloca(e, type, "lanes");
  if (LLVMGetAlignment(alloca) > 64) LLVMSetAlignment(known, LLVMGetAlignment(alloca));
  mpl_map_set(&e->arrays, alloca, (uintptr_t)known);
  return known;
}

/* Bytes from the array's begin, of lane 0 or (vector) of all lanes. */
static LLVMValueRef offset(struct mpl_emit *e, LLVMValueRef pointer, bool vector,
                           LLVMTypeRef type) {
  LLVMValueRef sum = LLVMConstNull(type);
  for (; LLVMIsAGetElementPtrInst(pointer); pointer = LLVMGetOperand(pointer, 0)) {
    MPL_EACH_INDEX(index, pointer, e->ir->layout) {
      LLVMValueRef bytes = mpl_const64(e->ir, index.bytes);
      if (vector) bytes = mpl_splat(e, bytes);
      if (!index.is_member) {
        LLVMValueRef by = vector ? mpl_vector(e, index.value) : mpl_scalar(e, index.value);
        by = LLVMBuildIntCast2(e->b, by, type, true, "");
        bytes = LLVMBuildMul(e->b, by, bytes, "");
      }
      sum = LLVMBuildAdd(e->b, sum, bytes, "");
    }
  }
  return sum;
}

/* Where an element of all lanes is: one vector of units (uniform), or a vector of places. `inside`:
 * the bytes in front of it in its unit, if it is smaller; these are in the places of a vector. */
static LLVMValueRef array_place(struct mpl_emit *e, LLVMValueRef pointer, unsigned size,
                                bool uniform, LLVMValueRef *inside) {
  LLVMValueRef array = mpl_wide_array(e, mpl_array_of(e->lanes, pointer));
  unsigned unit = mpl_array_unit(e->lanes, pointer);
  LLVMTypeRef type = uniform ? e->ir->i64 : mpl_vector_type(e, e->ir->i64);
  LLVMValueRef at = offset(e, pointer, !uniform, type), by = mpl_const64(e->ir, e->width);
  *inside = NULL;
  if (size < unit) {
    LLVMValueRef rest = mpl_const64(e->ir, unit - 1);
    *inside = LLVMBuildAnd(e->b, at, uniform ? rest : mpl_splat(e, rest), "");
    at = LLVMBuildSub(e->b, at, *inside, "");
  }
  at = LLVMBuildMul(e->b, at, uniform ? by : mpl_splat(e, by), "");
  if (!uniform) at = LLVMBuildAdd(e->b, at, mpl_steps(e, e->ir->i64, unit), "");
  if (!uniform && *inside) at = LLVMBuildAdd(e->b, at, *inside, "");
  return LLVMBuildGEP2(e->b, e->ir->i8, array, &at, 1, "");
}

/* --- accesses --- */

/* An access of a part of each unit. */
struct part {
  LLVMTypeRef units, bits; /* integers for all lanes: whole ones, and as large as the access */
  LLVMValueRef shift;
};

static struct part part_of(struct mpl_emit *e, LLVMValueRef access, LLVMValueRef inside) {
  unsigned unit = mpl_array_unit(e->lanes, mpl_accessed_place(access)),
           own = (unsigned)LLVMABISizeOfType(e->ir->layout, mpl_accessed_type(access));
  LLVMTypeRef units = mpl_integers(e, unit, e->width);
  inside = LLVMBuildMul(e->b, inside, mpl_const64(e->ir, 8), "");
  inside = LLVMBuildIntCast2(e->b, inside, LLVMGetElementType(units), false, "");
  return (struct part){units, mpl_integers(e, own, e->width), mpl_splat(e, inside)};
}

/* From a private array, whose lanes are side by side; there is memory for all of them, so a mask is
 * asked for only where places differ. */
void mpl_load_own(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef load) {
  bool uniform = r->form == MPL_RECIPE_OWN_UNITS;
  LLVMTypeRef type = LLVMTypeOf(load), vector = mpl_vector_type(e, type);
  unsigned size = (unsigned)LLVMABISizeOfType(e->ir->layout, type);
  LLVMValueRef inside, value,
      at = array_place(e, LLVMGetOperand(load, 0), size, uniform, &inside);
  if (uniform && inside) {
    struct part part = part_of(e, load, inside);
    value = mpl_aligned_load(e->b, part.units, at, size);
    value = LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, value, part.shift, ""), part.bits, "");
    value = LLVMBuildBitCast(e->b, value, vector, "");
  } else if (uniform && e->mask == e->all) {
    value = mpl_aligned_load(e->b, vector, at, size);
  } else if (uniform) {
    value = mpl_masked_load(e, vector, at, size, e->mask);
  } else {
    value = r->form == MPL_RECIPE_OWN_WORDS ? mpl_gather_words(e, r->apart, vector, at)
                                            : mpl_gather(e, r->apart, vector, at, size);
  }
  mpl_set_vector(e, load, value);
}

/* Frozen, because a poison part would make all of the unit poison (LLVM LangRef, "Poison Values"):
 * the fourth component of a 3-component vector is one. */
static void store_part(struct mpl_emit *e, LLVMValueRef store, LLVMValueRef value, LLVMValueRef at,
                       LLVMValueRef inside) {
  struct part part = part_of(e, store, inside);
  LLVMValueRef old = mpl_aligned_load(e->b, part.units, at, 8), new, hole;
  old = LLVMBuildFreeze(e->b, old, "");
  value = LLVMBuildFreeze(e->b, value, "");
  new = LLVMBuildZExt(e->b, LLVMBuildBitCast(e->b, value, part.bits, ""), part.units, "");
  hole = LLVMBuildZExt(e->b, LLVMConstAllOnes(part.bits), part.units, "");
  hole = LLVMBuildNot(e->b, LLVMBuildShl(e->b, hole, part.shift, ""), "");
  hole = LLVMBuildAnd(e->b, old, hole, "");
  new = LLVMBuildOr(e->b, hole, LLVMBuildShl(e->b, new, part.shift, ""), "");
  if (e->mask) new = mpl_choose(e, e->mask, new, old);
  mpl_aligned_store(e->b, new, at, 8);
}

void mpl_store_own(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef store) {
  bool uniform = r->form == MPL_RECIPE_OWN_UNITS;
  LLVMValueRef inside, value = mpl_vector(e, LLVMGetOperand(store, 0));
  unsigned size = (unsigned)LLVMABISizeOfType(e->ir->layout, LLVMTypeOf(LLVMGetOperand(store, 0)));
  LLVMValueRef at = array_place(e, LLVMGetOperand(store, 1), size, uniform, &inside);
  if (!uniform)
    mpl_scatter(e, r->apart, value, at, size);
  else if (inside)
    store_part(e, store, value, at, inside);
  else if (e->mask == e->all)
    mpl_aligned_store(e->b, value, at, size);
  else
    mpl_masked_store(e, value, at, size, e->mask);
}
