/* What one work-item (of each row) does alone, found by an id and by more, in front of a sync point. */
#ifdef __OPENCL_VERSION__
kernel void global_id(global int *out, global const int *in, int one) {
  size_t at = get_global_linear_id();
  int x = get_global_id(0);
  out[at] = in[at];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (x == one) out[at] ^= one;
}
kernel void and_more(global int *out, global const int *in, int one) {
  size_t at = get_global_linear_id();
  int x = get_global_id(0), y = get_global_id(1);
  out[at] = in[at];
  if (in[at] & 1) out[at] += 3;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (x == one && y < 3 && in[at] > 0) out[at] += 1000;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (x - one == 2 && y != 1) out[at] -= one;
}
kernel void or_else(global int *out, global const int *in, int one) {
  size_t at = get_global_linear_id();
  out[at] = in[at] + work_group_reduce_add(in[at]);
  if (get_local_id(0) != get_local_size(0) - 1 || in[at] < 0) return;
  out[at] = get_local_id(0) * 7;
}
/* The same in what has fewer bits than an id: several may have it. */
kernel void few_bits(global int *out, global const int *in, int one) {
  size_t at = get_global_linear_id();
  out[at] = in[at];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if ((char)get_global_id(0) == (char)one && in[at] != 4) out[at] -= 5;
}
/* What rows do lies side by side along y, or z: their work-items are lanes. */
#define MOST 512
kernel void of_columns(global int *out, global const int *in, int rounds) {
  local int cell[3][MOST];
  size_t at = get_global_linear_id(), y = get_local_id(1) + get_local_size(1) * get_local_id(2);
  for (int k = 0; k < 3; k++) cell[k][get_local_linear_id()] = k;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == get_local_size(0) - 1 && in[at] != 0)
    for (int n = 0; n < rounds; n++)
      for (int k = 0; k < rounds; k++) cell[k][y] = cell[(k + 1) % 3][y] * 3 + in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = cell[0][y] ^ cell[1][y] + cell[2][y];
}
kernel void of_planes(global int *out, global const int *in, int rounds) {
  local int cell[3][MOST];
  size_t at = get_global_linear_id(), z = get_local_id(2) + get_local_size(2) * get_local_id(1);
  for (int k = 0; k < 3; k++) cell[k][get_local_linear_id()] = k;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0 && get_local_id(1) != 1)
    for (int n = 0; n < rounds; n++)
      for (int k = 0; k < rounds; k++) cell[k][z] = cell[(k + 1) % 3][z] * 3 + in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = cell[0][z] ^ cell[1][z] + cell[2][z];
}
#else
#include "run/case.h"

static int x_of(const struct group *g, size_t i) {
  return (int)(g->shape->offset[0] + g->id[0] * g->shape->local[0] + local_x(g, i));
}
static int y_of(const struct group *g, size_t i) {
  return (int)(g->shape->offset[1] + g->id[1] * g->shape->local[1] + local_y(g, i));
}
CASE(global_id, int, int, .args = 1, .arg = {5}) {
  EACH(i) out[i] = x_of(g, i) == 5 ? in[i] ^ 5 : in[i];
}
CASE(and_more, int, int, .args = 1, .arg = {9}) {
  EACH(i) {
    int x = x_of(g, i), y = y_of(g, i);
    out[i] = in[i] & 1 ? add(in[i], 3) : in[i];
    if (x == 9 && y < 3 && in[i] > 0) out[i] = add(out[i], 1000);
    if (x == 11 && y != 1) out[i] = sub(out[i], 9);
  }
}
CASE(or_else, int, int, .args = 1, .arg = {0}) {
  int sum = sum_int(in, g->items);
  EACH(i) {
    bool last = local_x(g, i) == g->size[0] - 1 && in[i] >= 0;
    out[i] = last ? (int)local_x(g, i) * 7 : add(in[i], sum);
  }
}
static int rounds_of(int value) {
  int cell[3] = {0, 1, 2};
  for (int n = 0; n < 3; n++)
    for (int k = 0; k < 3; k++) cell[k] = add(mul(cell[(k + 1) % 3], 3), value);
  return cell[0] ^ add(cell[1], cell[2]);
}
enum { UNTOUCHED = 0 ^ (1 + 2) };
CASE(of_columns, int, int, .args = 1, .arg = {3}, .max_items = 512) {
  EACH(i) {
    int last = in[i - local_x(g, i) + g->size[0] - 1];
    out[i] = last ? rounds_of(last) : UNTOUCHED;
  }
}
CASE(of_planes, int, int, .args = 1, .arg = {3}, .max_items = 512) {
  EACH(i) out[i] = local_y(g, i) != 1 ? rounds_of(in[i - local_x(g, i)]) : UNTOUCHED;
}
CASE(few_bits, int, int, .args = 1, .arg = {3}) {
  EACH(i) out[i] = (char)x_of(g, i) == 3 && in[i] != 4 ? sub(in[i], 5) : in[i];
}
#endif
