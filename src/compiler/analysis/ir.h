/* The module that the passes work on: its kernels, and the types that they need. */
#ifndef MPL_COMPILER_IR_H
#define MPL_COMPILER_IR_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

#include "attributes.h"
#include "build.h"
#include "instructions.h"
#include "map.h"
#include "report.h"
#include "shim.h"

struct mpl_ir_arg {
  const char *name, *type_name;
  unsigned size, align, offset, pointee_align, kind, address_space, access, qualifier;
};

/* What stands for an argument in a filter of a kernel in C or C++: struct mpl_filter_root of
 * abi/filter.h. */
struct mpl_ir_root {
  unsigned kind, from;
  uint64_t offset, size;
  LLVMValueRef variable;
};

/* One kernel: the user's function, and the group function that runs it for all work-items. */
struct mpl_ir_kernel {
  LLVMValueRef source, group; /* source is gone after the inline pass */
  LLVMValueRef along_x;       /* which the group function calls for groups that are too narrow along
                                 the dimension of its own lanes; or null */
  LLVMValueRef few;           /* which it calls for groups of few work-items (split/few.c); or null */
  LLVMValueRef unit;          /* or if its strides are one (split/unit_strides.c); or null */
  LLVMValueRef *pieces;       /* of these, functions of their own (split/emit/outline.c) */
  unsigned num_pieces;
  LLVMValueRef lone;          /* runs groups of one work-item (prepare/lone.c); or null */
  char *name;
  struct mpl_ir_arg *args;
  unsigned num_args, args_size;
  struct mpl_ir_root *roots; /* one for each of `args`; null: an OpenCL kernel */
  unsigned record;           /* its number in mpl_module_ir.records */
  bool has_no_groups;        /* MPL_RECORD_NO_GROUPS: collectives are a mistake */
  uint64_t local_size;
  unsigned scratch_per_item, scratch_fixed, private_size;
  unsigned reqd_local[3], hint_local[3], reqd_sub_group, flags;
  unsigned dims;            /* of its ranges, or 0: any */
  unsigned sub_group;       /* work-items of a full sub-group */
  unsigned widest;          /* lanes of its widest work-item loop; 0: none is widened */
  unsigned num_syncs;       /* where it calls barriers and collectives */
  bool has_rows;            /* it asks for ids of several dimensions */
  const char *keeps_vectors; /* why they are not components, and it is not widened; or null */
  LLVMValueRef filter_uses; /* of a filter: its struct mpl_filter_use, an array (items/filter.c) */
  bool hides_arrays;        /* a filter cannot follow its private arrays (items/own_arrays.c) */
  bool has_steps;           /* of a filter: barriers of sub-groups order memory */
  bool is_block;            /* it is enqueued by others (a GPU's; gpu/table.c) */
  bool uses_lanes;          /* it calls sub-group functions: the unit of regions is the sub-group */
  unsigned cases;           /* regions for cases, of which a launch takes one (unswitch.c) */
  char *attributes;
};

static inline bool mpl_is_always_lone(const struct mpl_ir_kernel *kernel) {
  const unsigned *local = kernel->reqd_local;
  return local[0] == 1 && local[1] == 1 && local[2] == 1;
}

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
  const char *pass;     /* that runs */
  const struct mpl_target *target; /* of all its functions (target.h) */
  bool checked;   /* for the checking engine */
  bool filters;   /* for the checking engine's filters, which are compiled as others are */
  bool gpu;       /* for a GPU */
  bool by_item;   /* one of these: kernels stay functions of one work-item */
  bool single_source;   /* for a GPU: the kernels are of a C or C++ program (records/gpu_part.c) */
  bool local_as_global; /* global pointers may hold addresses of what is local (source/local.c) */
  bool plain;           /* for a debugger: checked, and nothing is optimised */
  bool watched;         /* and it hears of accesses */
  bool many_images;     /* the program accesses images in many places: source/inline.c */
  LLVMValueRef
      access_hook; /* where watched code finds mpl_item_host.access; null: it is not watched */
  LLVMValueRef inside_hook;          /* the same of mpl_item_host.inside */
  bool watches_atomics;              /* accesses that it hears of are atomic, or fences */
  struct mpl_repeats *repeats;       /* from the pass accesses to the pass repeats */
  bool failed;                       /* an error was reported: no pass runs after it */
  const struct mpl_records *records; /* the kernels are those of a C or C++ program (record.h) */
  char *why; /* takes the first error, in place of the user's terminal; or null */
  const char *alone; /* the kernel of a C or C++ program that is compiled by itself; or null */
};

