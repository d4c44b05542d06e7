/* For the checking engine: whether the result of a shuffle is written to global memory wherever the
 * shuffle is called.  Where it goes through a choice, or into a branch, lanes that have no source
 * may well leave it aside, as a scan's first lane does. */
#include "items.h"

/* Whatever comes in shows in what comes out. */
static bool hands_on(LLVMValueRef user) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMXor:
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMBitCast:
  case LLVMZExt:
  case LLVMSExt:
    return true;
  default:
    return false;
  }
}

static bool is_stored_from(LLVMValueRef value, LLVMBasicBlockRef block, unsigned depth) {
  enum { MOST = 8, GLOBAL_SPACE = 1 };
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user) || LLVMGetInstructionParent(user) != block) continue;
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value &&
        LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(user, 1))) == GLOBAL_SPACE)
      return true;
    if (depth < MOST && hands_on(user) && is_stored_from(user, block, depth + 1)) return true;
  }
  return false;
}

bool mpl_is_surely_stored(LLVMValueRef call) {
  return is_stored_from(call, LLVMGetInstructionParent(call), 0);
}
