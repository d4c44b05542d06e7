/* Private arrays in kernels that are filters (filter.h).  In front of each access of one stands
 * whether it stays within the array, and whether what it reads was written: for that an array has a
 * shadow beside it, of the same form, in which ones stand where something was written.  All of it
 * is arithmetic on places in the array and on the shadow, and none has the array's address: so what
 * is unrolled and becomes registers behind it takes its looks along, and they are numbers then. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "compiler/analysis/arrays.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"
#include "filter.h"
#include "items.h"

struct place {
  LLVMValueRef offset, shadow; /* in bytes from the array's begin; the same place of the shadow */
  uint64_t whole;              /* of the array */
};

struct arrays {
  struct mpl_module_ir *ir;
  LLVMBuilderRef b;
  LLVMValueRef group;     /* the kernel's parameter */
  struct mpl_map numbers; /* pointer -> its number among `places` */
  struct place *places;
  size_t count;
  LLVMValueRef *accesses;
  size_t num_accesses;
};

/* --- Which allocas are arrays --- */

static bool has_array(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) return true;
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind) return false;
  for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++)
    if (has_array(LLVMStructGetTypeAtIndex(type, k))) return true;
  return false;
}

static LLVMTypeRef member_type(LLVMTypeRef type, LLVMValueRef index) {
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind) return LLVMGetElementType(type);
  return LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
}

/* What a place with constant indices has there; `of`: the structure that it is a member of, or null. */
static LLVMTypeRef type_at(LLVMValueRef gep, LLVMTypeRef *of) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  *of = NULL;
  for (int k = 2; k < LLVMGetNumOperands(gep); k++) {
    *of = LLVMGetTypeKind(type) == LLVMStructTypeKind ? type : NULL;
    type = member_type(type, LLVMGetOperand(gep, k));
  }
  return type;
}

/* Is a place of it computed that may be beside what its type says? */
static bool is_indexed(LLVMValueRef pointer, LLVMTypeRef type) {
  LLVMTypeRef of;
  MPL_EACH_USER(user, pointer) {
    if (LLVMIsACastInst(user) && is_indexed(user, type)) return true;
    if (!LLVMIsAGetElementPtrInst(user)) continue;
    if (LLVMGetGEPSourceElementType(user) != type) return true;
    for (int k = 1; k < LLVMGetNumOperands(user); k++)
      if (!LLVMIsAConstantInt(LLVMGetOperand(user, k))) return true;
    if (LLVMConstIntGetZExtValue(LLVMGetOperand(user, 1))) return true; /* another one of it */
    if (is_indexed(user, type_at(user, &of))) return true;
  }
  return false;
}

