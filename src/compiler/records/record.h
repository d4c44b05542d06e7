/* The kernel records of a C or C++ program (maniple/kernel.h), as the host's module has them. */
#ifndef MPL_COMPILER_RECORD_H
#define MPL_COMPILER_RECORD_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

struct mpl_record {
  LLVMValueRef variable, item; /* the record, and its function of one work-item */
  char *name;                  /* of the kernel */
  uint32_t dims, reqd_local[3], reqd_sub_group, flags, args_size;
};

struct mpl_records {
  struct mpl_record *list;
  unsigned count;
};

/* The records that can be filled: defined here, of this version, their function as well. */
struct mpl_records mpl_records_find(LLVMModuleRef);
void mpl_records_free(struct mpl_records *);

/* For kernels with [[sycl::reqd_work_group_size]] or [[sycl::reqd_sub_group_size]]: sets these sizes
 * in the records, here and in the module (record_required.c). */
void mpl_records_require(LLVMModuleRef, struct mpl_records *);

/* math.c: does the C library have such a function of numbers? */
bool mpl_is_c_math(const char *name);

/* What the compiler says of a kernel. */
struct mpl_record_result {
  LLVMValueRef group;
  uint64_t private_size;
  uint32_t scratch_per_item, scratch_fixed, flags;
};

struct mpl_module_ir;
struct mpl_ir_kernel;
/* record_filter.c: what the record of a kernel that is a filter leads to, as a variable of that
 * name. */
void mpl_record_filter_make(struct mpl_module_ir *, const struct mpl_ir_kernel *, uint32_t level,
                            const char *name);
/* As mpl_record_fill, with such a variable. */
bool mpl_record_set_filter(LLVMModuleRef, const struct mpl_record *, LLVMValueRef filter);

/* record_gpu.c: compiles kernels for GPUs, and writes into each record what became of it.  The program
 * is as it was otherwise. */
void mpl_records_compile_for_gpu(LLVMModuleRef, const struct mpl_records *);
bool mpl_record_set_gpu(LLVMModuleRef, const struct mpl_record *, LLVMValueRef variable);

/* To be called first: of all kernels of a module whose loops count (compiler/items/turns.c). */
void mpl_records_set_counting(LLVMModuleRef, struct mpl_records *);
/* False if the record's initialiser has another shape. */
bool mpl_record_fill(LLVMModuleRef, const struct mpl_record *, const struct mpl_record_result *);
/* Writes the record's required sizes into its variable; false as above. */
bool mpl_record_set_required(LLVMModuleRef, const struct mpl_record *);
bool mpl_record_set_local_size(LLVMModuleRef, const struct mpl_record *, uint64_t bytes);

/* group_places.c: gives each call of mpl_group_place its memory; writes into the records how much of
 * such memory their kernels need. */
#define MPL_GROUP_PLACE "mpl_group_place"
void mpl_records_place(LLVMModuleRef);
bool mpl_is_group_place(LLVMValueRef variable); /* it is such memory, whoever uses it */
void mpl_records_count_places(LLVMModuleRef, struct mpl_records *);

/* kernel_variables.c: has the module tell what variables its kernels reach. */
void mpl_records_tell_variables(LLVMModuleRef, const struct mpl_records *);

/* The module's annotations: a constant array of `count` entries, of which each is of a global and
 * has a text. */
LLVMValueRef mpl_annotations(LLVMModuleRef, unsigned *count);
bool mpl_annotation_is(LLVMValueRef entry, const char *text);
LLVMValueRef mpl_annotated(LLVMValueRef entry);

#endif