#define MPL_EACH_KERNEL(kernel, ir)                                                                \
  for (struct mpl_ir_kernel *kernel = (ir)->kernels;                                               \
       (size_t)(kernel - (ir)->kernels) < (ir)->num_kernels; kernel++)

/* Fills in the types; the caller and the passes fill in the rest. */
void mpl_ir_begin(struct mpl_module_ir *, LLVMModuleRef);
void mpl_ir_end(struct mpl_module_ir *); /* frees the kernels */
void mpl_ir_free_kernel(struct mpl_ir_kernel *); /* what it holds */

/* A copy of the group function, which is called as the kernel is, with `prefix` in front. */
LLVMValueRef mpl_copy_group(const struct mpl_ir_kernel *, const char *prefix);

/* The functions that the splitter makes regions of: the group function, and those that it calls in its place. */
enum { MPL_MOST_SPLIT = 4 };
unsigned mpl_split_functions(const struct mpl_ir_kernel *, LLVMValueRef functions[MPL_MOST_SPLIT]); /* their number */

/* What a sub-group's function gets in place of a struct mpl_group, and begins with one. */
enum mpl_unit_field {
  MPL_UNIT_GROUP,
  MPL_UNIT_FIRST, /* i64: local linear id of its first work-item */
  MPL_UNIT_X,     /* i64: local ids of the first work-item */
  MPL_UNIT_Y,
  MPL_UNIT_Z,
  MPL_UNIT_ID,     /* i32: which sub-group */
  MPL_UNIT_HERE,   /* i32: how many work-items it has */
  MPL_UNIT_REGION, /* i32: where to go on; on return, where it stands */
  MPL_UNIT_RESULT, /* i64: of the work-group function that it stood at */
  MPL_UNIT_FILTER, /* of a filter: its struct mpl_filter_group */
  MPL_UNIT_FIELDS,
};

/* Named metadata of a module for GPUs with the kernels of a C or C++ program (records/gpu_part.c). */
#define MPL_GPU_PART "maniple.gpu_part"

/* Sets an option of LLVM's, a literal, for the whole process (a function can say no more than
 * optnone): so not where the program's own code is compiled with the kernels.  Again: nothing. */
void mpl_set_llvm_option(const struct mpl_module_ir *, const char *option);

/* Runs LLVM's own passes, written as opt's -passes. */
void mpl_run_llvm_passes(struct mpl_module_ir *, const char *passes);

/* Address spaces as OpenCL's front end numbers them; that of local memory is the GPU's too. */
enum { MPL_GLOBAL_SPACE = 1, MPL_CONSTANT_SPACE, MPL_LOCAL_SPACE };

/* Metadata of a select: a divisor, which is 1 where division would trap and the result is
 * unspecified. */
#define MPL_SAFE_DIVISOR "maniple.safe-divisor"
/* Metadata at the end of a loop over work-items, one beside the other. */
#define MPL_WORK_ITEM_LOOP "maniple.work-items"
/* Metadata of a load or store of a work-item's element of a slot in scratch memory, which nobody
 * but the group's thread uses; behind the last element are MPL_MOST_BEHIND bytes more. */
#define MPL_SLOT_ELEMENT "maniple.element"
enum { MPL_MOST_LANES = 128, MPL_MOST_ELEMENT = 8 };
enum { MPL_MOST_BEHIND = MPL_MOST_LANES * MPL_MOST_ELEMENT };

#endif
