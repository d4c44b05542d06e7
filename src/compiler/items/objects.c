/* For the checking engine: accesses to one variable, of the work-item's own or in local memory.
 * They stay within it, and what is read of a private array was written.  For the latter such an
 * array has a shadow beside it, a byte for each of its own that says so. */
#include <llvm-c/DebugInfo.h>

#include "abi/items.h"
#include "objects.h"

static bool is_known_call(LLVMValueRef call) {
  return mpl_calls(call, "llvm.memcpy") || mpl_calls(call, "llvm.memmove") ||
         mpl_calls(call, "llvm.memset") || mpl_calls(call, "llvm.lifetime");
}

/* May a pointer that was computed from it be one of several, come back from memory or go to another function,
 * where nobody sees whose it is?  `tells`: or may somebody write to it who does not tell? */
static bool is_kept(LLVMValueRef pointer, bool tells) {
  MPL_EACH_USER(user, pointer) {
    switch (LLVMIsAInstruction(user) ? LLVMGetInstructionOpcode(user) : LLVMRet) {
    case LLVMLoad:
    case LLVMICmp:
      break;
    case LLVMStore:
      if (LLVMGetOperand(user, 0) == pointer) return true;
      break;
    case LLVMPtrToInt:
    case LLVMInsertValue:
    case LLVMInsertElement:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMRet:
      return true;
    case LLVMCall:
      if (!is_known_call(user)) return true;
      break;
    case LLVMGetElementPtr:
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
    case LLVMFreeze:
      if (is_kept(user, tells)) return true;
      break;
    default:
      if (tells) return true;
    }
  }
  return false;
}

/* --- Private arrays whose every write is seen --- */

/* Of others the variables that are read as volatile are still there: events (calls.c). */
bool mpl_is_read_as_volatile(LLVMValueRef pointer) {
  MPL_EACH_USER(user, pointer) {
    if (LLVMIsALoadInst(user) && LLVMGetVolatile(user)) return true;
    if (LLVMIsAAddrSpaceCastInst(user) && mpl_is_read_as_volatile(user)) return true;
  }
  return false;
}

static bool is_array(LLVMValueRef alloca) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetAllocatedType(alloca));
  return LLVMIsAConstantInt(LLVMGetOperand(alloca, 0)) &&
         (kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind || kind == LLVMVectorTypeKind ||
          mpl_is_read_as_volatile(alloca));
}

static void set_shadow(struct mpl_objects *o, LLVMValueRef shadow, uint64_t size,
                       enum mpl_own_byte is) {
  LLVMBuildMemSet(o->b, shadow, LLVMConstInt(o->ir->i8, is, false), mpl_const64(o->ir, size), 1);
}

static void add_shadow(struct mpl_objects *o, LLVMValueRef alloca) {
  uint64_t size = mpl_size_of_alloca(o->ir->layout, alloca);
  LLVMPositionBuilderBefore(o->b, LLVMGetNextInstruction(alloca));
  LLVMSetCurrentDebugLocation2(o->b, NULL);
  LLVMValueRef shadow = LLVMBuildAlloca(o->b, LLVMArrayType2(o->ir->i8, size), "written");
  set_shadow(o, shadow, size, MPL_OWN_UNWRITTEN);
  mpl_map_set(&o->shadows, alloca, (uintptr_t)shadow);
  MPL_EACH_USER(user, alloca) {
    bool ends = mpl_calls(user, "llvm.lifetime.end");
    if (!ends && !mpl_calls(user, "llvm.lifetime.start")) continue;
    LLVMPositionBuilderBefore(o->b, user);
    set_shadow(o, shadow, size, ends ? MPL_OWN_ENDED : MPL_OWN_UNWRITTEN);
  }
}

/* --- Private variables to which pointers are kept --- */

static LLVMValueRef generic(struct mpl_objects *o, LLVMValueRef pointer) {
  return LLVMBuildAddrSpaceCast(o->b, pointer, o->ir->ptr, ""); /* none if it is one */
}

/* At the builder's place: what mpl_item_host.inside wants to know. */
static void call_hook(struct mpl_objects *o, LLVMValueRef access, LLVMValueRef pointer, LLVMValueRef size,
                      LLVMValueRef base, uint64_t whole, LLVMValueRef shadow) {
  LLVMValueRef args[] = {access, generic(o, pointer), size, generic(o, base), mpl_const64(o->ir, whole), shadow};
  mpl_call(o->b, LLVMBuildLoad2(o->b, o->ir->ptr, o->hook, ""), o->ir->void_type, args, 6);
}

static void tell(struct mpl_objects *o, LLVMValueRef variable, uint64_t size, bool ends) {
  LLVMValueRef null = LLVMConstNull(o->ir->ptr);
  call_hook(o, null, null, mpl_const64(o->ir, ends), variable, size, null);
}

