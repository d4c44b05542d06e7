/* Collectives and barriers in functions that the kernel calls, 1 to 4 deep, from several places. */
#ifdef __OPENCL_VERSION__
int total(int x) { return work_group_reduce_add(x); }
int twice(int x) { return total(x) + total(x + 1); }
int deeper(int x, int *extra) {
  int y = twice(x);
  if (y & 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    *extra += 5;
  } else {
    *extra ^= work_group_scan_inclusive_add(x);
  }
  return y;
}
int deepest(int x, int n, int *extra) {
  int y = 0;
  for (int i = 0; i < n; i++) {
    y += deeper(x + i, extra);
    if (i == 2) return y;
  }
  return ~y;
}

kernel void depth_1(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  out[at] = total(in[at]) + n;
}
kernel void depth_2(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  out[at] = twice(in[at]) - n;
}
kernel void depth_4(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int extra = in[at];
  int a = deepest(in[at], n, &extra);
  int b = deepest(extra, n - 1, &extra);
  out[at] = a + b * 3 + extra * 5;
}

/* A kernel that calls kernels. */
kernel void calls_kernels(global int *out, global const int *in, int n) {
  depth_1(out, in, n);
  if (get_group_id(0) & 1) depth_2(out, in, n + 1);
  size_t at = get_global_linear_id();
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[at] += work_group_reduce_max(out[at]);
}

struct pair { int low, high; };
struct pair bounds(int x) {
  struct pair p = {work_group_reduce_min(x), work_group_reduce_max(x)};
  return p;
}
static void exchange(local int *cells, int *mine) {
  size_t i = get_local_linear_id();
  size_t n = get_local_size(0) * get_local_size(1) * get_local_size(2);
  cells[i] = *mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  *mine = cells[(i + 1) % n];
  barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void structs_and_locals(global int *out, global const int *in, int n) {
  local int cells[4096];
  size_t at = get_global_linear_id();
  int x = in[at];
  struct pair p = bounds(x);
  for (int i = 0; i < n; i++) exchange(cells, &x);
  struct pair q = bounds(x ^ 0x0f0f);
  out[at] = x + p.low * 3 + p.high * 5 + q.low * 7 + q.high * 11;
}
/* Structures of each work-item that functions write and others take by value, in two registers. */
typedef struct {
  float x, y, z;
} three;
__attribute__((noinline)) void moved(three from, float by, three *to) {
  to->x = from.x + by;
  to->y = from.y - by;
  to->z = from.z * by;
}
__attribute__((noinline)) float weighed(three v) { return v.x + v.y * 3 + v.z * 7; }
kernel void structures(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  three first = {in[at] & 15, 5, 2}, own, other;
  moved(first, 3, &own);
  float sum = weighed(own);
  for (int k = 0; k < n; k++) {
    first.y = (in[at] >> k) & 7;
    if (first.y > 2) {
      moved(first, k, &other);
      sum += weighed(other);
    } else if (first.y == 1)
      sum += weighed(own);
  }
  out[at] = (int)sum;
}
#else
#include "run/case.h"

CASE(depth_1, int, int, .args = 1, .arg = {9}) {
  EACH(i) out[i] = add(sum_int(in, g->items), 9);
}
static int twice_of(const int *x, size_t n) {
  int sum = sum_int(x, n);
  return add(sum, add(sum, (int)n));
}
CASE(depth_2, int, int, .args = 1, .arg = {9}) {
  EACH(i) out[i] = sub(twice_of(in, g->items), 9);
}

static int deepest_of(const struct group *g, const int *x, int n, int *extra) {
  int y = 0, v[MAX_ITEMS];
  for (int r = 0; r < n; r++) {
    EACH(i) v[i] = add(x[i], r);
    int t = twice_of(v, g->items), sum = 0;
    EACH(i) {
      sum = add(sum, v[i]);
      extra[i] = t & 1 ? add(extra[i], 5) : extra[i] ^ sum;
    }
    y = add(y, t);
    if (r == 2) return y;
  }
  return ~y;
}
CASE(depth_4, int, int, .args = 1, .arg = {3}) {
  int extra[MAX_ITEMS], x[MAX_ITEMS] = {0};
  EACH(i) extra[i] = in[i];
  int a = deepest_of(g, in, 3, extra);
  EACH(i) x[i] = extra[i];
  int b = deepest_of(g, x, 2, extra);
  EACH(i) out[i] = add(add(a, mul(b, 3)), mul(extra[i], 5));
}

CASE(calls_kernels, int, int, .args = 1, .arg = {4}) {
  int v = g->id[0] & 1 ? sub(twice_of(in, g->items), 5) : add(sum_int(in, g->items), 4);
  EACH(i) out[i] = add(v, v);
}

CASE(structs_and_locals, int, int, .args = 1, .arg = {3}) {
  int x[MAX_ITEMS], y[MAX_ITEMS];
  EACH(i) x[i] = in[(i + 3) % g->items], y[i] = x[i] ^ 0x0f0f;
  int low = min_int(in, g->items), high = max_int(in, g->items);
  int low2 = min_int(y, g->items), high2 = max_int(y, g->items);
  int rest = add(add(mul(low, 3), mul(high, 5)), add(mul(low2, 7), mul(high2, 11)));
  EACH(i) out[i] = add(x[i], rest);
}

static float weight_after(float x, float y, float z, float by) {
  return x + by + (y - by) * 3 + z * by * 7;
}

CASE(structures, int, int, .args = 1, .arg = {4}) {
  EACH(i) {
    float x = in[i] & 15, own = weight_after(x, 5, 2, 3), sum = own;
    for (int k = 0; k < g->arg[0]; k++) {
      int y = (in[i] >> k) & 7;
      sum += y > 2 ? weight_after(x, y, 2, k) : y == 1 ? own : 0;
    }
    out[i] = (int)sum;
  }
}
#endif
