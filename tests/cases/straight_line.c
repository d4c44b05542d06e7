/* Collectives one after another: independent, chained, and the pair of scan and last item. */
#ifdef __OPENCL_VERSION__
kernel void back_to_back(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  int x = in[at];
  int sum = work_group_reduce_add(x);
  int low = work_group_reduce_min(x);
  int high = work_group_reduce_max(x);
  int some = work_group_any(x == low);
  int all = work_group_all(x >= low);
  int before = work_group_scan_exclusive_add(x);
  int upto = work_group_scan_inclusive_max(x);
  out[at] = sum + 3 * low + 5 * high + 7 * (some != 0) + 11 * (all != 0) + 13 * before + 17 * upto;
}

kernel void chained(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  int x = in[at];
  x = work_group_scan_inclusive_add(x);
  x = work_group_scan_exclusive_add(x ^ 5);
  x = x - work_group_reduce_max(x & 0xffff);
  x = work_group_scan_inclusive_min(x);
  out[at] = x + work_group_reduce_add(x);
}

kernel void scan_and_total(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  int keep = in[at] > 0;
  int place = work_group_scan_exclusive_add(keep);
  size_t last = get_local_size(0) * get_local_size(1) * get_local_size(2) - 1;
  int total = work_group_broadcast(place + keep, last % get_local_size(0),
                                   last / get_local_size(0) % get_local_size(1),
                                   last / get_local_size(0) / get_local_size(1));
  out[at] = place * 10000 + total;
}
#else
#include "run/case.h"

CASE(back_to_back, int, int) {
  int sum = sum_int(in, g->items), low = min_int(in, g->items), high = max_int(in, g->items);
  int before = 0, upto = INT_MIN;
  EACH(i) {
    upto = in[i] > upto ? in[i] : upto;
    out[i] = add(add(add(sum, mul(3, low)), mul(5, high)), 18);
    out[i] = add(add(out[i], mul(13, before)), mul(17, upto));
    before = add(before, in[i]);
  }
}

CASE(chained, int, int) {
  int x[MAX_ITEMS], y[MAX_ITEMS], sum = 0, high = 0, low = INT_MAX, total = 0;
  EACH(i) x[i] = sum = add(sum, in[i]);
  sum = 0;
  EACH(i) {
    y[i] = sum;
    sum = add(sum, x[i] ^ 5);
  }
  EACH(i) high = (y[i] & 0xffff) > high ? y[i] & 0xffff : high;
  EACH(i) {
    int v = sub(y[i], high);
    x[i] = low = v < low ? v : low;
    total = add(total, low);
  }
  EACH(i) out[i] = add(x[i], total);
}

CASE(scan_and_total, int, int) {
  int total = 0, place = 0;
  EACH(i) total += in[i] > 0;
  EACH(i) {
    out[i] = place * 10000 + total;
    place += in[i] > 0;
  }
}
#endif
