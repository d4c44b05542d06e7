/* Neighbouring fields by the processor's own instructions: LD2 to LD4 and ST2 to ST4 of AArch64, which take
 * structures of some lanes apart or put them together.
 *
 * LLVM finds them in loads and shuffles too, but joins the shuffles of several before. */
#include <stdio.h>
#include <string.h>

#include "memory.h"

enum { REGISTER = 16, HALF = 8 /* bytes */ };

static unsigned apart(const struct mpl_fields *f) {
  return (unsigned)(f->stride / f->size);
}

/* Elements of a structure behind the highest field: behind the last lane's may be no memory. */
static unsigned gap_of(const struct mpl_fields *f) {
  return (unsigned)((f->stride - (f->high - f->low)) / f->size);
}

static unsigned place_of(const struct mpl_fields *f, LLVMValueRef access) {
  unsigned k = 0;
  while (f->members[k] != access) k++;
  return (unsigned)((f->offsets[k] - f->low) / f->size);
}

/* Lanes of one instruction.  Where there is a gap there are two or more: the last one begins in the lane
 * before its own.  0: none does. */
static unsigned lanes_of_one(const struct mpl_emit *e, const struct mpl_fields *f) {
  unsigned size = (unsigned)f->size, lanes = REGISTER / size;
  if (lanes > e->width) lanes = e->width;
  if (gap_of(f) && lanes == e->width) lanes /= 2;
  return e->mask || lanes * size < HALF ? 0 : lanes;
}

static LLVMTypeRef type_of_one(struct mpl_emit *e, const struct mpl_fields *f, unsigned lanes) {
  return LLVMVectorType(LLVMIntTypeInContext(e->ir->context, 8 * (unsigned)f->size), lanes);
}

/* Of the lanes from `first` on; so many bytes before their lowest field. */
static LLVMValueRef address(struct mpl_emit *e, const struct mpl_fields *f, unsigned first, unsigned before) {
  int64_t by = f->low - f->shift + (int64_t)first * f->stride - (int64_t)before;
  LLVMValueRef offset = mpl_const64(e->ir, (uint64_t)by);
  return LLVMBuildGEP2(e->b, e->ir->i8, mpl_scalar(e, f->base), &offset, 1, "");
}

static LLVMValueRef call(struct mpl_emit *e, const struct mpl_fields *f, const char *what, LLVMTypeRef type,
                         LLVMValueRef *args, unsigned count) {
  char name[32];
  snprintf(name, sizeof name, "llvm.aarch64.neon.%s%u", what, apart(f));
  LLVMTypeRef types[] = {type, LLVMTypeOf(args[count - 1])};
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->ir->module, id, types, 2);
  return LLVMBuildCall2(e->b, LLVMGlobalGetValueType(function), function, args, count, "");
}

/* The field of all lanes, as integers; null: no such instruction does this. */
LLVMValueRef mpl_load_interleaved(struct mpl_emit *e, const struct mpl_fields *f, LLVMValueRef load) {
  unsigned lanes = lanes_of_one(e, f), place = place_of(f, load), count = 0;
  if (!lanes) return NULL;
  LLVMTypeRef type = type_of_one(e, f, lanes);
  LLVMValueRef values[MPL_MOST_LANES / 2];
  for (unsigned first = 0; first < e->width; first += lanes) {
    unsigned before = first && first + lanes == e->width ? gap_of(f) : 0;
    LLVMValueRef at = address(e, f, first, before * (unsigned)f->size);
    LLVMValueRef all = call(e, f, "ld", type, &at, 1);
    values[count++] = LLVMBuildExtractValue(e->b, all, place + before, "");
  }
  for (; count > 1; count /= 2)
    for (unsigned k = 0; k < count; k += 2) values[k / 2] = mpl_joined(e, values[k], values[k + 1]);
  return values[0];
}

/* All fields, of which each is a vector of integers; false: no such instruction does this. */
bool mpl_store_interleaved(struct mpl_emit *e, const struct mpl_fields *f, const LLVMValueRef *values) {
  unsigned lanes = lanes_of_one(e, f);
  if (!lanes) return false;
  LLVMTypeRef type = type_of_one(e, f, lanes);
  for (unsigned first = 0; first < e->width; first += lanes) {
    LLVMValueRef args[MPL_MOST_FIELDS + 1];
    for (unsigned k = 0; k < f->count; k++)
      args[place_of(f, f->members[k])] = mpl_part_of(e, values[k], first, lanes);
    args[f->count] = address(e, f, first, 0);
    call(e, f, "st", type, args, f->count + 1);
  }
  return true;
}
