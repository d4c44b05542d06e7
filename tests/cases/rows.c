/* Groups of several rows: memory that is consecutive in y or in z, values kept from one region to the
 * next, ids of every dimension under conditions, and rows of all lengths. */
#ifdef __OPENCL_VERSION__
kernel void along_y(global int *out, global const int *in, int rounds, local int *all) {
  size_t at = get_global_linear_id(), x = get_local_id(0), y = get_local_id(1);
  size_t w = get_local_size(0), h = get_local_size(1);
  local int *own = all + get_local_id(2) * w * h;
  int first = in[at], sum = 0;
  own[x * h + y] = first;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < rounds; k++) sum = sum * 3 + own[(x + k) % w * h + y];
  int kept = sum ^ (int)get_local_linear_id();
  barrier(CLK_LOCAL_MEM_FENCE);
  own[x * h + y] = y & 1 ? kept : first;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x == 0) own[y] += 7;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = own[x * h + (h - 1 - y)] + 5 * kept + (int)(x + 3 * y);
}

kernel void along_z(global int *out, global const int *in, int rounds, local int *own) {
  size_t at = get_global_linear_id(), x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
  size_t w = get_local_size(0), h = get_local_size(1), d = get_local_size(2);
  own[(x * h + y) * d + z] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int k = 0; k < rounds; k++) sum = sum * 5 + own[((x + k) % w * h + y) * d + z];
  out[at] = sum + (int)(get_local_linear_id() + 7 * z);
}

/* Of work-items that are one row, or whose rows are short: no stride at all. */
kernel void by_rows(global int *out, global const int *in, int rounds) {
  size_t at = get_global_linear_id(), y = get_local_id(1);
  int x = get_local_id(0), z = get_local_id(2), v = in[at];
  for (int k = 0; k < rounds + (int)(y & 3); k++) {
    if (v == 5 * x) break;
    v = v & 1 ? v * 3 + x : v / 2 - z;
  }
  if ((x + y) % 3 == 1) v ^= (int)get_local_linear_id() * 9;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (z == 0 && y > 1) v += in[at] * (int)y;
  if (y & 1) v ^= in[at - x] + (v & 1 ? in[at] : 3);
  out[at] = v * 31 + x * 7 + (int)y * 3 + z;
}
/* So much code that rows of some lengths have no copy of their own: those are several chunks. */
#define STEP(v, x, y) v = (v ^ (v >> 3)) * 5 + x - (v & y)
#define STEPS(v, x, y) STEP(v, x, y); STEP(v, y, x); STEP(v, x, y); STEP(v, y, x)
kernel void much(global uint *out, global const uint *in) {
  size_t at = get_global_linear_id();
  uint x = get_local_id(0), y = get_local_id(1) * 3 + get_local_id(2), v = in[at];
  STEPS(v, x, y);
  STEPS(v, x, y);
  STEPS(v, x, y);
  STEPS(v, x, y);
  out[at] = v + (uint)get_local_linear_id();
}
#else
#include "run/case.h"

static size_t at_of(const struct group *g, size_t x, size_t y, size_t z) {
  return (z * g->size[1] + y) * g->size[0] + x;
}

static int y_sum(const struct group *g, const int *in, size_t i) {
  int sum = 0;
  for (int k = 0; k < g->arg[0]; k++)
    sum = add(mul(sum, 3),
              in[at_of(g, (local_x(g, i) + (size_t)k) % g->size[0], local_y(g, i), local_z(g, i))]);
  return sum ^ (int)i;
}

CASE(along_y, int, int, .args = 1, .arg = {6}, .local_per_item = 4) {
  EACH(i) {
    size_t x = local_x(g, i), y = local_y(g, i), other = g->size[1] - 1 - y;
    size_t j = at_of(g, x, other, local_z(g, i));
    int there = other & 1 ? y_sum(g, in, j) : in[j];
    if (x == 0) there = add(there, 7);
    out[i] = add(add(there, mul(5, y_sum(g, in, i))), (int)(x + 3 * y));
  }
}

CASE(along_z, int, int, .args = 1, .arg = {6}, .local_per_item = 4) {
  EACH(i) {
    int sum = 0;
    for (int k = 0; k < g->arg[0]; k++)
      sum = add(mul(sum, 5), in[at_of(g, (local_x(g, i) + (size_t)k) % g->size[0], local_y(g, i),
                                      local_z(g, i))]);
    out[i] = add(sum, (int)(i + 7 * local_z(g, i)));
  }
}

CASE(by_rows, int, int, .args = 1, .arg = {9}) {
  EACH(i) {
    int x = (int)local_x(g, i), y = (int)local_y(g, i), z = (int)local_z(g, i), v = in[i];
    for (int k = 0; k < g->arg[0] + (y & 3) && v != 5 * x; k++)
      v = v & 1 ? add(mul(v, 3), x) : sub(v / 2, z);
    if ((x + y) % 3 == 1) v ^= (int)i * 9;
    if (z == 0 && y > 1) v = add(v, mul(in[i], y));
    if (y & 1) v ^= add(in[i - (size_t)x], v & 1 ? in[i] : 3);
    out[i] = add(mul(v, 31), x * 7 + y * 3 + z);
  }
}

CASE(much, uint, uint) {
  EACH(i) {
    uint x = (uint)local_x(g, i), y = (uint)(local_y(g, i) * 3 + local_z(g, i)), v = in[i];
    for (int k = 0; k < 16; k++) v = (v ^ v >> 3) * 5 + (k & 1 ? y : x) - (v & (k & 1 ? x : y));
    out[i] = v + (uint)i;
  }
}
#endif
