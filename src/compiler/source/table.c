/* Emits `mpl_object`, the table of abi/kernel.h. */
#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"
#include "compiler/passes.h"
#include "source.h"

struct builder {
  struct mpl_module_ir *ir;
  LLVMTypeRef arg_type, kernel_type, object_type;
};

static LLVMValueRef const32(struct builder *t, uint32_t value) {
  return mpl_const32(t->ir, value);
}
static LLVMValueRef const8(struct builder *t, uint8_t value) {
  return LLVMConstInt(t->ir->i8, value, false);
}

static LLVMValueRef text(struct builder *t, const char *value) {
  return mpl_text(t->ir, value, strlen(value), "mpl.text");
}

static LLVMTypeRef struct_of(struct builder *t, LLVMTypeRef *elements, unsigned count) {
  return LLVMStructTypeInContext(t->ir->context, elements, count, false);
}

static void make_types(struct builder *t) {
  LLVMTypeRef i8 = t->ir->i8, i32 = t->ir->i32, i64 = t->ir->i64, ptr = t->ir->ptr;
  LLVMTypeRef three = LLVMArrayType2(i32, 3);
  LLVMTypeRef arg[] = {ptr, ptr, i32, i32, i32, i32, i8, i8, i8, i8};
  LLVMTypeRef kernel[] = {ptr, ptr,   ptr,   i32, i32, i64, i64, i32,
                          i32, three, three, i32, i32, i32, ptr, ptr, i64};
  LLVMTypeRef object[] = {i32, i32, ptr, ptr, ptr, i64, i32, i32, ptr, ptr};
  t->arg_type = struct_of(t, arg, 10);
  t->kernel_type = struct_of(t, kernel, 17);
  t->object_type = struct_of(t, object, 10);
}

static LLVMValueRef arg_entry(struct builder *t, const struct mpl_ir_arg *a) {
  LLVMValueRef fields[] = {text(t, a->name),      text(t, a->type_name),
                           const32(t, a->size),   const32(t, a->align),
                           const32(t, a->offset), const32(t, a->pointee_align),
                           const8(t, a->kind),    const8(t, a->address_space),
                           const8(t, a->access),  const8(t, a->qualifier)};
  return LLVMConstStructInContext(t->ir->context, fields, 10, false);
}

static LLVMValueRef three_numbers(struct builder *t, const unsigned numbers[3]) {
  LLVMValueRef values[] = {const32(t, numbers[0]), const32(t, numbers[1]), const32(t, numbers[2])};
  return LLVMConstArray2(t->ir->i32, values, 3);
}

static unsigned flags_of(const struct mpl_ir_kernel *k) {
  unsigned most = UINT32_MAX >> MPL_KERNEL_SYNCS_SHIFT;
  unsigned syncs = k->num_syncs < most ? k->num_syncs : most;
  return k->flags | k->widest << MPL_KERNEL_LANES_SHIFT | syncs << MPL_KERNEL_SYNCS_SHIFT;
}

/* A kernel whose groups have one work-item has that function only. */
static void drop_unused(struct mpl_ir_kernel *k) {
  if (!k->lone || !mpl_is_always_lone(k)) return;
  LLVMDeleteFunction(k->group);
  k->group = k->lone;
  k->lone = NULL;
  k->widest = 0;
}

static LLVMValueRef kernel_entry(struct builder *t, struct mpl_ir_kernel *k) {
  drop_unused(k);
  MPL_ARRAY(LLVMValueRef, args, k->num_args);
  for (unsigned i = 0; i < k->num_args; i++) args[i] = arg_entry(t, &k->args[i]);
  LLVMValueRef list =
      mpl_constant(t->ir, LLVMConstArray2(t->arg_type, args, k->num_args), "mpl.args");
  LLVMValueRef fields[] = {text(t, k->name),
                           k->group,
                           list,
                           const32(t, k->num_args),
                           const32(t, k->args_size),
                           mpl_const64(t->ir, k->local_size),
                           mpl_const64(t->ir, k->private_size),
                           const32(t, k->scratch_per_item),
                           const32(t, k->scratch_fixed),
                           three_numbers(t, k->reqd_local),
                           three_numbers(t, k->hint_local),
                           const32(t, k->reqd_sub_group),
                           const32(t, k->sub_group),
                           const32(t, flags_of(k)),
                           text(t, k->attributes),
                           k->lone ? k->lone : LLVMConstPointerNull(t->ir->ptr),
                           mpl_const64(t->ir, 0)};
  LLVMSetLinkage(k->group, LLVMInternalLinkage);
  if (k->lone) LLVMSetLinkage(k->lone, LLVMInternalLinkage);
  return LLVMConstStructInContext(t->ir->context, fields, 17, false);
}

