/* What the tests of src/compiler/analysis/shape.h share: a module from text. */
#ifndef MPL_TESTS_SHAPE_TEST_H
#define MPL_TESTS_SHAPE_TEST_H

#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/analysis/markers.h"
#include "compiler/analysis/shape.h"

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                    \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

LLVMModuleRef parse_ir(LLVMContextRef, const char *text, size_t size, const char *name);

#endif
