#include "shape_test.h"

LLVMModuleRef parse_ir(LLVMContextRef context, const char *text, size_t size, const char *name) {
  LLVMModuleRef module;
  char *message = NULL;
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, size, name);
  if (LLVMParseIRInContext(context, buffer, &module, &message)) {
    fprintf(stderr, "%s\n", message);
    abort();
  }
  return module;
}
