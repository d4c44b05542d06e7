#include "repeats_place.h"

/* An index without the numbers added to it. */
static void add_index(struct mpl_repeats_place *place, LLVMValueRef value, uint64_t scale) {
  bool is_extended = LLVMIsASExtInst(value) != NULL;
  if (is_extended) value = LLVMGetOperand(value, 0);
  while (mpl_is_op(value, LLVMAdd) && LLVMIsAConstantInt(LLVMGetOperand(value, 1)) &&
         (!is_extended || LLVMGetNSW(value))) {
    place->constant += LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1)) * (int64_t)scale;
    value = LLVMGetOperand(value, 0);
  }
  place->variables[place->count].value = value;
  place->variables[place->count].scale = scale;
  place->variables[place->count++].is_extended = is_extended;
}

/* False: it is more than is understood. */
static bool add_step(struct mpl_module_ir *ir, struct mpl_repeats_place *place, LLVMValueRef step) {
  unsigned count = LLVMGetNumOperands(step);
  if (place->count + count > MPL_MOST_VARIABLES_OF_PLACE) return false;
  MPL_EACH_INDEX(index, step, ir->layout) {
    if (index.is_member)
      place->constant += (int64_t)index.bytes;
    else if (LLVMIsAConstantInt(index.value))
      place->constant += LLVMConstIntGetSExtValue(index.value) * (int64_t)index.bytes;
    else
      add_index(place, index.value, index.bytes);
  }
  return true;
}

void mpl_repeats_find_place(struct mpl_module_ir *ir, LLVMValueRef pointer,
                            struct mpl_repeats_place *place) {
  *place = (struct mpl_repeats_place){.root = pointer};
  while (LLVMIsAGetElementPtrInst(place->root)) {
    struct mpl_repeats_place further = *place;
    if (!add_step(ir, &further, place->root)) return;
    *place = further;
    place->root = LLVMGetOperand(place->root, 0);
  }
}

bool mpl_repeats_same_variables(const struct mpl_repeats_place *a,
                                const struct mpl_repeats_place *b) {
  if (a->root != b->root || a->count != b->count) return false;
  for (unsigned i = 0; i < a->count; i++)
    if (a->variables[i].value != b->variables[i].value ||
        a->variables[i].scale != b->variables[i].scale ||
        a->variables[i].is_extended != b->variables[i].is_extended)
      return false;
  return true;
}
