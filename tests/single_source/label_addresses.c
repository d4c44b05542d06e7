/* Computed gotos, whose tables of addresses lie in the stack or in a static variable: the kernel's
 * answer is that of the same function on the host. */
#include <maniple/group.h>
#include <stdio.h>

enum { N = 64, LOCAL = 16, LIMIT = 50 };
static int out[N];

static inline int by_static_table(int i, int n) {
  static void *const table[] = {&&first, &&second, &&third};
  int x = 0;
  goto *table[i % 3];
first:
  x += 1;
  if (x > 20) goto end;
second:
  x += 10;
  if (x > n) goto end;
  goto *table[x % 3];
third:
  x += 100;
  if (x < n * 3) goto *table[(x + i) % 3];
end:
  return x;
}

static inline int by_own_table(int i, int n) {
  void *table[] = {&&up, &&down};
  int x = n;
  goto *table[i & 1];
up:
  x += i + 1;
  if (x < 3 * n) goto *table[x & 1];
  return x;
down:
  x += 5;
  if (x < 2 * n) goto *table[(x ^ i) & 1];
  return x;
}

mpl_kernel(jumps, (int *)y, (int)n) {
  int i = (int)get_global_id(0);
  y[i] = by_static_table(i, n) + by_own_table(i, n) + work_group_reduce_add(1);
}

int main(void) {
  int wrong = 0;
  if (mpl_launch(jumps, mpl_1d(N, LOCAL), out, LIMIT)) return puts(mpl_error_text()), 1;
  for (int i = 0; i < N; i++)
    wrong += out[i] != by_static_table(i, LIMIT) + by_own_table(i, LIMIT) + LOCAL;
  if (wrong) printf("%d of %d are wrong\n", wrong, N);
  return wrong != 0;
}
