/* Collectives in another translation unit and in a library, put together by clLinkProgram. */
#ifdef __OPENCL_VERSION__
int sum_all(int x);
int sum_below(int x, int *total);
#if PART == 1
kernel void linked(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  int total = 0;
  int below = sum_below(in[at], &total);
  out[at] = below + 3 * total + 7 * sum_all(in[at] ^ 1);
}
#elif PART == 2
int sum_below(int x, int *total) {
  *total = sum_all(x);
  return work_group_scan_exclusive_add(x);
}
#else
int sum_all(int x) {
  barrier(CLK_LOCAL_MEM_FENCE);
  return work_group_reduce_add(x);
}
#endif
#else
#include "run/case.h"

CASE(linked, int, int, .linked = 3) {
  int below = 0, other = 0, total = sum_int(in, g->items);
  EACH(i) other = add(other, in[i] ^ 1);
  EACH(i) {
    out[i] = add(add(below, mul(3, total)), mul(7, other));
    below = add(below, in[i]);
  }
}
#endif
