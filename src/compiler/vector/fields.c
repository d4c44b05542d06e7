/* Accesses of neighbouring fields: `p[i].x`, `p[i].y`, the elements of vector types.  Each lane's
 * are close to the next lane's, so all of them are one wide access and shuffles, in place of a
 * gather or scatter for each field. */
#include <stdlib.h>

#include "widen.h"

enum { MOST_APART = 64 /* from lane to lane */, WORD = 4 }; /* bytes */

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
static struct mpl_root root_of(struct mpl_widen *w, LLVMValueRef pointer, int64_t *offset) {
  *offset = 0;
  if (!LLVMIsAGetElementPtrInst(pointer) || LLVMGetNumOperands(pointer) != 2)
    return (struct mpl_root){.pointer = pointer};
  LLVMValueRef index = LLVMGetOperand(pointer, 1);
  if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(LLVMTypeOf(index)) != 64)
    return (struct mpl_root){.pointer = pointer};
  int64_t size = (int64_t)LLVMABISizeOfType(w->ir->layout, LLVMGetGEPSourceElementType(pointer));
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
  LLVMValueRef at, base;
  struct mpl_root root;
  int64_t shift, offset; /* bytes from the root: of the base, and of the access */
  int size, stride;
  bool store;
};

static bool describe(struct mpl_widen *w, LLVMValueRef i, unsigned block, struct access *a) {
  a->store = LLVMIsAStoreInst(i) != NULL;
  LLVMValueRef pointer = mpl_accessed_place(i);
  if (!pointer || mpl_array_of(w, pointer) || mpl_is_slot(w->ir, pointer))
    return false; /* nobody else's memory */
  a->at = i;
  a->base = mpl_base_of(w->ir, pointer, &a->offset);
  a->root = root_of(w, a->base, &a->shift);
  a->offset += a->shift;
  a->size = (int)LLVMABISizeOfType(w->ir->layout, mpl_accessed_type(i));
  a->stride = mpl_stride_at(w, pointer, block);
  return true;
}

static bool overlap(const struct access *a, const struct access *b) {
  return a->offset < b->offset + b->size && b->offset < a->offset + a->size;
}

static bool fits(const struct mpl_fields *f, const struct access *a) {
  if (!is_same(&a->root, &f->root) || a->stride != f->stride || a->size != f->size) return false;
  int64_t low = a->offset < f->low ? a->offset : f->low,
          high = a->offset + a->size > f->high ? a->offset + a->size : f->high;
  if (high - low > f->stride || (a->offset - f->low) % f->size) return false;
  for (unsigned k = 0; k < f->count; k++)
    if (f->offsets[k] == a->offset && f->store) return false;
  return true;
}

static void join(struct mpl_widen *w, struct mpl_fields *f, const struct access *a) {
  f->members[f->count] = a->at;
  f->offsets[f->count++] = a->offset;
  if (a->offset < f->low) f->low = a->offset;
  if (a->offset + a->size > f->high) f->high = a->offset + a->size;
  mpl_map_set(&w->fields, a->at, (uintptr_t)f);
}

static unsigned space_of(LLVMValueRef pointer) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
}

/* Global, constant and local memory are not the same: constant memory is global, but nobody writes
 * it while a kernel runs (OpenCL C 3.0, 6.7.3). */
static bool are_apart(LLVMValueRef a, LLVMValueRef b) {
  enum { GLOBAL = 1, LOCAL = 3 };
  unsigned one = space_of(a), other = space_of(b);
  return one >= GLOBAL && one <= LOCAL && other >= GLOBAL && other <= LOCAL && one != other;
}

/* Of one root and stride. */
static bool meets(const struct mpl_fields *f, const struct access *a) {
  struct access own = {.size = f->size};
  for (unsigned k = 0; k < f->count; k++) {
    own.offset = f->offsets[k];
    if (overlap(a, &own)) return true;
  }
  return a->offset + a->size - f->low > f->stride || f->high - a->offset > f->stride;
}

/* May it see what the group's stores write, or change what is there, before they are done? */
static bool disturbs(struct mpl_widen *w, const struct mpl_fields *f, LLVMValueRef i,
                     unsigned block) {
  struct access a;
  if (describe(w, i, block, &a)) {
    if (mpl_is_seen_by_others(i)) return true;
    if (are_apart(a.base, f->base)) return false;
    return !is_same(&a.root, &f->root) || a.stride != f->stride || meets(f, &a);
  }
  return (LLVMIsACallInst(i) && !mpl_ir_is_pure_call(i)) || LLVMIsAFenceInst(i) ||
         LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
}

