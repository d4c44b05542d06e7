/* The work-item functions, before and after a sync point, in whole and ragged groups. */
#ifdef __OPENCL_VERSION__
void write(global ulong *o) {
  for (uint d = 0; d < 3; d++) {
    o[d] = get_global_id(d);
    o[3 + d] = get_local_id(d);
    o[6 + d] = get_group_id(d);
    o[9 + d] = get_local_size(d);
    o[12 + d] = get_enqueued_local_size(d);
    o[15 + d] = get_global_size(d);
    o[18 + d] = get_num_groups(d);
    o[21 + d] = get_global_offset(d);
  }
  o[24] = get_global_linear_id();
  o[25] = get_local_linear_id();
  o[26] = get_work_dim();
  o[27] = get_global_id(3) + 10 * get_local_size(7) + 100 * get_group_id(4) + 1000 * get_num_groups(5);
}
kernel void before_sync(global ulong *out, global const int *in) {
  write(out + get_global_linear_id() * 28);
}
kernel void after_sync(global ulong *out, global const int *in) {
  size_t at = get_global_linear_id(), x = get_global_id(0) * 3 + get_local_id(2);
  barrier(CLK_LOCAL_MEM_FENCE);
  write(out + at * 28);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x != get_global_id(0) * 3 + get_local_id(2)) out[at * 28] = 12345;
  out[at * 28 + 26] += work_group_reduce_add((ulong)get_local_id(1));
}
/* A dimension that is out of range, which only the run shows, and the same for all. */
kernel void no_dimension(global ulong *out, global const int *in) {
  uint d = get_work_dim() - 4;
  size_t at = get_global_linear_id();
  out[at] = get_global_offset(d) + 10 * get_local_size(d) + 100 * get_group_id(d);
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[at] += 1000 * get_num_groups(d) + 10000 * get_global_size(d) + get_global_id(d);
}
#else
#include "run/case.h"

static void ids(const struct group *g, ulong *out) {
  EACH(i) {
    ulong *o = out + i * 28;
    size_t l[3] = {local_x(g, i), local_y(g, i), local_z(g, i)};
    for (int d = 0; d < 3; d++) {
      o[d] = g->shape->offset[d] + g->id[d] * g->shape->local[d] + l[d];
      o[3 + d] = l[d];
      o[6 + d] = g->id[d];
      o[9 + d] = g->size[d];
      o[12 + d] = g->shape->local[d];
      o[15 + d] = g->shape->global[d];
      o[18 + d] = g->groups[d];
      o[21 + d] = g->shape->offset[d];
    }
    o[24] = g->at[i], o[25] = i, o[26] = g->shape->dims, o[27] = 1010;
  }
}
CASE(before_sync, int, ulong, .small = true, .out_per_item = 28) { ids(g, out); }
CASE(no_dimension, int, ulong, .small = true) { EACH(i) out[i] = 11010; }
CASE(after_sync, int, ulong, .small = true, .out_per_item = 28) {
  ulong sum = 0;
  ids(g, out);
  EACH(i) sum += local_y(g, i);
  EACH(i) out[i * 28 + 26] += sum;
}
#endif
