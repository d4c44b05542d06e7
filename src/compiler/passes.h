/* maniple's passes over one module, and what they hand to one another.
 *
 * The order, and what each does, is the table in passes.c. */
#ifndef MPL_COMPILER_PASSES_H
#define MPL_COMPILER_PASSES_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

#include "map.h"
#include "shim.h"

enum mpl_marker {
  MPL_NO_MARKER,
#define MPL_MARKER(id, name, prefix) MPL_MARK_##id,
#include "markers.def"
#undef MPL_MARKER
};

/* Which marker an instruction calls, if any. */
enum mpl_marker mpl_marker_of(LLVMValueRef instruction);

static inline bool mpl_is_sync(enum mpl_marker marker) {
  return marker >= MPL_MARK_BARRIER && marker <= MPL_MARK_BROADCAST;
}

struct mpl_ir_arg {
  const char *name, *type_name;
  unsigned size, align, offset, pointee_align, kind, address_space, access, qualifier;
};

/* One kernel: the user's function, and the group function that runs it for all work-items. */
struct mpl_ir_kernel {
  LLVMValueRef source, group; /* source is gone after the inline pass */
  char *name;
  struct mpl_ir_arg *args;
  unsigned num_args, args_size;
  uint64_t local_size;
  unsigned scratch_per_item, scratch_fixed, private_size;
  unsigned reqd_local[3], hint_local[3], reqd_sub_group, flags;
  char *attributes;
};

struct mpl_module_ir {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef layout;
  LLVMTypeRef i1, i8, i32, i64, ptr, void_type;
  LLVMTypeRef launch_type, group_type; /* struct mpl_launch, struct mpl_group of abi.h */
  struct mpl_ir_kernel *kernels;
  unsigned num_kernels;
  const char *dump_dir;
  bool failed; /* an error was reported: no pass runs after it */
};

/* The passes, in order. */
void mpl_link_library(struct mpl_module_ir *);
void mpl_guard_divisions(struct mpl_module_ir *);
void mpl_find_kernels(struct mpl_module_ir *);
void mpl_lower_printf(struct mpl_module_ir *);
void mpl_inline(struct mpl_module_ir *);
void mpl_check_calls(struct mpl_module_ir *);
void mpl_hoist_launch(struct mpl_module_ir *);
void mpl_lower_local_atomics(struct mpl_module_ir *);
void mpl_place_local_memory(struct mpl_module_ir *);
void mpl_hoist_uniform(struct mpl_module_ir *);
void mpl_pack_stores(struct mpl_module_ir *);
void mpl_interchange_loops(struct mpl_module_ir *);
void mpl_set_leaders_apart(struct mpl_module_ir *);
void mpl_split_kernels(struct mpl_module_ir *);
void mpl_emit_table(struct mpl_module_ir *);

/* Reports at `where` (an instruction or a function) and marks the module as failed. */
void mpl_report(struct mpl_module_ir *, LLVMValueRef where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Runs LLVM's own passes, written as opt's -passes. */
void mpl_run_llvm_passes(struct mpl_module_ir *, const char *passes);

/* Small helpers over LLVM-C. */
LLVMValueRef mpl_const64(struct mpl_module_ir *, uint64_t);
LLVMValueRef mpl_offset(struct mpl_module_ir *, LLVMBuilderRef, LLVMValueRef base, LLVMValueRef bytes);
unsigned mpl_enum_attribute(const char *name);
bool mpl_has_attribute(LLVMValueRef function, const char *name);
void mpl_set_metadata(struct mpl_module_ir *, LLVMValueRef instruction, const char *kind,
                      LLVMMetadataRef node);

#define MPL_EACH_FUNCTION(f, module) \
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
#define MPL_EACH_BLOCK(b, function) \
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
#define MPL_EACH_INSTRUCTION(i, block) \
  for (LLVMValueRef i = LLVMGetFirstInstruction(block), next_of_##i = i ? LLVMGetNextInstruction(i) : NULL; \
       i; i = next_of_##i, next_of_##i = i ? LLVMGetNextInstruction(i) : NULL)

#endif
