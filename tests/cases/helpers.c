/* Functions of one work-item that kernels call: what they take, where they write, how they return. */
#ifdef __OPENCL_VERSION__
struct mixed {
  char tag;
  int number;
  short parts[3];
};
static struct mixed made(int x) {
  struct mixed m = {(char)x, x * 3, {(short)x, (short)(x >> 8), 7}};
  return m;
}
static int folded(struct mixed m, int k) {
  m.number += m.parts[k % 3]; /* its own copy */
  return m.number ^ m.tag;
}
kernel void by_value(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  struct mixed m = made(in[at]);
  int sum = folded(m, in[at] & 7);
  for (int k = 0; k < n; k++) sum += folded(made(in[at] + k), k);
  out[at] = sum * 5 + m.number;
}

/* Structures from place to place, some work-items' only; their fields between those of others. */
struct record {
  int x, y, z;
};
kernel void records(global int *out, global const int *in, int n) {
  local struct record cells[4096];
  size_t at = get_global_linear_id(), l = get_local_linear_id();
  size_t last = get_local_size(0) * get_local_size(1) * get_local_size(2) - 1;
  global struct record *own = (global struct record *)out + at;
  struct record first = {in[at], in[at] ^ 5, 9};
  *own = first;
  cells[l] = *own;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (in[at] & 1) *own = cells[last - l];
  for (int k = 0; k < n; k++) {
    own->x += cells[l].y;
    own->z -= cells[last - l].x;
    own->y ^= cells[l].z + k;
  }
}

/* Early returns, and places of all address spaces. */
static int found(private const int *own, int what, private int *turns) {
  for (int k = 0; k < 8; k++) {
    *turns = k;
    if (own[k] == what) return 100 + k;
    if (own[k] > what + 3000) return -k;
  }
  return what & 1;
}
static void noted(global int *out, int value) {
  if (value < 0) return;
  *out += value;
}
static int exchanged(local int *cell, int value) {
  if (value == 3) return *cell;
  int old = *cell;
  *cell = value;
  return old;
}
kernel void places(global int *out, global const int *in, int n) {
  local int cells[4096];
  size_t at = get_global_linear_id(), l = get_local_linear_id();
  int own[8], turns = -1, x = in[at];
  for (int k = 0; k < 8; k++) own[k] = x * (k + n) & 31;
  cells[l] = l;
  out[at] = found(own, x & 31, &turns) * 10 + turns;
  int old = exchanged(&cells[l], x & 3);
  noted(&out[at], x & 4 ? old : -old - 1);
  out[at] += exchanged(&cells[l], 0) * 3;
}

/* A helper that calls helpers, the hard way round. */
static int low(int x) { return x & 15; }
static int middle(int x, int y) {
  if (x > y) return low(x) - low(y);
  switch (low(x + y)) {
  case 0: return low(y);
  case 3: y += 2; break;
  case 7: return y / (low(x) + 1);
  default: while (y > 20) y -= low(x) + 1;
  }
  return x + y;
}
__attribute__((noinline)) static int high(int x, int n) {
  int sum = 0;
  for (int k = 0; k < n; k++) {
    if (low(sum) == 9) break;
    sum += middle(low(x + k), low(x >> k));
  }
  return sum;
}
kernel void nested(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at];
  if (x & 1) out[at] = high(x, n);
  else if (x & 2) out[at] = -high(x >> 3, low(x >> 8));
  else out[at] = middle(low(x), n);
}

/* OpenCL C has no recursion, but clang takes it, alone and in turns. */
static int even(int x);
static int odd(int x) { return x <= 0 ? 0 : even(x - 1) + 1; }
static int even(int x) { return x <= 0 ? 5 : odd(x - 2) + 3; }
static int collatz(int x) { return x < 2 ? 0 : x & 1 ? collatz(3 * x + 1) + 1 : collatz(x / 2) + 1; }
kernel void recursive(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at] & 255;
  out[at] = collatz(x);
  if (x > 40) out[at] += odd(x & 31) * n;
}

/* What is noinline stays a call: ids are arguments of it, through those in between. */
__attribute__((noinline)) static int placed(int x) {
  return x * 3 + (int)get_global_id(0) * 7 - (int)get_local_id(1) * 5;
}
static int between(int x, int n) { return x & 1 ? placed(x) : placed(x + n) ^ (int)get_global_id(2); }
__attribute__((noinline)) static int placed_often(int x, int n) {
  int sum = 0;
  for (int k = 0; k < (x & 3); k++) sum += between(x + k, n) + (int)get_global_id(0);
  return sum;
}
/* Asks for what nobody knows before it runs: inlined. */
__attribute__((noinline)) static int placed_by(int x, int d) { return x + (int)get_global_id(d); }
kernel void apart(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at] & 0xffff;
  if (x & 4) out[at] = placed_often(x, n);
  else out[at] = placed(x) + placed_often(x >> 2, n) - placed_by(x, x & 1);
}
#else
#include "run/case.h"

