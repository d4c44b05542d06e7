/* Volatile accesses in C, compiled by `maniple cc --check-memory`: those that trust work-items to go in step
 * are races, those with which a loop waits are not. */
#include <maniple/group.h>
#include <string.h>

/* A sum by halves without barriers: volatile alone orders nothing. */
mpl_kernel(lock_step, (int *)out) {
  mpl_local volatile int t[48];
  int l = (int)get_local_id(0);
  t[l] = l;
  if (l < 16) t[l + 32] = 1;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  t[l] += t[l + 16];
  if (l == 0) out[0] = t[0];
}

/* The first tells the others by a flag; there is no race about it. */
mpl_kernel(waits, (int *)out) {
  mpl_local volatile int flag;
  int l = (int)get_local_id(0);
  if (l == 0) flag = 0;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) flag = 1;
  int value;
  do {
    value = flag;
  } while (!value);
  out[l] = value;
}

int main(int count, char **name) {
  static int out[32];
  int failed = count > 1 && !strcmp(name[1], "waits") ? mpl_launch(waits, mpl_1d(32, 32), out)
                                                      : mpl_launch(lock_step, mpl_1d(32, 32), out);
  return failed != 0;
}
