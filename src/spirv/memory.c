/* Variables of functions, loads, stores, copies, and where pointers lead (SPIR-V
 * specification, 3.49.8). */
#include <stdlib.h>

#include "call.h"
#include "reader.h"

/* The Memory Operands (3.26) of an access. */
struct access {
  unsigned align; /* 0: as the type is */
  bool is_volatile, nontemporal;
  unsigned next; /* the word behind them */
};

static struct access read_access(mpl_spirv_in in, unsigned word) {
  struct access access = {.next = word};
  if (word >= in->count) return access;
  uint32_t mask = in->words[access.next++];
  access.is_volatile = mask & SpvMemoryAccessVolatileMask;
  access.nontemporal = mask & SpvMemoryAccessNontemporalMask;
  if (mask & SpvMemoryAccessAlignedMask) access.align = mpl_spirv_word(in, access.next++);
  if (access.align & (access.align - 1))
    mpl_spirv_fail("alignment %u is not a power of 2", access.align);
  if (mask & SpvMemoryAccessMakePointerAvailableMask) access.next++;
  if (mask & SpvMemoryAccessMakePointerVisibleMask) access.next++;
  return access;
}

static unsigned alignment(mpl_spirv r, uint32_t pointer, const struct access *access,
                          LLVMTypeRef type) {
  if (access->align) return access->align;
  return mpl_spirv_at(r, pointer)->is_unaligned ? 1 : LLVMABIAlignmentOfType(r->layout, type);
}

static bool is_volatile(mpl_spirv r, uint32_t pointer, const struct access *access) {
  return access->is_volatile || mpl_spirv_decoration(r, pointer, SpvDecorationVolatile);
}

static void mark(mpl_spirv r, const struct access *access, LLVMValueRef instruction) {
  if (!access->nontemporal) return;
  LLVMMetadataRef one = LLVMValueAsMetadata(LLVMConstInt(r->i32, 1, false));
  LLVMSetMetadata(instruction, LLVMGetMDKindIDInContext(r->context, "nontemporal", 11),
                  LLVMMetadataAsValue(r->context, LLVMMDNodeInContext2(r->context, &one, 1)));
}

static LLVMValueRef load(mpl_spirv r, mpl_spirv_in in) {
  uint32_t pointer = mpl_spirv_word(in, 3);
  struct access access = read_access(in, 4);
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 1));
  LLVMValueRef value = LLVMBuildLoad2(r->b, type, mpl_spirv_value(r, pointer), "");
  LLVMSetAlignment(value, alignment(r, pointer, &access, type));
  LLVMSetVolatile(value, is_volatile(r, pointer, &access));
  mark(r, &access, value);
  return value;
}

static void store(mpl_spirv r, mpl_spirv_in in) {
  uint32_t pointer = mpl_spirv_word(in, 1);
  struct access access = read_access(in, 3);
  LLVMValueRef value = mpl_spirv_operand(r, in, 2);
  LLVMValueRef made = LLVMBuildStore(r->b, value, mpl_spirv_value(r, pointer));
  LLVMSetAlignment(made, alignment(r, pointer, &access, LLVMTypeOf(value)));
  LLVMSetVolatile(made, is_volatile(r, pointer, &access));
  mark(r, &access, made);
}

static void copy(mpl_spirv r, mpl_spirv_in in) {
  bool sized = in->opcode == SpvOpCopyMemorySized;
  uint32_t target = mpl_spirv_word(in, 1), source = mpl_spirv_word(in, 2);
  struct access to = read_access(in, sized ? 4 : 3), from = to;
  if (to.next < in->count) from = read_access(in, to.next);
  uint32_t pointee_id = mpl_spirv_pointee(r, mpl_spirv_at(r, target)->type_id);
  LLVMTypeRef pointee = mpl_spirv_type(r, pointee_id);
  LLVMValueRef size = sized ? mpl_spirv_operand(r, in, 3)
                            : LLVMConstInt(r->i64, LLVMStoreSizeOfType(r->layout, pointee), false);
  if (sized) pointee = r->i8; /* bytes, which are aligned as the operands say */
  size = LLVMBuildIntCast2(r->b, size, r->i64, false, "");
  LLVMValueRef made =
      LLVMBuildMemCpy(r->b, mpl_spirv_value(r, target), alignment(r, target, &to, pointee),
                      mpl_spirv_value(r, source), alignment(r, source, &from, pointee), size);
  if (is_volatile(r, target, &to) || is_volatile(r, source, &from)) LLVMSetVolatile(made, true);
}

