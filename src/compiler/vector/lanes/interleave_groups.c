/* Accesses of neighbouring fields: `p[i].x`, `p[i].y`, the elements of vector types.  Each lane's
 * are close to the next lane's, so all of them are one wide access and shuffles, in place of a
 * gather or scatter for each field. */
#include <stdlib.h>

#include "analysis.h"
#include "interleave_groups.h"

enum { MOST_APART = 64 /* bytes from lane to lane */ };

/* The number without constants that are added to it, which are added up.  Of one that is extended
 * only what is promised not to wrap. */
static LLVMValueRef without_constants(LLVMValueRef number, bool is_signed, bool extended,
                                      int64_t *sum) {
  while (LLVMIsAInstruction(number)) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(number);
    if (opcode == LLVMOr
            ? !LLVMGetIsDisjoint(number)
            : opcode != LLVMAdd || (extended && !(is_signed ? LLVMGetNSW : LLVMGetNUW)(number)))
      return number;
    LLVMValueRef by = LLVMGetOperand(number, 1);
    if (!LLVMIsAConstantInt(by) || LLVMGetIntTypeWidth(LLVMTypeOf(by)) > 64) return number;
    *sum += is_signed ? LLVMConstIntGetSExtValue(by) : (int64_t)LLVMConstIntGetZExtValue(by);
    number = LLVMGetOperand(number, 0);
  }
  return number;
}

/* `offset`: what is left out of the pointer. */
static struct mpl_root root_of(const struct mpl_item_loop *items, LLVMValueRef pointer,
                               int64_t *offset) {
  *offset = 0;
  if (!LLVMIsAGetElementPtrInst(pointer) || LLVMGetNumOperands(pointer) != 2)
    return (struct mpl_root){.pointer = pointer};
  LLVMValueRef index = LLVMGetOperand(pointer, 1);
  if (mpl_integer_bits(LLVMTypeOf(index)) != 64) return (struct mpl_root){.pointer = pointer};
  int64_t size =
      (int64_t)LLVMABISizeOfType(items->ir->layout, LLVMGetGEPSourceElementType(pointer));
  index = without_constants(index, true, false, offset);
  bool is_signed = LLVMIsASExtInst(index) || (LLVMIsAZExtInst(index) && LLVMGetNNeg(index));
  if (is_signed || LLVMIsAZExtInst(index))
    index = without_constants(LLVMGetOperand(index, 0), is_signed, true, offset);
  *offset *= size;
  return (struct mpl_root){LLVMGetOperand(pointer, 0), index, size, is_signed};
}

static bool is_same(const struct mpl_root *a, const struct mpl_root *b) {
  return a->pointer == b->pointer && a->index == b->index && a->size == b->size &&
         a->is_signed == b->is_signed;
}

struct access {
  struct mpl_lane_access is;
  LLVMValueRef base;
  struct mpl_root root;
  int64_t shift, offset; /* bytes from the root: of the base, and of the access */
};

static bool describe(const struct mpl_lanes *lanes, LLVMValueRef i, struct access *a) {
  struct mpl_module_ir *ir = lanes->items->ir;
  if (!mpl_access_of(lanes, i, &a->is) || mpl_array_of(lanes, a->is.place) || mpl_is_slot(ir, a->is.place))
    return false; /* nobody else's memory */
  a->base = mpl_base_of(ir, a->is.place, &a->offset);
  a->root = root_of(lanes->items, a->base, &a->shift);
  a->offset += a->shift;
  return true;
}

static bool overlap(const struct access *a, const struct access *b) {
  return a->offset < b->offset + b->is.size && b->offset < a->offset + a->is.size;
}

static bool fits(const struct mpl_fields *f, const struct access *a) {
  if (!is_same(&a->root, &f->root) || a->is.stride != f->stride || a->is.size != f->size) return false;
  int64_t low = a->offset < f->low ? a->offset : f->low,
          high = a->offset + a->is.size > f->high ? a->offset + a->is.size : f->high;
  if (high - low > f->stride || (a->offset - f->low) % f->size) return false;
  for (unsigned k = 0; k < f->count; k++)
    if (f->offsets[k] == a->offset && f->store) return false;
  return true;
}

static void join(struct mpl_lanes *lanes, struct mpl_fields *f, const struct access *a) {
  f->members[f->count] = a->is.at;
  f->offsets[f->count++] = a->offset;
  if (a->offset < f->low) f->low = a->offset;
  if (a->offset + a->is.size > f->high) f->high = a->offset + a->is.size;
  mpl_map_set(&lanes->fields, a->is.at, (uintptr_t)f);
}

