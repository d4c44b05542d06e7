/* Memory that each work-item has its own of.
 *
 * A private array that one region uses is one alloca for all work-items, one after another.  For a
 * chunk it becomes an array of vectors of units, which are as large as the largest access: unit u
 * of lane k is at (u * W + k) * size.  So an index that all lanes share is one access of a whole
 * vector, of which a smaller access takes a part.
 *
 * That is for arrays that are accessed by places in the array, at multiples of the access's size.
 * Of any other there is one for each lane, one behind the other: its address is strided.
 *
 * Where all lanes together store what they share to places that they share, as in a table of
 * numbers, the array is the same for all of them, and stays one: what is loaded at a shared place
 * is shared too.  Each chunk writes what it reads, so the next one may write there again. */
#include <llvm-c/DebugInfo.h>

#include "compiler/analysis/arrays.h"
#include "widen.h"

static bool is_in_loop(const void *data, LLVMValueRef user) {
  const struct mpl_widen *w = data;
  unsigned block = mpl_cfg_block_of(w->cfg, user);
  return block < w->cfg->count && w->in[block];
}

enum mpl_array_kind mpl_array_kind(struct mpl_widen *w, LLVMValueRef value) {
  if (!LLVMIsAAllocaInst(value) || mpl_is_slot(w->ir, value)) return MPL_NO_ARRAY;
  unsigned block = mpl_cfg_block_of(w->cfg, value);
  if (block < w->cfg->count && w->in[block]) return MPL_NO_ARRAY; /* each lane makes one */
  uintptr_t *known = mpl_map_at(&w->kinds, value, 0, true);
  if (!*known) *known = 1 + mpl_unit_of_array(w->ir->layout, value, is_in_loop, w);
  if (*known == 1) return MPL_ITEMS_ARRAY;
  return mpl_map_has(&w->differing, value) ? MPL_INTERLEAVED_ARRAY : MPL_SHARED_ARRAY;
}

bool mpl_arrays_part(struct mpl_widen *w, unsigned block) {
  bool part = false;
  MPL_EACH_INSTRUCTION(i, w->cfg->blocks[block]) {
    if (!LLVMIsAStoreInst(i)) continue;
    LLVMValueRef array = LLVMGetOperand(i, 1);
    bool shared = !w->diverged[block] && !mpl_stride_at(w, array, block) &&
                  !mpl_stride_at(w, LLVMGetOperand(i, 0), block);
    while (LLVMIsAGetElementPtrInst(array)) array = LLVMGetOperand(array, 0);
    if (shared || mpl_array_kind(w, array) != MPL_SHARED_ARRAY) continue;
    mpl_map_set(&w->differing, array, 1);
    part = true;
  }
  return part;
}

unsigned mpl_array_unit(struct mpl_widen *w, LLVMValueRef pointer) {
  return (unsigned)mpl_map_get(&w->kinds, mpl_array_of(w, pointer), 0) - 1;
}

LLVMValueRef mpl_array_of(struct mpl_widen *w, LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
  return mpl_array_kind(w, pointer) == MPL_INTERLEAVED_ARRAY ? pointer : NULL;
}

uint64_t mpl_array_size(struct mpl_widen *w, LLVMValueRef alloca) {
  uint64_t bytes = LLVMABISizeOfType(w->ir->layout, LLVMGetAllocatedType(alloca)) *
                   LLVMConstIntGetZExtValue(LLVMGetOperand(alloca, 0)),
           align = LLVMGetAlignment(alloca);
  if (mpl_array_kind(w, alloca) == MPL_INTERLEAVED_ARRAY && mpl_array_unit(w, alloca) > align)
    align = mpl_array_unit(w, alloca); /* whole units: the last one has a place for every lane */
  return (bytes + align - 1) / align * align;
}

