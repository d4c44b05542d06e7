/* Kernels that ask for global ids only, whose small groups the run time makes larger. */
#ifdef __OPENCL_VERSION__
kernel void ids(global ulong *out, global const int *in) {
  size_t at = get_global_linear_id();
  for (uint d = 0; d < 3; d++) out[at * 3 + d] = get_global_id(d) + in[at];
}
/* In fewer bits, subtracted and multiplied: nothing is rounded the other way. */
kernel void sums(global ulong *out, global const int *in) {
  size_t at = get_global_linear_id();
  uchar a = get_global_id(0) * 3 - get_global_offset(0);
  ushort b = 7 - get_global_id(1);
  out[at] = a + 1000ul * b + (get_global_id(2) << 33) + in[at];
}
/* A part of the sum decides. */
kernel void parts(global ulong *out, global const int *in) {
  size_t at = get_global_linear_id();
  size_t first = get_group_id(0) * get_enqueued_local_size(0);
  out[at] = (first & 6) + 100 * (uchar)(get_local_id(1) * 77) + in[at];
}
#else
#include "run/case.h"

static size_t id(const struct group *g, size_t i, int d) {
  const size_t local[] = {local_x(g, i), local_y(g, i), local_z(g, i)};
  return g->shape->offset[d] + g->id[d] * g->shape->local[d] + local[d];
}
CASE(ids, int, ulong, .out_per_item = 3) {
  EACH(i)
  for (int d = 0; d < 3; d++) out[i * 3 + d] = id(g, i, d) + (ulong)(long)in[i];
}
CASE(sums, int, ulong) {
  EACH(i) {
    unsigned char a = (unsigned char)(id(g, i, 0) * 3 - g->shape->offset[0]);
    unsigned short b = (unsigned short)(7 - id(g, i, 1));
    out[i] = a + 1000ul * b + (id(g, i, 2) << 33) + (ulong)(long)in[i];
  }
}
CASE(parts, int, ulong) {
  EACH(i)
  out[i] = (g->id[0] * g->shape->local[0] & 6) + 100ul * (unsigned char)(local_y(g, i) * 77) +
           (ulong)(long)in[i];
}
#endif