static bool is_shared(unsigned space) {
  return space >= MPL_GLOBAL_SPACE && space <= MPL_LOCAL_SPACE;
}

/* Global, constant and local memory are not the same: constant memory is global, but nobody writes
 * it while a kernel runs (OpenCL C 3.0, 6.7.3). */
static bool are_apart(LLVMValueRef a, LLVMValueRef b) {
  unsigned one = mpl_space_of(a), other = mpl_space_of(b);
  return one != other && is_shared(one) && is_shared(other);
}

/* Of one root and stride. */
static bool meets(const struct mpl_fields *f, const struct access *a) {
  struct access own = {.is.size = f->size};
  for (unsigned k = 0; k < f->count; k++) {
    own.offset = f->offsets[k];
    if (overlap(a, &own)) return true;
  }
  return a->offset + a->is.size - f->low > f->stride || f->high - a->offset > f->stride;
}

/* May it see what the group's stores write, or change what is there, before they are done? */
static bool disturbs(const struct mpl_lanes *lanes, const struct mpl_fields *f, LLVMValueRef i) {
  struct access a;
  if (describe(lanes, i, &a)) {
    if (mpl_is_seen_by_others(i)) return true;
    if (are_apart(a.base, f->base)) return false;
    return !is_same(&a.root, &f->root) || a.is.stride != f->stride || meets(f, &a);
  }
  return (LLVMIsACallInst(i) && !mpl_ir_is_pure_call(i)) || LLVMIsAFenceInst(i) ||
         LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
}

/* It is there in front of every loop. */
static bool is_known_early(const struct mpl_item_loop *items, LLVMValueRef pointer) {
  return LLVMIsAArgument(pointer) ||
         (LLVMIsAInstruction(pointer) &&
          LLVMGetInstructionParent(pointer) == LLVMGetEntryBasicBlock(items->function));
}

/* Another array, at the same index: `o[3 * i] = a[3 * i]; o[3 * i + 1] = a[3 * i + 1]`.  Of one
 * work-item the accesses do not meet if the arrays are one, or further apart than it goes; what
 * others write there is theirs to see only behind a sync point. */
static bool may_be_apart(const struct mpl_item_loop *items, const struct mpl_fields *f,
                         const struct access *a) {
  struct access there = *a;
  there.root.pointer = f->root.pointer;
  if (items->exact || !is_same(&there.root, &f->root) || a->is.stride != f->stride) return false;
  if (!is_known_early(items, f->root.pointer) || !is_known_early(items, a->root.pointer))
    return false;
  return !meets(f, &there);
}

void mpl_add_apart(struct mpl_aparts *all, struct mpl_apart pair) {
  for (size_t k = 0; k < all->count; k++) {
    struct mpl_apart *known = &all->list[k];
    if (known->a != pair.a || known->b != pair.b) continue;
    if (known->bytes < pair.bytes) known->bytes = pair.bytes;
    return;
  }
  MPL_APPEND(all->list, all->count) = pair;
}

static bool may_begin(const struct access *a) {
  return a->is.stride != MPL_ANY_STRIDE && a->is.stride > a->is.size && a->is.stride <= MOST_APART &&
         a->is.stride % a->is.size == 0 && (a->is.size & (a->is.size - 1)) == 0 && a->is.size <= 8;
}

/* What is done lane by lane (a number of 40 bits, volatile and atomic ones) never comes to the code
 * of its group, which would be left without its last store: with none at all. */
static bool may_join(const struct mpl_lanes *lanes, LLVMValueRef i) {
  return !mpl_map_has(&lanes->fields, i) && !mpl_has_no_vector_form(lanes, i);
}

/* Loads may be of any distance in a block: the wide load stands where each is, and LLVM makes one
 * of those between which nothing is written. */
static void collect(struct mpl_lanes *lanes, LLVMValueRef first, struct mpl_fields *f) {
  enum { MOST_ARRAYS = 16 };
  LLVMValueRef others[MOST_ARRAYS];
  unsigned num_others = 0;
  struct access a;
  for (LLVMValueRef i = LLVMGetNextInstruction(first); i; i = LLVMGetNextInstruction(i)) {
    bool is_access = describe(lanes, i, &a);
    if (is_access && a.is.store == f->store && may_join(lanes, i) && f->count < MPL_MOST_FIELDS &&
        fits(f, &a)) {
      join(lanes, f, &a);
      while (num_others)
        mpl_add_apart(&lanes->apart,
                      (struct mpl_apart){f->root.pointer, others[--num_others], f->stride});
    } else if (f->store && disturbs(lanes, f, i)) {
      if (!is_access || num_others == MOST_ARRAYS || !may_be_apart(lanes->items, f, &a)) return;
      others[num_others++] = a.root.pointer;
    }
  }
}

