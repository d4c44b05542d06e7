/* The part of shim.h that the analysis calls, without LLVM's C++: a call is pure by its name. */
#include "shape_test.h"

bool mpl_ir_is_pure_call(LLVMValueRef call) {
  return !strcmp(LLVMGetValueName(LLVMGetCalledValue(call)), "pure");
}

unsigned *mpl_ir_note(LLVMValueRef function) {
  static struct mpl_map notes;
  return (unsigned *)mpl_map_at(&notes, function, 0, true);
}

void mpl_ir_say(LLVMValueRef where, const char *word, const char *message) {
  fprintf(stderr, "%s\n", message);
  abort();
}

void mpl_ir_remark(LLVMValueRef where, const char *pass, bool missed, const char *message) {}
