/* Accesses of neighbouring fields: `p[i].x`, `p[i].y`, the elements of vector types.  Each lane's
 * are close to the next lane's, so all of them are one wide access and shuffles, in place of a
 * gather or scatter for each field. */
#include <stdlib.h>

#include "memory.h"

enum { WORD = 4 /* bytes */ };

static int64_t offset_of(const struct mpl_fields *f, LLVMValueRef access) {
  for (unsigned k = 0; k < f->count; k++)
    if (f->members[k] == access) return f->offsets[k];
  abort();
}

static LLVMValueRef address(struct mpl_emit *e, const struct mpl_fields *f) {
  LLVMValueRef low = mpl_const64(e->ir, (uint64_t)(f->low - f->shift));
  return LLVMBuildGEP2(e->b, e->ir->i8, mpl_scalar(e, f->base), &low, 1, "");
}

static LLVMValueRef shuffle(struct mpl_emit *e, LLVMValueRef a, LLVMValueRef b, const int *which,
                            unsigned count) {
  LLVMValueRef *each = mpl_allocate(count, sizeof *each);
  for (unsigned k = 0; k < count; k++)
    each[k] = which[k] < 0 ? LLVMGetPoison(e->ir->i32)
                           : LLVMConstInt(e->ir->i32, (unsigned)which[k], false);
  LLVMValueRef result = LLVMBuildShuffleVector(e->b, a, b, LLVMConstVector(each, count), "");
  free(each);
  return result;
}

static bool is_accessed(const struct mpl_fields *f, unsigned element) {
  for (unsigned k = 0; k < f->count; k++)
    if (f->offsets[k] - f->low == (int64_t)element * f->size) return true;
  return false;
}

/* Of the elements of all lanes those that lanes which are there access. */
static LLVMValueRef spread_mask(struct mpl_emit *e, const struct mpl_fields *f) {
  unsigned apart = (unsigned)(f->stride / f->size), total = apart * e->width;
  LLVMTypeRef type = mpl_vector_type(e, e->ir->i1);
  LLVMValueRef mask = e->mask ? e->mask : LLVMConstAllOnes(type);
  int *which = mpl_allocate(total, sizeof *which);
  for (unsigned k = 0; k < total; k++)
    which[k] = (int)(is_accessed(f, k % apart) ? k / apart : e->width);
  mask = shuffle(e, mask, LLVMConstNull(type), which, total);
  free(which);
  return mask;
}

static LLVMTypeRef elements(struct mpl_emit *e, unsigned size, unsigned count) {
  return LLVMVectorType(LLVMIntTypeInContext(e->ir->context, 8 * size), count);
}

static LLVMValueRef load_all(struct mpl_emit *e, const struct mpl_fields *f, LLVMValueRef at,
                             unsigned count) {
  LLVMValueRef value = LLVMBuildLoad2(e->b, elements(e, (unsigned)f->size, count), at, "");
  LLVMSetAlignment(value, (unsigned)f->size);
  return value;
}

/* The rest, up to so many, is poison. */
static LLVMValueRef longer(struct mpl_emit *e, LLVMValueRef value, unsigned count) {
  unsigned has = LLVMGetVectorSize(LLVMTypeOf(value));
  int *which = mpl_allocate(count, sizeof *which);
  for (unsigned k = 0; k < count; k++) which[k] = k < has ? (int)k : -1;
  value = shuffle(e, value, LLVMGetPoison(LLVMTypeOf(value)), which, count);
  free(which);
  return value;
}

static LLVMValueRef load_some(struct mpl_emit *e, const struct mpl_fields *f, LLVMValueRef at) {
  unsigned apart = (unsigned)(f->stride / f->size), whole = mpl_whole_size(f),
           size = (unsigned)f->size;
  LLVMTypeRef wide = elements(e, size, apart * e->width);
  if (!whole) return mpl_load_beside(e, wide, at, size, spread_mask(e, f));
  LLVMValueRef value = mpl_load_beside(e, elements(e, whole, e->width), at, size, e->mask);
  return LLVMBuildBitCast(e->b, value, wide, "");
}

/* One after another, from the lowest field of lane 0 on. */
static LLVMValueRef load_elements(struct mpl_emit *e, const struct mpl_recipe *r) {
  const struct mpl_fields *f = r->fields;
  unsigned apart = (unsigned)(f->stride / f->size),
           count = (e->width - 1) * apart + (unsigned)((f->high - f->low) / f->size);
  LLVMValueRef at = address(e, f), values[2], value;
  struct mpl_all_or_some o;
  if (!e->mask) return load_all(e, f, at, count);
  /* Of what is smaller the page is asked, not the mask. */
  if (f->size < WORD || !mpl_ask_for_all(e, r, &o)) return load_some(e, f, at);
  values[0] = longer(e, load_all(e, f, at, count), apart * e->width);
  mpl_else_some(e, &o);
  values[1] = load_some(e, f, at);
  mpl_end_some(e, &o);
  value = LLVMBuildPhi(e->b, LLVMTypeOf(values[0]), "");
  LLVMAddIncoming(value, values, o.blocks, 2);
  return value;
}

