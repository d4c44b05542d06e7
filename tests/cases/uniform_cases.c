/* Switches on what is the same for a work-group: a region for each of their cases
 * (compiler/prepare/unswitch.c), of all combinations, or of the same case of all, or none of them.
 */
#ifdef __OPENCL_VERSION__
#define SWITCH(of, a, b, c, d)                                                                     \
  switch (of) {                                                                                    \
  case 0:                                                                                          \
    v = a;                                                                                         \
    break;                                                                                         \
  case 1:                                                                                          \
    v = b;                                                                                         \
    break;                                                                                         \
  case 2:                                                                                          \
    v = c;                                                                                         \
    break;                                                                                         \
  default:                                                                                         \
    v = d;                                                                                         \
  }
kernel void in_two(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint g = get_group_id(0) + get_group_id(1) + get_group_id(2), n = get_local_size(0) + g;
  int v = in[at];
  SWITCH(g % 5, v + 1, v ^ 3, (int)get_local_id(0) - v, 7)
  if (v & 1) {
    SWITCH(n % 4, v - 5, v | 64, v + (int)get_local_id(1), v ^ (int)get_local_linear_id())
  }
  out[at] = v;
}
kernel void in_four(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint g = get_group_id(0) + get_group_id(1) + get_group_id(2), n = get_local_size(0);
  int v = in[at];
  SWITCH(g % 4, v + 1, v ^ 3, (int)get_local_id(0) - v, 7)
  SWITCH(n % 3, v - 5, v | 64, v + 9, v)
  SWITCH((g + n) % 4, v ^ 12, v + 1000, v - 3, v ^ 11)
  if (g % 3 == 1 && (v & 2)) return;
  SWITCH(g % 2, v - 4, v + (int)get_local_id(2), v, v)
  out[at] = v;
}
#else
#include "run/case.h"

#define SWITCH(of, a, b, c, d) v = (of) == 0 ? a : (of) == 1 ? b : (of) == 2 ? c : d

CASE(in_two, int, int) {
  EACH(i) {
    unsigned at = (unsigned)(g->id[0] + g->id[1] + g->id[2]), n = (unsigned)g->size[0] + at;
    int v = in[i];
    SWITCH(at % 5, add(v, 1), v ^ 3, sub((int)local_x(g, i), v), 7);
    if (v & 1) SWITCH(n % 4, sub(v, 5), v | 64, add(v, (int)local_y(g, i)), v ^ (int)i);
    out[i] = v;
  }
}
CASE(in_four, int, int) {
  EACH(i) {
    unsigned at = (unsigned)(g->id[0] + g->id[1] + g->id[2]), n = (unsigned)g->size[0];
    int v = in[i];
    SWITCH(at % 4, add(v, 1), v ^ 3, sub((int)local_x(g, i), v), 7);
    SWITCH(n % 3, sub(v, 5), v | 64, add(v, 9), v);
    SWITCH((at + n) % 4, v ^ 12, add(v, 1000), sub(v, 3), v ^ 11);
    if (at % 3 == 1 && (v & 2)) continue;
    SWITCH(at % 2, sub(v, 4), add(v, (int)local_z(g, i)), v, v);
    out[i] = v;
  }
}
#endif
