/* Kernels of C and C++ programs that a GPU cannot run: what they reach is on the host alone, or is
 * of its processor.  Each is left out, and a comment of the text says why (records/record_gpu.c).
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/passes.h"
#include "compiler/source/source.h"
#include "gpu.h"

struct search {
  struct mpl_module_ir *ir;
  struct mpl_map seen; /* functions and constants */
  char why[512];       /* "": nothing was found */
};

static void __attribute__((format(printf, 2, 3)))
refuse(struct search *s, const char *format, ...) {
  va_list arguments;
  if (*s->why) return;
  va_start(arguments, format);
  vsnprintf(s->why, sizeof s->why, format, arguments);
  va_end(arguments);
  s->why[strcspn(s->why, "\n")] = 0;
}

static void refuse_name(struct search *s, const char *what, const char *name) {
  static const char shared[] = MPL_EXTRACT_SHARED, math[] = "__mpl_c_";
  if (!strncmp(name, math, sizeof math - 1)) name += sizeof math - 1;
  if (!strncmp(name, shared, sizeof shared - 1)) { /* and a number and a point */
    name += sizeof shared - 1;
    name += strcspn(name, ".") + 1;
  }
  char *readable = mpl_ir_demangle(name);
  refuse(s, "%s '%s'", what, readable);
  LLVMDisposeMessage(readable);
}

static bool is_foreign_type(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMX86_FP80TypeKind:
  case LLVMFP128TypeKind:
  case LLVMPPC_FP128TypeKind:
    return true;
  case LLVMVectorTypeKind:
  case LLVMArrayTypeKind:
    return is_foreign_type(LLVMGetElementType(type));
  default:
    return false;
  }
}

static void look_at_function(struct search *s, LLVMValueRef function);

/* A name that is reached by a call, or whose address is taken. */
static void look_at_global(struct search *s, LLVMValueRef global) {
  const char *name = LLVMGetValueName(global);
  if (!LLVMIsAFunction(global)) {
    if (LLVMIsDeclaration(global) && !mpl_is_program_local(global))
      refuse_name(s, "uses the host's variable", name);
    return;
  }
  if (!LLVMIsDeclaration(global)) {
    look_at_function(s, global);
    return;
  }
  if (!strncmp(name, "llvm.x86.", 9) || !strncmp(name, "llvm.aarch64.", 13))
    refuse_name(s, "uses an instruction of the host's processor,", name);
  static const char math[] = "__mpl_c_";
  bool is_marker = !strncmp(name, "__mpl_", 6) && strncmp(name, math, sizeof math - 1);
  if (LLVMGetIntrinsicID(global) || is_marker || mpl_is_memory_function(name)) return;
  if (!strncmp(name, "__cxa_", 6))
    refuse(s, "may throw an exception, or has a static variable with a constructor");
  else
    refuse_name(s, "calls a function that is not there on a GPU:", name);
}

static void look_at(struct search *s, LLVMValueRef value) {
  if (LLVMIsAGlobalValue(value)) {
    look_at_global(s, value);
  } else if (LLVMIsAConstant(value) && mpl_map_add(&s->seen, value)) {
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
      look_at(s, LLVMGetOperand(value, (unsigned)i));
  }
}

static void look_at_call(struct search *s, LLVMValueRef call) {
  /* Of the host: clang names what that processor has besides registers. */
  static const char host[] = "~{dirflag}";
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAFunction(callee)) return;
  if (!LLVMIsAInlineAsm(callee)) {
    refuse(s, "calls a function through a pointer");
    return;
  }
  size_t length;
  const char *constraints = LLVMGetInlineAsmConstraintString(callee, &length);
  if (memmem(constraints, length, host, sizeof host - 1))
    refuse(s, "has assembly of the host's processor");
}

static void look_at_instruction(struct search *s, LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (mpl_gpu_is_variable(i)) {
    if (!mpl_gpu_knows_variable(s->ir, i)) refuse(s, "chooses among device_globals while it runs");
    return;
  }
  if (opcode == LLVMInvoke || opcode == LLVMResume || opcode == LLVMCallBr ||
      opcode == LLVMIndirectBr)
    refuse(s, "has flow of control that a GPU does not have");
  if (LLVMIsAAllocaInst(i) && !LLVMIsAConstantInt(LLVMGetOperand(i, 0)))
    refuse(s, "has an array of variable length");
  if (LLVMIsACallInst(i)) look_at_call(s, i);
  if (is_foreign_type(LLVMTypeOf(i))) refuse(s, "computes with long double");
  for (int k = 0; k < LLVMGetNumOperands(i); k++) {
    LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
    if (LLVMValueIsBasicBlock(operand)) continue;
    if (is_foreign_type(LLVMTypeOf(operand))) refuse(s, "computes with long double");
    look_at(s, operand);
  }
}

static void look_at_function(struct search *s, LLVMValueRef function) {
  if (!mpl_map_add(&s->seen, function)) return;
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (!*s->why) look_at_instruction(s, i);
  }
}

static void note(struct mpl_module_ir *ir, const struct mpl_ir_kernel *kernel, const char *why) {
  char line[1024];
  snprintf(line, sizeof line, "//mpl without %s %s\n", kernel->name, why);
  LLVMAppendModuleInlineAsm(ir->module, line, strlen(line));
}

bool mpl_leave_out_lacking(struct mpl_module_ir *ir) {
  if (!ir->single_source) return false;
  MPL_ARRAY(bool, out, ir->num_kernels + 1);
  bool any = false;
  for (unsigned k = 0; k < ir->num_kernels; k++) {
    struct search search = {.ir = ir, .why = ""};
    look_at_function(&search, ir->kernels[k].group);
    mpl_map_free(&search.seen);
    out[k] = *search.why;
    if (out[k])
      note(ir, &ir->kernels[k], search.why);
    else
      mpl_gpu_place_variables(ir, &ir->kernels[k]);
    any |= out[k];
  }
  mpl_leave_out(ir, out);
  if (any) mpl_run_llvm_passes(ir, "globaldce");
  return any;
}
