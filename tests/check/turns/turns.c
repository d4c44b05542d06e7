/* A group's work-items at one call in different iterations of loops, and what only looks like it.
 * Compiled by `maniple cc`: other compilers do not count. */
#include <maniple/group.h>
#include <stdio.h>
#include <string.h>

static int all(int i) {
  return work_group_reduce_add(i);
}

/* Half of them come one iteration later. */
mpl_kernel(one, (int *)out) {
  int i = (int)get_local_id(0);
  for (int j = 0; j < 2; j++)
    if (j == (i & 1)) out[i] = work_group_reduce_add(j);
}

/* In the same iteration of the inner loop, in a function. */
static int rows(int i, int row) {
  int sum = 0;
  for (int j = 0; j < 3; j++)
    if (row == (i & 1)) sum += all(j);
  return sum;
}
mpl_kernel(nested, (int *)out) {
  int i = (int)get_local_id(0);
  for (int row = 0; row < 2; row++) out[i] += rows(i, row);
}

/* An iteration that ends early is one. */
mpl_kernel(early, (int *)out) {
  int i = (int)get_local_id(0), j = 0;
  while (j++ < 3) {
    if (j == 2 + (i & 1)) continue;
    out[i] += work_group_broadcast(j, 0);
  }
}

/* Each waits for as long as it likes, in loops that begin where others do; some loops begin at
 * different numbers, and functions are called after different numbers of calls. */
static int some(int i, int times) {
  int sum = 0;
  for (int j = 0; j < times; j++)
    if (i < 0) sum += all(i);
  return sum;
}
mpl_kernel(legal, (int *)out) {
  volatile int left = (int)get_local_id(0);
  int i = left, n = (int)get_local_size(0), right = 1, turns = 0;
  for (;;) {
    while (left % 3) left--;
    do {
      left++;
    } while (left % 5);
    right &= work_group_reduce_add(i) == n * (n - 1) / 2;
    if (++turns == 3) break;
    some(i, i % 4);
  }
  for (int j = i; j < i + 3; j++) {
    for (int k = 0; k < i; k++)
      if (k == 7) goto out;
  out:
    right &= all(1) == n;
  }
  some(i, i % 5);
  out[i] = right & (all(1) == n);
}

int main(int count, char **name) {
  static int out[32];
  const char *which = count > 1 ? name[1] : "";
  int failed = !strcmp(which, "one")      ? mpl_launch(one, mpl_1d(32, 32), out)
               : !strcmp(which, "nested") ? mpl_launch(nested, mpl_1d(32, 32), out)
               : !strcmp(which, "early")  ? mpl_launch(early, mpl_1d(32, 32), out)
                                          : mpl_launch(legal, mpl_1d(32, 32), out);
  for (int i = 0; i < 32 && !strcmp(which, "legal"); i++) failed |= out[i] != 1;
  return failed != 0;
}
