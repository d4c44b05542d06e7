/* maniple's passes over one module, and what they hand to one another.
 *
 * The order, and what each does, is the table in passes.c. */
#ifndef MPL_COMPILER_PASSES_H
#define MPL_COMPILER_PASSES_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

#include "compiler/analysis/map.h"
#include "shim.h"

enum mpl_marker {
  MPL_NO_MARKER,
#define MPL_MARKER(id, name, prefix) MPL_MARK_##id,
#include "tables/markers.def"
#undef MPL_MARKER
};

/* Which marker an instruction calls, if any. */
enum mpl_marker mpl_marker_of(LLVMValueRef instruction);

/* Where work-items meet: those of the work-group, or those of a sub-group. */
static inline bool mpl_is_group_sync(enum mpl_marker marker) {
  return marker >= MPL_MARK_YIELD && marker <= MPL_MARK_BROADCAST;
}
static inline bool mpl_is_lanes_sync(enum mpl_marker marker) {
  return marker >= MPL_MARK_LANES_BARRIER && marker <= MPL_MARK_LANES_ACTIVE;
}
static inline bool mpl_is_sync(enum mpl_marker marker) {
  return mpl_is_group_sync(marker) || mpl_is_lanes_sync(marker);
}

/* The work-item's own place: all that distinguishes it from others. */
static inline bool mpl_is_id(enum mpl_marker marker) {
  return marker >= MPL_MARK_LOCAL_ID_0 && marker <= MPL_MARK_LANE_ID;
}

/* Its result replaces the operands. */
static inline bool mpl_is_in_place(enum mpl_marker marker) {
  return marker == MPL_MARK_SCAN || marker == MPL_MARK_LANES_SCAN ||
         marker == MPL_MARK_LANES_CLUSTER || marker == MPL_MARK_LANES_PERMUTE;
}

/* Sorts of instructions that only compute (opcodes.def). */
enum {
  MPL_INTEGER = 1,       /* and conversions between integers */
  MPL_SELECT = 2,
  MPL_ADDRESS = 4,
  MPL_POINTER = 8,       /* conversions of pointers */
  MPL_FROM_INTEGER = 16, /* to floating point */
  MPL_FLOATING = 32,
};
/* Is it an instruction of one of these sorts, which may be combined with |? */
bool mpl_only_computes(LLVMValueRef, unsigned sorts);

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
  unsigned sub_group; /* work-items of a full sub-group */
  bool uses_lanes;    /* it calls sub-group functions: the unit of regions is the sub-group */
  char *attributes;
};

struct mpl_module_ir {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef layout;
  LLVMTypeRef i1, i8, i32, i64, ptr, void_type;
  LLVMTypeRef launch_type, group_type; /* struct mpl_launch, struct mpl_group of abi/kernel.h */
  LLVMTypeRef unit_type;               /* see enum mpl_unit_field */
  struct mpl_ir_kernel *kernels;
  unsigned num_kernels;
  const char *dump_dir; /* or "" */
  bool has_masks; /* the processor keeps conditions of vectors as bits, not as lanes of ones */
  bool checked; /* for the checking engine */
  bool watched; /* and it hears of accesses */
  LLVMValueRef access_hook; /* where watched code finds mpl_item_host.access; null: it is not watched */
  bool failed; /* an error was reported: no pass runs after it */
  const struct mpl_records *records; /* the kernels are those of a C or C++ program (record.h) */
  char *why; /* takes the first error, in place of the user's terminal; or null */
};

/* What a sub-group's function gets in place of a struct mpl_group, and begins with one. */
enum mpl_unit_field {
  MPL_UNIT_GROUP,
  MPL_UNIT_FIRST,  /* i64: local linear id of its first work-item */
  MPL_UNIT_X,      /* i64: local ids of the first work-item */
  MPL_UNIT_Y,
  MPL_UNIT_Z,
  MPL_UNIT_ID,     /* i32: which sub-group */
  MPL_UNIT_HERE,   /* i32: how many work-items it has */
  MPL_UNIT_REGION, /* i32: where to go on; on return, where it stands; enum mpl_unit_apart */
  MPL_UNIT_RESULT, /* i64: of the work-group function that it stood at */
  MPL_UNIT_FIELDS,
};

/* Added to the region: the work-items of the sub-group stand at different regions. */
enum mpl_unit_apart { MPL_UNIT_APART = 1 << 24 };

/* The kernels that mpl_find_lifetimes makes; no name that a program can give. */
#define MPL_CONSTRUCT "mpl.construct"
#define MPL_DESTRUCT  "mpl.destruct"

