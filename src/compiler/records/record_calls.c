/* What a kernel in C or C++ may call to be compiled: functions of its own file, which are inlined
 * by now or at least known, and those of the C library.  Anything else could throw, or call a
 * group function behind the compiler's back. */
#include <stdlib.h>
#include <string.h>

#include "compiler/passes.h"
#include "compiler/source/source.h"
#include "extract.h"

struct checker {
  struct mpl_module_ir *ir;
  struct mpl_map seen; /* functions */
};

/* These leave the kernel by a way of their own, or come back into it. */
static bool calls_back(const char *name) {
  static const char *const parts[] = {"jmp",   "qsort",   "bsearch", "context", "pthread_", "thrd_",
                                      "twalk", "tsearch", "tfind",   "scandir", "ftw",      "glob"};
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strstr(name, parts[i])) return true;
  return false;
}

static void refuse(struct checker *c, LLVMValueRef where, const char *what, const char *name) {
  char *readable = mpl_ir_demangle(name);
  mpl_report(c->ir, where, "it %s%s%s%s", what, *name ? " '" : "", readable, *name ? "'" : "");
  LLVMDisposeMessage(readable);
}

static void check_function(struct checker *c, LLVMValueRef function);

static void check_callee(struct checker *c, LLVMValueRef call, LLVMValueRef callee) {
  const char *name = LLVMGetValueName(callee);
  if (LLVMGetIntrinsicID(callee)) return;
  if (!LLVMIsDeclaration(callee)) {
    check_function(c, callee);
    return;
  }
  if (!strncmp(name, "__mpl_", 6)) return;
  if (!strncmp(name, MPL_EXTRACT_SHARED, sizeof MPL_EXTRACT_SHARED - 1))
    name += sizeof MPL_EXTRACT_SHARED - 1;
  if (!strncmp(name, "__cxa_", 6))
    refuse(c, call, "may throw an exception, or has a static variable with a constructor", "");
  else if (calls_back(name) ||
           (!mpl_is_c_math(name) && !mpl_is_in_library("libc.so.6", "/libc.", name)))
    refuse(c, call, "calls a function that is defined elsewhere:", name);
}

static void check_call(struct checker *c, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAFunction(callee))
    check_callee(c, call, callee);
  else if (!LLVMIsAInlineAsm(callee))
    refuse(c, call, "calls a function through a pointer", "");
}

static bool is_variable_array(LLVMValueRef i) {
  return LLVMIsAAllocaInst(i) && !LLVMIsAConstantInt(LLVMGetOperand(i, 0));
}

static void check_instruction(struct checker *c, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMCall:
    check_call(c, i);
    break;
  case LLVMInvoke:
  case LLVMResume:
  case LLVMCallBr:
  case LLVMIndirectBr:
    refuse(c, i, "has flow of control that cannot be compiled", "");
    break;
  default:
    if (is_variable_array(i)) refuse(c, i, "has an array of variable length", "");
  }
}

static void check_function(struct checker *c, LLVMValueRef function) {
  if (!mpl_map_add(&c->seen, function)) return;
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (!c->ir->failed) check_instruction(c, i);
  }
}

bool mpl_diagnose_records(struct mpl_module_ir *ir) {
  struct checker c = {.ir = ir};
  mpl_diagnose_clusters(ir);
  MPL_EACH_KERNEL(kernel, ir) check_function(&c, kernel->group);
  mpl_map_free(&c.seen);
  return false;
}
