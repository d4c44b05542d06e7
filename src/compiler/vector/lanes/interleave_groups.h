/* Neighbouring fields of structures, which lanes access together: interleave groups. */
#ifndef MPL_COMPILER_LANES_INTERLEAVE_GROUPS_H
#define MPL_COMPILER_LANES_INTERLEAVE_GROUPS_H

#include "lanes.h"

/* Where an access is, but for a constant: a pointer, or so many elements of `size` behind it. */
struct mpl_root {
  LLVMValueRef pointer, index;
  int64_t size;
  bool is_signed;
};

/* Accesses of one block to `stride` bytes from lane to lane that belong together. */
enum { MPL_MOST_FIELDS = 16 };

struct mpl_fields {
  struct mpl_fields *next;
  struct mpl_root root;
  LLVMValueRef base, members[MPL_MOST_FIELDS];
  int64_t shift, offsets[MPL_MOST_FIELDS], low, high; /* bytes from the root; `shift`: the base */
  unsigned count;
  int size, stride;
  bool store;
};

/* Elements from one lane's to the next one's. */
static inline unsigned mpl_elements_apart(const struct mpl_fields *f) {
  return (unsigned)(f->stride / f->size);
}
/* The element of a lane's that a member is. */
static inline unsigned mpl_field_of(const struct mpl_fields *f, LLVMValueRef member) {
  unsigned k = 0;
  while (f->members[k] != member) k++;
  return (unsigned)((f->offsets[k] - f->low) / f->size);
}

/* The fields of a lane may be one number, which is there for all of them or for none: then that is
 * what masks are of.  Else 0. */
unsigned mpl_whole_size(const struct mpl_fields *);
/* All fields of a lane make a word, of which each is some bits: that takes no shuffles. */
bool mpl_are_word(const struct mpl_lanes *, const struct mpl_fields *);
/* Elements of a structure behind the highest field: behind the last lane's may be no memory. */
static inline unsigned mpl_gap_of(const struct mpl_fields *f) {
  return (unsigned)((f->stride - (f->high - f->low)) / f->size);
}
/* Lanes, of a chunk's `width`, of which the processor loads or stores all fields by one instruction; 0: it does
 * not. */
unsigned mpl_interleaved_lanes(const struct mpl_target *, const struct mpl_fields *, unsigned width, bool masked);
/* Is the group one wide access, where lanes are there as a mask says (`masked`)? */
bool mpl_may_widen_fields(const struct mpl_lanes *, const struct mpl_fields *, bool masked);

#endif
