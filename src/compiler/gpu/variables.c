/* Variables of the program that each device has for itself (sycl_ext_oneapi_device_global).  A
 * kernel asks for the place of one by its address on the host, which is a constant by now.  The
 * launch comes with the places of all that the kernel asks for (host/instances.c), in the order of
 * comments of the text (records/gpu_variables.c):
 *
 *   //mpl variable KERNEL NAME OFFSET INITIAL OFFSET SIZE ALIGN
 *
 * where INITIAL is "-" for zeros. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/gpu.h"
#include "compiler/passes.h"
#include "compiler/source/source.h"
#include "gpu.h"

enum { LAUNCH, VARIABLE, INITIAL, SIZE, ALIGN }; /* the call's operands */

bool mpl_gpu_is_variable(LLVMValueRef i) {
  LLVMValueRef callee = LLVMIsACallInst(i) ? mpl_callee_of(i) : NULL;
  return callee && !strcmp(LLVMGetValueName(callee), "__mpl_gpu_variable");
}

/* A global and how far behind its beginning; false: it is none that is known. */
static bool is_place(struct mpl_module_ir *ir, LLVMValueRef value, LLVMValueRef *global,
                     uint64_t *offset) {
  int64_t at = 0;
  *global = mpl_gpu_constant_base(ir->module, value, &at);
  *offset = (uint64_t)at;
  return LLVMIsAGlobalVariable(*global) && at >= 0;
}

bool mpl_gpu_knows_variable(struct mpl_module_ir *ir, LLVMValueRef call) {
  LLVMValueRef global, initial = LLVMGetOperand(call, INITIAL);
  uint64_t offset;
  return is_place(ir, LLVMGetOperand(call, VARIABLE), &global, &offset) &&
         (LLVMIsAConstantPointerNull(initial) || is_place(ir, initial, &global, &offset)) &&
         LLVMIsAConstantInt(LLVMGetOperand(call, SIZE)) &&
         LLVMIsAConstantInt(LLVMGetOperand(call, ALIGN));
}

static void note(struct mpl_module_ir *ir, const struct mpl_ir_kernel *kernel, LLVMValueRef call) {
  char line[2048], first[64] = "- 0";
  LLVMValueRef global, initial = LLVMGetOperand(call, INITIAL), of = NULL;
  uint64_t offset, from = 0;
  if (!LLVMIsAConstantPointerNull(initial)) is_place(ir, initial, &of, &from);
  is_place(ir, LLVMGetOperand(call, VARIABLE), &global, &offset);
  int used = snprintf(line, sizeof line, "//mpl variable %s %s %" PRIu64 " ", kernel->name,
                      LLVMGetValueName(global), offset);
  if (of)
    used += snprintf(line + used, sizeof line - (size_t)used, "%s %" PRIu64, LLVMGetValueName(of),
                     from);
  else
    used += snprintf(line + used, sizeof line - (size_t)used, "%s", first);
  snprintf(line + used, sizeof line - (size_t)used, " %llu %llu\n",
           LLVMConstIntGetZExtValue(LLVMGetOperand(call, SIZE)),
           LLVMConstIntGetZExtValue(LLVMGetOperand(call, ALIGN)));
  LLVMAppendModuleInlineAsm(ir->module, line, strlen(line));
}

/* The place is the same while the kernel runs, and nobody writes the list. */
static LLVMValueRef load(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef from,
                         uint64_t offset) {
  LLVMValueRef value = mpl_load_behind(ir, b, ir->ptr, from, offset);
  mpl_mark(ir, value, "invariant.load");
  return value;
}

/* Its number among those that the kernel asks for. */
static unsigned number_of(LLVMValueRef *known, unsigned *count, LLVMValueRef call) {
  LLVMValueRef variable = LLVMGetOperand(call, VARIABLE);
  for (unsigned i = 0; i < *count; i++)
    if (known[i] == variable) return i;
  known[*count] = variable;
  return (*count)++;
}

void mpl_gpu_place_variables(struct mpl_module_ir *ir, const struct mpl_ir_kernel *kernel) {
  unsigned count = 0, calls = 0;
  MPL_EACH_INSTRUCTION_OF(i, kernel->group) calls += mpl_gpu_is_variable(i);
  if (!calls) return;
  MPL_ARRAY(LLVMValueRef, known, calls);
  MPL_BUILDER(b, ir->context);
  MPL_EACH_INSTRUCTION_OF(i, kernel->group) {
    if (!mpl_gpu_is_variable(i)) continue;
    unsigned before = count, number = number_of(known, &count, i);
    if (number == before) note(ir, kernel, i);
    LLVMPositionBuilderBefore(b, i);
    LLVMValueRef launch = LLVMBuildIntToPtr(b, LLVMGetOperand(i, LAUNCH), ir->ptr, "");
    LLVMValueRef list = load(ir, b, launch, offsetof(struct mpl_launch, args));
    mpl_replace(i, load(ir, b, list, number * sizeof(uint64_t)));
  }
}
