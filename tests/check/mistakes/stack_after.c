/* An overflow in a work-group whose fibres an earlier one has given up: it is told whose it is. */
#include <stdlib.h>
#define RANGE mpl_1d(64, 32)
#include "mistake.h"

static int deep(int n, const volatile int *before) {
  volatile int here[100];
  here[0] = before[0];
  here[99] = n;
  return n ? deep(n - 1, here) + here[99] : here[0];
}

mpl_kernel(k, (int *)out) {
  size_t i = get_local_id(0);
  if (get_group_id(0) == 1 && i == 31) out[i] = deep(100000, out);
  if (i < 16)
    out[i] = work_group_reduce_add(1);
  else
    out[i] = work_group_reduce_max(1);
}

int main(void) {
  static int out[64];
  setenv("MANIPLE_CHECK_SCHEDULE", "reverse", 1);
  setenv("MANIPLE_THREADS", "1", 1);
  return mpl_launch(k, RANGE, out) == 0 ? 0 : 1;
}
