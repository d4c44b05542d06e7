/* How many chunks a copy of the loop does at a time. */
#include "plan.h"

/* What the processor is busy with anyway. */
static bool keeps_busy(LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (opcode == LLVMLoad || opcode == LLVMStore) return LLVMGetVolatile(i);
  if (opcode != LLVMCall)
    return (opcode >= LLVMUDiv && opcode <= LLVMFRem) || opcode == LLVMAtomicRMW ||
           opcode == LLVMAtomicCmpXchg;
  LLVMValueRef callee = mpl_callee_of(i);
  return !callee || !LLVMGetIntrinsicID(callee);
}

bool mpl_is_light(const struct mpl_lanes *lanes) {
  unsigned instructions = 0;
  MPL_EACH_ITEM_INSTRUCTION(i, lanes->items) {
    instructions += !LLVMIsATerminatorInst(i);
    if (keeps_busy(i) || lanes->blocks[mpl_cfg_block_of(lanes->items->cfg, i)].diverged) return false;
  }
  return instructions <= MPL_GIVEN_SHORT_LOOP;
}

unsigned mpl_chunks_at_a_time(const struct mpl_lanes *lanes) {
  unsigned bytes = 1;
  if (lanes->items->num_loops || lanes->items->limits.one_at_a_time || !mpl_is_light(lanes)) return 1;
  MPL_EACH_ITEM_INSTRUCTION(i, lanes->items) {
    LLVMValueRef value = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i;
    bool empty = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVoidTypeKind;
    if (empty || mpl_stride_of(lanes, value) != MPL_ANY_STRIDE) continue;
    unsigned size = (unsigned)LLVMABISizeOfType(lanes->items->ir->layout, LLVMTypeOf(value));
    if (size > bytes) bytes = size;
  }
  unsigned chunks = MPL_GIVEN_AT_ONCE * lanes->items->ir->target->register_bytes / (bytes * lanes->width);
  return chunks < 1 ? 1 : chunks > MPL_MOST_CHUNKS ? MPL_MOST_CHUNKS : chunks;
}

bool mpl_begins_again(const struct mpl_lanes *lanes) {
  MPL_EACH_ITEM_BLOCK(b, lanes->items)
  if (lanes->blocks[b].tested || mpl_has_bound(lanes, b)) return true;
  return false;
}
