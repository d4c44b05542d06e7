/* Control flow of a region whose work-items part: ways that meet at one place, ways round a loop that
 * pass where others meet, jumps from one branch into another. */
#ifdef __OPENCL_VERSION__
kernel void both_sides(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  if (in[at] > 0) {
    out[at] = in[at] * 3;
    if (in[at] & 1) out[at] += 7;
  } else {
    out[at] = -in[at];
  }
}

kernel void uniform_inside(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], y = 1;
  if (n > 3) {
    if (x > 10) { y = x + 1; out[at] = 0; }
  } else {
    if (x < 10) { y = x - 1; out[at] = 1; }
  }
  if (n & 1) {
    if (x & 1) y += 5;
    else if (n & 4) y ^= 0x55;
  }
  out[at] = y + n;
}

/* Some lanes go round while others come to the uniform test. */
kernel void round_past(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at] & 1023, k = 0, sum = 0;
  while (true) {
    k++;
    if (x & 1) { x = x * 3 + 1; if (k < 90) continue; }
    sum += x;
    if (k > n) break;
    x >>= 1;
    out[at] = k;
  }
  out[at] = sum * 31 + k;
}

kernel void shared_tail(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], y = 0;
  if (n > 2) {
    if (x & 1) goto tail;
    y = x * 5;
    out[at] = y;
  } else {
    if (x & 2) goto tail;
    y = x * 7;
    out[at] = y;
  }
  if ((x & 12) == 4) goto tail;
  y ^= n;
  out[at] = y - 1;
  goto end;
tail:
  y += 1000;
  out[at] = y + 1;
end:
  out[at] += y;
}

kernel void many_ways(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], y = n;
  switch (n & 3) {
  case 0: y += 1; /* falls */
  case 1:
    if (x & 1) { out[at] = 3; break; }
    y += x;
    /* falls */
  case 2:
    switch (x & 7) {
    case 0: y ^= 1; /* falls */
    case 1: y += 2; out[at] = y; break;
    case 5: y = -y; /* falls */
    default: y *= 3;
    }
    break;
  default:
    for (int i = 0; i < (x & 7); i++) {
      if (i == n) break;
      if ((x >> i) & 8) continue;
      y += i * x;
    }
  }
  out[at] = y;
}

/* A loop of one long block, which is passed by where no lane is in it. */
kernel void one_block(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], k = 0, last = 0;
  uint y = x & 7;
  if (y) do {
    last = in[at] * k + x;
    x = x * 5 + (last ^ n);
    out[at] = x + k;
    x ^= out[at] >> 3;
    x = x * 9 + k * last;
    out[at] = x;
    k++;
  } while (k < y);
  out[at] = x + last + k;
}

kernel void leaves_two_loops(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at] & 0xffff, count = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      count += (x >> (j & 7)) & 1;
      if (((x + i * j) & 15) == 15) goto found;
      if (((x ^ j) & 31) == 7) break;
    }
    if (count > 40) return;
    out[at] = count;
  }
  count += 500;
found:
  out[at] = count * 3;
}

/* Loops that only some lanes enter, and leave together, in one another; some turns are of few lanes. */
kernel void left_together(global int *out, global const int *in, int n, int m) {
  size_t i = get_global_linear_id();
  int v = in[i], s = 7, last = -1, k = 0;
  if (v & 1) {
    do {
      if (v + k & 2) s = s * 3 + k;
      for (int j = m; j < k; j++) {
        s += v ^ j;
        if ((v & 12) == 8) last = s - j;
      }
      k++;
    } while (k < n);
    if (v & 4) s ^= k;
  }
  out[i] = s + last * 5 + k;
}

/* Loops that count alike for all, and that some leave early: by the count, by a break, by both. */
kernel void counted_breaks(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  uint x = (uint)in[at], last = 100, seen = 0, k = 77, sum = 0;
  if (x & 3)
    for (k = 0; k < (uint)n; k++) {
      uint y = (x ^ k * 37) & 31;
      if (y == 7) break;
      last = y;
      if (y == 9) {
        seen = k + 1;
        break;
      }
    }
  for (int i = 0; i < n; i++) {
    uint j;
    for (j = 0; j < (uint)n + 3; j++)
      if (((x >> (i & 7)) ^ j) % 5 == 0) break;
    sum = sum * 3 + j;
    if (sum & 1024) break;
    x += j;
  }
  out[at] = (int)(sum ^ k * 100 ^ last << 4 ^ seen << 8 ^ x);
}
#else
#include "run/case.h"

CASE(both_sides, int, int) {
  EACH(i) out[i] = in[i] > 0 ? add((int)((uint)in[i] * 3), in[i] & 1 ? 7 : 0) : (int)-(uint)in[i];
}

