/* Filters (abi/filter.h): which kernels have one, and in front of each access a call of
 * MPL_MARK_FILTER, which becomes the look at it when lanes are known (filter/filter.c). */
#ifndef MPL_COMPILER_FILTER_H
#define MPL_COMPILER_FILTER_H

#include "compiler/analysis/loops.h"

struct mpl_filter_access {
  LLVMValueRef before;              /* in front of it */
  LLVMValueRef pointer, base, size; /* null: a fence; `base`: what the pointer is computed from */
  unsigned flags;                   /* enum mpl_access_flags */
  unsigned argument;                /* that `base` is, from 1 on; or 0 */
  uint64_t whole;                   /* bytes, if `base` is a variable in local memory */
  bool is_range;                    /* of a size that is not known, or large */
  bool is_known;                    /* there is nothing to look at when it comes */
  bool is_only_read;                /* MPL_FILTER_ONLY_READ */
};

struct mpl_filter {
  struct mpl_module_ir *ir;
  LLVMBuilderRef b;
  struct mpl_ir_kernel *kernel;
  const char *why; /* it has no filter; or null */
  struct mpl_filter_access *list;
  size_t count;
  bool has_steps;  /* a barrier of sub-groups orders memory */
  bool has_shapes; /* they were asked for: */
  struct mpl_flow flow;
  struct mpl_map shifts; /* (base, argument) -> 1 + the shift of an element's size */
};

/* own_arrays.c: looks at private arrays, each a call of MPL_MARK_FILTER_STOP.  When what is inlined
 * is in its kernel, and before arrays become registers. */
void mpl_look_at_arrays(struct mpl_module_ir *);
/* Those that are known to find nothing are gone. */
void mpl_drop_known_looks(struct mpl_module_ir *);
bool mpl_has_looks(struct mpl_module_ir *);
/* written_arrays.c: where what an array's shadow holds is known. */
void mpl_find_written_arrays(struct mpl_module_ir *);

/* roots.c: of a kernel in C or C++, the number of the root that a pointer is, from 1 on, as of an
 * argument; 0 if it is none. */
unsigned mpl_find_root(struct mpl_module_ir *, struct mpl_ir_kernel *, LLVMValueRef base);
/* Is the pointer so many bytes behind the begin of the kernel's argument block? */
bool mpl_is_behind_block(struct mpl_module_ir *, LLVMValueRef pointer, uint64_t *bytes);
/* So many bytes there are a known part of the argument block. */
bool mpl_is_in_block(struct mpl_module_ir *, const struct mpl_ir_kernel *, LLVMValueRef pointer,
                     LLVMValueRef size);

void mpl_filter_begin(struct mpl_filter *, struct mpl_ir_kernel *);
/* It has none, for that reason, unless another was found before. */
void mpl_filter_refuse(struct mpl_filter *, const char *why);
/* At the builder's place: the filter stops if that holds. */
void mpl_filter_stop_if(struct mpl_filter *, LLVMValueRef condition);
/* A call for a pixel of a rare format (mpl_is_rare), in a row of what is at `base`. */
void mpl_filter_pixel(struct mpl_filter *, LLVMValueRef call, LLVMValueRef base);
/* An access of what runs in the kernel, and a function that does. */
void mpl_filter_access(struct mpl_filter *, const struct mpl_filter_access *);
void mpl_filter_look_at(struct mpl_filter *, LLVMValueRef function);
/* filter_calls.c: the same of the kernel's collectives, of which it is told there (calls.c). */
void mpl_filter_look_at_collectives(struct mpl_filter *);
/* False: the kernel has none, and its function is gone. */
bool mpl_filter_end(struct mpl_filter *);

#endif
