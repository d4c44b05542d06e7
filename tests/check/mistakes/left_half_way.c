/* Stacks on which work-items were left half-way are used again, by other frames.  Also compiled
 * with AddressSanitizer, which remembers the frames that were there, and looks at the whole stack
 * where somebody jumps. */
#include <setjmp.h>

#include "mistake.h"

static __attribute__((noinline)) int deep(int n, int at_bottom) {
  volatile int here[9];
  for (int i = 0; i < 9; i++) here[i] = n + i;
  int below = n ? deep(n - 1, at_bottom) : at_bottom ? work_group_reduce_add(1) : 0;
  return here[8] + below;
}

mpl_kernel(k, (int *)out) {
  int i = (int)get_local_id(0);
  if (i >= 16) out[i] = deep(i, 1);
}

static __attribute__((noinline)) void jump(jmp_buf where, int value) {
  volatile int here[9] = {0};
  here[8] = value;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  longjmp(where, here[8]);
}

mpl_kernel(after, (int *)out) {
  int i = (int)get_local_id(0);
  volatile char all[8192];
  jmp_buf where;
  for (unsigned at = 0; at < sizeof all; at++) all[at] = (char)i;
  int jumped = setjmp(where);
  if (!jumped) jump(where, i + 1);
  int sum = 0;
  for (unsigned at = 0; at < sizeof all; at++) sum += all[at];
  out[i] = work_group_scan_inclusive_add(sum + jumped);
}

int main(void) {
  static int out[32];
  if (!mpl_launch(k, RANGE, out) || mpl_launch(after, RANGE, out)) return 1;
  for (int i = 0, sum = 0; i < 32; i++) {
    sum += 8192 * i + i + 1;
    if (out[i] != sum) return 2;
  }
  return 0;
}
