/* A SPIR-V module becomes an LLVM module of the form that clang gives OpenCL C: the same address
 * spaces, kernels marked the same way, built-in functions by their mangled names.  So what comes
 * behind (the compiler's passes, the linking with programs in OpenCL C) knows nothing of SPIR-V.
 *
 * The files of this folder are each one part of it: types, constants, functions and their control
 * flow, and families of instructions.  spirv-val has accepted the module before; the checks here
 * are those that it does not make, and that nothing is read outside of the module.  A module that
 * cannot be translated ends the process with a sentence (mpl_spirv_fail). */
#ifndef MPL_SPIRV_READER_H
#define MPL_SPIRV_READER_H

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <spirv/unified1/spirv.h>

#include "binary.h"

/* Address spaces, as -ffake-address-space-map numbers them. */
enum mpl_spirv_space { SPACE_PRIVATE, SPACE_GLOBAL, SPACE_CONSTANT, SPACE_LOCAL, SPACE_GENERIC };

/* The properties of an id. */
struct mpl_spirv_id {
  struct mpl_spirv_instruction def; /* words null: nothing defines it */
  uint32_t type_id;                 /* of its result, or 0 */
  LLVMTypeRef type;                 /* of a type */
  LLVMValueRef value;
  const char *name;                           /* OpName's, or "" */
  uint32_t first_decoration, num_decorations; /* in reader->decorations */
  bool is_unaligned;                          /* points into a packed structure */
};

struct mpl_spirv_decoration {
  uint32_t target;
  int64_t member; /* -1: of the whole */
  SpvDecoration kind;
  const uint32_t *words; /* its operands */
  unsigned count;
};

struct mpl_spirv_specialization { /* from the command line */
  uint32_t number;
  uint64_t bits;
};

struct mpl_spirv_entry {
  uint32_t function;
  const char *name;
};

struct mpl_spirv_loop { /* OpLoopMerge of a block */
  LLVMBasicBlockRef header;
  uint32_t control;
  const uint32_t *parameters;
  unsigned num_parameters;
};

struct mpl_spirv_lines { /* lines.c */
  bool wanted;
  LLVMDIBuilderRef builder;           /* null: there are none */
  LLVMMetadataRef file, function, in; /* in: the file that OpLine names */
  unsigned line, column;              /* OpLine's; line 0: none */
  size_t place;                       /* number: of the instruction in front of it, from 1 on */
  unsigned number;
};

struct mpl_spirv_reader {
  struct mpl_spirv_binary binary;
  struct mpl_spirv_id *ids; /* binary.bound of them */
  struct mpl_spirv_decoration *decorations;
  uint32_t num_decorations;
  struct mpl_spirv_entry *entries;
  unsigned num_entries;
  struct mpl_spirv_instruction *modes; /* OpExecutionMode and OpExecutionModeId */
  unsigned num_modes;
  const struct mpl_spirv_specialization *specializations;
  unsigned num_specializations;
  uint32_t extended_set, ignored_sets[16]; /* ids of OpExtInstImport: OpenCL.std; others */
  bool no_contraction;                     /* execution mode ContractionOff */
  bool rounded;                            /* quotients and roots of float are */
  struct mpl_spirv_lines lines;
  uint32_t lacks;                          /* enum mpl_offer: what the device does not have */
  char vector_abi;                         /* enum mpl_archive_abi */
  const char *cpu, *features;

  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  LLVMBuilderRef b;
  LLVMTypeRef void_type, i1, i8, i16, i32, i64, half, f32, f64;

  /* the function at hand */
  uint32_t function_id;
  LLVMValueRef function;
  LLVMBasicBlockRef entry;
  struct mpl_spirv_loop *loops;
  unsigned num_loops;
};

typedef struct mpl_spirv_reader *mpl_spirv;
typedef const struct mpl_spirv_instruction *mpl_spirv_in;

_Noreturn void mpl_spirv_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *mpl_spirv_allocate(size_t count, size_t size); /* zeroed; never null */
const char *mpl_spirv_op_name(unsigned opcode);      /* names.c */
const char *mpl_spirv_capability_name(unsigned capability);

/* Ids.  A word behind the instruction's end, an id out of bounds or of the wrong sort fails. */
uint32_t mpl_spirv_word(mpl_spirv_in, unsigned index);
struct mpl_spirv_id *mpl_spirv_at(mpl_spirv, uint32_t id);
LLVMTypeRef mpl_spirv_type(mpl_spirv, uint32_t id);
LLVMValueRef mpl_spirv_value(mpl_spirv, uint32_t id);
LLVMValueRef mpl_spirv_operand(mpl_spirv, mpl_spirv_in, unsigned index); /* the id in that word */
uint64_t mpl_spirv_constant(mpl_spirv, uint32_t id);                     /* an integer known now */
const char *mpl_spirv_text(mpl_spirv_in, unsigned index);

/* capabilities.c: fails if the module needs what is not there. */
void mpl_spirv_check_needs(mpl_spirv);

/* decorations.c: names, decorations (also by groups), execution modes, entry points, imported sets.
 */
void mpl_spirv_read_annotations(mpl_spirv);
const struct mpl_spirv_decoration *mpl_spirv_decoration(mpl_spirv, uint32_t id, SpvDecoration);
const struct mpl_spirv_decoration *mpl_spirv_member_decoration(mpl_spirv, uint32_t id,
                                                               int64_t member, SpvDecoration);