/* The same of where it points to, by the instruction that computes it. */
static LLVMTypeRef known_type(LLVMValueRef pointer, LLVMTypeRef *of) {
  *of = NULL;
  while (LLVMIsACastInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
  if (LLVMIsAAllocaInst(pointer)) return LLVMGetAllocatedType(pointer);
  return LLVMIsAGetElementPtrInst(pointer) ? type_at(pointer, of) : NULL;
}

/* An array of one at the end of a structure may go on behind it. */
static bool is_open(LLVMTypeRef of, unsigned field) {
  return field + 1 == LLVMCountStructElementTypes(of) &&
         LLVMGetArrayLength2(LLVMStructGetTypeAtIndex(of, field)) < 2;
}

/* The first member is where the structure is, and inlining leaves out what computes nothing. */
static bool begins_with(LLVMTypeRef type, LLVMTypeRef array) {
  while (type && LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMCountStructElementTypes(type)) {
    LLVMTypeRef first = LLVMStructGetTypeAtIndex(type, 0);
    if (first == array) return !is_open(type, 0);
    type = first;
  }
  return false;
}

uint64_t mpl_member_array(struct mpl_module_ir *ir, LLVMValueRef gep, LLVMValueRef *at) {
  LLVMTypeRef of, type;
  if (!LLVMIsAGetElementPtrInst(gep)) return 0;
  LLVMValueRef from = LLVMGetOperand(gep, 0), first = LLVMGetOperand(gep, 1);
  if (!LLVMIsAConstantInt(first) || !LLVMIsNull(first)) return 0;
  unsigned last = (unsigned)LLVMGetNumOperands(gep) - 1;
  type = known_type(gep, &of);
  *at = gep;
  if (of && LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    return is_open(of, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(gep, last)))
               ? 0
               : LLVMABISizeOfType(ir->layout, type);
  type = LLVMGetGEPSourceElementType(gep);
  *at = from;
  bool is_first =
      LLVMGetTypeKind(type) == LLVMArrayTypeKind && begins_with(known_type(from, &of), type);
  return is_first ? LLVMABISizeOfType(ir->layout, type) : 0;
}

bool mpl_is_indexed_array(LLVMValueRef alloca) {
  LLVMTypeRef type = LLVMGetAllocatedType(alloca);
  return has_array(type) || is_indexed(alloca, type);
}

static bool is_copy(LLVMValueRef call) {
  return mpl_calls(call, "llvm.memcpy.p") || mpl_calls(call, "llvm.memmove.p") ||
         mpl_calls(call, "llvm.memset.p");
}

/* Numbers, pointers, and vectors of them. */
static bool is_simple(struct arrays *a, LLVMTypeRef type) {
  type = mpl_element_of(type);
  return mpl_fits_memory(type) && LLVMABISizeOfType(a->ir->layout, type) <= 8;
}

/* Nobody else sees what a volatile load reads here. */
static bool is_told(LLVMValueRef access) {
  bool plain = LLVMIsALoadInst(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
  return mpl_is_seen_by_others(access) && !plain;
}

/* Is all that is done with the pointer understood? */
static bool is_followed(struct arrays *a, LLVMValueRef pointer) {
  MPL_EACH_USER(user, pointer) {
    if (!LLVMIsAInstruction(user)) return false;
    if (LLVMIsALoadInst(user) || LLVMIsAStoreInst(user)) {
      if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == pointer) return false;
      if (is_told(user) || !is_simple(a, mpl_accessed_type(user))) return false;
    } else if (LLVMIsAGetElementPtrInst(user) || LLVMIsAAddrSpaceCastInst(user) ||
               LLVMIsABitCastInst(user)) {
      if (LLVMGetTypeKind(LLVMTypeOf(user)) != LLVMPointerTypeKind || !is_followed(a, user))
        return false;
    } else if (is_copy(user)) {
      if (!LLVMIsAConstantInt(LLVMGetOperand(user, 2))) return false;
    } else if (!LLVMIsACallInst(user) || !mpl_is_hint(user)) {
      return false;
    }
  }
  return true;
}

/* --- Places --- */

static struct place *place_of(struct arrays *a, LLVMValueRef pointer) {
  uintptr_t number = mpl_map_get(&a->numbers, pointer, 0);
  return number ? &a->places[number - 1] : NULL;
}

static void add_place(struct arrays *a, LLVMValueRef pointer, struct place place) {
  MPL_APPEND(a->places, a->count) = place;
  mpl_map_set(&a->numbers, pointer, a->count);
}

static void add_access(struct arrays *a, LLVMValueRef access) {
  MPL_APPEND(a->accesses, a->num_accesses) = access;
}

static void stop_if(struct arrays *a, LLVMValueRef condition) {
  mpl_build_stop(a->ir, a->b, condition, a->group);
}

/* What is computed from an array in a structure stays in that array.  The array itself has to be
 * where it can be: elements of arrays of structures are. */
static void enter_member(struct arrays *a, struct place *place, uint64_t size) {
  LLVMValueRef last = mpl_const64(a->ir, size <= place->whole ? place->whole - size : 0);
  LLVMValueRef outside = LLVMBuildICmp(a->b, LLVMIntUGT, place->offset, last, "");
  if (!LLVMIsAConstant(outside) || !LLVMIsNull(outside)) stop_if(a, outside);
  place->offset = LLVMConstNull(a->ir->i64);
  place->whole = size;
}

/* Of what is computed from the pointer, each behind the instruction that computes it. */
static void follow(struct arrays *a, LLVMValueRef pointer) {
  MPL_EACH_USER(user, pointer) {
    struct place place = *place_of(a, pointer);
    if (!LLVMIsAGetElementPtrInst(user) && !LLVMIsACastInst(user)) {
      add_access(a, user);
      continue;
    }
    LLVMPositionBuilderBefore(a->b, LLVMGetNextInstruction(user));
    LLVMSetCurrentDebugLocation2(a->b, LLVMInstructionGetDebugLoc(user));
    LLVMValueRef at = NULL;
    uint64_t member = mpl_member_array(a->ir, user, &at);
    if (member && at != user) enter_member(a, &place, member);
    if (LLVMIsAGetElementPtrInst(user))
      place.offset = LLVMBuildAdd(a->b, place.offset, mpl_distance(a->ir, a->b, user, true), "");
    if (member && at == user) enter_member(a, &place, member);
    if (!LLVMIsABitCastInst(user)) {
      LLVMValueRef shadow = LLVMInstructionClone(user);
      LLVMSetOperand(shadow, 0, place.shadow);
      LLVMInsertIntoBuilder(a->b, shadow);
      place.shadow = shadow;
    }
    add_place(a, user, place);
    follow(a, user);
  }
}

static void clear(struct arrays *a, const struct place *place) {
  LLVMBuildMemSet(a->b, place->shadow, LLVMConstNull(a->ir->i8), mpl_const64(a->ir, place->whole),
                  1);
}

static void add_array(struct arrays *a, LLVMValueRef alloca) {
  LLVMValueRef shadow = LLVMInstructionClone(alloca);
  LLVMPositionBuilderBefore(a->b, LLVMGetNextInstruction(alloca));
  LLVMSetCurrentDebugLocation2(a->b, NULL);
  LLVMInsertIntoBuilderWithName(a->b, shadow, "written");
  struct place place = {.offset = LLVMConstNull(a->ir->i64),
                        .shadow = shadow,
                        .whole = mpl_size_of_alloca(a->ir->layout, alloca)};
  clear(a, &place);
  add_place(a, alloca, place);
  follow(a, alloca);
}

/* --- Looks --- */

/* Whether that is so is known before any of it is done. */
static void look_at_bounds(struct arrays *a, const struct place *place, uint64_t size) {
  LLVMValueRef last = mpl_const64(a->ir, size <= place->whole ? place->whole - size : 0);
  if (size > place->whole)
    stop_if(a, LLVMConstInt(a->ir->i1, 1, false));
  else
    stop_if(a, LLVMBuildICmp(a->b, LLVMIntUGT, place->offset, last, ""));
}

static LLVMTypeRef bits_of(struct arrays *a, LLVMTypeRef type) {
  if (mpl_is_vector_type(type))
    return LLVMVectorType(bits_of(a, LLVMGetElementType(type)), LLVMGetVectorSize(type));
  uint64_t size = LLVMABISizeOfType(a->ir->layout, type);
  return LLVMIntTypeInContext(a->ir->context, (unsigned)(8 * size));
}

static void set_written(struct arrays *a, LLVMValueRef store, const struct place *place) {
  LLVMValueRef ones = LLVMConstAllOnes(bits_of(a, mpl_accessed_type(store)));
  mpl_aligned_store(a->b, ones, place->shadow, LLVMGetAlignment(store));
}

static void look_for_unwritten(struct arrays *a, LLVMValueRef load, const struct place *place) {
  LLVMTypeRef type = bits_of(a, LLVMTypeOf(load));
  LLVMValueRef written = LLVMBuildLoad2(a->b, type, place->shadow, ""), all = written;
  LLVMSetAlignment(written, LLVMGetAlignment(load));
  if (mpl_is_vector_type(type)) {
    for (unsigned k = 0; k < LLVMGetVectorSize(type); k++) {
      LLVMValueRef one = LLVMBuildExtractElement(a->b, written, mpl_const64(a->ir, k), "");
      all = k ? LLVMBuildAnd(a->b, all, one, "") : one;
    }
  }
  stop_if(a, LLVMBuildICmp(a->b, LLVMIntNE, all, LLVMConstAllOnes(LLVMTypeOf(all)), ""));
}

static void look_at_copy(struct arrays *a, LLVMValueRef call) {
  LLVMValueRef size = LLVMGetOperand(call, 2);
  bool moves = !mpl_calls(call, "llvm.memset");
  const struct place *to = place_of(a, LLVMGetOperand(call, 0)),
                     *from = moves ? place_of(a, LLVMGetOperand(call, 1)) : NULL;
  if (to) look_at_bounds(a, to, LLVMConstIntGetZExtValue(size));
  if (from) look_at_bounds(a, from, LLVMConstIntGetZExtValue(size));
  if (to) LLVMBuildMemSet(a->b, to->shadow, LLVMConstAllOnes(a->ir->i8), size, 1);
}

/* `v.x = 1` reads all of v, and writes it back: that is no use of it. */
static void look_at(struct arrays *a, LLVMValueRef access) {
  const struct place *place;
  LLVMPositionBuilderBefore(a->b, access);
  if (is_copy(access)) {
    look_at_copy(a, access);
  } else if (LLVMIsALoadInst(access)) {
    place = place_of(a, LLVMGetOperand(access, 0));
    look_at_bounds(a, place, LLVMStoreSizeOfType(a->ir->layout, LLVMTypeOf(access)));
    if (!mpl_goes_back(access)) look_for_unwritten(a, access, place);
    LLVMSetVolatile(access, false);
  } else if (LLVMIsAStoreInst(access)) {
    place = place_of(a, LLVMGetOperand(access, 1));
    look_at_bounds(a, place, LLVMStoreSizeOfType(a->ir->layout, mpl_accessed_type(access)));
    set_written(a, access, place);
  } else if (mpl_calls(access, "llvm.lifetime.start")) {
    clear(a, place_of(a, LLVMGetOperand(access, 1)));
  }
}

/* --- A kernel --- */

/* The events of copies are read as volatile (calls.c); what printf is given stands in an array
 * that the compiler has made. */
static bool is_array(struct mpl_module_ir *ir, LLVMValueRef i) {
  return LLVMIsAAllocaInst(i) && (mpl_is_indexed_array(i) || mpl_is_read_as_volatile(i)) &&
         !mpl_is_of_print(ir, i);
}

static bool has_arrays(struct mpl_module_ir *ir, LLVMValueRef function) {
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (is_array(ir, i)) return true;
  }
  return false;
}

