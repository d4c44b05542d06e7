/* Scans in the loop that computes the operand: of lanes that parted, of rows, by two ways. */
#ifdef __OPENCL_VERSION__
kernel void scan_of_branches(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at] & 63, y = x;
  if (x & 1) {
    while (y < 50) y = y * 2 + 1;
  } else if (get_local_linear_id() > 7) {
    y = x / (n + (x & 3));
  }
  out[at] = work_group_scan_exclusive_max(y - x) * 100 + y;
}

kernel void scan_of_rows(global long *out, global const long *in, int n) {
  size_t at = get_global_linear_id();
  uint x = (uint)in[at] ^ get_local_id(0) * 3 ^ get_local_id(1) * 50 ^ get_local_id(2) * 999;
  long sum = work_group_scan_inclusive_add(in[at] >> n);
  out[at] = sum ^ work_group_scan_exclusive_min(x);
}

kernel void scan_by_two_ways(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at];
  for (int i = 0; i < n; i++) {
    if (i & 1) {
      x = work_group_scan_exclusive_add(x * i);
    } else {
      barrier(CLK_LOCAL_MEM_FENCE);
      x ^= i;
    }
    x = work_group_scan_inclusive_add(x + i);
  }
  out[at] = x;
}
#else
#include "run/case.h"

CASE(scan_of_branches, int, int, .args = 1, .arg = {5}) {
  int most = INT_MIN;
  EACH(i) {
    int x = in[i] & 63, y = x;
    if (x & 1)
      while (y < 50) y = y * 2 + 1;
    else if (i > 7)
      y = x / (5 + (x & 3));
    out[i] = add(mul(most, 100), y);
    most = y - x > most ? y - x : most;
  }
}

CASE(scan_of_rows, long, long, .args = 1, .arg = {3}) {
  ulong sum = 0;
  uint least = UINT_MAX;
  EACH(i) {
    uint x = (uint)in[i] ^ (uint)(i % g->size[0]) * 3 ^
             (uint)(i / g->size[0] % g->size[1]) * 50 ^
             (uint)(i / g->size[0] / g->size[1]) * 999;
    sum += (ulong)(in[i] >> 3);
    out[i] = (long)(sum ^ least);
    least = x < least ? x : least;
  }
}

CASE(scan_by_two_ways, int, int, .args = 1, .arg = {5}) {
  EACH(i) out[i] = in[i];
  for (int k = 0; k < 5; k++) {
    int sum = 0;
    EACH(i) {
      int x = mul(out[i], k);
      out[i] = k & 1 ? sum : out[i] ^ k;
      sum = add(sum, x);
    }
    sum = 0;
    EACH(i) out[i] = sum = add(sum, add(out[i], k));
  }
}
#endif
