/* Every function that is called exists: in this program, in the built-in library, or in the C math
 * library that the built-in library stands on.  Said here, with the line of the call, and not by
 * the linker or a crash. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

#include "passes.h"

static bool in_library(void *library, const char *name) {
  Dl_info info;
  void *symbol = library ? dlsym(library, name) : NULL;
  return symbol && dladdr(symbol, &info) && info.dli_fname && strstr(info.dli_fname, "/libm");
}

static bool is_memory_function(const char *name) {
  return !strcmp(name, "memcpy") || !strcmp(name, "memset") || !strcmp(name, "memmove");
}

void mpl_check_calls(struct mpl_module_ir *ir) {
  void *math = dlopen("libm.so.6", RTLD_LAZY | RTLD_LOCAL);
  MPL_EACH_FUNCTION(f, ir->module) {
    LLVMUseRef use = LLVMGetFirstUse(f);
    const char *name = LLVMGetValueName(f);
    if (!use || !LLVMIsDeclaration(f) || LLVMGetIntrinsicID(f) || !strncmp(name, "__mpl_", 6))
      continue;
    if (is_memory_function(name) || in_library(math, name)) continue;
    if (!strncmp(name, "_ZGV", 4)) continue; /* libmvec's: announced, not called (vector_math.c) */
    char *readable = mpl_ir_demangle(name);
    LLVMValueRef user = LLVMGetUser(use);
    mpl_report(ir, LLVMIsAInstruction(user) ? user : f,
               "'%s' is called but defined neither in this program nor in the built-in library",
               readable);
    LLVMDisposeMessage(readable);
  }
  if (math) dlclose(math);
}
