/* The variables of the program that a kernel on a GPU asks for, as comments of its text name them
 * (gpu/variables.c), become a list of their addresses. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/record_gpu.h"
#include "compiler/analysis/ir.h"
#include "compiler/source/source.h"
#include "gpu_part.h"

static const char mark[] = "//mpl variable ";

/* One of the host's, which had another name for the time if it is internal (extract.c). */
static LLVMValueRef global_of(LLVMModuleRef host, const char *name) {
  static const char shared[] = MPL_EXTRACT_SHARED;
  if (!strncmp(name, shared, sizeof shared - 1)) {
    name += sizeof shared - 1;
    name += strcspn(name, ".") + 1;
  }
  return LLVMGetNamedGlobal(host, name);
}

static LLVMValueRef address(LLVMModuleRef host, const char *name, uint64_t offset) {
  LLVMContextRef context = LLVMGetModuleContext(host);
  LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
  if (!strcmp(name, "-")) return LLVMConstNull(LLVMPointerTypeInContext(context, 0));
  LLVMValueRef global = global_of(host, name), at = LLVMConstInt(i64, offset, false);
  return global ? LLVMConstGEP2(LLVMInt8TypeInContext(context), global, &at, 1) : NULL;
}

/* A row of the list; null: there is no such variable. */
static LLVMValueRef row_of(LLVMModuleRef host, const char *line) {
  char name[512], initial[512];
  uint64_t offset, from, size, align;
  if (sscanf(line, "%511s %" SCNu64 " %511s %" SCNu64 " %" SCNu64 " %" SCNu64, name, &offset,
             initial, &from, &size, &align) != 6)
    return NULL;
  LLVMContextRef context = LLVMGetModuleContext(host);
  LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
  LLVMValueRef row[] = {address(host, name, offset), address(host, initial, from),
                        LLVMConstInt(i64, size, false), LLVMConstInt(i64, align, false)};
  return row[0] && row[1] ? LLVMConstStructInContext(context, row, 4, false) : NULL;
}

bool mpl_gpu_variables(LLVMModuleRef host, const char *text, const char *kernel, LLVMValueRef *list,
                       unsigned *count) {
  MPL_LIST(LLVMValueRef, rows);
  size_t length = strlen(kernel);
  *count = 0;
  for (const char *at = text; (at = strstr(at, mark)); at++) {
    const char *own = at + sizeof mark - 1;
    if (strncmp(own, kernel, length) || own[length] != ' ') continue;
    if (!(MPL_APPEND(rows, *count) = row_of(host, own + length + 1))) return false;
  }
  LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(host), 0);
  *list = *count ? LLVMConstArray2(LLVMTypeOf(rows[0]), rows, *count) : LLVMConstNull(pointer);
  return true;
}