/* It is there in front of every loop. */
static bool is_known_early(struct mpl_widen *w, LLVMValueRef pointer) {
  return LLVMIsAArgument(pointer) ||
         (LLVMIsAInstruction(pointer) &&
          LLVMGetInstructionParent(pointer) == LLVMGetEntryBasicBlock(w->function));
}

/* Another array, at the same index: `o[3 * i] = a[3 * i]; o[3 * i + 1] = a[3 * i + 1]`.  Of one
 * work-item the accesses do not meet if the arrays are one, or further apart than it goes; what
 * others write there is theirs to see only behind a sync point. */
static bool may_be_apart(struct mpl_widen *w, const struct mpl_fields *f, const struct access *a) {
  struct access there = *a;
  there.root.pointer = f->root.pointer;
  if (w->exact || !is_same(&there.root, &f->root) || a->stride != f->stride) return false;
  if (!is_known_early(w, f->root.pointer) || !is_known_early(w, a->root.pointer)) return false;
  return !meets(f, &there);
}

static void assume_apart(struct mpl_widen *w, const struct mpl_fields *f, LLVMValueRef pointer) {
  for (size_t k = 0; k < w->num_apart; k++) {
    struct mpl_apart *known = &w->apart[k];
    if (known->a != f->root.pointer || known->b != pointer) continue;
    if (known->bytes < f->stride) known->bytes = f->stride;
    return;
  }
  w->apart = mpl_grow(w->apart, &w->apart_capacity, w->num_apart + 1, sizeof *w->apart);
  w->apart[w->num_apart++] = (struct mpl_apart){f->root.pointer, pointer, f->stride};
}

static bool may_begin(const struct access *a) {
  return a->stride != MPL_ANY_STRIDE && a->stride > a->size && a->stride <= MOST_APART &&
         a->stride % a->size == 0 && (a->size & (a->size - 1)) == 0 && a->size <= 8;
}

/* What is done lane by lane (a number of 40 bits, volatile and atomic ones) never comes to the code
 * of its group, which would be left without its last store: with none at all. */
static bool may_join(struct mpl_widen *w, LLVMValueRef i) {
  return !mpl_map_has(&w->fields, i) && !mpl_has_no_vector_form(w, i);
}

/* Loads may be of any distance in a block: the wide load stands where each is, and LLVM makes one
 * of those between which nothing is written. */
static void collect(struct mpl_widen *w, LLVMValueRef first, unsigned block, struct mpl_fields *f) {
  enum { MOST_ARRAYS = 16 };
  LLVMValueRef others[MOST_ARRAYS];
  unsigned num_others = 0;
  struct access a;
  for (LLVMValueRef i = LLVMGetNextInstruction(first); i; i = LLVMGetNextInstruction(i)) {
    bool is_access = describe(w, i, block, &a);
    if (is_access && a.store == f->store && may_join(w, i) && f->count < MPL_MOST_FIELDS &&
        fits(f, &a)) {
      join(w, f, &a);
      while (num_others) assume_apart(w, f, others[--num_others]);
    } else if (f->store && disturbs(w, f, i, block)) {
      if (!is_access || num_others == MOST_ARRAYS || !may_be_apart(w, f, &a)) return;
      others[num_others++] = a.root.pointer;
    }
  }
}

void mpl_fields_find(struct mpl_widen *w) {
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b]) {
      struct access a;
      if (!describe(w, i, b, &a) || !may_join(w, i) || !may_begin(&a)) continue;
      struct mpl_fields *f = mpl_allocate(1, sizeof *f);
      *f = (struct mpl_fields){.next = w->all_fields,
                               .base = a.base,
                               .root = a.root,
                               .shift = a.shift,
                               .low = a.offset,
                               .high = a.offset + a.size,
                               .size = a.size,
                               .stride = a.stride,
                               .store = a.store};
      w->all_fields = f;
      join(w, f, &a);
      collect(w, i, b, f);
    }
  }
}

void mpl_fields_free(struct mpl_widen *w) {
  for (struct mpl_fields *f = w->all_fields, *next; f; f = next) {
    next = f->next;
    free(f);
  }
  mpl_map_free(&w->fields);
}

/* --- code --- */

static int64_t offset_of(const struct mpl_fields *f, LLVMValueRef access) {
  for (unsigned k = 0; k < f->count; k++)
    if (f->members[k] == access) return f->offsets[k];
  abort();
}

static LLVMValueRef address(struct mpl_widen *w, const struct mpl_fields *f) {
  LLVMValueRef low = mpl_const64(w->ir, (uint64_t)(f->low - f->shift));
  return LLVMBuildGEP2(w->b, w->ir->i8, mpl_scalar(w, f->base), &low, 1, "");
}

