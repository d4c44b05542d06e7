/* The math functions of kernels in C and C++ become the library's (builtins/math/c_names.cl), which
 * are inlined and widened; those that it lacks stay the C library's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/passes.h"
#include "compiler/source/source.h"
#include "record.h"

/* The name of a function of the C library while the passes run. */
static const char prefix[] = "__mpl_c_";
enum { PREFIX = sizeof prefix - 1 };

bool mpl_is_c_math(const char *name) {
  return mpl_is_in_library("libm.so.6", "/libm", name);
}

/* Values in, value out. */
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

static bool is_renamed(LLVMValueRef function) {
  return LLVMIsDeclaration(function) && !strncmp(LLVMGetValueName(function), prefix, PREFIX);
}

static void add_attributes(LLVMValueRef function) {
  static const char *const attributes[] = {"nounwind", "willreturn", "memory"};
  for (unsigned i = 0; i < sizeof attributes / sizeof *attributes; i++)
    mpl_add_attribute(function, attributes[i]);
}

/* llvm.sin.f32 is sinf. */
static bool name_of_intrinsic(LLVMValueRef function, char *name, size_t room) {
  static const char *const known[] = {"acos", "asin",  "atan", "cos",  "cosh",  "exp",
                                      "exp2", "exp10", "log",  "log2", "log10", "pow",
                                      "sin",  "sinh",  "tan",  "tanh"};
  const char *full = LLVMGetValueName(function);
  for (unsigned k = 0; k < sizeof known / sizeof *known; k++) {
    size_t length = strlen(known[k]);
    if (strncmp(full, "llvm.", 5) || strncmp(full + 5, known[k], length)) continue;
    const char *type = full + 5 + length;
    if (strcmp(type, ".f32") && strcmp(type, ".f64")) continue;
    snprintf(name, room, "%s%s", known[k], type[2] == '3' ? "f" : "");
    return true;
  }
  return false;
}

/* With pointers as arguments, on a GPU. */
static bool is_known_there(const char *name) {
  static const char *const known[] = {
#define MPL_GPU_C_FUNCTION(name) #name,
#include "tables/gpu_c_functions.def"
  };
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(name, known[i])) return true;
  return false;
}

static void rename_function(const struct mpl_module_ir *ir, LLVMValueRef function) {
  char name[256], renamed[sizeof name + PREFIX];
  bool takes_pointers = false;
  if (LLVMGetIntrinsicID(function)) {
    if (!name_of_intrinsic(function, name, sizeof name)) return;
  } else {
    if (strlen(LLVMGetValueName(function)) >= sizeof name) return;
    takes_pointers = ir->gpu && is_known_there(LLVMGetValueName(function));
    if (!takes_pointers &&
        (!is_arithmetic(function) || !mpl_is_c_math(LLVMGetValueName(function))))
      return;
    strcpy(name, LLVMGetValueName(function));
  }
  snprintf(renamed, sizeof renamed, "%s%s", prefix, name);
  LLVMValueRef now = mpl_declare(LLVMGetGlobalParent(function), renamed, LLVMGlobalGetValueType(function));
  if (LLVMGlobalGetValueType(now) != LLVMGlobalGetValueType(function)) return;
  if (!takes_pointers) add_attributes(now);
  LLVMReplaceAllUsesWith(function, now);
}

/* Under -ffast-math a call of fmod is an instruction. */
static void call_remainders(struct mpl_module_ir *ir, LLVMValueRef function) {
  MPL_BUILDER(b, ir->context);
  MPL_EACH_INSTRUCTION_OF(i, function) {
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (LLVMGetInstructionOpcode(i) != LLVMFRem) continue;
    if (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind) continue;
    const char *name = kind == LLVMFloatTypeKind ? "__mpl_c_fmodf" : "__mpl_c_fmod";
    LLVMValueRef args[] = {LLVMGetOperand(i, 0), LLVMGetOperand(i, 1)};
    LLVMPositionBuilderBefore(b, i);
    LLVMValueRef call = mpl_call_named(ir->module, b, name, type, args, 2);
    add_attributes(LLVMGetCalledValue(call));
    mpl_replace(i, call);
  }
}

/* Before anything is optimised: math functions do nothing but compute.  Whether they set errno
 * nobody asks in a kernel. */
bool mpl_free_math(struct mpl_module_ir *ir) {
  if (ir->gpu && !ir->single_source) return false; /* OpenCL's own functions */
  for (LLVMValueRef f = LLVMGetFirstFunction(ir->module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    if (!LLVMIsDeclaration(f))
      call_remainders(ir, f);
    else if (!is_renamed(f))
      rename_function(ir, f);
  }
  return true; /* attributes, where there are such */
}

static void mark_calls(LLVMValueRef function) {
  MPL_EACH_USER(call, function) {
    if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == function)
      mpl_take_attributes(call, function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex);
  }
}

/* The host has its own declarations of them, which say less, and are those that stay. */
bool mpl_mark_math_calls(struct mpl_module_ir *ir) {
  for (LLVMValueRef f = LLVMGetFirstFunction(ir->module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    if (!is_renamed(f)) continue;
    mark_calls(f);
    char *name = strdup(LLVMGetValueName(f) + PREFIX);
    if (!name) abort();
    LLVMValueRef own = LLVMGetNamedFunction(ir->module, name);
    if (own) {
      LLVMReplaceAllUsesWith(f, own);
      LLVMDeleteFunction(f);
    } else {
      LLVMSetValueName2(f, name, strlen(name));
    }
    free(name);
  }
  return true;
}
