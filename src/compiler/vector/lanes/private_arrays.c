/* Memory that each work-item has its own of.
 *
 * A private array that one region uses is one alloca for all work-items, one after another.  For a
 * chunk it becomes an array of vectors of units (emit/private_arrays.c) if it is accessed by places
 * in the array, at multiples of the access's size.  Of any other there is one for each lane, one
 * behind the other: its address is strided.
 *
 * Where all lanes together store what they share to places that they share, as in a table of
 * numbers, the array is the same for all of them, and stays one: what is loaded at a shared place
 * is shared too.  Each chunk writes what it reads, so the next one may write there again. */
#include "compiler/analysis/arrays.h"
#include "analysis.h"

static bool is_in_loop(const void *data, LLVMValueRef user) {
  const struct mpl_item_loop *items = data;
  return mpl_is_in_items(items, mpl_cfg_block_of(items->cfg, user));
}

static void add_array(struct mpl_item_loop *items, LLVMValueRef value) {
  while (LLVMIsAGetElementPtrInst(value)) value = LLVMGetOperand(value, 0);
  if (!LLVMIsAAllocaInst(value) || mpl_map_has(&items->arrays, value) ||
      mpl_is_shared_place(items->ir, value) ||
      mpl_is_in_items(items, mpl_cfg_block_of(items->cfg, value))) /* each lane makes one */
    return;
  unsigned unit = mpl_unit_of_array(items->ir->layout, value, is_in_loop, items);
  mpl_map_set(&items->arrays, value, 1 + unit);
}

void mpl_arrays_find(struct mpl_item_loop *items) {
  MPL_EACH_INSTRUCTION(i, LLVMGetEntryBasicBlock(items->function)) add_array(items, i);
  MPL_EACH_ITEM_INSTRUCTION(i, items)
  for (int k = 0; k < LLVMGetNumOperands(i); k++) add_array(items, LLVMGetOperand(i, k));
}

enum mpl_array_kind mpl_array_kind(const struct mpl_lanes *lanes, LLVMValueRef value) {
  uintptr_t known = LLVMIsAAllocaInst(value) ? mpl_map_get(&lanes->items->arrays, value, 0) : 0;
  if (known <= 1) return known ? MPL_ITEMS_ARRAY : MPL_NO_ARRAY;
  return mpl_map_has(&lanes->differing, value) ? MPL_INTERLEAVED_ARRAY : MPL_SHARED_ARRAY;
}

bool mpl_arrays_part(struct mpl_lanes *lanes, unsigned block) {
  bool part = false;
  MPL_EACH_INSTRUCTION(i, lanes->items->cfg->blocks[block]) {
    if (!LLVMIsAStoreInst(i)) continue;
    LLVMValueRef array = LLVMGetOperand(i, 1);
    bool shared = !lanes->blocks[block].diverged && !mpl_stride_at(lanes, array, block) &&
                  !mpl_stride_at(lanes, LLVMGetOperand(i, 0), block);
    while (LLVMIsAGetElementPtrInst(array)) array = LLVMGetOperand(array, 0);
    if (shared || mpl_array_kind(lanes, array) != MPL_SHARED_ARRAY) continue;
    mpl_map_set(&lanes->differing, array, 1);
    part = true;
  }
  return part;
}

unsigned mpl_array_unit(const struct mpl_lanes *lanes, LLVMValueRef pointer) {
  return (unsigned)mpl_map_get(&lanes->items->arrays, mpl_array_of(lanes, pointer), 0) - 1;
}

LLVMValueRef mpl_array_of(const struct mpl_lanes *lanes, LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
  return mpl_array_kind(lanes, pointer) == MPL_INTERLEAVED_ARRAY ? pointer : NULL;
}

uint64_t mpl_array_size(const struct mpl_lanes *lanes, LLVMValueRef alloca) {
  uint64_t bytes = LLVMABISizeOfType(lanes->items->ir->layout, LLVMGetAllocatedType(alloca)) *
                   LLVMConstIntGetZExtValue(LLVMGetOperand(alloca, 0)),
           align = LLVMGetAlignment(alloca);
  if (mpl_array_kind(lanes, alloca) == MPL_INTERLEAVED_ARRAY &&
      mpl_array_unit(lanes, alloca) > align)
    align =
        mpl_array_unit(lanes, alloca); /* whole units: the last one has a place for every lane */
  return (bytes + align - 1) / align * align;
}
