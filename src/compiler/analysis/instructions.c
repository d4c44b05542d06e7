#include <string.h>

#include "ir.h"

bool mpl_only_computes(LLVMValueRef instruction, unsigned kinds) {
  switch (LLVMGetInstructionOpcode(instruction)) {
#define MPL_OPCODE(opcode, kind)                                                                   \
  case LLVM##opcode:                                                                               \
    return kinds & MPL_##kind;
#include "tables/opcodes.def"
  default:
    return false;
  }
}

static bool is_made_of(LLVMValueRef value, unsigned kinds, mpl_source *is, const void *data, unsigned depth) {
  if (is(data, value)) return true;
  if (depth == MPL_DEEPEST || !LLVMIsAInstruction(value) || !mpl_only_computes(value, kinds)) return false;
  for (int k = 0; k < LLVMGetNumOperands(value); k++)
    if (!is_made_of(LLVMGetOperand(value, k), kinds, is, data, depth + 1)) return false;
  return true;
}

bool mpl_is_made_of(LLVMValueRef value, unsigned kinds, mpl_source *is, const void *data) {
  return is_made_of(value, kinds, is, data, 0);
}

bool mpl_is_op(LLVMValueRef value, LLVMOpcode opcode) {
  return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

bool mpl_is_constant(LLVMValueRef value, uint64_t number) {
  return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == number;
}

static unsigned low_zeros(LLVMValueRef number, unsigned depth);

static unsigned low_zeros_of_operation(LLVMValueRef i, unsigned depth) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  bool widens = opcode == LLVMZExt || opcode == LLVMSExt;
  if (!widens && opcode != LLVMShl && opcode != LLVMMul && opcode != LLVMAdd && opcode != LLVMOr)
    return 0;
  unsigned a = low_zeros(LLVMGetOperand(i, 0), depth + 1), b;
  if (widens) return a;
  LLVMValueRef second = LLVMGetOperand(i, 1);
  if (opcode == LLVMShl)
    return a + (LLVMIsAConstantInt(second) ? (unsigned)LLVMConstIntGetZExtValue(second) : 0);
  b = low_zeros(second, depth + 1);
  return opcode == LLVMMul ? a + b : a < b ? a : b;
}

static unsigned low_zeros(LLVMValueRef number, unsigned depth) {
  enum { FAR = 4, MOST = 32 };
  unsigned known = 0;
  if (mpl_is_constant(number, 0))
    known = MOST;
  else if (LLVMIsAConstantInt(number))
    known = (unsigned)__builtin_ctzll(LLVMConstIntGetZExtValue(number));
  else if (depth < FAR && LLVMIsAInstruction(number))
    known = low_zeros_of_operation(number, depth);
  return known < MOST ? known : MOST;
}

unsigned mpl_low_zeros(LLVMValueRef number) {
  return low_zeros(number, 0);
}

unsigned mpl_space_of(LLVMValueRef pointer) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
}

bool mpl_begins(const char *name, const char *with) {
  return !strncmp(name, with, strlen(with));
}

bool mpl_is_memory_function(const char *name) {
  return !strcmp(name, "memcpy") || !strcmp(name, "memset") || !strcmp(name, "memmove");
}

LLVMValueRef mpl_callee_of(LLVMValueRef i) {
  return LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
}

bool mpl_calls(LLVMValueRef i, const char *name) {
  LLVMValueRef callee = mpl_callee_of(i);
  return callee && mpl_begins(LLVMGetValueName(callee), name);
}

bool mpl_is_prefetch(LLVMValueRef i) {
  return mpl_calls(i, "llvm.prefetch");
}

bool mpl_is_hint(LLVMValueRef call) {
  return mpl_calls(call, "llvm.assume") || mpl_calls(call, "llvm.lifetime") ||
         mpl_calls(call, "llvm.experimental.noalias") || mpl_is_prefetch(call) ||
         mpl_calls(call, "llvm.dbg");
}

