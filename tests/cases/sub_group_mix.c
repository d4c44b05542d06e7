/* Sub-group and work-group functions in one kernel. */
#ifdef __OPENCL_VERSION__
#define KERNEL kernel __attribute__((intel_reqd_sub_group_size(SUB_GROUP)))

/* One local cell for each sub-group; the first sub-group combines them. */
KERNEL void two_level_reduce(global int *out, global const int *in, local int *cells) {
  size_t at = get_global_linear_id();
  int sum = sub_group_reduce_add(in[at]);
  if (get_sub_group_local_id() == 0) cells[get_sub_group_id()] = sum;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (get_sub_group_id() == 0) {
    int all = 0;
    for (uint i = get_sub_group_local_id(); i < get_num_sub_groups(); i += get_sub_group_size())
      all += cells[i];
    all = sub_group_reduce_add(all);
    if (get_sub_group_local_id() == 0) cells[0] = all;
  }
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = cells[0] * 3 + sum;
}

/* Work-items that part behind a barrier go on from there, and do nothing twice. */
KERNEL void mixed_parted(global int *out, global const int *in, local int *cells) {
  size_t at = get_global_linear_id(), place = get_local_linear_id();
  cells[place] = 0;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  int before = atomic_inc(&cells[place]);
  if (in[at] & 1) before += 10 * sub_group_non_uniform_reduce_add(1);
  out[at] = before + cells[place];
}

KERNEL void two_level_scan(global int *out, global const int *in, local int *cells) {
  size_t at = get_global_linear_id();
  uint id = get_sub_group_id(), lane = get_sub_group_local_id(), size = get_sub_group_size();
  int sums = sub_group_scan_inclusive_add(in[at]);
  if (lane == size - 1) cells[id] = sums;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (id == 0) {
    int carry = 0;
    for (uint first = 0; first < get_num_sub_groups(); first += size) {
      uint i = first + lane;
      int x = i < get_num_sub_groups() ? cells[i] : 0;
      int before = sub_group_scan_exclusive_add(x) + carry;
      if (i < get_num_sub_groups()) cells[i] = before;
      carry += sub_group_reduce_add(x);
    }
  }
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = sums + cells[id];
}

KERNEL void mixed_chain(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at];
  for (int i = 0; i < n; i++) {
    int a = sub_group_reduce_max(x), b = work_group_reduce_min(a);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    x = work_group_scan_exclusive_add(x - b) + sub_group_scan_inclusive_add(a ^ x);
  }
  out[at] = x;
}

/* Places by numbers of 16 bits: of two lanes' indices that leave a register at once, each must be alone. */
KERNEL void places_by_halves(global int *out, global const int *in, global const int *u) {
  size_t at = get_global_linear_id();
  global const short *halves = (global const short *)in;
  uint never = get_max_sub_group_size() & 1;
  out[at] = (int)sub_group_rotate((long)u[(never ? 0u : (uint)halves[2 * at]) & 7], 0);
}

/* Lanes part, sub-groups part, then the work-group meets. */
KERNEL void mixed_after_divergence(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], y = 0;
  for (int i = 0; i < n; i++) {
    if (x & 1) y += (int)sub_group_ballot_bit_count(sub_group_ballot(1));
    else if (get_sub_group_id() & 1) y -= sub_group_non_uniform_reduce_max(x & 255);
    y ^= work_group_reduce_add(y);
    x = (int)((uint)x >> 1);
  }
  out[at] = y;
}

/* Most of this kernel needs no sub-groups at all. */
KERNEL void mixed_little(global float *out, global const float *in) {
  size_t at = get_global_linear_id();
  float x = in[at], sum = work_group_reduce_add(x);
  float low = work_group_scan_inclusive_min(x);
  x = sum + low * 2;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  x += work_group_broadcast(in[at], 0, 0, 0);
  out[at] = x + (float)get_sub_group_id();
}

KERNEL void compaction(global int *out, global const int *in, local int *cells) {
  size_t at = get_global_linear_id(), me = get_local_linear_id();
  uint lane = get_sub_group_local_id();
  bool keep = in[at] % 3 == 0;
  uint4 kept = sub_group_ballot(keep);
  uint place = sub_group_ballot_exclusive_scan(kept), count = sub_group_ballot_bit_count(kept);
  uint first = work_group_scan_exclusive_add(lane == 0 ? count : 0);
  first = sub_group_broadcast(first, 0);
  cells[me] = -1;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (keep) cells[first + place] = in[at];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = cells[me];
}
#else
#include "run/case.h"

CASE(two_level_reduce, int, int, .local_per_item = 4, .sub_groups = true) {
  int all = sum_int(in, g->items);
  EACH_SUB_GROUP(s) {
    int sum = sum_int(in + s.first, s.end - s.first);
    EACH_LANE(s, i) out[i] = add(mul(all, 3), sum);
  }
}

CASE(mixed_parted, int, int, .local_per_item = 4, .sub_groups = true) {
  EACH_SUB_GROUP(s) {
    int odd = 0;
    EACH_LANE(s, i) odd += in[i] & 1;
    EACH_LANE(s, i) out[i] = 1 + (in[i] & 1 ? 10 * odd : 0);
  }
}

CASE(two_level_scan, int, int, .local_per_item = 4, .sub_groups = true) {
  int sum = 0;
  EACH(i) out[i] = sum = add(sum, in[i]);
}

CASE(places_by_halves, int, int, .args_in_buffer = true, .arg = {3, 1, 4, 15, 9, 2, 6, 5}, .sub_groups = true) {
  EACH(i) out[i] = g->arg[in[i] & 7];
}

CASE(mixed_chain, int, int, .args = 1, .arg = {3}, .sub_groups = true) {
  EACH(i) out[i] = in[i];
  for (int r = 0; r < 3; r++) {
    int least = INT_MAX, before = 0;
    EACH_SUB_GROUP(s) {
      int most = max_int(out + s.first, s.end - s.first);
      least = most < least ? most : least;
    }
    EACH_SUB_GROUP(s) {
      int most = max_int(out + s.first, s.end - s.first), sum = 0;
      EACH_LANE(s, i) {
        int x = out[i];
        sum = add(sum, most ^ x);
        out[i] = add(before, sum);
        before = add(before, sub(x, least));
      }
    }
  }
}

CASE(mixed_after_divergence, int, int, .args = 1, .arg = {4}, .sub_groups = true) {
  int x[MAX_ITEMS];
  EACH(i) x[i] = in[i], out[i] = 0;
  for (int r = 0; r < 4; r++) {
    EACH_SUB_GROUP(s) {
      int odd = 0, most = 0;
      EACH_LANE(s, i) {
        if (x[i] & 1) odd++;
        else most = (x[i] & 255) > most ? x[i] & 255 : most;
      }
      EACH_LANE(s, i) out[i] = x[i] & 1 ? add(out[i], odd) : s.id & 1 ? sub(out[i], most) : out[i];
    }
    int sum = sum_int(out, g->items);
    EACH(i) out[i] ^= sum, x[i] = (int)((uint)x[i] >> 1);
  }
}

CASE(mixed_little, float, float, .small = true, .sub_groups = true) {
  float sum = sum_float(in, g->items), low = in[0];
  EACH_SUB_GROUP(s) EACH_LANE(s, i) {
    low = in[i] < low ? in[i] : low;
    out[i] = sum + low * 2 + in[0] + (float)s.id;
  }
}

CASE(compaction, int, int, .local_per_item = 4, .sub_groups = true) {
  size_t n = 0;
  EACH(i) out[i] = -1;
  EACH(i) if (in[i] % 3 == 0) out[n++] = in[i];
}
#endif
