/* The part of a host module that its kernels reach, as a module of its own, in which maniple's
 * passes can do as they like; and how what they made gets back.
 *
 * Functions that are reached are copied.  Variables are shared with the host, and constants copied
 * as well, for the optimiser to look into.  Of the host's own functions nothing is changed. */
#ifndef MPL_COMPILER_EXTRACT_H
#define MPL_COMPILER_EXTRACT_H

#include <llvm-c/Core.h>

#include "compiler/analysis/map.h"
#include "record.h"

struct mpl_extract {
  LLVMModuleRef host;
  bool alone; /* what is copied is never linked back: it has all of its constants itself */
  struct mpl_map copied;  /* functions and constants -> 1 */
  struct mpl_map visited; /* all globals that are reached -> 1 */
  struct mpl_hidden {     /* globals of the host that go by another name and linkage meanwhile */
    LLVMValueRef global;
    char *name;
    LLVMLinkage linkage;
  } * hidden;
  size_t num_hidden;
};

/* Finds what the kernels reach, other than by exceptions. */
void mpl_extract_find(struct mpl_extract *, LLVMModuleRef host, const struct mpl_records *,
                      bool alone);
/* Gives the host's variables their names back. */
void mpl_extract_free(struct mpl_extract *);

/* A new module.  Functions are internal and may be inlined, and no call is an invoke.  What is copied
 * for itself alone has internal constants too, and no variable that the host writes.  With
 * `local_variables` those of a thread that only kernels use are what OpenCL C++ has as local ones. */
LLVMModuleRef mpl_extract_copy(struct mpl_extract *, bool local_variables);

#endif
