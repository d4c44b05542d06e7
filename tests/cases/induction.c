/* What must survive a loop with sync points: values from before it, around it, out of it. */
#ifdef __OPENCL_VERSION__
kernel void around(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int before = in[at] * 3, unused_inside = in[at] ^ 0x777, varying = in[at], uniform = n;
  int i;
  for (i = 1; i < n * 3; i += 2) {
    int inner = varying + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    varying = inner ^ (uniform + before);
    uniform = uniform * 3 + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[at] = before + unused_inside * 5 + varying * 7 + uniform * 11 + i * 13;
}

kernel void uniform_in_branch(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], u = 1, count = 0;
  for (int i = 0; i < n; i++) {
    if (i % 3 == 0) {
      u = u * 5 + i;
      int w = u + 2;
      barrier(CLK_LOCAL_MEM_FENCE);
      x += w;
    }
    count += u & 3;
    for (; count > 4; count -= 3) {
      barrier(CLK_LOCAL_MEM_FENCE);
      x ^= count + u;
    }
  }
  out[at] = x + u * 3 + count;
}

kernel void last_value(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], previous = 0, older = -1;
  for (int i = 0; i < n; i++) {
    older = previous;
    previous = x;
    x = x * 3 + work_group_reduce_max(x & 0xff);
  }
  out[at] = x + previous * 3 + older * 5;
}

kernel void pointer_steps(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  global const int *p = in + at;
  int x = 0;
  for (int i = 0; i < n; i++) {
    x += *p;
    barrier(CLK_LOCAL_MEM_FENCE);
    p = i & 1 ? in + at : p;
    x ^= *p;
  }
  out[at] = x + (int)(p - in - at);
}

kernel void collective_carried(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], r = 0, s = 0;
  for (int i = 0; i < n; i++) {
    int was = r;
    r = work_group_reduce_add(x + s);
    s = work_group_scan_inclusive_add(x ^ was);
  }
  out[at] = r * 3 + s;
}
#else
#include "run/case.h"

CASE(around, int, int, .args = 1, .arg = {4}) {
  EACH(i) {
    int before = mul(in[i], 3), varying = in[i], uniform = 4, k;
    for (k = 1; k < 12; k += 2) {
      varying = add(varying, k) ^ add(uniform, before);
      uniform = add(mul(uniform, 3), 1);
    }
    out[i] = add(add(before, mul(in[i] ^ 0x777, 5)), mul(varying, 7));
    out[i] = add(out[i], add(mul(uniform, 11), k * 13));
  }
}

CASE(uniform_in_branch, int, int, .args = 1, .arg = {7}) {
  EACH(i) {
    int x = in[i], u = 1, count = 0;
    for (int k = 0; k < 7; k++) {
      if (k % 3 == 0) u = u * 5 + k, x = add(x, u + 2);
      count += u & 3;
      for (; count > 4; count -= 3) x ^= count + u;
    }
    out[i] = add(x, u * 3 + count);
  }
}

CASE(last_value, int, int, .args = 1, .arg = {5}) {
  int x[MAX_ITEMS], previous[MAX_ITEMS], older[MAX_ITEMS];
  EACH(i) x[i] = in[i], previous[i] = 0, older[i] = -1;
  for (int k = 0; k < 5; k++) {
    int high = 0;
    EACH(i) high = (x[i] & 0xff) > high ? x[i] & 0xff : high;
    EACH(i) older[i] = previous[i], previous[i] = x[i], x[i] = add(mul(x[i], 3), high);
  }
  EACH(i) out[i] = add(x[i], add(mul(previous[i], 3), mul(older[i], 5)));
}

CASE(pointer_steps, int, int, .args = 1, .arg = {5}) {
  EACH(i) {
    int x = 0;
    for (int k = 0; k < 5; k++) x = add(x, in[i]) ^ in[i];
    out[i] = x;
  }
}

CASE(collective_carried, int, int, .args = 1, .arg = {4}) {
  int s[MAX_ITEMS], r = 0;
  EACH(i) s[i] = 0;
  for (int k = 0; k < 4; k++) {
    int was = r, sum = 0;
    r = 0;
    EACH(i) r = add(r, add(in[i], s[i]));
    EACH(i) s[i] = sum = add(sum, in[i] ^ was);
  }
  EACH(i) out[i] = add(mul(r, 3), s[i]);
}
#endif
