#include <string.h>

#include "ir.h"

LLVMValueRef mpl_const32(struct mpl_module_ir *ir, uint32_t value) {
  return LLVMConstInt(ir->i32, value, false);
}

LLVMValueRef mpl_const64(struct mpl_module_ir *ir, uint64_t value) {
  return LLVMConstInt(ir->i64, value, false);
}

LLVMValueRef mpl_constant(struct mpl_module_ir *ir, LLVMValueRef value, const char *name) {
  LLVMValueRef global = LLVMAddGlobal(ir->module, LLVMTypeOf(value), name);
  LLVMSetInitializer(global, value);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(global, true);
  return global;
}

LLVMValueRef mpl_text(struct mpl_module_ir *ir, const char *text, size_t length, const char *name) {
  return mpl_constant(ir, LLVMConstStringInContext2(ir->context, text, length, false), name);
}

LLVMTypeRef mpl_type_for(LLVMTypeRef result, LLVMValueRef *args, unsigned count) {
  enum { MOST = 12 };
  LLVMTypeRef types[MOST];
  for (unsigned k = 0; k < count; k++) types[k] = LLVMTypeOf(args[k]);
  return LLVMFunctionType(result, types, count, false);
}

LLVMValueRef mpl_call(LLVMBuilderRef b, LLVMValueRef function, LLVMTypeRef result,
                      LLVMValueRef *args, unsigned count) {
  return LLVMBuildCall2(b, mpl_type_for(result, args, count), function, args, count, "");
}

LLVMValueRef mpl_call_intrinsic(struct mpl_module_ir *ir, LLVMBuilderRef b, const char *name,
                                LLVMTypeRef type, LLVMValueRef *args, unsigned count) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(ir->module, id, &type, type != NULL);
  return LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, args, count, "");
}

LLVMValueRef mpl_load_field(LLVMBuilderRef b, LLVMTypeRef type, LLVMValueRef pointer,
                            unsigned field, const char *name) {
  LLVMValueRef at = LLVMBuildStructGEP2(b, type, pointer, field, "");
  return LLVMBuildLoad2(b, LLVMStructGetTypeAtIndex(type, field), at, name);
}

LLVMValueRef mpl_offset(struct mpl_module_ir *ir, LLVMBuilderRef builder, LLVMValueRef base,
                        LLVMValueRef bytes) {
  return LLVMBuildInBoundsGEP2(builder, ir->i8, base, &bytes, 1, "");
}