/* The engine hears of its scope; and the compiler no more, so that what has ended keeps its place.
 * False if the compiler knew none. */
static bool tell_scope(struct mpl_objects *o, LLVMValueRef alloca) {
  bool has_scope = false;
  MPL_EACH_USER(user, alloca) {
    bool ends = mpl_calls(user, "llvm.lifetime.end");
    if (!ends && !mpl_calls(user, "llvm.lifetime.start")) continue;
    LLVMPositionBuilderBefore(o->b, user);
    tell(o, alloca, mpl_size_of_alloca(o->ir->layout, alloca), ends);
    LLVMInstructionEraseFromParent(user);
    has_scope = true;
  }
  return has_scope;
}

/* Structures that a function is given lie where the frames of others have been. */
static void tell_parameters(struct mpl_objects *o, LLVMValueRef function) {
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
  while (LLVMIsAAllocaInst(first)) first = LLVMGetNextInstruction(first);
  LLVMPositionBuilderBefore(o->b, first);
  LLVMSetCurrentDebugLocation2(o->b, NULL);
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMAttributeRef by_value =
        LLVMGetEnumAttributeAtIndex(function, i + 1, mpl_enum_attribute("byval"));
    if (!by_value) continue;
    LLVMTypeRef type = LLVMGetTypeAttributeValue(by_value);
    tell(o, LLVMGetParam(function, i), LLVMABISizeOfType(o->ir->layout, type), false);
  }
}

void mpl_scopes_tell(struct mpl_objects *o, LLVMValueRef function, bool is_called) {
  if (is_called) tell_parameters(o, function);
  /* What comes behind a variable may be erased with it. */
  MPL_EACH_BLOCK(block, function)
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
      if (!LLVMIsAAllocaInst(i) || !LLVMIsAConstantInt(LLVMGetOperand(i, 0)) ||
          mpl_map_has(&o->shadows, i) || !is_kept(i, false) || tell_scope(o, i) || !is_called)
        continue;
      /* As long as the frame is there. */
      LLVMPositionBuilderBefore(o->b, LLVMGetNextInstruction(i));
      LLVMSetCurrentDebugLocation2(o->b, NULL);
      tell(o, i, mpl_size_of_alloca(o->ir->layout, i), false);
    }
}

#define MARK "mpl.array"

bool mpl_is_marked_array(struct mpl_module_ir *ir, LLVMValueRef alloca) {
  return mpl_metadata_of(ir, alloca, MARK);
}

void mpl_objects_find(struct mpl_objects *o, LLVMValueRef function) {
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (o->marks && (!LLVMIsAAllocaInst(i) || !mpl_is_indexed_array(i))) continue;
    if (o->marks) mpl_mark(o->ir, i, MARK);
    if (LLVMIsAAllocaInst(i) && !mpl_map_has(&o->shadows, i) && is_array(i) && !is_kept(i, true))
      add_shadow(o, i);
  }
}

/* --- One access --- */

static bool is_inside(LLVMValueRef pointer, LLVMValueRef base, LLVMValueRef size, uint64_t whole) {
  return pointer == base && LLVMIsAConstantInt(size) && LLVMConstIntGetZExtValue(size) <= whole;
}

/* It also stays within arrays that are members of structures: while types say where these are. */
static void watch_members(struct mpl_objects *o, LLVMValueRef access, LLVMValueRef pointer,
                          LLVMValueRef base, LLVMValueRef size) {
  struct mpl_module_ir *ir = o->ir;
  bool is_there = true;
  for (LLVMValueRef at = pointer; at != base && is_there; at = LLVMGetOperand(at, 0)) {
    is_there = LLVMIsAGetElementPtrInst(at) || LLVMIsACastInst(at);
    LLVMValueRef array;
    uint64_t whole = mpl_member_array(ir, at, &array);
    if (!is_there || !whole || is_inside(pointer, array, size, whole)) continue;
    call_hook(o, access, pointer, size, array, whole, LLVMConstNull(ir->ptr));
  }
}

void mpl_object_watch(struct mpl_objects *o, LLVMValueRef access, LLVMValueRef pointer,
                      LLVMValueRef base, LLVMValueRef size) {
  struct mpl_module_ir *ir = o->ir;
  bool is_private = LLVMIsAAllocaInst(base) != NULL;
  if (is_private && !is_array(base)) return;
  uint64_t whole = is_private ? mpl_size_of_alloca(o->ir->layout, base) : mpl_named_size(ir, base);
  LLVMValueRef shadow = (LLVMValueRef)mpl_map_get(&o->shadows, base, 0);
  if (is_private && o->marks) watch_members(o, access, pointer, base, size);
  if (!whole || (!shadow && is_inside(pointer, base, size, whole))) return;
  call_hook(o, access, pointer, size, base, whole, shadow ? shadow : LLVMConstNull(ir->ptr));
}
