/* Which row of tables/costs.def an instruction has. */
#include "cost.h"

static const enum mpl_cost of_recipes[][2] = {
#define MPL_RECIPE(id, word, load, store, ...) {MPL_COST_##load, MPL_COST_##store},
#include "tables/recipes.def"
};

static enum mpl_cost row_of_access(const struct mpl_recipes *recipes, LLVMValueRef i) {
  const struct mpl_recipe *recipe = mpl_recipe_of(recipes, i, false);
  enum mpl_cost row = of_recipes[recipe->form][LLVMIsAStoreInst(i) != NULL];
  bool small = mpl_lane_bytes(mpl_accessed_type(i)) < MPL_WORD;
  return row == MPL_COST_GATHER && small ? MPL_COST_GATHER_SMALL : row;
}

static enum mpl_cost row_of_each(const struct mpl_lanes *lanes, LLVMValueRef i) {
  if (mpl_is_combined(lanes, i)) return MPL_COST_COMBINED;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  return opcode == LLVMCall            ? MPL_COST_CALL_EACH
         : opcode == LLVMAtomicCmpXchg ? MPL_COST_EXCHANGE_EACH
                                       : MPL_COST_ATOMIC_EACH;
}

enum mpl_cost mpl_cost_row(const struct mpl_recipes *recipes, LLVMValueRef i) {
  const struct mpl_lanes *lanes = recipes->lanes;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (LLVMIsATerminatorInst(i) || opcode == LLVMPHI || opcode == LLVMAlloca ||
      opcode == LLVMGetElementPtr || opcode == LLVMBitCast)
    return MPL_NUM_COSTS;
  if (opcode == LLVMCall && (mpl_is_hint(i) || mpl_is_look(i))) return MPL_NUM_COSTS;
  if (mpl_has_no_vector_form(lanes, i)) return row_of_each(lanes, i);
  if (mpl_accessed_place(i)) return row_of_access(recipes, i);
  enum mpl_cost row = mpl_operation_row(i);
  if (mpl_varies(lanes, i) || row == MPL_NUM_COSTS) return row;
  return row == MPL_COST_QUOTIENT ? MPL_COST_SHARED_QUOTIENT : MPL_COST_SHARED;
}