/* In the function's memory; `length` of that type. */
static LLVMValueRef place_of(mpl_spirv r, mpl_spirv_in in, uint64_t length) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(r->b);
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_pointee(r, mpl_spirv_word(in, 1)));
  if (length != 1) type = LLVMArrayType2(type, length);
  LLVMPositionBuilderAtEnd(r->b, r->entry);
  LLVMValueRef place = LLVMBuildAlloca(r->b, type, "");
  const struct mpl_spirv_decoration *aligned =
      mpl_spirv_decoration(r, mpl_spirv_word(in, 2), SpvDecorationAlignment);
  unsigned natural = LLVMABIAlignmentOfType(r->layout, type);
  LLVMSetAlignment(place, aligned && aligned->count ? aligned->words[0] : natural);
  LLVMPositionBuilderAtEnd(r->b, here);
  return place;
}

static LLVMValueRef variable(mpl_spirv r, mpl_spirv_in in) {
  LLVMValueRef place = place_of(r, in, 1);
  if (in->count > 4) LLVMBuildStore(r->b, mpl_spirv_operand(r, in, 4), place);
  return place;
}

/* What a kernel's frame needs is known before it runs; how much it may be, a later pass says. */
static LLVMValueRef variable_length(mpl_spirv r, mpl_spirv_in in) {
  enum { MOST = 1 << 30 };
  LLVMValueRef length = mpl_spirv_operand(r, in, 3);
  if (!LLVMIsAConstantInt(length))
    mpl_spirv_fail("an array whose length is no constant: private memory has a size that is known "
                   "when a kernel is compiled");
  uint64_t count = LLVMConstIntGetZExtValue(length);
  if (count > MOST) mpl_spirv_fail("a private array has %llu elements", (unsigned long long)count);
  return place_of(r, in, count);
}

/* An index in an access chain, of the type that it leads into.  Structures are indexed by
 * constants. */
static LLVMValueRef chain_index(mpl_spirv r, mpl_spirv_in in, unsigned word, uint32_t *type_id) {
  mpl_spirv_in def = &mpl_spirv_at(r, *type_id)->def;
  LLVMValueRef index = mpl_spirv_operand(r, in, word);
  switch (def->words ? (SpvOp)def->opcode : SpvOpNop) {
  case SpvOpTypeStruct: {
    uint64_t member = mpl_spirv_constant(r, mpl_spirv_word(in, word));
    if (member + 2 >= def->count)
      mpl_spirv_fail("an access chain leads to a member that does not exist");
    *type_id = def->words[2 + member];
    return LLVMConstInt(r->i32, member, false);
  }
  case SpvOpTypeArray:
  case SpvOpTypeRuntimeArray:
  case SpvOpTypeVector:
    *type_id = mpl_spirv_word(def, 2);
    return LLVMBuildIntCast2(r->b, index, r->i64, true, "");
  default:
    mpl_spirv_fail("an access chain leads into a type without parts");
  }
}