/* Program-scope variables: their size for the query, and whether any can be written. */
static void measure_globals(struct mpl_module_ir *ir, uint64_t *size, uint32_t *flags) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(ir->module); g; g = LLVMGetNextGlobal(g)) {
    if (LLVMIsGlobalConstant(g) || LLVMIsDeclaration(g)) continue;
    *size += LLVMABISizeOfType(ir->layout, LLVMGlobalGetValueType(g));
    *flags |= MPL_OBJECT_WRITES_GLOBALS;
  }
}

/* The kernel of this name, which no user's has, is no longer one of *count; or null. */
static LLVMValueRef set_apart(struct builder *t, LLVMValueRef list, const char *name,
                              uint32_t *count) {
  LLVMValueRef index;
  for (unsigned k = 0; k < t->ir->num_kernels; k++) {
    if (strcmp(t->ir->kernels[k].name, name) != 0) continue;
    index = const32(t, k);
    --*count;
    return LLVMConstInBoundsGEP2(t->kernel_type, list, &index, 1);
  }
  return LLVMConstPointerNull(t->ir->ptr);
}

/* The address of an entry, for what enqueues its block; whether it is one of a block. */
static bool set_block(struct builder *t, LLVMValueRef list, unsigned k) {
  LLVMValueRef place = mpl_block_place(t->ir, t->ir->kernels[k].name), index = const32(t, k);
  if (!place) return false;
  LLVMReplaceAllUsesWith(place, LLVMConstInBoundsGEP2(t->kernel_type, list, &index, 1));
  LLVMDeleteGlobal(place);
  return true;
}

bool mpl_emit_table(struct mpl_module_ir *ir) {
  struct builder t = {.ir = ir};
  uint64_t globals_size = 0;
  uint32_t flags = 0;
  make_types(&t);
  measure_globals(ir, &globals_size, &flags);
  MPL_ARRAY(LLVMValueRef, kernels, ir->num_kernels);
  for (unsigned k = 0; k < ir->num_kernels; k++) kernels[k] = kernel_entry(&t, &ir->kernels[k]);
  LLVMValueRef list =
      mpl_constant(ir, LLVMConstArray2(t.kernel_type, kernels, ir->num_kernels), "mpl.kernels");
  uint32_t num_blocks = 0;
  for (unsigned k = 0; k < ir->num_kernels; k++) num_blocks += set_block(&t, list, k);
  LLVMValueRef first_block = const32(&t, ir->num_kernels - num_blocks);
  uint32_t count = ir->num_kernels - num_blocks; /* those set apart are behind the program's own */
  LLVMValueRef construct = set_apart(&t, list, MPL_CONSTRUCT, &count);
  LLVMValueRef destruct = set_apart(&t, list, MPL_DESTRUCT, &count);
  LLVMValueRef fields[] = {const32(&t, MPL_ABI_VERSION),
                           const32(&t, count),
                           list,
                           construct,
                           destruct,
                           mpl_const64(ir, globals_size),
                           const32(&t, flags),
                           const32(&t, num_blocks),
                           LLVMConstInBoundsGEP2(t.kernel_type, list, &first_block, 1),
                           LLVMConstNull(ir->ptr)};
  LLVMValueRef value = LLVMConstStructInContext(ir->context, fields, 10, false);
  mpl_add_global(ir->module, value, MPL_OBJECT_SYMBOL, LLVMExternalLinkage, true);
  return true;
}