static LLVMValueRef shuffle(struct mpl_widen *w, LLVMValueRef a, LLVMValueRef b, const int *which,
                            unsigned count) {
  LLVMValueRef *each = mpl_allocate(count, sizeof *each);
  for (unsigned k = 0; k < count; k++)
    each[k] = which[k] < 0 ? LLVMGetPoison(w->ir->i32)
                           : LLVMConstInt(w->ir->i32, (unsigned)which[k], false);
  LLVMValueRef result = LLVMBuildShuffleVector(w->b, a, b, LLVMConstVector(each, count), "");
  free(each);
  return result;
}

/* The fields of a lane may be one number, which is there for all of them or for none: then that is
 * what masks are of.  Else 0. */
static unsigned whole_size(const struct mpl_fields *f) {
  int64_t size = f->high - f->low;
  return size == f->stride && (size == 4 || size == 8) ? (unsigned)size : 0;
}

static bool is_accessed(const struct mpl_fields *f, unsigned element) {
  for (unsigned k = 0; k < f->count; k++)
    if (f->offsets[k] - f->low == (int64_t)element * f->size) return true;
  return false;
}

/* Of the elements of all lanes those that lanes which are there access. */
static LLVMValueRef spread_mask(struct mpl_widen *w, const struct mpl_fields *f) {
  unsigned apart = (unsigned)(f->stride / f->size), total = apart * w->width;
  LLVMTypeRef type = mpl_vector_type(w, w->ir->i1);
  LLVMValueRef mask = w->mask ? w->mask : LLVMConstAllOnes(type);
  int *which = mpl_allocate(total, sizeof *which);
  for (unsigned e = 0; e < total; e++)
    which[e] = (int)(is_accessed(f, e % apart) ? e / apart : w->width);
  mask = shuffle(w, mask, LLVMConstNull(type), which, total);
  free(which);
  return mask;
}

static LLVMTypeRef elements(struct mpl_widen *w, unsigned size, unsigned count) {
  return LLVMVectorType(LLVMIntTypeInContext(w->ir->context, 8 * size), count);
}

static LLVMValueRef load_all(struct mpl_widen *w, const struct mpl_fields *f, LLVMValueRef at,
                             unsigned count) {
  LLVMValueRef value = LLVMBuildLoad2(w->b, elements(w, (unsigned)f->size, count), at, "");
  LLVMSetAlignment(value, (unsigned)f->size);
  return value;
}

/* The rest, up to so many, is poison. */
static LLVMValueRef longer(struct mpl_widen *w, LLVMValueRef value, unsigned count) {
  unsigned has = LLVMGetVectorSize(LLVMTypeOf(value));
  int *which = mpl_allocate(count, sizeof *which);
  for (unsigned k = 0; k < count; k++) which[k] = k < has ? (int)k : -1;
  value = shuffle(w, value, LLVMGetPoison(LLVMTypeOf(value)), which, count);
  free(which);
  return value;
}

static LLVMValueRef load_some(struct mpl_widen *w, const struct mpl_fields *f, LLVMValueRef at) {
  unsigned apart = (unsigned)(f->stride / f->size), whole = whole_size(f), size = (unsigned)f->size;
  LLVMTypeRef wide = elements(w, size, apart * w->width);
  if (!whole) return mpl_load_beside(w, wide, at, size, spread_mask(w, f));
  LLVMValueRef value = mpl_load_beside(w, elements(w, whole, w->width), at, size, w->mask);
  return LLVMBuildBitCast(w->b, value, wide, "");
}

/* One after another, from the lowest field of lane 0 on. */
static LLVMValueRef load_elements(struct mpl_widen *w, const struct mpl_fields *f) {
  unsigned apart = (unsigned)(f->stride / f->size),
           count = (w->width - 1) * apart + (unsigned)((f->high - f->low) / f->size);
  LLVMValueRef at = address(w, f), values[2], value;
  struct mpl_all_or_some o;
  if (!w->mask) return load_all(w, f, at, count);
  /* Of what is smaller the page is asked, not the mask. */
  if (f->size < WORD || !mpl_ask_for_all(w, f->members[0], &o)) return load_some(w, f, at);
  values[0] = longer(w, load_all(w, f, at, count), apart * w->width);
  mpl_else_some(w, &o);
  values[1] = load_some(w, f, at);
  mpl_end_some(w, &o);
  value = LLVMBuildPhi(w->b, LLVMTypeOf(values[0]), "");
  LLVMAddIncoming(value, values, o.blocks, 2);
  return value;
}

