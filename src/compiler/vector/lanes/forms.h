/* Which vector form an instruction has, and what is guessed of its places and of counters. */
#ifndef MPL_COMPILER_LANES_FORMS_H
#define MPL_COMPILER_LANES_FORMS_H

#include "lanes.h"

/* --- forms.c --- */

/* A load or store, as lanes see it. */
struct mpl_lane_access {
  LLVMValueRef at, place;
  LLVMTypeRef type;
  unsigned block;
  int size, stride; /* bytes of an element; of its place, from lane to lane as seen from the block */
  bool store;
};
/* False: it is neither. */
bool mpl_access_of(const struct mpl_lanes *, LLVMValueRef instruction, struct mpl_lane_access *);
#define MPL_EACH_ACCESS(a, lanes)                                                                  \
  MPL_EACH_ITEM_INSTRUCTION(i_of_##a, (lanes)->items)                                              \
  for (struct mpl_lane_access a, *one_##a = mpl_access_of(lanes, i_of_##a, &a) ? &a : NULL; one_##a;    \
       one_##a = NULL)

/* It has to be done lane by lane. */
bool mpl_has_no_vector_form(const struct mpl_lanes *, LLVMValueRef instruction);
/* An atomic of one place for all lanes whose operands may be combined; and the operand that changes
 * nothing, of integers, or null. */
bool mpl_is_combined(const struct mpl_lanes *, LLVMValueRef instruction);
LLVMValueRef mpl_neutral_of(LLVMValueRef atomic);
/* The row of tables/target_math.def for a function; null: it has none.  The last row has no function. */
struct mpl_target_math {
  const char *function, *intrinsic;
  unsigned bytes, says;
};
extern const struct mpl_target_math mpl_target_math_rows[];
const struct mpl_target_math *mpl_target_math_of(LLVMValueRef callee);

/* An element that lies in one word, since it is aligned to its size: the processor gathers words,
 * and what else is in that word is in its page too. */
bool mpl_is_in_word(const struct mpl_item_loop *, LLVMTypeRef element, unsigned align);
/* Of what a context keeps: the group's own memory is there for lanes that are not, and nobody else
 * writes it meanwhile. */
bool mpl_is_element(struct mpl_module_ir *, LLVMValueRef access);

/* --- no_wrap_inductions.c --- */

struct mpl_counter {
  LLVMValueRef phi, start, step, end;
  bool is_signed;
  bool reaches; /* the end is counted too */
};
/* Is `part` the low word, perhaps times a power of two, of an inner loop's counter that stays a
 * word if the loop's end and step are small? */
bool mpl_counter_of(const struct mpl_lanes *, LLVMValueRef part, struct mpl_counter *);

/* --- contiguous.c --- */

/* A guess of how places grow from lane to lane that are seen from `block`. */
struct mpl_contiguous {
  const struct mpl_lanes *lanes;
  unsigned block;
  unsigned left;          /* steps */
  unsigned most;          /* lanes of a chunk for which it holds */
  struct mpl_map strides; /* of values that were asked for */
};
struct mpl_contiguous mpl_contiguous_at(const struct mpl_lanes *, LLVMValueRef access);
int mpl_contiguous_stride(struct mpl_contiguous *, LLVMValueRef value);
int mpl_guessed_stride(const struct mpl_lanes *, LLVMValueRef access);
/* By a guess that the access is side by side or one place: lanes of a chunk for which that holds. */
unsigned mpl_guessed_lanes(const struct mpl_lanes *, const struct mpl_lane_access *);

#endif