LLVMValueRef mpl_entry_alloca(struct mpl_widen *w, LLVMTypeRef type, const char *name) {
  LLVMBasicBlockRef at = LLVMGetInsertBlock(w->b);
  LLVMMetadataRef place = LLVMGetCurrentDebugLocation2(w->b);
  LLVMPositionBuilderBefore(w->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->function)));
  LLVMValueRef memory = LLVMBuildAlloca(w->b, type, name);
  LLVMSetAlignment(memory, 64);
  mpl_continue_at(w, at);
  LLVMSetCurrentDebugLocation2(w->b, place);
  return memory;
}

/* The memory of all lanes in its place. */
LLVMValueRef mpl_wide_array(struct mpl_widen *w, LLVMValueRef alloca) {
  LLVMValueRef known = (LLVMValueRef)mpl_map_get(&w->arrays, alloca, 0);
  if (known) return known;
  LLVMTypeRef type = LLVMArrayType2(w->ir->i8, mpl_array_size(w, alloca) * w->width);
  known = mpl_entry_alloca(w, type, "lanes");
  if (LLVMGetAlignment(alloca) > 64) LLVMSetAlignment(known, LLVMGetAlignment(alloca));
  mpl_map_set(&w->arrays, alloca, (uintptr_t)known);
  return known;
}

/* Bytes from the array's begin, of lane 0 or (vector) of all lanes. */
static LLVMValueRef offset(struct mpl_widen *w, LLVMValueRef pointer, bool vector,
                           LLVMTypeRef type) {
  LLVMValueRef sum = LLVMConstNull(type);
  for (; LLVMIsAGetElementPtrInst(pointer); pointer = LLVMGetOperand(pointer, 0)) {
    LLVMTypeRef element = LLVMGetGEPSourceElementType(pointer);
    for (int k = 1; k < LLVMGetNumOperands(pointer); k++) {
      LLVMValueRef index = LLVMGetOperand(pointer, k), bytes;
      if (k > 1 && LLVMGetTypeKind(element) == LLVMStructTypeKind) {
        unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
        bytes = mpl_const64(w->ir, LLVMOffsetOfElement(w->ir->layout, element, field));
        element = LLVMStructGetTypeAtIndex(element, field);
        sum = LLVMBuildAdd(w->b, sum, vector ? mpl_splat(w, bytes) : bytes, "");
        continue;
      }
      if (k > 1) element = LLVMGetElementType(element);
      bytes = mpl_const64(w->ir, LLVMABISizeOfType(w->ir->layout, element));
      index = vector ? mpl_vector(w, index) : mpl_scalar(w, index);
      index = LLVMBuildIntCast2(w->b, index, type, true, "");
      if (vector) bytes = mpl_splat(w, bytes);
      sum = LLVMBuildAdd(w->b, sum, LLVMBuildMul(w->b, index, bytes, ""), "");
    }
  }
  return sum;
}

LLVMValueRef mpl_array_place(struct mpl_widen *w, LLVMValueRef pointer, unsigned size, bool uniform,
                             LLVMValueRef *inside) {
  LLVMValueRef array = mpl_wide_array(w, mpl_array_of(w, pointer));
  unsigned unit = mpl_array_unit(w, pointer);
  LLVMTypeRef type = uniform ? w->ir->i64 : mpl_vector_type(w, w->ir->i64);
  LLVMValueRef at = offset(w, pointer, !uniform, type), by = mpl_const64(w->ir, w->width);
  *inside = NULL;
  if (size < unit) {
    LLVMValueRef rest = mpl_const64(w->ir, unit - 1);
    *inside = LLVMBuildAnd(w->b, at, uniform ? rest : mpl_splat(w, rest), "");
    at = LLVMBuildSub(w->b, at, *inside, "");
  }
  at = LLVMBuildMul(w->b, at, uniform ? by : mpl_splat(w, by), "");
  if (!uniform) at = LLVMBuildAdd(w->b, at, mpl_steps(w, w->ir->i64, unit), "");
  if (!uniform && *inside) at = LLVMBuildAdd(w->b, at, *inside, "");
  return LLVMBuildGEP2(w->b, w->ir->i8, array, &at, 1, "");
}