/* The passes, in order. */
void mpl_find_lifetimes(struct mpl_module_ir *);
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
void mpl_compact_stores(struct mpl_module_ir *);
void mpl_peel_loops(struct mpl_module_ir *);
void mpl_interchange_loops(struct mpl_module_ir *);
void mpl_set_one_item_apart(struct mpl_module_ir *);
void mpl_let_spinning_yield(struct mpl_module_ir *);
void mpl_split_kernels(struct mpl_module_ir *);
void mpl_emit_table(struct mpl_module_ir *);

/* The attribute of functions that run a whole work-group. */
#define MPL_GROUP_FUNCTION "maniple-group"

/* For the checking engine, which MANIPLE_CHECK asks for: instead of the passes from launch on. */
void mpl_name_calls(struct mpl_module_ir *);
void mpl_make_items(struct mpl_module_ir *);
#define MPL_AT "__mpl_at" /* from the one to the other */

/* accesses.c, unless MANIPLE_CHECK_MEMORY is off.  In front of the inline pass: */
void mpl_keep_accesses(struct mpl_module_ir *); /* LLVM leaves loads and stores as they are */
/* Between the two above: */
void mpl_watch_accesses(struct mpl_module_ir *); /* each tells the engine */
/* Messages call what the pointer leads to by that name. */
void mpl_name_variable(struct mpl_module_ir *, LLVMValueRef pointer, const char *name);

/* branches.c: in front of each branch on which it depends whether a work-item comes to a collective
 * a call MPL_BRANCH(index, condition, and the fields of struct mpl_branch behind its place).
 * Returns how many. */
unsigned mpl_mark_branches(struct mpl_module_ir *, LLVMValueRef function);
#define MPL_BRANCH "__mpl_branch"

/* For kernels in C and C++ (single_source.c): in place of the passes of that name. */
void mpl_free_math(struct mpl_module_ir *);
void mpl_find_records(struct mpl_module_ir *);
void mpl_check_records(struct mpl_module_ir *);
void mpl_mark_math_calls(struct mpl_module_ir *);

/* Runs the passes for these on a module of theirs (extract.h); then `take`, unless there was an error,
 * which is in `why`. */
bool mpl_run_record_passes(LLVMModuleRef, const struct mpl_records *, char why[1024],
                           void (*take)(struct mpl_module_ir *, void *data), void *data);

/* What passes share. */
void mpl_copy_attributes(LLVMValueRef to, LLVMValueRef from); /* but for those on inlining */
/* The function that runs a work-group of the kernel, `void name(launch, group)`, up to where its
 * argument block is loaded; the builder is for what comes then, and given back at the end. */
LLVMBuilderRef mpl_begin_group_function(struct mpl_module_ir *, struct mpl_ir_kernel *,
                                        const char *name, LLVMValueRef *block);
void mpl_end_group_function(struct mpl_ir_kernel *, LLVMBuilderRef);
void mpl_check_clusters(struct mpl_module_ir *);
/* Of OpenCL C++: a local variable of program scope, until mpl_place_local_memory. */
bool mpl_is_program_local(LLVMValueRef global);

/* Reports at `where` (an instruction or a function) and marks the module as failed. */
void mpl_report(struct mpl_module_ir *, LLVMValueRef where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Runs LLVM's own passes, written as opt's -passes. */
void mpl_run_llvm_passes(struct mpl_module_ir *, const char *passes);

/* Small helpers over LLVM-C. */
LLVMValueRef mpl_const64(struct mpl_module_ir *, uint64_t);
LLVMValueRef mpl_load_field(LLVMBuilderRef, LLVMTypeRef structure, LLVMValueRef pointer,
                            unsigned field, const char *name);
LLVMValueRef mpl_offset(struct mpl_module_ir *, LLVMBuilderRef, LLVMValueRef base,
                        LLVMValueRef bytes);
unsigned mpl_enum_attribute(const char *name);
bool mpl_has_attribute(LLVMValueRef function, const char *name);
void mpl_set_metadata(struct mpl_module_ir *, LLVMValueRef instruction, const char *kind,
                      LLVMMetadataRef node);

#define MPL_EACH_FUNCTION(f, module) \
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
#define MPL_EACH_BLOCK(b, function) \
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
#define MPL_EACH_INSTRUCTION(i, block) \
  for (LLVMValueRef i = LLVMGetFirstInstruction(block), \
                    next_of_##i = i ? LLVMGetNextInstruction(i) : NULL; \
       i; i = next_of_##i, next_of_##i = i ? LLVMGetNextInstruction(i) : NULL)

#endif
