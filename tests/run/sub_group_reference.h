/* What each sub-group function should answer, by the text of OpenCL C 3.0 section 6.15.19 and of the
 * extensions, one lane at a time. */
#ifndef TESTS_RUN_SUB_GROUP_REFERENCE_H
#define TESTS_RUN_SUB_GROUP_REFERENCE_H

#include "run/number.h"

enum value { NONE, TYPE, INT, UINT, UINT4 };

/* One overload of a function. */
struct overload {
  const char *function;        /* its name */
  const char *extension;
  const struct operand *t;     /* the element type of TYPE */
  unsigned width;              /* elements in TYPE: 1, 2, 3, 4, 8, 16 */
  enum value value, first, second, third;
  bool apart;                  /* some lanes may call it without the others */
  const struct operation *op;  /* of arithmetic, or null */
  const char *form;            /* reduce, scan_inclusive, scan_exclusive; of arithmetic */
  unsigned diagonal;           /* form, operation and type, or function, type and width: their places' sum */
};

/* One call that the lanes of `active` make together; bit i is lane i of the sub-group. */
struct call {
  const struct overload *f;
  uint64_t active;
  unsigned lanes, max_size;    /* of this sub-group; get_max_sub_group_size() */
  const unsigned char *in;     /* first argument, an element for each lane */
  const uint32_t *with;        /* second argument, for each lane */
  uint32_t cluster;            /* a clustered function's constant, else 0 */
  bool exact;                  /* sums of these operands are */
};

/* Is what `lane` of them got right?  If not, and `text` is not null, it says what it should be.
 * True where the specification leaves the answer open. */
bool right_answer(const struct call *c, unsigned lane, const void *got, char text[128]);

unsigned value_width(const struct overload *f, enum value v); /* elements */
enum type value_type(const struct overload *f, enum value v);
size_t value_size(const struct overload *f, enum value v);    /* bytes in memory: vec3 is 4 wide */

#endif
