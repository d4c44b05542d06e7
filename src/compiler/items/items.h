/* What the passes for the checking engine share. */
#ifndef MPL_COMPILER_ITEMS_H
#define MPL_COMPILER_ITEMS_H

#include "compiler/analysis/ir.h"

/* variable_names.c: messages call what the pointer leads to by this name. */
void mpl_name_variable(struct mpl_module_ir *, LLVMValueRef pointer, const char *name);

/* The same of the kernel's argument of that number. */
void mpl_name_argument(struct mpl_module_ir *, LLVMValueRef pointer, const char *name,
                       unsigned index);
/* The same with its size, of a variable, and 0 if it has none. */
void mpl_size_variable(struct mpl_module_ir *, LLVMValueRef pointer, uint64_t size);
uint64_t mpl_named_size(struct mpl_module_ir *, LLVMValueRef pointer);
unsigned mpl_named_argument(struct mpl_module_ir *, LLVMValueRef pointer); /* 1 + its number, or 0 */
bool mpl_has_name(struct mpl_module_ir *, LLVMValueRef pointer);
LLVMValueRef mpl_variable_name(struct mpl_module_ir *, LLVMValueRef instruction); /* a text, or null */

/* roots.c: a load of where the group's local memory is. */
bool mpl_is_dynamic_local(struct mpl_module_ir *, LLVMValueRef load);

/* accesses.c: what is loaded is only stored again where it was, with a component changed. */
bool mpl_goes_back(LLVMValueRef load);

/* calls.c: the kind of a struct mpl_function that it has made (enum mpl_function_kind). */
unsigned mpl_described_kind(LLVMValueRef function);
unsigned mpl_described_flags(LLVMValueRef function); /* enum mpl_function_flags */
/* A struct mpl_function by which the engine is told of a work-item's turns (turns.c). */
LLVMValueRef mpl_describe_turns(struct mpl_module_ir *);
/* Whether it is the function of that name. */
bool mpl_is_described_as(LLVMValueRef function, const char *name);

/* branches.c: that an asynchronous copy is called next, which all work-items have to reach. */
bool mpl_is_at_copy(LLVMValueRef);

/* branches.c: in front of each branch on which it depends whether a work-item comes to a collective
 * a call of MPL_MARK_BRANCH with index, condition, and the fields of struct mpl_branch behind its
 * place.  Returns how many. */
unsigned mpl_mark_branches(struct mpl_module_ir *, LLVMValueRef function);

/* own_arrays.c: an alloca that is an array, or of which parts are accessed that its type does not
 * name: before arrays become registers. */
bool mpl_is_indexed_array(LLVMValueRef alloca);
/* The same: the size of an array that is a member of a structure, if the instruction computes where
 * one is, or something in it; else 0.  Where the array begins is in *at. */
uint64_t mpl_member_array(struct mpl_module_ir *, LLVMValueRef gep, LLVMValueRef *at);
/* objects.c: by a load, also in the generic address space. */
bool mpl_is_read_as_volatile(LLVMValueRef alloca);

/* accesses.c: the engine hears of accesses to such allocas: before arrays become registers too. */
void mpl_watch_arrays(struct mpl_module_ir *);

/* branches.c: work-items of one unit (shape.h) may part at a branch whose sides meet only behind a
 * place where the work-group meets. */
bool mpl_parts_before_sync(LLVMValueRef function);

#endif