/* What is called and not inlined has nobody to tell. */
static bool calls_with_arrays(struct mpl_module_ir *ir, struct mpl_map *seen,
                              LLVMValueRef function) {
  MPL_EACH_INSTRUCTION_OF(i, function) {
    LLVMValueRef f = mpl_callee_of(i);
    if (!f || LLVMIsDeclaration(f) || !mpl_map_add(seen, f)) continue;
    if (has_arrays(ir, f) || calls_with_arrays(ir, seen, f)) return true;
  }
  return false;
}

static void mark_accesses(LLVMValueRef pointer, struct mpl_map *accesses) {
  MPL_EACH_USER(user, pointer) {
    if (LLVMIsAGetElementPtrInst(user) || LLVMIsACastInst(user))
      mark_accesses(user, accesses);
    else if (!mpl_is_hint(user))
      mpl_map_set(accesses, user, 1);
  }
}

/* Behind the end of its scope, and not behind another beginning, something of it is accessed. */
static bool is_reached(LLVMValueRef from, LLVMValueRef alloca, struct mpl_map *accesses) {
  MPL_MAP(seen);
  MPL_LIST(LLVMBasicBlockRef, stack);
  size_t depth = 0;
  for (LLVMValueRef i = LLVMGetNextInstruction(from);;) {
    for (; i; i = LLVMGetNextInstruction(i)) {
      if (mpl_calls(i, "llvm.lifetime.start") && LLVMGetOperand(i, 1) == alloca) break;
      if (mpl_map_has(accesses, i)) return true;
      for (unsigned k = 0; LLVMIsATerminatorInst(i) && k < LLVMGetNumSuccessors(i); k++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(i, k);
        if (!mpl_map_add(&seen, to)) continue;
        MPL_APPEND(stack, depth) = to;
      }
    }
    if (!depth) return false;
    i = LLVMGetFirstInstruction(stack[--depth]);
  }
}

