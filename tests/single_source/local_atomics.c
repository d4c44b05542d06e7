// Atomics on mpl_local variables and on global memory.  Of those in the kernel: 1 are global.
#include <maniple/group.h>
#include <stdio.h>

enum { SIZE = 128, GROUPS = 8 };

mpl_kernel(count, (const unsigned *)in, (unsigned *)out) {
  mpl_local unsigned counts[16], all;
  size_t lane = get_local_id(0);
  if (lane < 16) counts[lane] = 0;
  if (lane == 0) all = 0;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  unsigned value = in[get_global_id(0)];
  __atomic_fetch_add(&counts[value & 15], 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&all, value, __ATOMIC_RELAXED);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (lane < 16) __atomic_fetch_add(&out[lane], counts[lane], __ATOMIC_RELAXED);
  if (lane == 0) out[16 + get_group_id(0)] = all;
}

int main(void) {
  static unsigned in[SIZE * GROUPS], out[16 + GROUPS], expected[16 + GROUPS];
  for (unsigned i = 0; i < SIZE * GROUPS; i++) {
    in[i] = i * 2654435761u >> 20;
    expected[in[i] & 15]++;
    expected[16 + i / SIZE] += in[i];
  }
  if (mpl_launch(count, mpl_1d(SIZE * GROUPS, SIZE), in, out)) {
    printf("%s\n", mpl_error_text());
    return 1;
  }
  int failures = 0;
  for (unsigned i = 0; i < 16 + GROUPS; i++) failures += out[i] != expected[i];
  printf("%d failed\n", failures);
  return failures != 0;
}
