/* Flow that differs between work-items, between collectives and barriers. */
#ifdef __OPENCL_VERSION__
kernel void varying_loop(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], steps = 0;
  uint v = (uint)x & 0xffff;
  while (v > 1) {
    v = v & 1 ? v * 3 + 1 : v / 2;
    if (++steps == 60) break;
  }
  int most = work_group_reduce_max(steps);
  int sum = 0;
  for (int i = 0; i < steps; i++) {
    if (i % 3 == 0) continue;
    sum += i ^ most;
  }
  int before = work_group_scan_exclusive_add(sum);
  out[at] = before * 3 + steps;
}

kernel void varying_switch(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], y = 1;
  for (int i = 0; i < n; i++) {
    switch ((x + i) & 7) {
    case 0: y += 3; break;
    case 1: y *= 5; /* falls */
    case 2: y ^= x; break;
    case 5:
      if (x & 16) break;
      y -= i;
      /* falls */
    default: y = -y;
    }
    x += work_group_reduce_min(y);
  }
  out[at] = x ^ y;
}

kernel void varying_nested(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at] & 31, sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < x; i++)
    for (int j = i; j < x; j += 3) {
      if ((i ^ j) == 9) goto out_of_both;
      sum += i * j + (int)get_local_linear_id();
    }
out_of_both:
  barrier(CLK_LOCAL_MEM_FENCE);
  sum += work_group_any(sum == 7) ? 1000 : 0;
  if (sum & 1) {
    if (x > 3) sum += 5;
    else if (x > 1) sum -= 7;
  } else {
    do sum /= 2; while (sum > 100);
  }
  out[at] = work_group_scan_inclusive_max(sum);
}