LLVMValueRef mpl_widen_field_load(struct mpl_emit *e, const struct mpl_recipe *r,
                                  LLVMValueRef load) {
  const struct mpl_fields *f = r->fields;
  unsigned apart = (unsigned)(f->stride / f->size),
           first = (unsigned)((offset_of(f, load) - f->low) / f->size);
  int which[256];
  for (unsigned k = 0; k < e->width; k++) which[k] = (int)(k * apart + first);
  LLVMValueRef value = load_elements(e, r);
  value = shuffle(e, value, LLVMGetPoison(LLVMTypeOf(value)), which, e->width);
  LLVMTypeRef type = mpl_vector_type(e, LLVMTypeOf(load));
  return LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMPointerTypeKind
             ? LLVMBuildIntToPtr(e->b, value, type, "")
             : LLVMBuildBitCast(e->b, value, type, "");
}

/* The stores' values behind one another, lane by lane; fields that nobody stores are poison. */
static LLVMValueRef interleave(struct mpl_emit *e, const struct mpl_fields *f,
                               const LLVMValueRef *values) {
  unsigned apart = (unsigned)(f->stride / f->size), lanes = e->width, total = 1;
  LLVMValueRef parts[MPL_MOST_FIELDS];
  for (unsigned k = 0; k < f->count; k++) parts[k] = values[k];
  int which[MPL_MOST_FIELDS * 256];
  unsigned count = f->count;
  for (; count > 1; total *= 2, count = (count + 1) / 2)
    for (unsigned k = 0; k < count; k += 2) {
      unsigned size = lanes * total;
      for (unsigned at = 0; at < 2 * size; at++)
        which[at] = k + 1 < count || at < size ? (int)at : -1;
      LLVMValueRef second = k + 1 < count ? parts[k + 1] : LLVMGetPoison(LLVMTypeOf(parts[k]));
      parts[k / 2] = shuffle(e, parts[k], second, which, 2 * size);
    }
  for (unsigned k = 0; k < lanes * apart; k++) which[k] = -1;
  for (unsigned k = 0; k < f->count; k++)
    for (unsigned lane = 0; lane < lanes; lane++)
      which[lane * apart + (unsigned)((f->offsets[k] - f->low) / f->size)] =
          (int)(k * lanes + lane);
  return shuffle(e, parts[0], LLVMGetPoison(LLVMTypeOf(parts[0])), which, lanes * apart);
}

/* All at the last of them. */
void mpl_widen_field_store(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef store) {
  const struct mpl_fields *f = r->fields;
  if (store != f->members[f->count - 1]) return;
  LLVMValueRef values[MPL_MOST_FIELDS];
  unsigned apart = (unsigned)(f->stride / f->size), whole = mpl_whole_size(f);
  LLVMTypeRef bits =
      mpl_vector_type(e, LLVMIntTypeInContext(e->ir->context, 8 * (unsigned)f->size));
  for (unsigned k = 0; k < f->count; k++) {
    LLVMValueRef value = LLVMGetOperand(f->members[k], 0);
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    value = mpl_vector(e, value);
    values[k] = pointer ? LLVMBuildPtrToInt(e->b, value, bits, "")
                        : LLVMBuildBitCast(e->b, value, bits, "");
  }
  LLVMValueRef value = interleave(e, f, values), at = address(e, f);
  struct mpl_all_or_some o;
  bool full = f->count == apart, all = full && !e->mask,
       asks = full && mpl_ask_for_all(e, r, &o);
  if (all || asks) LLVMSetAlignment(LLVMBuildStore(e->b, value, at), (unsigned)f->size);
  if (all) return;
  if (asks) mpl_else_some(e, &o);
  if (full && whole) { /* frozen: a poison field would be all of its lane */
    value = LLVMBuildFreeze(e->b, value, "");
    value = LLVMBuildBitCast(e->b, value, elements(e, whole, e->width), "");
    mpl_masked_store(e, value, at, (unsigned)f->size, e->mask);
  } else {
    mpl_masked_store(e, value, at, (unsigned)f->size, spread_mask(e, f));
  }
  if (asks) mpl_end_some(e, &o);
}
