/* Collectives whose operands are uniform, constant, or built from ids: arithmetic to the compiler. */
#ifdef __OPENCL_VERSION__
kernel void constants(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  out[at] = work_group_reduce_add(1) + work_group_scan_inclusive_add(2) * 3 +
            work_group_scan_exclusive_add(n) * 5 + work_group_reduce_max(7) +
            (work_group_scan_exclusive_min(n) & 0xff) + (work_group_all(1) != 0) +
            (work_group_any(0) != 0) * 100 + work_group_broadcast(n, 0, 0, 0);
}

kernel void only_constants(global int *out, global const int *in, int n) {
  out[get_global_linear_id()] = work_group_reduce_add(1);
}

kernel void only_argument(global int *out, global const int *in, int n) {
  out[get_global_linear_id()] = work_group_scan_exclusive_add(n);
}

kernel void uniform_values(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int g = get_group_id(0) * 3 + n, sum = 0;
  for (int i = 0; i < n; i++) {
    sum += work_group_reduce_add(g + i);
    sum ^= work_group_scan_inclusive_max(g - i) + work_group_scan_exclusive_max(i);
    g = work_group_reduce_min(sum);
  }
  out[at] = sum + g;
}

kernel void ids(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int i = get_local_linear_id();
  int r = work_group_reduce_add(i) + work_group_scan_exclusive_max(i) * 3;
  r += work_group_reduce_max((int)get_local_id(0)) + work_group_reduce_max((int)get_local_id(1)) * 7;
  r += work_group_reduce_max((int)get_local_id(2)) * 11;
  ulong u = work_group_scan_inclusive_add((ulong)i << 31);
  out[at] = r + (int)(u >> 30);
}
#else
#include "run/case.h"

CASE(constants, int, int, .args = 1, .arg = {6}) {
  EACH(i) {
    int k = (int)i;
    out[i] = (int)g->items + (k + 1) * 6 + 6 * k * 5 + 7 + (k ? 6 : 0xff) + 1 + 6;
  }
}
CASE(only_constants, int, int, .args = 1, .arg = {6}) { EACH(i) out[i] = (int)g->items; }
CASE(only_argument, int, int, .args = 1, .arg = {6}) { EACH(i) out[i] = 6 * (int)i; }

CASE(uniform_values, int, int, .args = 1, .arg = {4}) {
  int v = (int)g->id[0] * 3 + 4, sum[MAX_ITEMS] = {0};
  for (int k = 0; k < 4; k++) {
    EACH(i) {
      sum[i] = add(sum[i], mul((int)g->items, add(v, k)));
      sum[i] ^= add(sub(v, k), i ? k : INT_MIN);
    }
    v = min_int(sum, g->items);
  }
  EACH(i) out[i] = add(sum[i], v);
}

CASE(ids, int, int, .args = 1, .arg = {6}) {
  int n = (int)g->items;
  EACH(i) {
    int k = (int)i;
    ulong u = (ulong)k * ((ulong)k + 1) / 2 << 31;
    out[i] = add(n * (n - 1) / 2, k ? (k - 1) * 3 : mul(INT_MIN, 3));
    out[i] = add(out[i], (int)(g->size[0] - 1 + (g->size[1] - 1) * 7 + (g->size[2] - 1) * 11));
    out[i] = add(out[i], (int)(u >> 30));
  }
}
#endif