kernel void varying_last_value(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at] & 15, found = -1, at_round = -1;
  for (int r = 0; r < n; r++) {
    if (found < 0 && (x * r) % 7 == 3) {
      found = x + r * 2;
      at_round = r;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[at] = found * 100 + at_round;
}
/* The work-items that take the branch begin in the middle of a chunk, and what they count at 0. */
kernel void varying_start(global int *out, global const int *in, int behind, local int *own) {
  size_t at = get_global_linear_id();
  int i = (int)get_local_linear_id(), v = 3;
  own[i] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  i -= behind;
  if (i >= 0 && i < 100000) v = own[i];
  out[at] = v;
}
/* The only ways out stand under a condition: work-items that have come there go on beside those that have not. */
kernel void left_inside(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  uint x = in[at], y = x >> 11, k = 0;
  for (uint t = 0;; t++) {
    if (x >> (t & 31) & 1 || t > 40) {
      k++;
      if (k > 5) {
        out[at] = y * 7 + k;
        return;
      }
    } else {
      y ^= k;
    }
    y += (k & 3) * n + t;
    out[at] = y;
  }
}

/* The same, where it varies what is loaded then. */
kernel void left_inside_array(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  uint x = in[at], y = x >> 11, p[4], k = 0;
  p[0] = p[1] = x;
  p[2] = p[3] = 5;
  bool inside = ((x ^ y) & 3) == 0;
  for (uint t = 0;; t++) {
    if (inside) {
      p[k & 3] ^= y;
      k += 3;
      y += x >> (k & 7);
      if (y % 11 == 3) {
        y *= 7;
        break;
      }
      if (k > 60) {
        y = 5 + k;
        break;
      }
    }
    p[k & 3] += k;
    y += k + n;
    inside |= !(t & 1);
  }
  out[at] = y ^ p[2] ^ p[0] + k;
}
#else
#include "run/case.h"

CASE(varying_loop, int, int, .args = 1, .arg = {1}) {
  int steps[MAX_ITEMS], most = 0, before = 0;
  EACH(i) {
    steps[i] = 0;
    for (uint v = (uint)in[i] & 0xffff; v > 1;) {
      v = v & 1 ? v * 3 + 1 : v / 2;
      if (++steps[i] == 60) break;
    }
    most = steps[i] > most ? steps[i] : most;
  }
  EACH(i) {
    int sum = 0;
    for (int k = 0; k < steps[i]; k++) sum += k % 3 ? k ^ most : 0;
    out[i] = before * 3 + steps[i];
    before += sum;
  }
}

CASE(varying_switch, int, int, .args = 1, .arg = {5}) {
  int x[MAX_ITEMS], y[MAX_ITEMS];
  EACH(i) x[i] = in[i], y[i] = 1;
  for (int k = 0; k < 5; k++) {
    EACH(i) {
      int c = add(x[i], k) & 7;
      if (c == 0) y[i] = add(y[i], 3);
      else if (c == 1) y[i] = mul(y[i], 5) ^ x[i];
      else if (c == 2) y[i] ^= x[i];
      else if (c == 5) y[i] = x[i] & 16 ? y[i] : sub(0, sub(y[i], k));
      else y[i] = sub(0, y[i]);
    }
    int low = min_int(y, g->items);
    EACH(i) x[i] = add(x[i], low);
  }
  EACH(i) out[i] = x[i] ^ y[i];
}

static int nested_sum(int x, int id) {
  int sum = 0;
  for (int a = 0; a < x; a++)
    for (int b = a; b < x; b += 3) {
      if ((a ^ b) == 9) return sum;
      sum += a * b + id;
    }
  return sum;
}
CASE(varying_nested, int, int, .args = 1, .arg = {1}) {
  int sum[MAX_ITEMS], any = 0, high = INT_MIN;
  EACH(i) any |= (sum[i] = nested_sum(in[i] & 31, (int)i)) == 7;
  EACH(i) {
    int x = in[i] & 31, s = sum[i] + (any ? 1000 : 0);
    if (s & 1) s += x > 3 ? 5 : x > 1 ? -7 : 0;
    else do s /= 2; while (s > 100);
    high = s > high ? s : high;
    out[i] = high;
  }
}

CASE(varying_last_value, int, int, .args = 1, .arg = {9}) {
  EACH(i) {
    int x = in[i] & 15, found = -1, round = -1;
    for (int r = 0; r < 9; r++)
      if (found < 0 && x * r % 7 == 3) found = x + r * 2, round = r;
    out[i] = found * 100 + round;
  }
}

CASE(varying_start, int, int, .args = 1, .arg = {5}, .local_per_item = 4) {
  EACH(i) out[i] = (int)i < g->arg[0] ? 3 : in[(int)i - g->arg[0]];
}

CASE(left_inside, int, int, .args = 1, .arg = {9}) {
  EACH(i) {
    unsigned x = (unsigned)in[i], y = x >> 11, k = 0, t = 0;
    for (; k < 6; t++) {
      bool counts = x >> (t & 31) & 1 || t > 40;
      k += counts;
      if (k < 6) y = (counts ? y : y ^ k) + (k & 3) * 9 + t;
    }
    out[i] = (int)(y * 7 + k);
  }
}

CASE(left_inside_array, int, int, .args = 1, .arg = {9}) {
  EACH(i) {
    unsigned x = (unsigned)in[i], y = x >> 11, p[4] = {x, x, 5, 5}, k = 0;
    bool inside = ((x ^ y) & 3) == 0, goes_on = true;
    for (unsigned t = 0; goes_on; t++) {
      if (inside) {
        p[k & 3] ^= y;
        k += 3;
        y += x >> (k & 7);
        goes_on = y % 11 != 3 && k <= 60;
        if (!goes_on) y = y % 11 == 3 ? y * 7 : 5 + k;
      }
      if (!goes_on) break;
      p[k & 3] += k;
      y += k + 9;
      inside |= !(t & 1);
    }
    out[i] = (int)(y ^ p[2] ^ (p[0] + k));
  }
}
#endif
