/* native_rsqrt, which may be off by any amount, stays near 1 / sqrt, also where that is no number.
 * `zero` is exact on all devices, as x / x is not: a quotient may be off by 2.5 ulp. */
#ifdef __OPENCL_VERSION__
kernel void native_roots(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  float x = ldexp(1 + (uint)in[at] % 1024 / 1024.0f, (int)((uint)in[at] / 1024 % 250) - 125), zero = x - x, one = 1 + zero;
  int near = fabs(native_rsqrt(x) * sqrt(x) - 1) < 1e-6f;
  int zeros = native_rsqrt(zero) == INFINITY && isinf(native_rsqrt(-zero));
  int ends = native_rsqrt(one * INFINITY) == 0 && isnan(native_rsqrt(-x)) && isnan(native_rsqrt(one * NAN));
  int tiny = native_rsqrt(one * 0x1p-126f) > 0x1.fffep62f && native_rsqrt(one * 0x1p-140f) > 0x1.fffep62f;
  out[at] = near + 2 * zeros + 4 * ends + 8 * tiny;
}
#else
#include "run/case.h"

CASE(native_roots, int, int) {
  EACH(i) { out[i] = 15; }
}
#endif
