/* What variables are called in the source, how large they are, and which argument led to them: as
 * metadata of the instruction that makes the pointer. */
#include <string.h>

#include "compiler/analysis/ir.h"
#include "items.h"

#define VARIABLE "mpl.variable"
#define SIZE     "mpl.size"
#define ARGUMENT "mpl.argument"

static unsigned variable_kind(struct mpl_module_ir *ir) {
  return LLVMGetMDKindIDInContext(ir->context, VARIABLE, strlen(VARIABLE));
}

void mpl_name_variable(struct mpl_module_ir *ir, LLVMValueRef pointer, const char *name) {
  if (!(ir->checked || ir->filters) || !name || !*name || !LLVMIsAInstruction(pointer)) return;
  LLVMMetadataRef text = LLVMMDStringInContext2(ir->context, name, strlen(name));
  mpl_set_metadata(ir, pointer, VARIABLE, LLVMMDNodeInContext2(ir->context, &text, 1));
}

static void name_number(struct mpl_module_ir *ir, LLVMValueRef pointer, const char *what,
                        uint64_t number) {
  if (!(ir->checked || ir->filters) || !LLVMIsAInstruction(pointer)) return;
  LLVMMetadataRef value = LLVMValueAsMetadata(mpl_const64(ir, number));
  mpl_set_metadata(ir, pointer, what, LLVMMDNodeInContext2(ir->context, &value, 1));
}

void mpl_size_variable(struct mpl_module_ir *ir, LLVMValueRef pointer, uint64_t size) {
  name_number(ir, pointer, SIZE, size);
}

void mpl_name_argument(struct mpl_module_ir *ir, LLVMValueRef pointer, const char *name,
                       unsigned index) {
  mpl_name_variable(ir, pointer, name);
  name_number(ir, pointer, ARGUMENT, index + 1);
}

static uint64_t named_number(struct mpl_module_ir *ir, LLVMValueRef pointer, const char *what) {
  unsigned kind = LLVMGetMDKindIDInContext(ir->context, what, strlen(what));
  LLVMValueRef node = LLVMIsAInstruction(pointer) ? LLVMGetMetadata(pointer, kind) : NULL, value;
  if (!node) return 0;
  LLVMGetMDNodeOperands(node, &value);
  return LLVMConstIntGetZExtValue(value);
}

unsigned mpl_named_argument(struct mpl_module_ir *ir, LLVMValueRef pointer) {
  return (unsigned)named_number(ir, pointer, ARGUMENT);
}

bool mpl_has_name(struct mpl_module_ir *ir, LLVMValueRef pointer) {
  return LLVMIsAInstruction(pointer) && LLVMGetMetadata(pointer, variable_kind(ir));
}

uint64_t mpl_named_size(struct mpl_module_ir *ir, LLVMValueRef pointer) {
  return named_number(ir, pointer, SIZE);
}

LLVMValueRef mpl_variable_name(struct mpl_module_ir *ir, LLVMValueRef instruction) {
  LLVMValueRef node = LLVMGetMetadata(instruction, variable_kind(ir)), text;
  if (!node) return LLVMConstNull(ir->ptr);
  LLVMGetMDNodeOperands(node, &text);
  unsigned length;
  const char *name = LLVMGetMDString(text, &length);
  return mpl_text(ir, name, length, "mpl.variable");
}