static int folded(int x, int k) {
  short parts[3] = {(short)x, (short)(x >> 8), 7};
  return add(mul(x, 3), parts[k % 3]) ^ (signed char)x;
}
CASE(by_value, int, int, .args = 1, .arg = {4}) {
  EACH(i) {
    int sum = folded(in[i], in[i] & 7);
    for (int k = 0; k < 4; k++) sum = add(sum, folded(add(in[i], k), k));
    out[i] = add(mul(sum, 5), mul(in[i], 3));
  }
}

CASE(records, int, int, .args = 1, .arg = {3}, .out_per_item = 3) {
  EACH(i) {
    size_t other = g->items - 1 - i;
    int from = in[i] & 1 ? in[other] : in[i];
    int x = from, y = from ^ 5, z = 9;
    for (int k = 0; k < 3; k++) {
      x = add(x, in[i] ^ 5);
      z = sub(z, in[other]);
      y ^= 9 + k;
    }
    out[3 * i] = x, out[3 * i + 1] = y, out[3 * i + 2] = z;
  }
}

CASE(places, int, int, .args = 1, .arg = {3}) {
  EACH(i) {
    int own[8], x = in[i], turns = 0, what = x & 31, result = what & 1;
    for (int k = 0; k < 8; k++) own[k] = mul(x, k + 3) & 31;
    for (; turns < 8 && own[turns] != what; turns++) continue;
    if (turns < 8) result = 100 + turns;
    else turns = 7;
    bool kept = (x & 3) == 3;
    out[i] = result * 10 + turns + (x & 4 ? (int)i : 0) + (kept ? (int)i : x & 3) * 3;
  }
}

static int low(int x) { return x & 15; }
static int middle(int x, int y) {
  if (x > y) return low(x) - low(y);
  int z = low(x + y);
  if (z == 0) return low(y);
  if (z == 7) return y / (low(x) + 1);
  if (z == 3) y += 2;
  else
    while (y > 20) y -= low(x) + 1;
  return x + y;
}
static int high(int x, int n) {
  int sum = 0;
  for (int k = 0; k < n && low(sum) != 9; k++) sum += middle(low(add(x, k)), low(x >> k));
  return sum;
}
static int global_id(const struct group *g, size_t i, int d) {
  const size_t local[] = {local_x(g, i), local_y(g, i), local_z(g, i)};
  return (int)(g->shape->offset[d] + g->id[d] * g->shape->local[d] + local[d]);
}
static int placed(const struct group *g, size_t i, int x) {
  return x * 3 + global_id(g, i, 0) * 7 - (int)local_y(g, i) * 5;
}
static int placed_often(const struct group *g, size_t i, int x, int n) {
  int sum = 0;
  for (int k = 0; k < (x & 3); k++) {
    int y = x + k;
    sum += y & 1 ? placed(g, i, y) : placed(g, i, y + n) ^ global_id(g, i, 2);
    sum += global_id(g, i, 0);
  }
  return sum;
}
CASE(apart, int, int, .args = 1, .arg = {9}) {
  EACH(i) {
    int x = in[i] & 0xffff;
    if (x & 4)
      out[i] = placed_often(g, i, x, 9);
    else
      out[i] = placed(g, i, x) + placed_often(g, i, x >> 2, 9) - (x + global_id(g, i, x & 1));
  }
}

CASE(nested, int, int, .args = 1, .arg = {31}) {
  EACH(i) {
    int x = in[i];
    out[i] = x & 1 ? high(x, 31) : x & 2 ? -high(x >> 3, low(x >> 8)) : middle(low(x), 31);
  }
}

static int collatz(int x) {
  int turns = 0;
  for (; x > 1; turns++) x = x & 1 ? 3 * x + 1 : x / 2;
  return turns;
}
CASE(recursive, int, int, .args = 1, .arg = {7}) {
  EACH(i) {
    int x = in[i] & 255, depth = x & 31, sum = 0;
    out[i] = collatz(x);
    if (x <= 40) continue;
    bool is_odd = true;
    for (; depth > 0; is_odd = !is_odd) {
      sum += is_odd ? 1 : 3;
      depth -= is_odd ? 1 : 2;
    }
    out[i] += (sum + (is_odd ? 0 : 5)) * 7;
  }
}
#endif
