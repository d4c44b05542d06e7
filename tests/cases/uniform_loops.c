/* Collectives in loops that all work-items go round together. */
#ifdef __OPENCL_VERSION__
kernel void reduce_in_loop(global int *out, global const int *in, int rounds) {
  size_t at = get_global_linear_id();
  int x = in[at], sum = 0;
  for (int i = 0; i < rounds; i++) sum += work_group_reduce_max(x ^ (i * 0x1234567));
  out[at] = sum;
}

kernel void nested_loops(global int *out, global const int *in, int rounds) {
  size_t at = get_global_linear_id();
  int x = in[at];
  for (int i = 0; i < rounds; i++) {
    int y = x;
    for (int j = 0; j <= i; j++) {
      y += work_group_scan_exclusive_add(x + j);
      for (int k = 0; k < 2; k++) x ^= work_group_reduce_min(y) + k;
    }
    x += y;
  }
  out[at] = x;
}

kernel void while_any(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint x = in[at] & 0xff;
  int rounds = 0;
  while (work_group_any(x != 0)) {
    x >>= 1;
    rounds++;
  }
  out[at] = rounds;
}

kernel void do_while_sum(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  int x = in[at] & 15, total, rounds = 0;
  do {
    x = x / 2;
    total = work_group_reduce_add(x);
    rounds += 3;
  } while (total > 0);
  out[at] = rounds + x;
}

kernel void break_continue(global int *out, global const int *in, int rounds) {
  size_t at = get_global_linear_id();
  int x = in[at], hits = 0;
  for (int i = 0;; i++) {
    if (i == rounds) break;
    if (i % 3 == 1) continue;
    int high = work_group_reduce_max(x);
    if (high < 0) {
      hits += 1000;
      break;
    }
    if (high & 1) {
      x -= 3;
      hits++;
      continue;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    x = x / 2 - 1;
  }
  out[at] = x ^ hits;
}
#else
#include "run/case.h"

CASE(reduce_in_loop, int, int, .args = 1, .arg = {6}) {
  int sum = 0;
  for (int r = 0; r < 6; r++) {
    int high = INT_MIN;
    EACH(i) high = (in[i] ^ mul(r, 0x1234567)) > high ? in[i] ^ mul(r, 0x1234567) : high;
    sum = add(sum, high);
  }
  EACH(i) out[i] = sum;
}

CASE(nested_loops, int, int, .args = 1, .arg = {3}) {
  int x[MAX_ITEMS], y[MAX_ITEMS];
  EACH(i) x[i] = in[i];
  for (int r = 0; r < g->arg[0]; r++) {
    EACH(i) y[i] = x[i];
    for (int j = 0; j <= r; j++) {
      int sum = 0;
      EACH(i) {
        y[i] = add(y[i], sum);
        sum = add(sum, add(x[i], j));
      }
      int low = min_int(y, g->items);
      for (int k = 0; k < 2; k++) EACH(i) x[i] ^= add(low, k);
    }
    EACH(i) x[i] = add(x[i], y[i]);
  }
  EACH(i) out[i] = x[i];
}

CASE(while_any, int, int) {
  int rounds = 0, all = 0;
  EACH(i) all |= in[i] & 0xff;
  for (; all; all >>= 1) rounds++;
  EACH(i) out[i] = rounds;
}

CASE(do_while_sum, int, int) {
  int rounds = 0, all = 0;
  EACH(i) all |= in[i] & 15;
  do {
    all >>= 1;
    rounds += 3;
  } while (all);
  EACH(i) out[i] = rounds;
}

CASE(break_continue, int, int, .args = 1, .arg = {9}) {
  int x[MAX_ITEMS], hits = 0;
  EACH(i) x[i] = in[i];
  for (int r = 0; r < g->arg[0]; r++) {
    if (r % 3 == 1) continue;
    int high = max_int(x, g->items);
    if (high < 0) {
      hits += 1000;
      break;
    }
    hits += high & 1;
    EACH(i) x[i] = high & 1 ? sub(x[i], 3) : x[i] / 2 - 1;
  }
  EACH(i) out[i] = x[i] ^ hits;
}
#endif
