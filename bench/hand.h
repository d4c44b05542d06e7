/* The yardstick: what one core can do for one collective, written by hand as vector code.
 *
 * Each function does `steps` times what a compiled work-group has to do: `count` operands in memory
 * are combined, the result r goes to all of them, and each makes its next operand r * z + base[i].
 * count is a multiple of 16; arrays are 64-byte aligned. */
#ifndef BENCH_HAND_H
#define BENCH_HAND_H

#include <stddef.h>
#include <stdint.h>

/* COLLECTIVE(name, bar, "OpenCL C expression of x, i"); r is its value.  The hand-written function
 * of the same name is in hand_type.h. */
#define HAND_COLLECTIVES(COLLECTIVE)                                                               \
  COLLECTIVE(reduce_add, collective, "work_group_reduce_add(x)")                                   \
  COLLECTIVE(reduce_max, collective, "work_group_reduce_max(x)")                                   \
  COLLECTIVE(any, collective, "(T)work_group_any(x == (T)77)")                                     \
  COLLECTIVE(all, collective, "(T)work_group_all(x != (T)77)")                                     \
  COLLECTIVE(broadcast, collective, "work_group_broadcast(x, i & (get_local_size(0) - 1))")        \
  COLLECTIVE(scan_inclusive_add, scan, "work_group_scan_inclusive_add(x)")                         \
  COLLECTIVE(scan_exclusive_add, scan, "work_group_scan_exclusive_add(x)")                         \
  COLLECTIVE(scan_inclusive_max, scan, "work_group_scan_inclusive_max(x)")                         \
  COLLECTIVE(barrier, barrier, "x; barrier(CLK_LOCAL_MEM_FENCE)")

typedef void hand_fn(void *x, const void *base, size_t count, uint32_t steps, double z);

struct hand_type {
  const char *type_name; /* in OpenCL C */
  size_t size;
#define COLLECTIVE(name, bar, expression) hand_fn *name;
  HAND_COLLECTIVES(COLLECTIVE)
#undef COLLECTIVE
};

extern const struct hand_type hand_types[];
extern const int num_hand_types;

#endif
