/* What one iteration of a loop hands on to the next through memory: it stores an element of an
 * array that the next one loads, as errors are diffused along a row and tables are filled that way.
 */
#include "steps.h"

/* An access's place: an array's row, an index, and bytes behind that element. */
struct spot {
  LLVMValueRef array, index;
  LLVMValueRef row; /* its address's computation, whose last index does not count */
  int64_t offset;
};

static struct spot spot_of(const struct mpl_lanes *lanes, LLVMValueRef access) {
  const struct mpl_item_loop *items = lanes->items;
  struct spot s = {0};
  s.array = mpl_base_of(items->ir, mpl_accessed_place(access), &s.offset);
  if (!LLVMIsAGetElementPtrInst(s.array)) return s;
  unsigned last = (unsigned)LLVMGetNumOperands(s.array) - 1;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(s.array);
  for (unsigned k = 2; k <= last; k++) {
    if (LLVMGetTypeKind(type) != LLVMArrayTypeKind) return s;
    type = LLVMGetElementType(type);
  }
  int64_t size = (int64_t)LLVMABISizeOfType(items->ir->layout, type);
  s.row = s.array;
  s.index = LLVMGetOperand(s.array, last);
  s.array = LLVMGetOperand(s.array, 0);
  for (;; s.index = LLVMGetOperand(s.index, 0)) {
    bool adds = LLVMIsAInstruction(s.index) && LLVMGetInstructionOpcode(s.index) == LLVMAdd &&
                LLVMIsAConstantInt(LLVMGetOperand(s.index, 1));
    if (adds) s.offset += size * LLVMConstIntGetSExtValue(LLVMGetOperand(s.index, 1));
    if (!adds && !LLVMIsASExtInst(s.index) && !LLVMIsAZExtInst(s.index)) return s;
  }
}

static bool are_of_one_row(const struct spot *a, const struct spot *b) {
  if (a->array != b->array || !a->row != !b->row) return false;
  if (!a->row) return true;
  int count = LLVMGetNumOperands(a->row);
  if (LLVMGetNumOperands(b->row) != count ||
      LLVMGetGEPSourceElementType(a->row) != LLVMGetGEPSourceElementType(b->row))
    return false;
  for (int k = 1; k + 1 < count; k++)
    if (LLVMGetOperand(a->row, k) != LLVMGetOperand(b->row, k)) return false;
  return true;
}

/* Does the load get what the store has left there an iteration before? */
static bool gets(struct mpl_steps *steps, LLVMValueRef load, LLVMValueRef store, int loop) {
  struct spot at = spot_of(steps->lanes, load), from = spot_of(steps->lanes, store);
  if (!are_of_one_row(&at, &from) || at.index != from.index) return false;
  int64_t by = mpl_step_of(steps, mpl_accessed_place(load), loop);
  return by && by == from.offset - at.offset;
}

void mpl_find_handed(struct mpl_steps *steps, int loop, struct mpl_map *handed) {
  const struct mpl_item_loop *items = steps->lanes->items;
  enum { MOST = 64 };
  LLVMValueRef loads[MOST], stores[MOST];
  unsigned num_loads = 0, num_stores = 0;
  for (unsigned b = items->loops[loop].header; b <= items->loops[loop].last; b++) {
    if (!items->in[b] || items->inner[b] != loop) continue;
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) {
      if (LLVMIsALoadInst(i) && num_loads < MOST) loads[num_loads++] = i;
      if (LLVMIsAStoreInst(i) && num_stores < MOST) stores[num_stores++] = i;
    }
  }
  for (unsigned l = 0; l < num_loads; l++)
    for (unsigned s = 0; s < num_stores; s++) {
      if (!gets(steps, loads[l], stores[s], loop)) continue;
      mpl_map_set(handed, loads[l], 1);
      mpl_map_set(handed, stores[s], 1);
    }
}
