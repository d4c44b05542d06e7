/* Sub-groups of one work-group that go different ways: each its own collectives, barriers, loops
 * and returns, between the points where all meet. */
#ifdef __OPENCL_VERSION__
#define KERNEL kernel __attribute__((intel_reqd_sub_group_size(SUB_GROUP)))

KERNEL void apart_first_only(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  int x = in[at];
  if (get_sub_group_id() == 0) {
    x = sub_group_scan_inclusive_add(x);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    x ^= sub_group_reduce_max(x);
  }
  out[at] = x;
}

/* As in the conformance tests: only sub-group 0 exchanges through memory. */
KERNEL void apart_barrier(global int *out, global const int *in, local int *cells) {
  size_t at = get_global_linear_id();
  uint lane = get_sub_group_local_id();
  cells[get_local_linear_id()] = -1;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  int x = in[at];
  if (get_sub_group_id() == 0) {
    cells[lane] = x;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    x = cells[get_sub_group_size() - 1 - lane];
  }
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = x * 2 + cells[get_local_linear_id()];
}

KERNEL void apart_switch(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  int x = in[at], y = 7;
  switch (get_sub_group_id() % 5) {
  case 0: y = sub_group_reduce_add(x); break;
  case 1: y = sub_group_scan_exclusive_max(x); /* falls */
  case 2: y ^= sub_group_broadcast(x, 0); break;
  case 3: sub_group_barrier(CLK_LOCAL_MEM_FENCE); y = sub_group_any(x == 3) ? 50 : 60; break;
  default: break;
  }
  y += work_group_reduce_add(y);
  out[at] = y;
}

KERNEL void apart_loops(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], steps = 0;
  for (uint i = 0; i < get_sub_group_id() % 5 + 1; i++) {
    x += sub_group_scan_exclusive_add(x & 0xffff);
    for (int k = 0; k < n; k++) {
      if (sub_group_reduce_max(x) & (1 << k)) break;
      x = x * 3 + sub_group_reduce_min(x);
      steps++;
    }
  }
  out[at] = x ^ work_group_scan_inclusive_add(steps);
}

/* Trip counts that depend on the data. */
KERNEL void apart_until(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint x = (uint)in[at] & 0xfff;
  int rounds = 0;
  while (true) {
    uint most = sub_group_reduce_max(x);
    if (most < 2) break;
    rounds++;
    if (most % 2) {
      x = x / 2;
      continue;
    }
    x = x ? x - 1 : 0;
    if (rounds > 20) x /= 4;
  }
  int longest = work_group_reduce_max(rounds);
  out[at] = (int)x * 1000 + rounds * 10 + (longest == rounds);
}

KERNEL void apart_return(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  int x = in[at];
  out[at] = -x;
  if (get_sub_group_id() % 3 == 1) return;
  x = sub_group_reduce_add(x);
  if (x & 1) return;
  out[at] = sub_group_scan_inclusive_max(in[at]) ^ x;
}

/* The work-group meets in a uniform loop, its sub-groups part in each round. */
KERNEL void apart_and_together(global int *out, global const int *in, int n, local int *cells) {
  size_t at = get_global_linear_id(), me = get_local_linear_id();
  size_t items = get_local_size(0) * get_local_size(1) * get_local_size(2);
  int x = in[at];
  for (int i = 0; i < n; i++) {
    if ((get_sub_group_id() + i) % 2) x = sub_group_reduce_add(x) - x;
    else if (i > 1) x ^= sub_group_scan_inclusive_max(x);
    cells[me] = x;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    x += cells[(me + 1) % items];
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (work_group_any(x == 0)) x++;
  }
  out[at] = x;
}
#else
#include "run/case.h"

CASE(apart_first_only, int, int, .sub_groups = true) {
  EACH_SUB_GROUP(s) {
    int sum = 0;
    EACH_LANE(s, i) out[i] = s.id ? in[i] : (sum = add(sum, in[i]));
    int most = max_int(out + s.first, s.end - s.first);
    if (!s.id) EACH_LANE(s, i) out[i] ^= most;
  }
}