struct mpl_extreme mpl_extreme_of(LLVMValueRef value) {
  static const struct {
    const char *name;
    struct mpl_extreme extreme;
  } all[] = {{"llvm.smin.", {true, false, true}},
             {"llvm.smax.", {true, true, true}},
             {"llvm.umin.", {true, false, false}},
             {"llvm.umax.", {true, true, false}}};
  for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
    if (mpl_calls(value, all[k].name)) return all[k].extreme;
  return (struct mpl_extreme){0};
}

bool mpl_is_rare(LLVMValueRef function, const char *what) {
  static const char prefix[] = "mpl_rare_"; /* of the built-in library's names of it */
  const char *name = function ? LLVMGetValueName(function) : "";
  return !strncmp(name, prefix, sizeof prefix - 1) &&
         !strncmp(name + sizeof prefix - 1, what, strlen(what));
}

bool mpl_is_called_pixel(LLVMValueRef function) {
  static const char prefix[] = "mpl_called_pixel_";
  return function && !strncmp(LLVMGetValueName(function), prefix, sizeof prefix - 1);
}

/* Functions of src/builtins/memory/pipe.cl, which are not inlined. */
bool mpl_looks_into_pipe(LLVMValueRef call) {
  return mpl_calls(call, "__mpl_pipe_claim_") || mpl_calls(call, "__mpl_pipe_count");
}

LLVMValueRef mpl_accessed_place(LLVMValueRef i) {
  bool store = LLVMIsAStoreInst(i) != NULL;
  return store || LLVMIsALoadInst(i) ? LLVMGetOperand(i, store) : NULL;
}

LLVMTypeRef mpl_accessed_type(LLVMValueRef i) {
  return LLVMTypeOf(LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i);
}

uint64_t mpl_size_of_alloca(LLVMTargetDataRef layout, LLVMValueRef alloca) {
  LLVMValueRef count = LLVMGetOperand(alloca, 0);
  uint64_t size, each = LLVMABISizeOfType(layout, LLVMGetAllocatedType(alloca));
  if (!LLVMIsAConstantInt(count)) return 0;
  return __builtin_mul_overflow(each, LLVMConstIntGetZExtValue(count), &size) ? UINT64_MAX : size;
}

bool mpl_is_seen_by_others(LLVMValueRef access) {
  return LLVMGetVolatile(access) || LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic;
}

bool mpl_reads_what_others_write(LLVMValueRef i) {
  if (LLVMIsALoadInst(i)) return mpl_is_seen_by_others(i);
  return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
         (LLVMIsACallInst(i) && mpl_looks_into_pipe(i));
}

bool mpl_fits_memory(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind: {
    unsigned bits = LLVMGetIntTypeWidth(type);
    return bits >= 8 && bits <= 64 && !(bits & (bits - 1));
  }
  case LLVMHalfTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
  case LLVMPointerTypeKind:
    return true;
  default:
    return false;
  }
}

bool mpl_has_effect(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMStore:
  case LLVMFence:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMVAArg:
    return true;
  case LLVMLoad:
    return LLVMGetVolatile(i) || LLVMGetOrdering(i) > LLVMAtomicOrderingMonotonic;
  case LLVMCall:
    return !mpl_is_hint(i) && !mpl_ir_is_pure_call(i);
  default:
    return false;
  }
}

LLVMValueRef mpl_take_user(LLVMValueRef *at) {
  LLVMUseRef use = (LLVMUseRef)*at; /* a for statement has variables of one type */
  if (use) *at = (LLVMValueRef)LLVMGetNextUse(use);
  return use ? LLVMGetUser(use) : NULL;
}

LLVMValueRef mpl_only_user(LLVMValueRef value) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  return use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
}

LLVMValueRef mpl_behind_phis(LLVMBasicBlockRef block) {
  LLVMValueRef i = LLVMGetFirstInstruction(block);
  while (LLVMIsAPHINode(i)) i = LLVMGetNextInstruction(i);
  return i;
}

LLVMValueRef mpl_incoming_from(LLVMValueRef phi, LLVMBasicBlockRef from) {
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
    if (LLVMGetIncomingBlock(phi, k) == from) return LLVMGetIncomingValue(phi, k);
  return NULL;
}

