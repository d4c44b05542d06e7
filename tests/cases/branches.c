/* Sync points under conditions that are the same for all. */
#ifdef __OPENCL_VERSION__
kernel void both_arms(global int *out, global const int *in, int flag) {
  size_t at = get_global_linear_id();
  int x = in[at], y = x * 7;
  if ((flag + get_group_id(0)) & 1) {
    y = work_group_reduce_max(x) - y;
    barrier(CLK_LOCAL_MEM_FENCE);
    y += 1;
  } else {
    barrier(CLK_LOCAL_MEM_FENCE);
    y ^= work_group_scan_inclusive_add(x);
  }
  out[at] = x + y;
}

kernel void one_arm(global int *out, global const int *in, int flag) {
  size_t at = get_global_linear_id();
  int x = in[at], y = x ^ 0x55, z = flag * 3;
  if (get_group_id(0) % 3 != 1) {
    if (flag > 2) {
      z = z + 1;
      if (get_group_id(0) & 1) {
        y = work_group_scan_exclusive_max(y);
        z = z * 2;
      }
      x += z;
    }
    y += x;
  }
  out[at] = x * 3 + y + z;
}

kernel void choice(global int *out, global const int *in, int flag) {
  size_t at = get_global_linear_id();
  int x = in[at];
  int a = flag > 3 ? work_group_reduce_add(x) : work_group_reduce_min(x);
  int b = get_group_id(0) & 1 ? work_group_reduce_max(x) : x;
  int c = (flag & 1) && work_group_any(x == 5);
  int d = flag == 77 || work_group_all(x > -9);
  out[at] = a + b * 3 + c * 5 + d * 7;
}

kernel void switches(global int *out, global const int *in, int flag) {
  size_t at = get_global_linear_id();
  int x = in[at], y = 0;
  for (int i = 0; i < 6; i++) {
    switch ((i + flag) % 5) {
    case 0: y += work_group_reduce_add(x); break;
    case 1: y ^= work_group_scan_exclusive_add(x); /* falls */
    case 2: barrier(CLK_LOCAL_MEM_FENCE); y += 2; break;
    case 3: x += i;
    default: y -= work_group_scan_inclusive_max(x);
    }
  }
  out[at] = y;
}

kernel void early_return(global int *out, global const int *in, int flag) {
  size_t at = get_global_linear_id();
  int x = in[at];
  out[at] = 1;
  if (get_group_id(0) % 3 == 2) return;
  int high = work_group_reduce_max(x);
  out[at] = high;
  for (int i = 0; i < flag; i++) {
    if (high & (1 << i)) return;
    high += work_group_reduce_min(x) | 1;
    out[at] = high + i;
    if (work_group_all(x < 0)) return;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[at] = x;
}

kernel void two_meet(global int *out, global const int *in, int flag) {
  size_t at = get_global_linear_id();
  local int cell[4];
  int x = in[at], a = x + 1, b = x + 2;
  if (get_local_linear_id() == 0) cell[0] = flag;
  if (flag & 1) {
    a = b + flag;
    barrier(CLK_LOCAL_MEM_FENCE);
    a += cell[0];
  } else if (flag & 2) {
    b = a - flag;
    barrier(CLK_LOCAL_MEM_FENCE);
    b -= cell[0];
  } else {
    a = cell[0] * 0;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  int t = a;
  a = b;
  b = t;
  if (flag & 4) barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = a * 3 + b;
}
#else
#include "run/case.h"

CASE(both_arms, int, int, .args = 1, .arg = {2}) {
  int high = max_int(in, g->items), sum = 0;
  EACH(i) {
    int y = mul(in[i], 7);
    sum = add(sum, in[i]);
    out[i] = add(in[i], g->id[0] & 1 ? add(sub(high, y), 1) : y ^ sum);
  }
}

CASE(one_arm, int, int, .args = 1, .arg = {5}) {
  int high = INT_MIN;
  EACH(i) {
    int x = in[i], y = x ^ 0x55, z = 15, mine = y;
    if (g->id[0] % 3 != 1) {
      z = 16;
      if (g->id[0] & 1) y = high, z = 32;
      x = add(x, z);
      y = add(y, x);
    }
    high = mine > high ? mine : high;
    out[i] = add(add(mul(x, 3), y), z);
  }
}

CASE(choice, int, int, .args = 1, .arg = {5}) {
  int sum = sum_int(in, g->items), high = max_int(in, g->items), any = 0, all = 1;
  EACH(i) any |= in[i] == 5, all &= in[i] > -9;
  EACH(i) out[i] = add(add(sum, mul(g->id[0] & 1 ? high : in[i], 3)), any * 5 + all * 7);
}

CASE(switches, int, int, .args = 1, .arg = {3}) {
  int x[MAX_ITEMS];
  EACH(i) x[i] = in[i], out[i] = 0;
  for (int r = 0; r < 6; r++) {
    int sum = 0, high = INT_MIN, total = sum_int(x, g->items), which = (r + 3) % 5;
    EACH(i) {
      if (which == 0) out[i] = add(out[i], total);
      if (which == 1) out[i] = add(out[i] ^ sum, 2);
      if (which == 2) out[i] = add(out[i], 2);
      if (which == 3) x[i] = add(x[i], r);
      high = x[i] > high ? x[i] : high;
      if (which >= 3) out[i] = sub(out[i], high);
      sum = add(sum, x[i]);
    }
  }
}

CASE(early_return, int, int, .args = 1, .arg = {4}) {
  int high = max_int(in, g->items), low = min_int(in, g->items), last, all = 1;
  bool done = g->id[0] % 3 == 2;
  EACH(i) all &= in[i] < 0;
  int value = done ? 1 : high;
  for (int r = 0; r < 4 && !done; r++) {
    if (high & 1 << r) done = true;
    if (done) break;
    high = add(high, low | 1);
    value = add(high, r);
    done = all;
  }
  EACH(i) {
    last = done ? value : in[i];
    out[i] = last;
  }
}

CASE(two_meet, int, int, .args = 1, .arg = {6}) {
  EACH(i) {
    int a = add(in[i], 1), b = sub(sub(a, 6), 6);
    out[i] = add(mul(b, 3), a);
  }
}
#endif
