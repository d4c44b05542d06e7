/* Constants, calls and addresses, as passes build them. */
#ifndef MPL_COMPILER_BUILD_H
#define MPL_COMPILER_BUILD_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

struct mpl_module_ir;

LLVMValueRef mpl_const32(struct mpl_module_ir *, uint32_t);
LLVMValueRef mpl_const64(struct mpl_module_ir *, uint64_t);
/* A variable of the module that begins as the value. */
LLVMValueRef mpl_add_global(LLVMModuleRef, LLVMValueRef value, const char *name, LLVMLinkage, bool is_constant);
/* Private constants: any value, and characters with a 0 behind them. */
LLVMValueRef mpl_constant(struct mpl_module_ir *, LLVMValueRef value, const char *name);
LLVMValueRef mpl_text(struct mpl_module_ir *, const char *text, size_t length, const char *name);
/* The type of a function that takes just these arguments, and a call of it, by a pointer too. */
LLVMTypeRef mpl_type_for(LLVMTypeRef result, LLVMValueRef *args, unsigned count);
LLVMValueRef mpl_call(LLVMBuilderRef, LLVMValueRef function, LLVMTypeRef result, LLVMValueRef *args,
                      unsigned count);
/* The module's function of that name, declared if it has none; and a call of it. */
LLVMValueRef mpl_declare(LLVMModuleRef, const char *name, LLVMTypeRef type);
LLVMValueRef mpl_call_named(LLVMModuleRef, LLVMBuilderRef, const char *name, LLVMTypeRef result, LLVMValueRef *args,
                            unsigned count);
/* A call of the processor's own instructions. */
LLVMValueRef mpl_call_assembly(LLVMBuilderRef, const char *text, const char *constraints, bool has_effect,
                               LLVMTypeRef result, LLVMValueRef *args, unsigned count);
/* A function of the module, in whose entry block the builder stands then. */
LLVMValueRef mpl_begin_function(LLVMModuleRef, LLVMBuilderRef, const char *name, LLVMTypeRef result,
                                LLVMTypeRef *params, unsigned count);
/* A call of an intrinsic that is overloaded by `type`; null: it is not. */
LLVMValueRef mpl_call_intrinsic(LLVMBuilderRef, const char *name, LLVMTypeRef type, LLVMValueRef *args,
                                unsigned count);
/* The same of one that is overloaded by several. */
LLVMValueRef mpl_call_overloaded(LLVMBuilderRef, const char *name, LLVMTypeRef *types, unsigned num_types,
                                 LLVMValueRef *args, unsigned count);
LLVMValueRef mpl_load_field(LLVMBuilderRef, LLVMTypeRef structure, LLVMValueRef pointer,
                            unsigned field, const char *name);
LLVMValueRef mpl_aligned_load(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef at, unsigned align);
void mpl_aligned_store(LLVMBuilderRef, LLVMValueRef value, LLVMValueRef at, unsigned align);
/* A builder until the end of the block. */
#define MPL_BUILDER(name, context)                                                                 \
  __attribute__((cleanup(mpl_dispose_builder))) LLVMBuilderRef name = LLVMCreateBuilderInContext(context)
void mpl_dispose_builder(LLVMBuilderRef *);
/* Jumps to the block, which has what is built then. */
void mpl_go_on_in(LLVMBuilderRef, LLVMBasicBlockRef);
/* What came from one of the blocks: each has a value. */
LLVMValueRef mpl_phi(LLVMBuilderRef, LLVMValueRef *values, LLVMBasicBlockRef *from, unsigned count);
/* Elements of a vector and, behind them, of `other`, if it is not null: which[k] of each; poison where there
 * is no such element. */
LLVMValueRef mpl_shuffle(LLVMBuilderRef, LLVMValueRef vector, LLVMValueRef other, const int *which,
                         unsigned count);
/* The same by a rule: element k is number first + k / by * outer + k % by * inner; by 0: k * outer. */
struct mpl_pick {
  unsigned count, by;
  int first, outer, inner;
};
LLVMValueRef mpl_pick(LLVMBuilderRef, LLVMValueRef vector, LLVMValueRef other, const struct mpl_pick *);
/* So many elements from the first on. */
LLVMValueRef mpl_elements(LLVMBuilderRef, LLVMValueRef vector, LLVMValueRef other, unsigned first,
                          unsigned count);
LLVMValueRef mpl_offset(struct mpl_module_ir *, LLVMBuilderRef, LLVMValueRef base,
                        LLVMValueRef bytes);
LLVMValueRef mpl_load_behind(struct mpl_module_ir *, LLVMBuilderRef, LLVMTypeRef, LLVMValueRef base, uint64_t bytes);

#endif
