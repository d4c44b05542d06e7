/* Host code beside a kernel of many regions, for which the passes turn something of LLVM's off:
 * host_code.sh compares it with the same code alone (-DALONE). */
#include <maniple/group.h>

void host(int *a, const int *b, long n, long step) {
  for (long i = 0; i < n; i++) a[i * step] += b[i * step + 3] + b[i * 2 * step];
}

#ifndef ALONE
#define FOUR(v)                                                                                    \
  v += work_group_scan_inclusive_add(v);                                                           \
  v ^= work_group_reduce_max(v);                                                                   \
  v -= work_group_scan_exclusive_add(v);                                                           \
  v += work_group_reduce_min(v);
#define TWELVE(v) FOUR(v) FOUR(v) FOUR(v)
#define MANY(v)   TWELVE(v) TWELVE(v) TWELVE(v) TWELVE(v)

mpl_kernel(many, (int *)x) {
  int v = x[get_global_id(0)];
  MANY(v)
  x[get_global_id(0)] = v;
}

int launch(int *x) {
  return mpl_launch(many, mpl_1d(64, 64), x);
}
#endif
