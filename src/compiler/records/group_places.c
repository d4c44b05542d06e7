/* Memory of a work-group that the program does not ask for at the launch: calls of mpl_group_place
 * (sycl_ext_oneapi_local_memory), each of which gets a variable of the thread, and variables of the
 * type work_group_static, which are such already (front_end/group_statics.cpp).  What a kernel reaches
 * of both is the local memory that its record says it needs. */
#include <llvm-c/Core.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/analysis/ir.h"
#include "compiler/analysis/map.h"
#include "record.h"

/* The call becomes the address of a variable of its own. */
static void place(LLVMModuleRef module, LLVMValueRef call, uint64_t size, uint64_t align) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef type = LLVMArrayType2(LLVMInt8TypeInContext(context), size);
  LLVMValueRef variable = LLVMAddGlobal(module, type, MPL_GROUP_PLACE);
  LLVMSetInitializer(variable, LLVMConstNull(type));
  LLVMSetLinkage(variable, LLVMInternalLinkage);
  LLVMSetThreadLocal(variable, true);
  LLVMSetAlignment(variable, (unsigned)align);
  static const char name[] = "llvm.threadlocal.address";
  LLVMValueRef address = LLVMGetIntrinsicDeclaration(
      module, LLVMLookupIntrinsicID(name, sizeof name - 1), &pointer, 1);
  MPL_BUILDER(b, context);
  LLVMPositionBuilderBefore(b, call);
  LLVMValueRef made =
      LLVMBuildCall2(b, LLVMGlobalGetValueType(address), address, &variable, 1, "");
  mpl_replace(call, made);
}

/* The functions of the header that call it are to be inlined always: until they are, all of their
 * callers have one call. */
static void inline_callers(LLVMModuleRef module) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, "always-inline", NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (error) abort();
}

void mpl_records_place(LLVMModuleRef module) {
  if (!LLVMGetNamedFunction(module, MPL_GROUP_PLACE)) return;
  inline_callers(module);
  LLVMValueRef function = LLVMGetNamedFunction(module, MPL_GROUP_PLACE);
  if (!function) return;
  MPL_EACH_USER(call, function) {
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function) continue;
    LLVMValueRef size = LLVMGetOperand(call, 0), align = LLVMGetOperand(call, 1);
    if (LLVMIsAConstantInt(size) && LLVMIsAConstantInt(align))
      place(module, call, LLVMConstIntGetZExtValue(size), LLVMConstIntGetZExtValue(align));
  }
}

/* --- How much a kernel needs --- */

struct sum {
  LLVMTargetDataRef layout;
  struct mpl_map seen; /* functions and variables */
  LLVMValueRef *stack; /* functions to look into */
  size_t depth;
  uint64_t bytes;
};

bool mpl_is_group_place(LLVMValueRef variable) {
  static const char type_name[] = "class.sycl::ext::oneapi::experimental::work_group_static";
  if (!LLVMIsThreadLocal(variable)) return false;
  LLVMTypeRef type = LLVMGlobalGetValueType(variable);
  const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
  return !strncmp(LLVMGetValueName(variable), MPL_GROUP_PLACE, sizeof MPL_GROUP_PLACE - 1) ||
         (name && !strncmp(name, type_name, sizeof type_name - 1));
}

static void see(struct sum *s, LLVMValueRef value) {
  if (!LLVMIsAGlobalValue(value) || mpl_map_has(&s->seen, value)) return;
  bool is_function = LLVMIsAFunction(value);
  if (is_function ? LLVMIsDeclaration(value)
                  : !LLVMIsAGlobalVariable(value) || !mpl_is_group_place(value))
    return;
  mpl_map_set(&s->seen, value, 1);
  if (is_function) {
    MPL_APPEND(s->stack, s->depth) = value;
  } else {
    s->bytes += LLVMABISizeOfType(s->layout, LLVMGlobalGetValueType(value));
  }
}

static void see_function(struct sum *s, LLVMValueRef function) {
  MPL_EACH_INSTRUCTION_OF(i, function)
  for (int k = 0; k < LLVMGetNumOperands(i); k++) {
    LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
    see(s, LLVMIsAConstantExpr(operand) ? LLVMGetOperand(operand, 0) : operand);
  }
}

static bool has_any(LLVMModuleRef module) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (mpl_is_group_place(g)) return true;
  return false;
}

void mpl_records_count_places(LLVMModuleRef module, struct mpl_records *records) {
  struct sum s = {.layout = LLVMGetModuleDataLayout(module)};
  for (unsigned i = 0; i < records->count && (i || has_any(module)); i++) {
    s.bytes = 0;
    see(&s, records->list[i].item);
    while (s.depth) see_function(&s, s.stack[--s.depth]);
    if (s.bytes) mpl_record_set_number(&records->list[i], MPL_RECORD_FIELD(local_size), s.bytes);
    mpl_map_free(&s.seen);
  }
  free(s.stack);
}
