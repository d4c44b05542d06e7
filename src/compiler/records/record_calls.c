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

static bool is_math(const char *name) {
  return mpl_is_in_library("libm.so.6", "/libm", name);
}

/* These leave the kernel by a way of their own, or come back into it. */
static bool calls_back(const char *name) {
  static const char *const parts[] = {"jmp",   "qsort",   "bsearch", "context", "pthread_", "thrd_",
                                      "twalk", "tsearch", "tfind",   "scandir", "ftw",      "glob"};
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strstr(name, parts[i])) return true;
  return false;
}

/* Values in, value out: whether it sets errno nobody asks in a kernel. */
static bool is_arithmetic(LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function), params[8];
  unsigned count = LLVMCountParamTypes(type);
  if (count > 8 || LLVMIsFunctionVarArg(type)) return false;
  LLVMGetParamTypes(type, params);
  for (unsigned i = 0; i < count; i++)
    if (LLVMGetTypeKind(params[i]) == LLVMPointerTypeKind) return false;
  LLVMTypeKind result = LLVMGetTypeKind(LLVMGetReturnType(type));
  return result == LLVMFloatTypeKind || result == LLVMDoubleTypeKind ||
         result == LLVMIntegerTypeKind;
}

static bool is_math_function(LLVMValueRef function) {
  return LLVMIsDeclaration(function) && !LLVMGetIntrinsicID(function) && is_arithmetic(function) &&
         is_math(LLVMGetValueName(function));
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
  else if (calls_back(name) || (!is_math(name) && !mpl_is_in_library("libc.so.6", "/libc.", name)))
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
  if (mpl_map_has(&c->seen, function)) return;
  mpl_map_set(&c->seen, function, 1);
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (!c->ir->failed) check_instruction(c, i);
  }
}

/* Before anything is optimised: math functions do nothing but compute. */
bool mpl_free_math(struct mpl_module_ir *ir) {
  static const char *const attributes[] = {"nounwind", "willreturn", "memory"};
  MPL_EACH_FUNCTION(f, ir->module) {
    if (!is_math_function(f)) continue;
    for (unsigned i = 0; i < sizeof attributes / sizeof *attributes; i++)
      mpl_add_attribute(f, attributes[i]);
  }
  return true; /* attributes, where there are such */
}

static void mark_calls(LLVMValueRef function) {
  unsigned count =
      LLVMGetAttributeCountAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex);
  LLVMAttributeRef *list = mpl_allocate(count, sizeof *list);
  LLVMGetAttributesAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, list);
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function) continue;
    for (unsigned i = 0; i < count; i++)
      LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, list[i]);
  }
  free(list);
}

/* The host has its own declarations of them, which say less, and are those that stay. */
bool mpl_mark_math_calls(struct mpl_module_ir *ir) {
  MPL_EACH_FUNCTION(f, ir->module) {
    if (is_math_function(f)) mark_calls(f);
  }
  return true;
}

bool mpl_diagnose_records(struct mpl_module_ir *ir) {
  struct checker c = {.ir = ir};
  mpl_diagnose_clusters(ir);
  for (unsigned k = 0; k < ir->num_kernels; k++) check_function(&c, ir->kernels[k].group);
  mpl_map_free(&c.seen);
  return false;
}