/* The instruction that sets a mode of an entry point, or null. */
mpl_spirv_in mpl_spirv_mode(mpl_spirv, uint32_t function, SpvExecutionMode);

/* types.c */
bool mpl_spirv_read_type(mpl_spirv, mpl_spirv_in); /* false: no instruction of types */
unsigned mpl_spirv_space(uint32_t storage_class);
mpl_spirv_in mpl_spirv_type_def(mpl_spirv, uint32_t type_id, SpvOp); /* null: of another opcode */
/* The scalar of a vector type, or the type itself; and how many (1). */
uint32_t mpl_spirv_scalar_of(mpl_spirv, uint32_t type_id, unsigned *lanes);
uint32_t mpl_spirv_pointee(mpl_spirv, uint32_t pointer_type_id);
LLVMTypeRef mpl_spirv_with_lanes(LLVMTypeRef like, LLVMTypeRef scalar);
unsigned mpl_spirv_lanes(LLVMTypeRef);
LLVMTypeRef mpl_spirv_pointer(mpl_spirv, unsigned space);
LLVMTypeRef mpl_spirv_scalar(LLVMTypeRef);

/* constants.c: constants, specialised or not, and variables of module scope. */
bool mpl_spirv_read_constant(mpl_spirv, mpl_spirv_in);
void mpl_spirv_read_variable(mpl_spirv, mpl_spirv_in);

/* functions.c */
void mpl_spirv_declare_function(mpl_spirv, mpl_spirv_in function,
                                mpl_spirv_in parameters); /* which follow it */
void mpl_spirv_read_function(mpl_spirv, size_t *place, mpl_spirv_in function);
void mpl_spirv_finish_functions(mpl_spirv);
bool mpl_spirv_flow(mpl_spirv, mpl_spirv_in);
bool mpl_spirv_is_kernel(mpl_spirv, uint32_t function);
/* The attributes that clang gives every function of OpenCL C. */
void mpl_spirv_describe_function(mpl_spirv, LLVMValueRef function);

/* kernels.c: the metadata that clang gives kernels. */
void mpl_spirv_describe_kernel(mpl_spirv, uint32_t function, const char *name, LLVMValueRef);

/* lines.c: where in the source instructions are, if that is wanted. */
void mpl_spirv_begin_lines(mpl_spirv);
void mpl_spirv_begin_function_lines(mpl_spirv);
void mpl_spirv_at_line(mpl_spirv, mpl_spirv_in); /* what is built now belongs to it */
void mpl_spirv_end_lines(mpl_spirv);

/* Those that headers may not have, and the validator has not seen (tables/spirv_hints.def). */
enum {
#define MPL_SPIRV_STAND_IN(name, number, as) MPL_OP_##name = number,
#include "tables/spirv_hints.def"
};

/* instructions.c: any other instruction of a block, or of an OpSpecConstantOp. */
void mpl_spirv_instruction(mpl_spirv, mpl_spirv_in);
/* The families; false if the instruction is not theirs.  They set the result's value. */
bool mpl_spirv_arithmetic(mpl_spirv, mpl_spirv_in);
bool mpl_spirv_dot_product(mpl_spirv, mpl_spirv_in);
bool mpl_spirv_conversion(mpl_spirv, mpl_spirv_in);
bool mpl_spirv_composite(mpl_spirv, mpl_spirv_in);
bool mpl_spirv_memory(mpl_spirv, mpl_spirv_in);
bool mpl_spirv_atomic(mpl_spirv, mpl_spirv_in);
bool mpl_spirv_group(mpl_spirv, mpl_spirv_in);
bool mpl_spirv_extended(mpl_spirv, mpl_spirv_in);
bool mpl_spirv_image(mpl_spirv, mpl_spirv_in);
bool mpl_spirv_direct(mpl_spirv, mpl_spirv_in);
bool mpl_spirv_enqueue(mpl_spirv, mpl_spirv_in);
void mpl_spirv_result(mpl_spirv, mpl_spirv_in, LLVMValueRef); /* of an instruction with a type */

/* builtin_variables.c: a copy of such a variable in the function at hand. */
LLVMValueRef mpl_spirv_builtin_variable(mpl_spirv, uint32_t id);
/* The element of a dimension known at run time, of a vector that was loaded from such a variable;
 * the place of a copy of it, for an access chain into the variable.  Null if they are not of that
 * kind. */
LLVMValueRef mpl_spirv_builtin_element(mpl_spirv, uint32_t vector, LLVMValueRef index);
LLVMValueRef mpl_spirv_builtin_place(mpl_spirv, uint32_t variable, LLVMValueRef index);
/* images.c: the sampler of an OpConstantSampler. */
LLVMValueRef mpl_spirv_constant_sampler(mpl_spirv, mpl_spirv_in);

/* What LLVM has without an instruction; `overloaded` is null if its name needs no type. */
LLVMValueRef mpl_spirv_intrinsic(mpl_spirv, const char *name, LLVMTypeRef overloaded,
                                 LLVMValueRef *args, unsigned count);
void mpl_spirv_add_attribute(mpl_spirv, LLVMValueRef function, unsigned index, const char *name,
                             uint64_t value);

#endif
