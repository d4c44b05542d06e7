/* The kernel records of a C or C++ program (maniple/kernel.h), as the host's module has them. */
#ifndef MPL_COMPILER_RECORD_H
#define MPL_COMPILER_RECORD_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "maniple/kernel.h"

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

/* Writes a field of the record into its variable; a number takes the field's type.  False if the variable's
 * initialiser has another shape. */
#define MPL_RECORD_FIELD(field) offsetof(struct mpl_kernel_record, field)
bool mpl_record_set(const struct mpl_record *, uint64_t field, LLVMValueRef);
bool mpl_record_set_number(const struct mpl_record *, uint64_t field, uint64_t);

/* For kernels with [[sycl::reqd_work_group_size]] or [[sycl::reqd_sub_group_size]]: sets these sizes
 * in the records, here and in the module (record_required.c). */
void mpl_records_require(LLVMModuleRef, struct mpl_records *);

/* math.c: does the C library have such a function of numbers? */
bool mpl_is_c_math(const char *name);

struct mpl_module_ir;
struct mpl_ir_kernel;
/* record_filter.c: what the record of a kernel that is a filter leads to, as a variable of that
 * name. */
void mpl_record_filter_make(struct mpl_module_ir *, const struct mpl_ir_kernel *, uint32_t level,
                            const char *name);

/* record_gpu.c: compiles kernels for GPUs, and writes into each record what became of it.  The program
 * is as it was otherwise. */
void mpl_records_compile_for_gpu(LLVMModuleRef, const struct mpl_records *);

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