static int uniform_way(int x, int n) {
  int y = 1;
  if (n > 3 && x > 10) y = add(x, 1);
  if (n <= 3 && x < 10) y = sub(x, 1);
  if ((n & 1) && (x & 1)) y = add(y, 5);
  else if ((n & 1) && (n & 4)) y ^= 0x55;
  return add(y, n);
}
CASE(uniform_inside, int, int, .args = 1, .arg = {5}) { EACH(i) out[i] = uniform_way(in[i], g->arg[0]); }

CASE(round_past, int, int, .args = 1, .arg = {20}) {
  EACH(i) {
    uint x = in[i] & 1023, sum = 0;
    int k = 1;
    for (;; k++) {
      if (x & 1) {
        x = x * 3 + 1;
        if (k < 90) continue;
      }
      sum += x;
      if (k > g->arg[0]) break;
      x = (uint)((int)x >> 1);
    }
    out[i] = (int)(sum * 31 + (uint)k);
  }
}

CASE(shared_tail, int, int, .args = 1, .arg = {3}) {
  EACH(i) {
    uint x = (uint)in[i], y = x & 1 ? 0 : x * 5;
    bool tail = (x & 1) || (x & 12) == 4;
    y = tail ? y + 1000 : y ^ 3;
    out[i] = (int)(y + (tail ? y + 1 : y - 1));
  }
}

static int way(int x, int n) {
  uint y = (uint)n, u = (uint)x;
  if ((n & 3) == 3) {
    for (int i = 0; i < (x & 7) && i != n; i++)
      if (!((x >> i) & 8)) y += (uint)i * u;
    return (int)y;
  }
  if ((n & 3) == 0) y++;
  if ((n & 3) < 2 && (x & 1)) return (int)y;
  if ((n & 3) < 2) y += u;
  if ((x & 7) == 0) y ^= 1;
  if ((x & 7) == 5) y = -y;
  return (int)((x & 7) < 2 ? y + 2 : y * 3);
}
CASE(many_ways, int, int, .args = 1, .arg = {4}) { EACH(i) out[i] = way(in[i], g->arg[0]); }

CASE(one_block, int, int, .args = 1, .arg = {5}) {
  EACH(i) {
    int x = in[i], k = 0, last = 0;
    for (; k < (in[i] & 7); k++) {
      last = add(mul(in[i], k), x);
      x = add(mul(x, 5), last ^ g->arg[0]);
      x ^= add(x, k) >> 3;
      x = add(mul(x, 9), mul(k, last));
    }
    out[i] = add(add(x, last), k);
  }
}

CASE(leaves_two_loops, int, int, .args = 1, .arg = {9}) {
  int n = g->arg[0];
  EACH(i) {
    int x = in[i] & 0xffff, count = 0, last = 0;
    bool found = false, gone = false;
    for (int a = 0; a < n && !found && !gone; a++) {
      for (int b = 0; b < n; b++) {
        count += (x >> (b & 7)) & 1;
        if ((found = ((x + a * b) & 15) == 15)) break;
        if (((x ^ b) & 31) == 7) break;
      }
      if (!found && !(gone = count > 40)) last = count;
    }
    out[i] = gone ? last : (found ? count : count + 500) * 3;
  }
}

CASE(left_together, int, int, .args = 2, .arg = {6, 2}) {
  EACH(i) {
    int v = in[i], s = 7, last = -1, k = 0;
    if (v & 1) {
      do {
        if (add(v, k) & 2) s = add(mul(s, 3), k);
        for (int j = g->arg[1]; j < k; j++) {
          s = add(s, v ^ j);
          if ((v & 12) == 8) last = sub(s, j);
        }
      } while (++k < g->arg[0]);
      if (v & 4) s ^= k;
    }
    out[i] = add(add(s, mul(last, 5)), k);
  }
}

CASE(counted_breaks, int, int, .args = 1, .arg = {11}) {
  EACH(i) {
    uint x = (uint)in[i], last = 100, seen = 0, k = 77, sum = 0;
    for (uint turn = 0; (x & 3) && turn <= 11; turn++) {
      k = turn;
      if (turn == 11 || ((x ^ turn * 37) & 31) == 7) break;
      last = (x ^ turn * 37) & 31;
      if (last == 9) {
        seen = turn + 1;
        break;
      }
    }
    for (int turn = 0; turn < 11 && !(sum & 1024);) {
      uint j = 0;
      while (j < 14 && ((x >> (turn & 7)) ^ j) % 5) j++;
      sum = sum * 3 + j;
      if (!(sum & 1024)) x += j;
      turn++;
    }
    out[i] = (int)(sum ^ k * 100 ^ last << 4 ^ seen << 8 ^ x);
  }
}
#endif
