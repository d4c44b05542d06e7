/* What one iteration of a loop hands on to the next through memory: it stores an element of an
 * array that the next one loads, as errors are diffused along a row and tables are filled that way.
 */
#include "steps.h"

/* An access's place: an array's row, an index, and bytes behind that element. */
struct spot {
  LLVMValueRef array, index;
  LLVMValueRef row; /* its address's computation, whose last index does not count */
  int64_t offset, size;
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
  s.size = size;
  return s;
}

static bool is_sum(LLVMValueRef value) {
  if (!LLVMIsAInstruction(value)) return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  return opcode == LLVMAdd || (opcode == LLVMOr && LLVMGetIsDisjoint(value));
}

/* What is added to, in the end; `by` grows by constants on the way. */
static LLVMValueRef without_constants(LLVMValueRef index, int64_t *by) {
  for (;; index = LLVMGetOperand(index, 0)) {
    bool adds = is_sum(index) && LLVMIsAConstantInt(LLVMGetOperand(index, 1));
    if (adds) *by += LLVMConstIntGetSExtValue(LLVMGetOperand(index, 1));
    if (!adds && !LLVMIsASExtInst(index) && !LLVMIsAZExtInst(index)) return index;
  }
}

/* Is the one the other and a constant, which is added to `by`?  They do not wrap. */
static bool are_apart_by(LLVMValueRef a, LLVMValueRef b, int64_t *by, unsigned depth) {
  enum { DEEPEST = 3 };
  int64_t less = 0, known = *by;
  if (a == b) return true;
  a = without_constants(a, by);
  b = without_constants(b, &less);
  *by -= less;
  if (a == b) return true;
  if (depth == DEEPEST || !is_sum(a) || !is_sum(b)) return false;
  for (unsigned k = 0; k < 2; k++) {
    int64_t sum = *by;
    if (!are_apart_by(LLVMGetOperand(a, 0), LLVMGetOperand(b, k), &sum, depth + 1) ||
        !are_apart_by(LLVMGetOperand(a, 1), LLVMGetOperand(b, !k), &sum, depth + 1))
      continue;
    *by = sum;
    return true;
  }
  *by = known;
  return false;
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
  int64_t by = mpl_step_of(steps, mpl_accessed_place(load), loop), elements = 0;
  if (!by || !are_of_one_row(&at, &from)) return false;
  if (at.row && !are_apart_by(from.index, at.index, &elements, 0)) return false;
  return by == from.offset - at.offset + elements * at.size;
}

void mpl_find_handed(struct mpl_steps *steps, int loop, struct mpl_map *handed) {
  const struct mpl_item_loop *items = steps->lanes->items;
  enum { MOST = 64 };
  LLVMValueRef loads[MOST], stores[MOST];
  unsigned num_loads = 0, num_stores = 0;
  MPL_EACH_LOOP_BLOCK(b, items, &items->loops[loop]) {
    if (items->inner[b] != loop) continue;
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
