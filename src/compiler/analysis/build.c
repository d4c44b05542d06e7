#include <stdlib.h>
#include <string.h>

#include "ir.h"

LLVMValueRef mpl_const32(struct mpl_module_ir *ir, uint32_t value) {
  return LLVMConstInt(ir->i32, value, false);
}

LLVMValueRef mpl_const64(struct mpl_module_ir *ir, uint64_t value) {
  return LLVMConstInt(ir->i64, value, false);
}

LLVMValueRef mpl_add_global(LLVMModuleRef module, LLVMValueRef value, const char *name, LLVMLinkage linkage,
                            bool is_constant) {
  LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(value), name);
  LLVMSetInitializer(global, value);
  LLVMSetLinkage(global, linkage);
  LLVMSetGlobalConstant(global, is_constant);
  return global;
}

LLVMValueRef mpl_constant(struct mpl_module_ir *ir, LLVMValueRef value, const char *name) {
  return mpl_add_global(ir->module, value, name, LLVMPrivateLinkage, true);
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

LLVMValueRef mpl_declare(LLVMModuleRef module, const char *name, LLVMTypeRef type) {
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  return function ? function : LLVMAddFunction(module, name, type);
}

LLVMValueRef mpl_call_named(LLVMModuleRef module, LLVMBuilderRef b, const char *name, LLVMTypeRef result,
                            LLVMValueRef *args, unsigned count) {
  LLVMTypeRef type = mpl_type_for(result, args, count);
  return LLVMBuildCall2(b, type, mpl_declare(module, name, type), args, count, "");
}

LLVMValueRef mpl_call_assembly(LLVMBuilderRef b, const char *text, const char *constraints, bool has_effect,
                               LLVMTypeRef result, LLVMValueRef *args, unsigned count) {
  LLVMTypeRef type = mpl_type_for(result, args, count);
  LLVMValueRef code = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), has_effect,
                                       false, LLVMInlineAsmDialectATT, false);
  return LLVMBuildCall2(b, type, code, args, count, "");
}

LLVMValueRef mpl_begin_function(LLVMModuleRef module, LLVMBuilderRef b, const char *name, LLVMTypeRef result,
                                LLVMTypeRef *params, unsigned count) {
  LLVMValueRef function = LLVMAddFunction(module, name, LLVMFunctionType(result, params, count, false));
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(LLVMGetModuleContext(module), function, "entry"));
  return function;
}

LLVMValueRef mpl_call_overloaded(LLVMBuilderRef b, const char *name, LLVMTypeRef *types, unsigned num_types,
                                 LLVMValueRef *args, unsigned count) {
  LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)));
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, id, types, num_types);
  return LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, args, count, "");
}

LLVMValueRef mpl_call_intrinsic(LLVMBuilderRef b, const char *name, LLVMTypeRef type, LLVMValueRef *args,
                                unsigned count) {
  return mpl_call_overloaded(b, name, &type, type != NULL, args, count);
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

LLVMValueRef mpl_load_behind(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMTypeRef type, LLVMValueRef base,
                         uint64_t bytes) {
  return LLVMBuildLoad2(b, type, mpl_offset(ir, b, base, mpl_const64(ir, bytes)), "");
}

LLVMValueRef mpl_aligned_load(LLVMBuilderRef b, LLVMTypeRef type, LLVMValueRef at, unsigned align) {
  LLVMValueRef value = LLVMBuildLoad2(b, type, at, "");
  LLVMSetAlignment(value, align);
  return value;
}

void mpl_aligned_store(LLVMBuilderRef b, LLVMValueRef value, LLVMValueRef at, unsigned align) {
  LLVMSetAlignment(LLVMBuildStore(b, value, at), align);
}

void mpl_dispose_builder(LLVMBuilderRef *b) {
  LLVMDisposeBuilder(*b);
}

void mpl_go_on_in(LLVMBuilderRef b, LLVMBasicBlockRef block) {
  LLVMBuildBr(b, block);
  LLVMPositionBuilderAtEnd(b, block);
}

LLVMValueRef mpl_phi(LLVMBuilderRef b, LLVMValueRef *values, LLVMBasicBlockRef *from, unsigned count) {
  LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(values[0]), "");
  LLVMAddIncoming(phi, values, from, count);
  return phi;
}

LLVMValueRef mpl_shuffle(LLVMBuilderRef b, LLVMValueRef vector, LLVMValueRef other, const int *which,
                         unsigned count) {
  LLVMTypeRef type = LLVMTypeOf(vector), i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  MPL_ARRAY(LLVMValueRef, each, count);
  int there = (int)LLVMGetVectorSize(type) * (other ? 2 : 1);
  for (unsigned k = 0; k < count; k++)
    each[k] = which[k] < 0 || which[k] >= there ? LLVMGetPoison(i32)
                                                : LLVMConstInt(i32, (unsigned)which[k], false);
  if (!other) other = LLVMGetPoison(type);
  return LLVMBuildShuffleVector(b, vector, other, LLVMConstVector(each, count), "");
}

LLVMValueRef mpl_pick(LLVMBuilderRef b, LLVMValueRef vector, LLVMValueRef other,
                      const struct mpl_pick *pick) {
  MPL_ARRAY(int, which, pick->count);
  int by = pick->by ? (int)pick->by : 1;
  for (int k = 0; k < (int)pick->count; k++)
    which[k] = pick->first + k / by * pick->outer + k % by * pick->inner;
  return mpl_shuffle(b, vector, other, which, pick->count);
}

LLVMValueRef mpl_elements(LLVMBuilderRef b, LLVMValueRef vector, LLVMValueRef other, unsigned first,
                          unsigned count) {
  return mpl_pick(b, vector, other, &(struct mpl_pick){count, .first = (int)first, .outer = 1});
}
