/* Neighbouring fields by the processor's own instructions: LD2 to LD4 and ST2 to ST4 of AArch64, which take
 * structures of some lanes apart or put them together.
 *
 * LLVM finds them in loads and shuffles too, but joins the shuffles of several before. */
#include <stdio.h>

#include "memory.h"

static LLVMValueRef call(struct mpl_emit *e, const struct mpl_fields *f, const char *what, LLVMTypeRef type,
                         LLVMValueRef *args, unsigned count) {
  char name[32];
  snprintf(name, sizeof name, "llvm.aarch64.neon.%s%u", what, mpl_elements_apart(f));
  LLVMTypeRef types[] = {type, LLVMTypeOf(args[count - 1])};
  return mpl_call_overloaded(e->b, name, types, 2, args, count);
}

LLVMValueRef mpl_load_interleaved(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef load) {
  const struct mpl_fields *f = r->fields;
  unsigned lanes = r->at_once, place = mpl_field_of(f, load), count = 0;
  LLVMTypeRef type = mpl_integers(e, (unsigned)f->size, lanes);
  LLVMValueRef values[MPL_MOST_LANES / 2];
  for (unsigned first = 0; first < e->width; first += lanes) {
    unsigned before = first && first + lanes == e->width ? mpl_gap_of(f) : 0;
    LLVMValueRef at = mpl_field_place(e, f, first, before * (unsigned)f->size);
    LLVMValueRef all = call(e, f, "ld", type, &at, 1);
    values[count++] = LLVMBuildExtractValue(e->b, all, place + before, "");
  }
  return mpl_all_joined(e, values, count);
}

void mpl_store_interleaved(struct mpl_emit *e, const struct mpl_recipe *r, const LLVMValueRef *values) {
  const struct mpl_fields *f = r->fields;
  unsigned lanes = r->at_once;
  LLVMTypeRef type = mpl_integers(e, (unsigned)f->size, lanes);
  for (unsigned first = 0; first < e->width; first += lanes) {
    LLVMValueRef args[MPL_MOST_FIELDS + 1];
    for (unsigned k = 0; k < f->count; k++)
      args[mpl_field_of(f, f->members[k])] = mpl_part_of(e, values[k], first, lanes);
    args[f->count] = mpl_field_place(e, f, first, 0);
    call(e, f, "st", type, args, f->count + 1);
  }
}
