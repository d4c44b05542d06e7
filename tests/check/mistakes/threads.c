/* On all threads: each group does it. */
#define RANGE mpl_1d(2048, 32)
#include "mistake.h"

static int deep(int n, const volatile int *before) {
  volatile int here[100];
  here[0] = before[0];
  here[99] = n;
  return n ? deep(n - 1, here) + here[99] : here[0];
}

mpl_kernel(k, (int *) out) {
  size_t i = get_local_id(0);
  if (i == 5) out[i] = deep(100000, out);
}
MAIN
