/* Accesses to one variable of known size (objects.c). */
#ifndef MPL_COMPILER_OBJECTS_H
#define MPL_COMPILER_OBJECTS_H

#include <stdlib.h>
#include <string.h>

#include "compiler/analysis/ir.h"
#include "items.h"

struct mpl_objects {
  struct mpl_module_ir *ir;
  LLVMBuilderRef b;
  LLVMValueRef hook;      /* a variable: mpl_item_host.inside */
  struct mpl_map shadows; /* alloca -> its shadow */
  bool marks;             /* only arrays that are indexed, and they are marked */
};

/* Was it marked? */
bool mpl_is_marked_array(struct mpl_module_ir *, LLVMValueRef alloca);

/* Gives the function's private arrays shadows, where all that writes to them is seen. */
void mpl_objects_find(struct mpl_objects *, LLVMValueRef function);

/* Of others of the function's private variables, of which pointers may be anywhere, the engine hears
 * when their scopes begin and end.  The kernel is not called. */
void mpl_scopes_tell(struct mpl_objects *, LLVMValueRef function, bool is_called);

/* At the builder's place: that `access` (a struct mpl_access) is about to happen to what `base`
 * points to, if that is such a variable. */
void mpl_object_watch(struct mpl_objects *, LLVMValueRef access, LLVMValueRef pointer,
                      LLVMValueRef base, LLVMValueRef size);

#endif
