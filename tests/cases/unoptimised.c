/* The same meaning when the front end keeps every variable in memory (-cl-opt-disable). */
#ifdef __OPENCL_VERSION__
int helper(int x, int *p, local int *cells) {
  cells[get_local_linear_id()] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t n = get_local_size(0) * get_local_size(1) * get_local_size(2);
  int y = cells[(get_local_linear_id() + 1) % n];
  *p += y;
  barrier(CLK_LOCAL_MEM_FENCE);
  return work_group_reduce_max(y & 0xfff);
}
kernel void unoptimised(global int *out, global const int *in, int rounds, local int *cells) {
  size_t at = get_global_linear_id();
  int x = in[at], a[4] = {1, 2, 3, 4}, u = 0;
  for (int i = 0; i < rounds; i++) {
    if (i == 2) continue;
    u += helper(x, &a[i & 3], cells);
    if (u & 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      x = work_group_scan_exclusive_add(x);
    } else if (x > 0) {
      for (int j = 0; j < (x & 3); j++) x ^= j << 3;
    }
  }
  out[at] = x + a[0] * 3 + a[1] * 5 + a[2] * 7 + a[3] * 11 + u;
}

/* 12 bytes in units of 8: half a unit more.  By value it is moved as a long and an int. */
struct triple {
  short2 pairs[2];
  uchar2 rest;
};
__attribute__((noinline)) int folded(int sum, struct triple t, struct triple u) {
  for (int i = 0; i < 2; i++) {
    sum = sum * 5 + t.pairs[i].s0 * 3 + t.pairs[i].s1;
    sum = sum * 5 + u.pairs[i ^ 1].s0 * 3 + u.pairs[i ^ 1].s1;
  }
  return sum * 7 + t.rest.s0 + t.rest.s1 * 3 + u.rest.s1 * 5;
}
__attribute__((noinline)) int folded_later(int sum, struct triple t, struct triple u) {
  sum = folded(sum, t, u);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  return folded(sum, u, t);
}
kernel void by_value(global int *out, global const int *in, int n, local struct triple *own) {
  short2 x = convert_short2((int2)(in[get_global_linear_id()] & 63, n));
  local struct triple *t = own + get_local_linear_id();
  *t = (struct triple){{x, x.yx + (short)1}, convert_uchar2(x)};
  out[get_global_linear_id()] = folded(n, *t, *t);
}
kernel void by_value_later(global int *out, global const int *in, int n, local struct triple *own) {
  short2 x = convert_short2((int2)(in[get_global_linear_id()] & 63, n));
  local struct triple *t = own + get_local_linear_id();
  *t = (struct triple){{x, x.yx + (short)1}, convert_uchar2(x)};
  out[get_global_linear_id()] = folded_later(n, *t, *t);
}

/* A vector of three components is moved as one of four, of which nobody has written the last. */
struct three {
  int pair[2];
  uchar3 rest;
};
__attribute__((noinline)) int folded_three(int sum, struct three t) {
  for (int i = 0; i < 2; i++) sum = sum * 5 + t.pair[i];
  return sum * 7 + t.rest.s0 + t.rest.s1 * 3 + t.rest.s2 * 5;
}
kernel void by_value_three(global int *out, global const int *in, int n, local struct three *own) {
  uchar x = (uchar)in[get_global_linear_id()];
  local struct three *t = own + get_local_linear_id();
  *t = (struct three){{x, n}, (uchar3)(x, n, x ^ 1)};
  struct three again = {{1, n}, t->rest};
  out[get_global_linear_id()] = folded_three(folded_three(n, *t), again);
}
#else
#include "run/case.h"

CASE(unoptimised, int, int, .args = 1, .arg = {5}, .local_per_item = 4,
     .options = "-cl-std=CL3.0 -cl-opt-disable") {
  static int x[MAX_ITEMS], a[MAX_ITEMS][4];
  int u = 0;
  EACH(i) {
    x[i] = in[i];
    for (int k = 0; k < 4; k++) a[i][k] = k + 1;
  }
  for (int k = 0; k < 5; k++) {
    if (k == 2) continue;
    int high = 0, sum = 0;
    EACH(i) {
      int y = x[(i + 1) % g->items];
      a[i][k & 3] = add(a[i][k & 3], y);
      high = (y & 0xfff) > high ? y & 0xfff : high;
    }
    u += high;
    EACH(i) {
      int v = x[i];
      if (u & 1) x[i] = sum;
      else if (v > 0) for (int j = 0; j < (x[i] & 3); j++) x[i] ^= j << 3;
      sum = add(sum, v);
    }
  }
  EACH(i) {
    out[i] = add(add(x[i], u), add(mul(a[i][0], 3), mul(a[i][1], 5)));
    out[i] = add(out[i], add(mul(a[i][2], 7), mul(a[i][3], 11)));
  }
}

static int folded(int sum, int x) {
  const int pairs[2][2] = {{x, 5}, {6, x + 1}};
  for (int k = 0; k < 2; k++) {
    sum = add(mul(sum, 5), pairs[k][0] * 3 + pairs[k][1]);
    sum = add(mul(sum, 5), pairs[k ^ 1][0] * 3 + pairs[k ^ 1][1]);
  }
  return add(mul(sum, 7), x + 5 * 3 + 5 * 5);
}

CASE(by_value, int, int, .args = 1, .arg = {5}, .local_per_item = 12,
     .options = "-cl-std=CL3.0 -cl-opt-disable") {
  EACH(i) out[i] = folded(5, in[i] & 63);
}

CASE(by_value_later, int, int, .args = 1, .arg = {5}, .local_per_item = 12,
     .options = "-cl-std=CL3.0 -cl-opt-disable") {
  EACH(i) out[i] = folded(folded(5, in[i] & 63), in[i] & 63);
}

static int folded_three(int sum, int first, int x) {
  return add(mul(add(mul(add(mul(sum, 5), first), 5), 5), 7), x + 5 * 3 + (x ^ 1) * 5);
}

CASE(by_value_three, int, int, .args = 1, .arg = {5}, .local_per_item = 12,
     .options = "-cl-std=CL3.0 -cl-opt-disable") {
  EACH(i) {
    int x = in[i] & 255;
    out[i] = folded_three(folded_three(5, x, x), 1, x);
  }
}
#endif
