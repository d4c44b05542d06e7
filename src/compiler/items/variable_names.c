/* What variables are called in the source, how large they are, and which argument led to them: as
 * metadata of the instruction that makes the pointer. */
#include <string.h>

#include "compiler/analysis/ir.h"
#include "items.h"

#define VARIABLE "mpl.variable"
#define SIZE     "mpl.size"
#define ARGUMENT "mpl.argument"

void mpl_name_variable(struct mpl_module_ir *ir, LLVMValueRef pointer, const char *name) {
  if (!(ir->checked || ir->filters) || !name || !*name || !LLVMIsAInstruction(pointer)) return;
  mpl_note(ir, pointer, VARIABLE, LLVMMDStringInContext2(ir->context, name, strlen(name)));
}

static void name_number(struct mpl_module_ir *ir, LLVMValueRef pointer, const char *what,
                        uint64_t number) {
  if (!(ir->checked || ir->filters) || !LLVMIsAInstruction(pointer)) return;
  mpl_note_number(ir, pointer, what, number);
}

void mpl_size_variable(struct mpl_module_ir *ir, LLVMValueRef pointer, uint64_t size) {
  name_number(ir, pointer, SIZE, size);
}

void mpl_name_argument(struct mpl_module_ir *ir, LLVMValueRef pointer, const char *name,
                       unsigned index) {
  mpl_name_variable(ir, pointer, name);
  name_number(ir, pointer, ARGUMENT, index + 1);
}

unsigned mpl_named_argument(struct mpl_module_ir *ir, LLVMValueRef pointer) {
  return (unsigned)mpl_noted_number(ir, pointer, ARGUMENT);
}

bool mpl_has_name(struct mpl_module_ir *ir, LLVMValueRef pointer) {
  return mpl_noted(ir, pointer, VARIABLE);
}

uint64_t mpl_named_size(struct mpl_module_ir *ir, LLVMValueRef pointer) {
  return mpl_noted_number(ir, pointer, SIZE);
}

LLVMValueRef mpl_variable_name(struct mpl_module_ir *ir, LLVMValueRef instruction) {
  LLVMValueRef text = mpl_noted(ir, instruction, VARIABLE);
  unsigned length;
  if (!text) return LLVMConstNull(ir->ptr);
  const char *name = LLVMGetMDString(text, &length);
  return mpl_text(ir, name, length, "mpl.variable");
}
