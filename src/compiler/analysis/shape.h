/* Shape: how a value differs between the work-items of the unit, and which branches they take
 * together.  The unit is the work-group; in a kernel that calls sub-group functions it is the
 * sub-group.
 *
 *   uniform   the same for all
 *   strided   it grows by a constant from a work-item to its neighbour in x; by 0: rows differ
 *   varying   whatever
 *
 * Uniform are constants, arguments, sizes and group ids, results of reduce, broadcast, all and any,
 * what is computed from uniform values only, and what is loaded from a uniform address of shared
 * memory.  The last is right because a program in which work-items would see different values there
 * has a data race (OpenCL C 3.0, 6.6; memory model of the API specification, 3.3.4).
 *
 * What a stride promises.  Take two neighbours in x, of one unit, in the same iteration of the loops
 * around them, and a value that is poison for neither.  If `wraps` is 0, the values differ by
 * `stride` modulo 2 to the number of bits of the type: so one memory access may serve both.  32-bit
 * arithmetic on ids may wrap, and is no stride any more once it is extended to 64 bits (`int i =
 * get_global_id(0)` wraps in a range of more than 2^31 work-items).  It is exact only where there is
 * a promise (nsw, nuw: or else poison) or a bound: a local id has less than MPL_ID_BITS bits.
 * Otherwise `wraps` counts the values, up to several, that must not wrap between the two for
 * the stride to hold.  Who needs no more than an estimate of costs takes it as it is;
 * who changes addresses (compaction) takes one such value and tests when the program runs. */
#ifndef MPL_COMPILER_SHAPE_H
#define MPL_COMPILER_SHAPE_H

#include "cfg.h"
#include "uniform_arrays.h"

enum { MPL_ID_BITS = 31 }; /* local ids, also linear ones, are less than 2 to this */

struct mpl_shape {
  enum mpl_shape_kind { MPL_UNSEEN, MPL_UNIFORM, MPL_STRIDED, MPL_VARYING } kind;
  int64_t stride; /* of addresses in bytes */
  unsigned bits;  /* as an unsigned number it is less than 2 to this */
  bool nsw, nuw;  /* as a signed, as an unsigned number it grows by just `stride` */
  enum { MPL_EXACT, MPL_WRAPS_ONE, MPL_WRAPS_SEVERAL } wraps;
  LLVMValueRef narrow; /* of MPL_WRAPS_ONE: the value that must not wrap */
  bool is_signed;      /* as which kind of number */
};

struct mpl_shapes {
  struct mpl_cfg *cfg;
  struct mpl_uniform_arrays *arrays; /* whose elements are the same for all; or null */
  LLVMTargetDataRef layout;
  struct mpl_map index;    /* value -> place in `list` */
  struct mpl_shape *list;
  size_t count;
  bool *diverged;          /* per block: between a varying branch and where its sides meet again */
  bool *influenced;        /* the same, and the block where they meet */
  bool *varying_branch;    /* per block: it ends in one */
};

/* Of the arrays, or null, those are none after all that work-items store different things to; of
 * others, what is loaded from a uniform place is uniform. */
void mpl_shapes_find(struct mpl_shapes *, struct mpl_cfg *, LLVMValueRef function,
                     struct mpl_uniform_arrays *);
void mpl_shapes_free(struct mpl_shapes *);

struct mpl_shape mpl_shape_of(const struct mpl_shapes *, LLVMValueRef value);
/* Of a value that may be the one or the other, as all work-items take it. */
struct mpl_shape mpl_shape_join(struct mpl_shape, struct mpl_shape);
static inline bool mpl_is_uniform(const struct mpl_shapes *shapes, LLVMValueRef value) {
  return mpl_shape_of(shapes, value).kind <= MPL_UNIFORM;
}

/* The shape of `value` where something else than work-items is counted: `leaf` gives the shapes of
 * what it knows, and false for what is to be computed from its operands.  Uniform values it is not
 * asked for.  Varying if that would take very many steps. */
typedef bool mpl_shape_leaf(const void *data, LLVMValueRef, struct mpl_shape *);
struct mpl_shape mpl_shape_by(struct mpl_shapes *, LLVMValueRef value, mpl_shape_leaf *leaf,
                              const void *data);

/* --- strides.c --- */

/* Bits of an integer or an address; 0 for other types, which have no strides. */
unsigned mpl_shape_width(const struct mpl_shapes *, LLVMTypeRef);
/* Of an instruction that only computes, from its operands' shapes, as they are known so far. */
struct mpl_shape mpl_shape_of_operation(struct mpl_shapes *, LLVMValueRef instruction);
/* The shape of an instruction that only computes, from its operands' alone, all of which `leaf`
 * gives. */
struct mpl_shape mpl_shape_computed(LLVMTargetDataRef, LLVMValueRef instruction,
                                    mpl_shape_leaf *leaf, const void *data);

extern const struct mpl_shape mpl_uniform, mpl_by_ones; /* the latter as ids grow */

/* Looks through casts and masks that leave numbers of MPL_ID_BITS as they are. */
LLVMValueRef mpl_through_casts(LLVMValueRef value);

#endif
