/* Parts of OpenCL C that meet sync points: program scope, generic pointers, async copies, fences. */
#ifdef __OPENCL_VERSION__
#define SIZE (get_local_size(0) * get_local_size(1) * get_local_size(2))
constant int table[8] = {1, 2, 3, 5, 8, 13, 21, 34};
global int counter = 7;
static constant struct { int a; short b[3]; } record = {4, {5, 6, 7}};
constant char text[] = "sync";

kernel void program_scope(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  int x = in[at];
  x += table[x & 7];
  x = work_group_reduce_max(x) + table[at & 7] + record.b[at % 3] + record.a + text[at & 3];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[at] = x + counter;
}

/* Compound literals at program scope, which clang names ".compoundliteral" each. */
struct pair { int a; short b; };
constant struct pair *constant pair = (constant struct pair[]){{4, 5}};
static constant int *constant primes = (constant int[]){2, 3, 5, 7};
#ifndef __cplusplus /* clang has no global ones there */
int *global five = &(int){5};
#else
global int fifth = 5;
int *global five = &fifth;
#endif
kernel void program_literals(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  int x = in[at] ^ primes[in[at] & 3];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = x + pair->a * pair->b + primes[at & 3] + *five;
}

static int read_any(const int *p) { return *p * 3; }
static void add_any(int *p, int by) { *p += by; }
kernel void generic_pointers(global int *out, global const int *in) {
  local int cells[4096];
  size_t at = get_global_linear_id(), id = get_local_linear_id();
  int mine = in[at];
  cells[id] = mine + 1;
  const int *p = mine & 1 ? (const int *)&cells[id] : mine & 2 ? (const int *)&mine : (const int *)&in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  int x = read_any(p);
  add_any(&cells[id], 5);
  add_any(&mine, 7);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = x + cells[(id + 1) % SIZE] + mine;
  add_any(&out[at], 1);
}

/* What a pointer points to, of each kind. */
global int anywhere = 3;
kernel void areas(global int *out, global const int *in) {
  local int cells[4096];
  size_t at = get_global_linear_id(), id = get_local_linear_id();
  int x = in[at], mine[2] = {x, x + 1}, *p;
  cells[id] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  switch (x & 3) {
  case 0: p = (int *)&cells[id]; break;
  case 1: p = (int *)&anywhere; break;
  case 2: p = (int *)&mine[x >> 2 & 1]; break;
  default: p = (int *)&in[at];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = (to_global(p) == p) + 2 * (to_local(p) == p) + 4 * (to_private(p) == p) + 8 * (int)get_fence(p);
}

kernel void async_copy(global int *out, global const int *in, local int *cells) {
  size_t first = get_group_id(0) * get_enqueued_local_size(0), n = SIZE;
  event_t e = async_work_group_copy(cells, in + first, n, 0);
  wait_group_events(1, &e);
  int x = cells[n - 1 - get_local_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  cells[get_local_id(0)] = x * 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  e = async_work_group_copy(out + first, cells, n, 0);
  wait_group_events(1, &e);
}

kernel void scoped_barriers(global int *out, global const int *in, local int *cells) {
  size_t at = get_global_linear_id(), id = get_local_linear_id();
  cells[id] = in[at];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  int x = cells[SIZE - 1 - id];
  work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device);
  cells[id] = x ^ 1;
  atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  work_group_barrier(0);
  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
  out[at] = cells[SIZE - 1 - id];
}

kernel void precise(global float *out, global const float *in) {
  size_t at = get_global_linear_id();
  float x = in[at];
  double d = work_group_scan_inclusive_add((double)x);
  float f = work_group_reduce_add(x);
  float m = work_group_scan_exclusive_max(fabs(x));
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = (float)d + f * 3.0f + (isinf(m) ? -1.0f : m);
}
#else
#include "run/case.h"

CASE(program_scope, int, int) {
  static const int table[] = {1, 2, 3, 5, 8, 13, 21, 34};
  int high = INT_MIN;
  EACH(i) high = add(in[i], table[in[i] & 7]) > high ? add(in[i], table[in[i] & 7]) : high;
  EACH(i) {
    size_t at = g->at[i];
    out[i] = add(high, table[at & 7] + (int)(5 + at % 3) + 4 + "sync"[at & 3] + 7);
  }
}
CASE(program_literals, int, int) {
  static const int primes[] = {2, 3, 5, 7};
  EACH(i) out[i] = add(in[i] ^ primes[in[i] & 3], 4 * 5 + primes[g->at[i] & 3] + 5);
}
CASE(generic_pointers, int, int) {
  EACH(i) {
    int x = mul(in[i] & 1 ? add(in[i], 1) : in[i], 3);
    out[i] = add(add(x, add(in[(i + 1) % g->items], 6)), add(in[i], 8));
  }
}
CASE(areas, int, int) {
  enum { IN_GLOBAL = 1 + 8 * 2, IN_LOCAL = 2 + 8 * 1, IN_PRIVATE = 4 };
  EACH(i) out[i] = in[i] & 1 ? IN_GLOBAL : in[i] & 2 ? IN_PRIVATE : IN_LOCAL;
}
CASE(async_copy, int, int, .local_per_item = 4, .max_dims = 1) {
  EACH(i) out[i] = mul(in[g->items - 1 - i], 3);
}
CASE(scoped_barriers, int, int, .local_per_item = 4) { EACH(i) out[i] = in[i] ^ 1; }
CASE(precise, float, float, .small = true) {
  float sum = sum_float(in, g->items), upto = 0, high = -1;
  EACH(i) {
    upto += in[i];
    out[i] = upto + sum * 3 + high;
    high = fabsf(in[i]) > high ? fabsf(in[i]) : high;
  }
}
#endif
