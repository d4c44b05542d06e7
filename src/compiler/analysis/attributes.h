/* Attributes of functions, metadata of instructions, properties of loops. */
#ifndef MPL_COMPILER_ATTRIBUTES_H
#define MPL_COMPILER_ATTRIBUTES_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

struct mpl_module_ir;

/* Attributes of functions; the value of one that is not there is "". */
unsigned mpl_enum_attribute(const char *name);
bool mpl_has_attribute(LLVMValueRef function, const char *name);
void mpl_add_attribute(LLVMValueRef function, const char *name);
void mpl_add_attribute_to(LLVMValueRef function, unsigned parameter, const char *name); /* from 1 on */
void mpl_add_attribute_to_call(LLVMValueRef call, const char *name);
/* The parameter is a pointer to a copy of what is handed over, so aligned. */
void mpl_pass_by_value(LLVMValueRef function, unsigned parameter, LLVMTypeRef, unsigned align);
/* Copies those of a function or a call there to another. */
void mpl_take_attributes(LLVMValueRef to, LLVMValueRef from, LLVMAttributeIndex);
void mpl_drop_attribute(LLVMValueRef function, const char *name);
const char *mpl_attribute_value(LLVMValueRef function, const char *name);
void mpl_set_attribute_value(LLVMValueRef function, const char *name, const char *value);

/* The attribute of functions that run a whole work-group. */
#define MPL_GROUP_FUNCTION "maniple-group"
bool mpl_is_group_function(LLVMValueRef);

void mpl_set_metadata(struct mpl_module_ir *, LLVMValueRef instruction, const char *kind,
                      LLVMMetadataRef node);
void mpl_mark(struct mpl_module_ir *, LLVMValueRef instruction, const char *kind); /* by an empty node */
LLVMValueRef mpl_metadata_of(struct mpl_module_ir *, LLVMValueRef instruction, const char *kind);
/* Metadata that is one text or number, and what it is; null, or 0: there is none. */
void mpl_note(struct mpl_module_ir *, LLVMValueRef instruction, const char *kind, LLVMMetadataRef what);
void mpl_note_number(struct mpl_module_ir *, LLVMValueRef instruction, const char *kind, uint64_t);
LLVMValueRef mpl_noted(struct mpl_module_ir *, LLVMValueRef, const char *kind);
uint64_t mpl_noted_number(struct mpl_module_ir *, LLVMValueRef, const char *kind);
/* How often a branch goes either way. */
void mpl_set_weights(struct mpl_module_ir *, LLVMValueRef branch, unsigned first, unsigned second);
/* The loop whose latch ends in the branch has the property, or has it no more. */
void mpl_set_loop_property(struct mpl_module_ir *, LLVMValueRef latch, const char *name, bool on);
void mpl_keep_from_vectorizer(struct mpl_module_ir *, LLVMValueRef latch); /* LLVM's */
bool mpl_has_loop_property(struct mpl_module_ir *, LLVMValueRef latch, const char *begin);

#endif
