/* Neighbouring fields by the processor's own instructions: LD2 to LD4 and ST2 to ST4 of AArch64, which take
 * structures of some lanes apart or put them together.
 *
 * LLVM finds them in loads and shuffles too, but joins the shuffles of several before. */
#include <stdio.h>

#include "memory.h"

enum { REGISTER = 16, HALF = 8 /* bytes */ };

/* Elements of a structure behind the highest field: behind the last lane's may be no memory. */
static unsigned gap_of(const struct mpl_fields *f) {
  return (unsigned)((f->stride - (f->high - f->low)) / f->size);
}

/* Lanes of one instruction.  Where there is a gap there are two or more: the last one begins in the lane
 * before its own.  0: none does. */
static unsigned lanes_of_one(const struct mpl_emit *e, const struct mpl_fields *f) {
  unsigned size = (unsigned)f->size, lanes = REGISTER / size;
  if (lanes > e->width) lanes = e->width;
  if (gap_of(f) && lanes == e->width) lanes /= 2;
  return e->mask || lanes * size < HALF ? 0 : lanes;
}

static LLVMValueRef call(struct mpl_emit *e, const struct mpl_fields *f, const char *what, LLVMTypeRef type,
                         LLVMValueRef *args, unsigned count) {
  char name[32];
  snprintf(name, sizeof name, "llvm.aarch64.neon.%s%u", what, mpl_elements_apart(f));
  LLVMTypeRef types[] = {type, LLVMTypeOf(args[count - 1])};
  return mpl_call_overloaded(e->b, name, types, 2, args, count);
}

/* The field of all lanes, as integers; null: no such instruction does this. */
LLVMValueRef mpl_load_interleaved(struct mpl_emit *e, const struct mpl_fields *f, LLVMValueRef load) {
  unsigned lanes = lanes_of_one(e, f), place = mpl_field_of(f, load), count = 0;
  if (!lanes) return NULL;
  LLVMTypeRef type = mpl_integers(e, (unsigned)f->size, lanes);
  LLVMValueRef values[MPL_MOST_LANES / 2];
  for (unsigned first = 0; first < e->width; first += lanes) {
    unsigned before = first && first + lanes == e->width ? gap_of(f) : 0;
    LLVMValueRef at = mpl_field_place(e, f, first, before * (unsigned)f->size);
    LLVMValueRef all = call(e, f, "ld", type, &at, 1);
    values[count++] = LLVMBuildExtractValue(e->b, all, place + before, "");
  }
  return mpl_all_joined(e, values, count);
}

/* All fields, of which each is a vector of integers; false: no such instruction does this. */
bool mpl_store_interleaved(struct mpl_emit *e, const struct mpl_fields *f, const LLVMValueRef *values) {
  unsigned lanes = lanes_of_one(e, f);
  if (!lanes) return false;
  LLVMTypeRef type = mpl_integers(e, (unsigned)f->size, lanes);
  for (unsigned first = 0; first < e->width; first += lanes) {
    LLVMValueRef args[MPL_MOST_FIELDS + 1];
    for (unsigned k = 0; k < f->count; k++)
      args[mpl_field_of(f, f->members[k])] = mpl_part_of(e, values[k], first, lanes);
    args[f->count] = mpl_field_place(e, f, first, 0);
    call(e, f, "st", type, args, f->count + 1);
  }
  return true;
}