CASE(apart_barrier, int, int, .local_per_item = 4, .sub_groups = true) {
  EACH_SUB_GROUP(s) EACH_LANE(s, i) {
    int x = s.id ? in[i] : in[s.end - 1 - i];
    out[i] = add(mul(x, 2), s.id ? -1 : in[i]);
  }
}

CASE(apart_switch, int, int, .sub_groups = true) {
  EACH_SUB_GROUP(s) {
    size_t n = s.end - s.first;
    int most = INT_MIN, sum = sum_int(in + s.first, n), three = 60;
    EACH_LANE(s, i) three = in[i] == 3 ? 50 : three;
    EACH_LANE(s, i) {
      int by[5] = {sum, most ^ in[s.first], 7 ^ in[s.first], three, 7};
      out[i] = by[s.id % 5];
      most = in[i] > most ? in[i] : most;
    }
  }
  int all = sum_int(out, g->items);
  EACH(i) out[i] = add(out[i], all);
}

CASE(apart_loops, int, int, .args = 1, .arg = {4}, .sub_groups = true) {
  int steps[MAX_ITEMS] = {0}, all = 0;
  EACH_SUB_GROUP(s) {
    int *x = out + s.first;
    size_t n = s.end - s.first;
    EACH_LANE(s, i) out[i] = in[i];
    for (size_t r = 0; r < s.id % 5 + 1; r++) {
      int before = 0;
      EACH_LANE(s, i) {
        int y = out[i] & 0xffff;
        out[i] = add(out[i], before);
        before = add(before, y);
      }
      for (int k = 0; k < 4; k++) {
        if (max_int(x, n) & 1 << k) break;
        int low = min_int(x, n);
        EACH_LANE(s, i) out[i] = add(mul(out[i], 3), low), steps[i]++;
      }
    }
  }
  EACH(i) all += steps[i], out[i] ^= all;
}

CASE(apart_until, int, int, .sub_groups = true) {
  int rounds[MAX_ITEMS], longest = 0;
  EACH_SUB_GROUP(s) {
    uint x[64], n = (uint)(s.end - s.first), most;
    int r = 0;
    for (uint k = 0; k < n; k++) x[k] = (uint)in[s.first + k] & 0xfff;
    while ((most = max_uint(x, n)) >= 2) {
      r++;
      for (uint k = 0; k < n; k++) {
        if (most % 2) x[k] /= 2;
        else x[k] = (x[k] ? x[k] - 1 : 0) / (r > 20 ? 4 : 1);
      }
    }
    EACH_LANE(s, i) out[i] = (int)x[i - s.first] * 1000, rounds[i] = r;
    longest = r > longest ? r : longest;
  }
  EACH(i) out[i] += rounds[i] * 10 + (rounds[i] == longest);
}

CASE(apart_return, int, int, .sub_groups = true) {
  EACH_SUB_GROUP(s) {
    int sum = sum_int(in + s.first, s.end - s.first), most = INT_MIN;
    EACH_LANE(s, i) {
      most = in[i] > most ? in[i] : most;
      out[i] = s.id % 3 == 1 || sum & 1 ? sub(0, in[i]) : most ^ sum;
    }
  }
}

CASE(apart_and_together, int, int, .args = 1, .arg = {5}, .local_per_item = 4, .sub_groups = true) {
  int x[MAX_ITEMS], cells[MAX_ITEMS];
  EACH(i) x[i] = in[i];
  for (int r = 0; r < 5; r++) {
    EACH_SUB_GROUP(s) {
      int sum = sum_int(x + s.first, s.end - s.first), most = INT_MIN;
      EACH_LANE(s, i) {
        most = x[i] > most ? x[i] : most;
        if ((s.id + (size_t)r) % 2) x[i] = sub(sum, x[i]);
        else if (r > 1) x[i] ^= most;
      }
    }
    bool zero = false;
    EACH(i) cells[i] = x[i];
    EACH(i) x[i] = add(x[i], cells[(i + 1) % g->items]), zero |= x[i] == 0;
    if (zero) EACH(i) x[i] = add(x[i], 1);
  }
  EACH(i) out[i] = x[i];
}
#endif
