/* Only the work-item whose operand is taken has set it; the others pass what nobody knows.  What follows must not be
 * taken for what that one alone does: in compiled kernels, in one that stays on fibres, and on fibres in a program of
 * any compiler. */
#include "engines.h"

enum { N = 4096, LOCAL = 256, WIDTH = 16 };
static int in[N], out[N];
static float fin[N], fout[N];

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wsometimes-uninitialized"
#else
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

mpl_kernel(of_group, (const int *)x, (int *)y) {
  size_t i = get_global_id(0), at = get_local_id(0);
  int first;
  if (at == 0) first = x[i] + 1;
  first = work_group_broadcast(first, 0);
  y[i] = at < 2 ? first : (int)at;
}

/* Of sub-groups of 8 lanes at least: 3 is what a lane has that takes nothing. */
mpl_kernel(of_sub_group, (const float *)x, (float *)y) {
  size_t i = get_global_id(0);
  uint at = get_sub_group_local_id();
  float one;
  if (at == 1) one = x[i] + 1;
  one = sub_group_broadcast(one, 1);
  y[i] = at < 2 ? one - x[i - at + 1] : 3;
}

mpl_kernel(shuffled, (const int *)x, (int *)y) {
  size_t i = get_global_id(0);
  uint at = get_sub_group_local_id();
  int odd;
  if (at & 1) odd = x[i] + 1;
  odd = sub_group_shuffle(odd, at | 1);
  y[i] = at < 2 ? odd - x[i | 1] : 3;
}

/* A kernel that calls itself by way of a function stays on fibres. */
static int __attribute__((noinline)) sum_to(int n) {
  volatile int once = n;
  return once > 0 ? n + sum_to(once - 1) : 0;
}
mpl_kernel(on_fibres, (const int *)x, (int *)y) {
  size_t i = get_global_id(0), at = get_local_id(0);
  int first;
  if (at == 0) first = x[i] + sum_to(3);
  first = work_group_broadcast(first, 0);
  y[i] = at < 2 ? first : (int)at;
}

#define CHECK_ALL(right, what)                                                                     \
  for (int i = 0; i < N; i++) EXPECT(right, "%s: work-item %d", what, i)

int main(void) {
  for (int i = 0; i < N; i++) fin[i] = (float)(in[i] = i * 31 % 97);
  struct mpl_range range = mpl_1d(N, LOCAL);
  EXPECT(!mpl_launch(of_group, range, in, out), "%s", mpl_error_text());
  CHECK_ALL(out[i] == (i % LOCAL < 2 ? in[i / LOCAL * LOCAL] + 1 : i % LOCAL), "of_group");
  EXPECT(!mpl_launch(on_fibres, range, in, out), "%s", mpl_error_text());
  CHECK_ALL(out[i] == (i % LOCAL < 2 ? in[i / LOCAL * LOCAL] + 6 : i % LOCAL), "on_fibres");
  EXPECT(!mpl_launch(of_sub_group, range, fin, fout), "%s", mpl_error_text());
  EXPECT(!mpl_launch(shuffled, range, in, out), "%s", mpl_error_text());
  for (int i = 0; i < N; i += 8) {
    for (int k = 0; k < 8; k++) {
      if (k < 2 && i % 64) continue; /* the first of a sub-group, or not: by its size */
      EXPECT(fout[i + k] == (k < 2 ? 1 : 3), "of_sub_group: work-item %d", i + k);
      EXPECT(out[i + k] == (k < 2 ? 1 : 3), "shuffled: work-item %d", i + k);
    }
  }
  return result();
}
