/* Calls of functions that another front end compiles: OpenCL C's built-in functions, by their
 * mangled names, and functions of other programs. */
#ifndef MPL_SPIRV_CALL_H
#define MPL_SPIRV_CALL_H

#include "reader.h"

/* The C type of an argument or a result: what its name is made of, and how it is passed. */
enum { CALL_NAME = 320, CALL_ARGS = 20, CALL_TYPE = 40 };

struct mpl_spirv_parameter {
  int space;             /* of what a pointer points to; -1: no pointer */
  const char *qualifier; /* of the same: "", "K" for const */
  char type[CALL_TYPE];  /* as Itanium's C++ ABI encodes it: "i", "Dv4_f", "9ocl_event" */
  bool is_signed;
};

struct mpl_spirv_call {
  char name[CALL_NAME]; /* not mangled */
  unsigned count;
  LLVMValueRef values[CALL_ARGS];
  struct mpl_spirv_parameter parameters[CALL_ARGS];
};

enum mpl_spirv_effect { CALL_PURE, CALL_WRITES, CALL_CONVERGENT };

void mpl_spirv_call_begin(struct mpl_spirv_call *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A number or a vector of them, by its LLVM type. */
void mpl_spirv_call_add(struct mpl_spirv_call *, LLVMValueRef, bool is_signed);
/* A pointer to one. */
void mpl_spirv_call_add_pointer(mpl_spirv, struct mpl_spirv_call *, LLVMValueRef,
                                const char *qualifier, LLVMTypeRef pointee, bool is_signed);
/* A type of that encoding. */
void mpl_spirv_call_add_named(struct mpl_spirv_call *, LLVMValueRef, int space, const char *type);
/* Calls it; the result has the LLVM type `result`. */
LLVMValueRef mpl_spirv_call_end(mpl_spirv, struct mpl_spirv_call *, LLVMTypeRef result,
                                bool is_signed, enum mpl_spirv_effect);

/* groups.c: begins the call of Intel's function that reads or writes ("read", "write") a block of
 * such values. */
void mpl_spirv_block_begin(struct mpl_spirv_call *, const char *verb, LLVMTypeRef value);

/* direct_calls.c: a function by the name that it has in the end, with its values as they are; and a
 * pointer as a generic one. */
LLVMValueRef mpl_spirv_direct_call(mpl_spirv, const char *name, LLVMTypeRef result,
                                   LLVMValueRef *values, unsigned count);
LLVMValueRef mpl_spirv_generic(mpl_spirv, LLVMValueRef pointer);

/* abi.c: functions as C passes vectors, which differs from how LLVM would. */

/* A declaration, new or there already, of a function of that C type. */
LLVMValueRef mpl_spirv_c_function(mpl_spirv, const char *name, LLVMTypeRef result,
                                  const LLVMTypeRef *parameters, unsigned count);
LLVMValueRef mpl_spirv_c_call(mpl_spirv, LLVMValueRef function, LLVMTypeRef result,
                              LLVMValueRef *values, unsigned count);
/* As clang says it of OpenCL C: the value, if it is of float, may be off by so many ULP. */
void mpl_spirv_allow_error(mpl_spirv, LLVMValueRef, double ulp);
/* Memory of the function at hand. */
LLVMValueRef mpl_spirv_scratch(mpl_spirv, LLVMTypeRef);
/* Gives a new function of that name, which others call as C does, the body of one that takes its
 * values as they are. */
void mpl_spirv_c_export(mpl_spirv, const char *name, LLVMValueRef function, LLVMLinkage);

#endif
