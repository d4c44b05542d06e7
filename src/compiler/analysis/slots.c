#include "slots.h"

/* Metadata of the slot's alloca: the fields of a struct mpl_shared_place. */
static const char place_kind[] = "maniple.slot";
enum { FIELDS = 3 };

void mpl_mark_shared_place(struct mpl_module_ir *ir, LLVMValueRef alloca, const struct mpl_shared_place *place) {
  const unsigned values[FIELDS] = {place->kind, place->operation, place->is_signed};
  LLVMMetadataRef fields[FIELDS];
  for (unsigned k = 0; k < FIELDS; k++)
    fields[k] = LLVMValueAsMetadata(mpl_const32(ir, values[k]));
  mpl_set_metadata(ir, alloca, place_kind, LLVMMDNodeInContext2(ir->context, fields, FIELDS));
}

struct mpl_shared_place mpl_shared_place_of(struct mpl_module_ir *ir, LLVMValueRef pointer) {
  if (!LLVMIsAAllocaInst(pointer)) return (struct mpl_shared_place){0};
  LLVMValueRef fields[FIELDS], data = mpl_metadata_of(ir, pointer, place_kind);
  if (!data) return (struct mpl_shared_place){0};
  LLVMGetMDNodeOperands(data, fields);
  return (struct mpl_shared_place){(enum mpl_place_kind)LLVMConstIntGetZExtValue(fields[0]),
                            (unsigned)LLVMConstIntGetZExtValue(fields[1]),
                            LLVMConstIntGetZExtValue(fields[2]) != 0};
}