/* With `element`, the first index steps over whole objects. */
static LLVMValueRef chain(mpl_spirv r, mpl_spirv_in in, bool element, bool in_bounds) {
  uint32_t base = mpl_spirv_word(in, 3), next = 4;
  LLVMValueRef copy = NULL;
  if (!element && in->count == 5)
    copy = mpl_spirv_builtin_place(r, base, mpl_spirv_operand(r, in, 4));
  if (copy) return copy;
  LLVMValueRef pointer = mpl_spirv_value(r, base);
  uint32_t type_id = mpl_spirv_pointee(r, mpl_spirv_at(r, base)->type_id);
  LLVMTypeRef type = mpl_spirv_type(r, type_id);
  LLVMValueRef *indices = mpl_spirv_allocate(in->count, sizeof *indices);
  unsigned count = 0;
  bool unaligned = mpl_spirv_at(r, base)->is_unaligned;
  indices[count++] =
      element ? LLVMBuildIntCast2(r->b, mpl_spirv_operand(r, in, next++), r->i64, true, "")
              : LLVMConstInt(r->i64, 0, false);
  while (next < in->count) {
    unaligned |= mpl_spirv_type_def(r, type_id, SpvOpTypeStruct) &&
                 mpl_spirv_decoration(r, type_id, SpvDecorationCPacked);
    indices[count++] = chain_index(r, in, next++, &type_id);
  }
  LLVMValueRef place = in_bounds ? LLVMBuildInBoundsGEP2(r->b, type, pointer, indices, count, "")
                                 : LLVMBuildGEP2(r->b, type, pointer, indices, count, "");
  free(indices);
  mpl_spirv_at(r, mpl_spirv_word(in, 2))->is_unaligned = unaligned;
  return place;
}

static LLVMValueRef difference(mpl_spirv r, mpl_spirv_in in) {
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 1));
  uint32_t pointee = mpl_spirv_pointee(r, mpl_spirv_at(r, mpl_spirv_word(in, 3))->type_id);
  uint64_t size = LLVMABISizeOfType(r->layout, mpl_spirv_type(r, pointee));
  LLVMValueRef x = LLVMBuildPtrToInt(r->b, mpl_spirv_operand(r, in, 3), r->i64, "");
  LLVMValueRef y = LLVMBuildPtrToInt(r->b, mpl_spirv_operand(r, in, 4), r->i64, "");
  x = LLVMBuildExactSDiv(r->b, LLVMBuildSub(r->b, x, y, ""),
                         LLVMConstInt(r->i64, size ? size : 1, false), "");
  return LLVMBuildIntCast2(r->b, x, type, true, "");
}

/* OpenCL's flags, LOCAL 1 and GLOBAL 2, stand at Workgroup and CrossWorkgroup in SPIR-V's mask. */
static LLVMValueRef memory_of(mpl_spirv r, mpl_spirv_in in) {
  struct mpl_spirv_call call;
  mpl_spirv_call_begin(&call, "get_fence");
  mpl_spirv_call_add_pointer(r, &call, mpl_spirv_operand(r, in, 3), "", r->void_type, false);
  LLVMValueRef flags = mpl_spirv_call_end(r, &call, r->i32, false, CALL_PURE);
  return LLVMBuildShl(r->b, flags, LLVMConstInt(r->i32, 8, false), "");
}

static LLVMValueRef read(mpl_spirv r, mpl_spirv_in in) {
  switch ((SpvOp)in->opcode) {
  case SpvOpVariable:
    return variable(r, in);
  case SpvOpLoad:
    return load(r, in);
  case SpvOpAccessChain:
    return chain(r, in, false, false);
  case SpvOpInBoundsAccessChain:
    return chain(r, in, false, true);
  case SpvOpPtrAccessChain:
    return chain(r, in, true, false);
  case SpvOpInBoundsPtrAccessChain:
    return chain(r, in, true, true);
  case SpvOpPtrDiff:
    return difference(r, in);
  case SpvOpGenericPtrMemSemantics:
    return memory_of(r, in);
  default:
    return NULL;
  }
}

bool mpl_spirv_memory(mpl_spirv r, mpl_spirv_in in) {
  switch ((SpvOp)in->opcode) {
  case SpvOpStore:
    store(r, in);
    return true;
  case SpvOpCopyMemory:
  case SpvOpCopyMemorySized:
    copy(r, in);
    return true;
  case SpvOpLifetimeStart:
  case SpvOpLifetimeStop:
    return true;
  default:
    break;
  }
  bool is_array = in->opcode == MPL_OP_VariableLengthArrayINTEL;
  LLVMValueRef value = is_array ? variable_length(r, in) : read(r, in);
  if (value) mpl_spirv_result(r, in, value);
  return value != NULL;
}
