/* Private arrays that are copied or set as a whole, where they are initialised and where structures
 * are assigned: element by element, so that the array can lie lane beside lane.  Small structures
 * between other places: word by word, as neighbouring fields (vector/lanes/interleave_groups.c). */
#include <stdlib.h>

#include "expand.h"

enum { MOST_UNROLLED = 16, MOST_ELEMENTS = 4096 };

struct copy {
  struct mpl_module_ir *ir;
  LLVMBuilderRef b;
  LLVMValueRef call, to, from; /* `from` null: it is set */
  LLVMTypeRef type;            /* of elements */
  unsigned size, count;
};

/* The element type, if all elements have the same; or null. */
static LLVMTypeRef element_type(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind)
    return element_type(LLVMGetElementType(type));
  if (kind != LLVMStructTypeKind) return mpl_fits_memory(type) ? type : NULL;
  LLVMTypeRef one = NULL;
  for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++) {
    LLVMTypeRef other = element_type(LLVMStructGetTypeAtIndex(type, k));
    if (!other || (one && one != other)) return NULL;
    one = other;
  }
  return one;
}

static LLVMValueRef array_of(struct mpl_module_ir *ir, LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
  return LLVMIsAAllocaInst(pointer) && !mpl_is_slot(ir, pointer) ? pointer : NULL;
}

static bool find_copy(struct copy *c, LLVMValueRef call) {
  bool set = mpl_calls(call, "llvm.memset.p"), moved = mpl_calls(call, "llvm.memmove.p");
  if (!set && !moved && !mpl_calls(call, "llvm.memcpy.p")) return false;
  LLVMValueRef length = LLVMGetOperand(call, 2);
  if (!LLVMIsAConstantInt(length) || !LLVMIsNull(LLVMGetOperand(call, 3))) return false;
  c->call = call;
  c->to = LLVMGetOperand(call, 0);
  c->from = set ? NULL : LLVMGetOperand(call, 1);
  uint64_t bytes = LLVMConstIntGetZExtValue(length);
  LLVMValueRef array = array_of(c->ir, c->to);
  if (!array && c->from) array = array_of(c->ir, c->from);
  if (array)
    c->type = element_type(LLVMGetAllocatedType(array));
  else
    c->type = c->from && bytes <= 4 * MOST_UNROLLED ? c->ir->i32 : NULL;
  if (!c->type) return false;
  c->size = (unsigned)LLVMABISizeOfType(c->ir->layout, c->type);
  c->count = (unsigned)(bytes / c->size);
  return c->count && bytes % c->size == 0 && c->count <= (moved ? MOST_UNROLLED : MOST_ELEMENTS);
}

static LLVMValueRef place(struct copy *c, LLVMValueRef array, LLVMValueRef index) {
  return LLVMBuildInBoundsGEP2(c->b, c->type, array, &index, 1, "");
}

static LLVMValueRef load(struct copy *c, LLVMValueRef index) {
  unsigned align = array_of(c->ir, c->from) ? c->size : 1;
  return mpl_aligned_load(c->b, c->type, place(c, c->from, index), align);
}

static void store(struct copy *c, LLVMValueRef value, LLVMValueRef index) {
  mpl_aligned_store(c->b, value, place(c, c->to, index), array_of(c->ir, c->to) ? c->size : 1);
}

/* The byte in each place of an element. */
static LLVMValueRef repeated(struct copy *c) {
  LLVMTypeRef bits = LLVMIntTypeInContext(c->ir->context, 8 * c->size);
  LLVMValueRef byte = LLVMBuildZExt(c->b, LLVMGetOperand(c->call, 1), bits, ""),
               ones = LLVMConstInt(bits, 0x0101010101010101 >> (64 - 8 * c->size), false);
  LLVMValueRef value = LLVMBuildMul(c->b, byte, ones, "");
  return LLVMGetTypeKind(c->type) == LLVMPointerTypeKind
             ? LLVMBuildIntToPtr(c->b, value, c->type, "")
             : LLVMBuildBitCast(c->b, value, c->type, "");
}

static void unroll(struct copy *c) {
  LLVMValueRef values[MOST_UNROLLED], byte = c->from ? NULL : repeated(c);
  for (unsigned k = 0; k < c->count; k++) values[k] = byte ? byte : load(c, mpl_const64(c->ir, k));
  for (unsigned k = 0; k < c->count; k++) store(c, values[k], mpl_const64(c->ir, k));
}

static void loop(struct copy *c) {
  LLVMBasicBlockRef before = LLVMGetInstructionParent(c->call),
                    after = mpl_ir_split(c->call, "copied"),
                    body = LLVMInsertBasicBlockInContext(c->ir->context, after, "copy");
  LLVMSetSuccessor(LLVMGetBasicBlockTerminator(before), 0, body);
  LLVMPositionBuilderBefore(c->b, LLVMGetBasicBlockTerminator(before));
  LLVMValueRef byte = c->from ? NULL : repeated(c), zero = mpl_const64(c->ir, 0);
  LLVMPositionBuilderAtEnd(c->b, body);
  LLVMValueRef index = LLVMBuildPhi(c->b, c->ir->i64, "");
  store(c, byte ? byte : load(c, index), index);
  LLVMValueRef next = LLVMBuildNUWAdd(c->b, index, mpl_const64(c->ir, 1), "");
  LLVMValueRef more = LLVMBuildICmp(c->b, LLVMIntULT, next, mpl_const64(c->ir, c->count), "");
  LLVMBuildCondBr(c->b, more, body, after);
  LLVMValueRef values[] = {zero, next};
  LLVMBasicBlockRef blocks[] = {before, body};
  LLVMAddIncoming(index, values, blocks, 2);
}

bool mpl_expand_copies(struct mpl_module_ir *ir, LLVMValueRef function) {
  MPL_LIST(LLVMValueRef, calls);
  MPL_BUILDER(b, ir->context);
  size_t count = 0;
  struct copy c = {.ir = ir, .b = b};
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (!LLVMIsACallInst(i) || !find_copy(&c, i)) continue;
    MPL_APPEND(calls, count) = i;
  }
  for (size_t k = 0; k < count; k++) {
    find_copy(&c, calls[k]);
    LLVMPositionBuilderBefore(c.b, calls[k]);
    (c.count <= MOST_UNROLLED ? unroll : loop)(&c);
    LLVMInstructionEraseFromParent(calls[k]);
  }
  return count > 0;
}
