/* Private arrays of which one copy does for all work-items of a group, since it is the same for all,
 * as where elements are results of collectives.
 *
 * Such an array is used by loads and stores at places in it, and nothing else.  All work-items store
 * the same to the same places, together; shapes find out whether that is so (shape.c).  They do so
 * one after another, region by region.  So no region may store there what it has loaded from before:
 * the next work-item would see it too early.  But where a region begins with nothing but what is the
 * same for all, that is done once, in a region of its own. */
#ifndef MPL_COMPILER_UNIFORM_ARRAYS_H
#define MPL_COMPILER_UNIFORM_ARRAYS_H

#include "map.h"
#include "shim.h"

struct mpl_regions;
struct mpl_shapes;

struct mpl_uniform_arrays { /* all zero: there are none */
  struct mpl_map is;        /* alloca -> 1; 0: it is none after all */
  struct mpl_map begins;    /* blocks that begin a region: what is in front of them is done once */
};

/* Those that may be. */
void mpl_uniform_arrays_begin(struct mpl_uniform_arrays *, LLVMValueRef function);
void mpl_uniform_arrays_free(struct mpl_uniform_arrays *);

bool mpl_is_uniform_array(const struct mpl_uniform_arrays *, LLVMValueRef alloca);
/* The one that the address is in, or null. */
LLVMValueRef mpl_uniform_array_of(const struct mpl_uniform_arrays *, LLVMValueRef pointer);

/* The place in memory that an instruction writes, or (used) writes or reads, as such an array may be; or
 * null. */
LLVMValueRef mpl_array_written_at(LLVMValueRef instruction);
LLVMValueRef mpl_array_used_at(LLVMValueRef instruction);
/* The one that the instruction writes to, or null. */
LLVMValueRef mpl_uniform_array_written(const struct mpl_uniform_arrays *, LLVMValueRef instruction);

/* A store to one by which work-items come to differ: the array is none.  True if it was one. */
bool mpl_uniform_array_differs(struct mpl_uniform_arrays *, struct mpl_shapes *,
                               LLVMValueRef instruction, unsigned block);

/* uniform_array_regions.c.  Looks at these regions: true if an array is none after all, or a block was cut.  Then regions are
 * to be found again. */
bool mpl_uniform_arrays_settle(struct mpl_uniform_arrays *, struct mpl_regions *);

#endif
