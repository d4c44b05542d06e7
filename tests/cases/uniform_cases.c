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
/* Cases that leave the loop, each to code of its own. */
kernel void leaves_loop(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint g = (get_group_id(0) + get_group_id(1) + get_group_id(2)) % 5;
  int v = in[at], k;
  for (k = 0; k < 40; k++) {
    v = v * 3 + k;
    switch (g) {
    case 0:
      v ^= 5;
      break;
    case 1:
      if (v & 64) goto fifth;
      break;
    case 2:
      v += 7;
      break;
    case 3:
      goto ninth;
    default:
      v -= 2;
    }
    if (v % 7 == 0) break;
  }
  out[at] = v + k;
  return;
fifth:
  out[at] = v * 5 + k;
  return;
ninth:
  out[at] = v * 9 - k;
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

CASE(leaves_loop, int, int) {
  int at = (int)((g->id[0] + g->id[1] + g->id[2]) % 5);
  EACH(i) {
    int v = in[i], k, last = at == 3 ? 1 : 40, times = at == 3 ? 9 : 1;
    for (k = 0; k < last; k++) {
      v = add(mul(v, 3), k);
      if (at == 3) break;
      if (at == 1 && v & 64) times = 5;
      if (times == 5) break;
      v = at == 0 ? v ^ 5 : at == 1 ? v : at == 2 ? add(v, 7) : sub(v, 2);
      if (v % 7 == 0) break;
    }
    out[i] = at == 3 ? sub(mul(v, 9), k) : add(mul(v, times), k);
  }
}
#endif