LLVMValueRef mpl_widen_field_load(struct mpl_widen *w, struct mpl_fields *f, LLVMValueRef load) {
  unsigned apart = (unsigned)(f->stride / f->size),
           first = (unsigned)((offset_of(f, load) - f->low) / f->size);
  int which[256];
  for (unsigned k = 0; k < w->width; k++) which[k] = (int)(k * apart + first);
  LLVMValueRef value = load_elements(w, f);
  value = shuffle(w, value, LLVMGetPoison(LLVMTypeOf(value)), which, w->width);
  LLVMTypeRef type = mpl_vector_type(w, LLVMTypeOf(load));
  return LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMPointerTypeKind
             ? LLVMBuildIntToPtr(w->b, value, type, "")
             : LLVMBuildBitCast(w->b, value, type, "");
}

/* The stores' values behind one another, lane by lane; fields that nobody stores are poison. */
static LLVMValueRef interleave(struct mpl_widen *w, struct mpl_fields *f, LLVMValueRef *values) {
  unsigned apart = (unsigned)(f->stride / f->size), lanes = w->width, total = 1;
  LLVMValueRef parts[MPL_MOST_FIELDS];
  for (unsigned k = 0; k < f->count; k++) parts[k] = values[k];
  int which[MPL_MOST_FIELDS * 256];
  unsigned count = f->count;
  for (; count > 1; total *= 2, count = (count + 1) / 2)
    for (unsigned k = 0; k < count; k += 2) {
      unsigned size = lanes * total;
      for (unsigned e = 0; e < 2 * size; e++) which[e] = k + 1 < count || e < size ? (int)e : -1;
      LLVMValueRef second = k + 1 < count ? parts[k + 1] : LLVMGetPoison(LLVMTypeOf(parts[k]));
      parts[k / 2] = shuffle(w, parts[k], second, which, 2 * size);
    }
  for (unsigned e = 0; e < lanes * apart; e++) which[e] = -1;
  for (unsigned k = 0; k < f->count; k++)
    for (unsigned lane = 0; lane < lanes; lane++)
      which[lane * apart + (unsigned)((f->offsets[k] - f->low) / f->size)] =
          (int)(k * lanes + lane);
  return shuffle(w, parts[0], LLVMGetPoison(LLVMTypeOf(parts[0])), which, lanes * apart);
}

/* All at the last of them. */
void mpl_widen_field_store(struct mpl_widen *w, struct mpl_fields *f, LLVMValueRef store) {
  if (store != f->members[f->count - 1]) return;
  LLVMValueRef values[MPL_MOST_FIELDS];
  unsigned apart = (unsigned)(f->stride / f->size), whole = whole_size(f);
  LLVMTypeRef bits =
      mpl_vector_type(w, LLVMIntTypeInContext(w->ir->context, 8 * (unsigned)f->size));
  for (unsigned k = 0; k < f->count; k++) {
    LLVMValueRef value = LLVMGetOperand(f->members[k], 0);
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    value = mpl_vector(w, value);
    values[k] = pointer ? LLVMBuildPtrToInt(w->b, value, bits, "")
                        : LLVMBuildBitCast(w->b, value, bits, "");
  }
  LLVMValueRef value = interleave(w, f, values), at = address(w, f);
  struct mpl_all_or_some o;
  bool full = f->count == apart, all = full && !w->mask,
       asks = full && mpl_ask_for_all(w, store, &o);
  if (all || asks) LLVMSetAlignment(LLVMBuildStore(w->b, value, at), (unsigned)f->size);
  if (all) return;
  if (asks) mpl_else_some(w, &o);
  if (full && whole) { /* frozen: a poison field would be all of its lane */
    value = LLVMBuildFreeze(w->b, value, "");
    value = LLVMBuildBitCast(w->b, value, elements(w, whole, w->width), "");
    mpl_masked_store(w, value, at, (unsigned)f->size, w->mask);
  } else {
    mpl_masked_store(w, value, at, (unsigned)f->size, spread_mask(w, f));
  }
  if (asks) mpl_end_some(w, &o);
}

/* Where not all is stored, of elements that masked moves know; one field alone is no worse lane by
 * lane.  What else is loaded has a branch for each element where it crosses a page. */
bool mpl_may_widen_fields(struct mpl_widen *w, const struct mpl_fields *f) {
  enum { BRANCHES = 128, MOST_AT_ONCE = 2048 }; /* bytes: 32 registers */
  if (f->stride * w->width > MOST_AT_ONCE) return false;
  unsigned apart = (unsigned)(f->stride / f->size);
  bool knows = f->size >= 4 || w->ir->target->mask_bits || (!f->store && apart * w->width <= BRANCHES),
       all = f->count == apart;
  if (f->store ? all && !w->mask : !w->mask) return true;
  return (whole_size(f) && (all || !f->store)) || (f->count > 1 && knows);
}
