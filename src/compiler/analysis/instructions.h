/* What an instruction, or what it calls, is and does; how functions are walked through. */
#ifndef MPL_COMPILER_INSTRUCTIONS_H
#define MPL_COMPILER_INSTRUCTIONS_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

struct mpl_module_ir;

/* Kinds of instructions that only compute (opcodes.def). */
enum {
  MPL_INTEGER = 1, /* and conversions between integers */
  MPL_SELECT = 2,
  MPL_ADDRESS = 4,
  MPL_POINTER = 8,       /* conversions of pointers */
  MPL_FROM_INTEGER = 16, /* to floating point */
  MPL_FLOATING = 32,
};
bool mpl_is_op(LLVMValueRef, LLVMOpcode);
/* An integer of up to 64 bits that is just that. */
bool mpl_is_constant(LLVMValueRef, uint64_t number);
/* So many low bits of an integer of up to 64 bits are known to be 0, at most 32. */
unsigned mpl_low_zeros(LLVMValueRef number);
unsigned mpl_space_of(LLVMValueRef pointer); /* the address space */
/* Is it an instruction of one of these kinds, which may be combined with |? */
bool mpl_only_computes(LLVMValueRef, unsigned kinds);
/* So many operations, one behind another, a value is followed through. */
enum { MPL_DEEPEST = 8 };
/* Is the value computed by operations of these kinds alone, from values of which `is` holds?  Of one that is
 * more than MPL_DEEPEST operations away it is not known: false. */
typedef bool mpl_source(const void *data, LLVMValueRef);
bool mpl_is_made_of(LLVMValueRef value, unsigned kinds, mpl_source *is, const void *data);
/* The function that a call names; null: it is no call, or goes where a pointer leads. */
LLVMValueRef mpl_callee_of(LLVMValueRef instruction);
/* The row of tables/lanewise.def for an intrinsic that works lane by lane, or null. */
struct mpl_lanewise {
  const char *name;
  int scalar;       /* the operand that stays a scalar, or -1 */
  bool says_result; /* its name has the result's type too */
};
const struct mpl_lanewise *mpl_lanewise_of(LLVMValueRef callee);
/* A call of a function whose name begins so. */
bool mpl_calls(LLVMValueRef instruction, const char *name);
bool mpl_begins(const char *name, const char *with);
/* Functions that LLVM takes for granted: memcpy and the like. */
bool mpl_is_memory_function(const char *name);
/* Does a call only tell the optimiser or the debugger something? */
bool mpl_is_hint(LLVMValueRef call);
bool mpl_is_prefetch(LLVMValueRef);
/* Where a load or store is; null: it is neither. */
LLVMValueRef mpl_accessed_place(LLVMValueRef instruction);
/* Of what it loads or stores; of another instruction the type that it has. */
LLVMTypeRef mpl_accessed_type(LLVMValueRef instruction);
/* In bytes, saturated; 0: it is not known. */
uint64_t mpl_size_of_alloca(LLVMTargetDataRef, LLVMValueRef alloca);
bool mpl_is_seen_by_others(LLVMValueRef access); /* a volatile or atomic load or store */
/* Does it read what others may write meanwhile?  A loop that does may wait for them. */
bool mpl_reads_what_others_write(LLVMValueRef instruction);
/* The least or the largest of two numbers: an id that stops at the border of an image. */
struct mpl_extreme {
  bool is, largest, is_signed;
};
struct mpl_extreme mpl_extreme_of(LLVMValueRef);
bool mpl_looks_into_pipe(LLVMValueRef call); /* a call that claims or counts its packets */
/* A function of the built-in library that is rarely called: for a "pixel" of a rare format (image,
 * its row, x, and what is written), or a huge "angle". */
bool mpl_is_rare(LLVMValueRef function, const char *what);
/* All of an access to an image, as a call; mpl_combine_of it does the same for the lanes of a chunk. */
bool mpl_is_called_pixel(LLVMValueRef function);
bool mpl_fits_memory(LLVMTypeRef); /* elements of a vector in memory are side by side */
/* May somebody else see that it was done? */
bool mpl_has_effect(LLVMValueRef instruction);
unsigned mpl_length_of(LLVMValueRef function); /* in instructions */
/* The one user of a value that is used once, or null. */
LLVMValueRef mpl_only_user(LLVMValueRef value);
/* Takes the instruction away, with `by` in its place. */
void mpl_replace(LLVMValueRef instruction, LLVMValueRef by);
/* Of types: vectors, elements of a vector, or a scalar as its only one. */
bool mpl_is_vector_type(LLVMTypeRef);
LLVMTypeRef mpl_element_of(LLVMTypeRef);
unsigned mpl_count_of(LLVMTypeRef);
unsigned mpl_integer_bits(LLVMTypeRef); /* 0: it is none */
/* What it uses in one place or several. */
void mpl_replace_operand(LLVMValueRef instruction, LLVMValueRef operand, LLVMValueRef by);
/* Takes all instructions away, but tokens and what is in front of them. */
void mpl_empty_block(LLVMBasicBlockRef);
/* The first instruction that is no phi. */
LLVMValueRef mpl_behind_phis(LLVMBasicBlockRef);
/* The function that it stands in. */
LLVMValueRef mpl_function_of(LLVMValueRef instruction);
/* An index of a place. */
struct mpl_place_index {
  unsigned operand; /* that it is */
  LLVMValueRef value;
  LLVMTypeRef of, type; /* what it is into, null for the first one; what is there */
  bool is_member;       /* of a structure: which one is a constant */
  uint64_t bytes;       /* of a member, from the structure's begin on; or those that 1 counts */
};
bool mpl_next_index(LLVMTargetDataRef, LLVMValueRef place, struct mpl_place_index *);
#define MPL_EACH_INDEX(index, place, layout)                                                       \
  for (struct mpl_place_index index = {0}; mpl_next_index(layout, place, &index);)
/* Adds the bytes that the indices are; false if one of them is no constant. */
bool mpl_add_indices(LLVMTargetDataRef, LLVMValueRef place, int64_t *offset);
/* The pointer without constant offsets, which are added up. */
LLVMValueRef mpl_base_of(struct mpl_module_ir *, LLVMValueRef pointer, int64_t *offset);

/* What uses a value, as often as it does; that use may go meanwhile. */
#define MPL_EACH_USER(user, value)                                                                 \
  for (LLVMValueRef use_of_##user = (LLVMValueRef)LLVMGetFirstUse(value), user;                    \
       (user = mpl_take_user(&use_of_##user));)
LLVMValueRef mpl_take_user(LLVMValueRef *use); /* of a use, and goes to the next; null: it is none */

#define MPL_EACH_FUNCTION(f, module)                                                               \
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
#define MPL_EACH_BLOCK(b, function)                                                                \
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
#define MPL_EACH_INSTRUCTION_OF(i, function)                                                       \
  MPL_EACH_BLOCK(block_of_##i, function) MPL_EACH_INSTRUCTION(i, block_of_##i)
#define MPL_EACH_INSTRUCTION(i, block)                                                             \
  for (LLVMValueRef i = LLVMGetFirstInstruction(block),                                            \
                    next_of_##i = i ? LLVMGetNextInstruction(i) : NULL;                            \
       i; i = next_of_##i, next_of_##i = i ? LLVMGetNextInstruction(i) : NULL)

#define MPL_EACH_PHI(i, block)                                                                     \
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i);                    \
       i = LLVMGetNextInstruction(i))
/* What the phi takes from the block; null: it is not one that leads there. */
LLVMValueRef mpl_incoming_from(LLVMValueRef phi, LLVMBasicBlockRef);

#endif
