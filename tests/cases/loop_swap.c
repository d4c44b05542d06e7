/* Values that trade places in a loop with a barrier: what stands at the loop's head must all be
 * read before any of it is written. */
#ifdef __OPENCL_VERSION__
kernel void loop_swap(global int *out, global const int *in, int rounds) {
  size_t at = get_global_linear_id();
  int a = in[at], b = a * 3, c = 7;
  for (int i = 0; i < rounds; i++) {
    int t = a;
    a = b;
    b = c + i;
    c = t;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[at] = a + 5 * b + 11 * c;
}

kernel void loop_swap_uniform(global int *out, global const int *in, int rounds) {
  size_t at = get_global_linear_id();
  int a = rounds, b = rounds * 3;
  int x = in[at], y = ~x;
  while (a + b < 1000) {
    int t = a;
    a = b + 1;
    b = t + 2;
    if (a & 1) barrier(CLK_LOCAL_MEM_FENCE);
    int u = x;
    x = y ^ a;
    y = u + b;
    barrier(CLK_LOCAL_MEM_FENCE);
    a += rounds;
  }
  out[at] = x - y * 3 + a * 5 + b * 7;
}
#else
#include "run/case.h"

CASE(loop_swap, int, int, .args = 1, .arg = {7}) {
  EACH(i) {
    int a = in[i], b = mul(a, 3), c = 7;
    for (int k = 0; k < g->arg[0]; k++) {
      int t = a;
      a = b;
      b = add(c, k);
      c = t;
    }
    out[i] = add(a, add(mul(5, b), mul(11, c)));
  }
}

CASE(loop_swap_uniform, int, int, .args = 1, .arg = {9}) {
  EACH(i) {
    int a = g->arg[0], b = a * 3, x = in[i], y = ~x;
    while (a + b < 1000) {
      int t = a;
      a = b + 1;
      b = t + 2;
      int u = x;
      x = y ^ a;
      y = add(u, b);
      a += g->arg[0];
    }
    out[i] = add(add(sub(x, mul(y, 3)), a * 5), b * 7);
  }
}
#endif