/* Only the engine knows what to say of it. */
static bool is_used_after_scope(LLVMValueRef alloca) {
  MPL_MAP(accesses);
  mark_accesses(alloca, &accesses);
  MPL_EACH_USER(user, alloca)
  if (mpl_calls(user, "llvm.lifetime.end") && is_reached(user, alloca, &accesses)) return true;
  return false;
}

static void look_at_kernel(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  MPL_BUILDER(b, ir->context);
  struct arrays a = {.ir = ir, .b = b, .group = LLVMGetParam(kernel->group, 1)};
  MPL_MAP(seen);
  MPL_LIST(LLVMValueRef, allocas);
  size_t count = 0;
  kernel->hides_arrays = calls_with_arrays(ir, &seen, kernel->group);
  MPL_EACH_INSTRUCTION_OF(i, kernel->group) {
    if (!is_array(ir, i)) continue;
    kernel->hides_arrays |=
        !LLVMIsAConstantInt(LLVMGetOperand(i, 0)) || !is_followed(&a, i) || is_used_after_scope(i);
    MPL_APPEND(allocas, count) = i;
  }
  if (!kernel->hides_arrays) {
    for (size_t k = 0; k < count; k++) add_array(&a, allocas[k]);
    for (size_t k = 0; k < a.num_accesses; k++) { /* a copy between two is there twice */
      bool again = false;
      for (size_t j = 0; j < k && is_copy(a.accesses[k]); j++)
        again |= a.accesses[j] == a.accesses[k];
      if (!again) look_at(&a, a.accesses[k]);
    }
  }
  mpl_map_free(&a.numbers);
  free(a.places);
  free(a.accesses);
}

void mpl_look_at_arrays(struct mpl_module_ir *ir) {
  MPL_EACH_KERNEL(kernel, ir) look_at_kernel(ir, kernel);
}

bool mpl_has_looks(struct mpl_module_ir *ir) {
  MPL_EACH_KERNEL(kernel, ir) {
    MPL_EACH_INSTRUCTION_OF(i, kernel->group) {
      if (mpl_marker_of(i) == MPL_MARK_FILTER_STOP) return true;
    }
  }
  return false;
}

/* They find nothing, or what the last one in the block has looked for. */
void mpl_drop_known_looks(struct mpl_module_ir *ir) {
  MPL_EACH_KERNEL(kernel, ir) {
    MPL_EACH_BLOCK(block, kernel->group) {
      LLVMValueRef last = NULL;
      MPL_EACH_INSTRUCTION(i, block) {
        if (mpl_marker_of(i) != MPL_MARK_FILTER_STOP) continue;
        LLVMValueRef condition = LLVMGetOperand(i, MPL_STOP_CONDITION);
        bool none = LLVMIsAConstant(condition) && LLVMIsNull(condition);
        if (none || condition == last) LLVMInstructionEraseFromParent(i);
        last = condition;
      }
    }
  }
}