void mpl_fields_find(struct mpl_lanes *lanes) {
  MPL_EACH_ITEM_INSTRUCTION(i, lanes->items) {
    struct access a;
    if (!describe(lanes, i, &a) || !may_join(lanes, i) || !may_begin(&a)) continue;
    struct mpl_fields *f = mpl_allocate(1, sizeof *f);
    *f = (struct mpl_fields){.next = lanes->all_fields,
                             .base = a.base,
                             .root = a.root,
                             .shift = a.shift,
                             .low = a.offset,
                             .high = a.offset + a.is.size,
                             .size = a.is.size,
                             .stride = a.is.stride,
                             .store = a.is.store};
    lanes->all_fields = f;
    join(lanes, f, &a);
    collect(lanes, i, f);
  }
}

void mpl_fields_free(struct mpl_lanes *lanes) {
  for (struct mpl_fields *f = lanes->all_fields, *next; f; f = next) {
    next = f->next;
    free(f);
  }
  mpl_map_free(&lanes->fields);
}

/* The fields of a lane may be one number, which is there for all of them or for none: then that is
 * what masks are of.  Else 0. */
unsigned mpl_whole_size(const struct mpl_fields *f) {
  int64_t size = f->high - f->low;
  return size == f->stride && (size == 4 || size == 8) ? (unsigned)size : 0;
}

/* What is loaded is extended at once, what is stored is the lower part of more. */
static bool are_extended(const struct mpl_fields *f) {
  bool are = true;
  for (unsigned k = 0; k < f->count; k++) {
    LLVMUseRef use = LLVMGetFirstUse(f->members[k]);
    LLVMValueRef other = f->store ? LLVMGetOperand(f->members[k], 0)
                         : use    ? LLVMGetUser(use)
                                  : NULL;
    are &=
        other && (LLVMIsATruncInst(other) || LLVMIsAZExtInst(other) || LLVMIsASExtInst(other) ||
                  LLVMIsAUIToFPInst(other) || LLVMIsASIToFPInst(other) || LLVMIsAFPExtInst(other));
  }
  return are;
}

/* With masks of bits, shuffles of two bytes take no longer than cutting words off does. */
bool mpl_are_word(const struct mpl_lanes *lanes, const struct mpl_fields *f) {
  if (f->size >= MPL_WORD || mpl_whole_size(f) != MPL_WORD) return false;
  if (f->store && f->count != (unsigned)(MPL_WORD / f->size)) return false;
  return f->size == 1 || !lanes->items->ir->target->mask_bits || are_extended(f);
}

/* Where there is a gap there are two or more: the last one begins in the lane before its own. */
unsigned mpl_interleaved_lanes(const struct mpl_target *target, const struct mpl_fields *f, unsigned width,
                               bool masked) {
  enum { REGISTER = 16, HALF = 8 }; /* bytes: no costs, but what LD2 to LD4 and ST2 to ST4 have, whole or half */
  unsigned apart = mpl_elements_apart(f), size = (unsigned)f->size, count = REGISTER / size;
  if (masked || apart > target->most_interleaved || (f->store && f->count != apart)) return 0;
  if (count > width) count = width;
  if (mpl_gap_of(f) && count == width) count /= 2;
  return count * size < HALF ? 0 : count;
}

/* Where not all is stored, of elements that masked moves know; one field alone is no worse lane by
 * lane.  What else is loaded has a branch for each element where it crosses a page. */
bool mpl_may_widen_fields(const struct mpl_lanes *lanes, const struct mpl_fields *f, bool masked) {
  enum { BRANCHES = 128, MOST_AT_ONCE = 2048 }; /* bytes: 32 registers */
  if (f->stride * lanes->width > MOST_AT_ONCE) return false;
  unsigned apart = mpl_elements_apart(f);
  bool knows = f->size >= 4 || lanes->items->ir->target->mask_bits ||
               (!f->store && apart * lanes->width <= BRANCHES),
       all = f->count == apart;
  if (f->store ? all && !masked : !masked) return true;
  return (mpl_whole_size(f) && (all || !f->store)) || (f->count > 1 && knows);
}
