/* The yardstick for sub-groups: what one core can do for one collective of 16 or 32 lanes, written
 * by hand as vector code.  Operands never leave the registers.
 *
 * Like hand.h's functions these do `steps` times what a compiled sub-group has to do: `count`
 * operands, 16 or 32, are combined, and each lane makes its next operand r * z + base. */
#ifndef BENCH_HAND_LANES_H
#define BENCH_HAND_LANES_H

#include "hand.h"

/* COLLECTIVE(name, "OpenCL C expression of x, i, lane and SIZE"); r is its value. */
#define HAND_LANES(COLLECTIVE)                                                                     \
  COLLECTIVE(reduce_add, "sub_group_reduce_add(x)")                                                \
  COLLECTIVE(reduce_max, "sub_group_reduce_max(x)")                                                \
  COLLECTIVE(any, "(T)sub_group_any(x == (T)77)")                                                  \
  COLLECTIVE(all, "(T)sub_group_all(x != (T)77)")                                                  \
  COLLECTIVE(broadcast, "sub_group_broadcast(x, i & (SIZE - 1))")                                  \
  COLLECTIVE(shuffle, "sub_group_shuffle(x, lane + i & (SIZE - 1))")                               \
  COLLECTIVE(shuffle_xor, "sub_group_shuffle_xor(x, 1)")                                           \
  COLLECTIVE(scan_inclusive_add, "sub_group_scan_inclusive_add(x)")                                \
  COLLECTIVE(scan_exclusive_add, "sub_group_scan_exclusive_add(x)")

struct hand_lanes {
  const struct hand_type *type;
#define COLLECTIVE(name, expression) hand_fn *name;
  HAND_LANES(COLLECTIVE)
#undef COLLECTIVE
};

extern const struct hand_lanes hand_lanes[];
extern const int num_hand_lanes;

#endif