void mpl_replace(LLVMValueRef instruction, LLVMValueRef by) {
  LLVMReplaceAllUsesWith(instruction, by);
  LLVMInstructionEraseFromParent(instruction);
}

void mpl_replace_operand(LLVMValueRef instruction, LLVMValueRef operand, LLVMValueRef by) {
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(instruction); k++)
    if (LLVMGetOperand(instruction, k) == operand) LLVMSetOperand(instruction, k, by);
}

void mpl_empty_block(LLVMBasicBlockRef block) {
  for (LLVMValueRef i; (i = LLVMGetLastInstruction(block));) {
    LLVMTypeRef type = LLVMTypeOf(i);
    if (LLVMGetTypeKind(type) == LLVMTokenTypeKind) break;
    if (LLVMGetTypeKind(type) != LLVMVoidTypeKind) LLVMReplaceAllUsesWith(i, LLVMGetPoison(type));
    LLVMInstructionEraseFromParent(i);
  }
}

bool mpl_is_vector_type(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

LLVMTypeRef mpl_element_of(LLVMTypeRef type) {
  return mpl_is_vector_type(type) ? LLVMGetElementType(type) : type;
}

unsigned mpl_count_of(LLVMTypeRef type) {
  return mpl_is_vector_type(type) ? LLVMGetVectorSize(type) : 1;
}

unsigned mpl_integer_bits(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

LLVMValueRef mpl_function_of(LLVMValueRef instruction) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

unsigned mpl_length_of(LLVMValueRef function) {
  unsigned count = 0;
  MPL_EACH_INSTRUCTION_OF(i, function) count++;
  return count;
}

bool mpl_next_index(LLVMTargetDataRef layout, LLVMValueRef place, struct mpl_place_index *index) {
  if (++index->operand >= (unsigned)LLVMGetNumOperands(place)) return false;
  index->value = LLVMGetOperand(place, index->operand);
  index->of = index->type;
  index->is_member = index->of && LLVMGetTypeKind(index->of) == LLVMStructTypeKind;
  if (index->is_member) {
    unsigned member = (unsigned)LLVMConstIntGetZExtValue(index->value);
    index->type = LLVMStructGetTypeAtIndex(index->of, member);
    index->bytes = LLVMOffsetOfElement(layout, index->of, member);
  } else {
    index->type = index->of ? LLVMGetElementType(index->of) : LLVMGetGEPSourceElementType(place);
    index->bytes = LLVMABISizeOfType(layout, index->type);
  }
  return true;
}

bool mpl_add_indices(LLVMTargetDataRef layout, LLVMValueRef place, int64_t *offset) {
  int64_t sum = 0;
  MPL_EACH_INDEX(index, place, layout) {
    if (!LLVMIsAConstantInt(index.value)) return false;
    sum += (int64_t)index.bytes * (index.is_member ? 1 : LLVMConstIntGetSExtValue(index.value));
  }
  *offset += sum;
  return true;
}

LLVMValueRef mpl_base_of(struct mpl_module_ir *ir, LLVMValueRef pointer, int64_t *offset) {
  *offset = 0;
  while (LLVMIsAGetElementPtrInst(pointer) && mpl_add_indices(ir->layout, pointer, offset))
    pointer = LLVMGetOperand(pointer, 0);
  return pointer;
}

static const struct mpl_lanewise lanewise[] = {
#define MPL_LANEWISE(name, scalar, says_result) {name, scalar, says_result},
#include "tables/lanewise.def"
};

const struct mpl_lanewise *mpl_lanewise_of(LLVMValueRef callee) {
  unsigned id = callee ? LLVMGetIntrinsicID(callee) : 0;
  for (unsigned k = 0; id && k < sizeof lanewise / sizeof *lanewise; k++)
    if (LLVMLookupIntrinsicID(lanewise[k].name, strlen(lanewise[k].name)) == id)
      return &lanewise[k];
  return NULL;
}
