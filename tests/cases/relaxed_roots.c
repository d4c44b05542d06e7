/* 1 / sqrt(x) and y / sqrt(x) with relaxed math are as exact as the root and the quotient together have to be (3 and 2.5 ulp:
 * OpenCL C 3.0, 7.4; of a number near 2 the root's 3 are 6 of the quotient's), of what is too small to be normal too.  Where
 * infinities are allowed, they are right. */
#ifdef __OPENCL_VERSION__
bool is_near(float near, double exact) {
  int exponent;
  frexp(exact, &exponent);
  return fabs(near - exact) <= 8.5 * ldexp(1.0, exponent - 24);
}
int is_exact(uint bits, uint more) {
  float x = as_float(bits % 0x7f800000), y = 1 + more % 4096 / 4096.0f, one = 1.0f / sqrt(x), other = y / sqrt(x);
  bool none = bits % 0x7f800000 == 0;
  return none || (is_near(one, 1 / sqrt((double)x)) && is_near(other, y / sqrt((double)x)));
}
#ifdef __FAST_RELAXED_MATH__
kernel void relaxed_roots(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  out[at] = is_exact(in[at], in[at] >> 7) && is_exact((uint)in[at] % 0x00800000, at);
}
#else
kernel void unsafe_roots(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  float zero = (in[at] & 1) * 0.0f, all = 1.0f / sqrt(zero), none = 1.0f / sqrt(1.0f / zero), wrong = 1.0f / sqrt(-1.0f - zero);
  out[at] = is_exact(in[at], in[at] >> 7) + 2 * (as_uint(all) == 0x7f800000) + 4 * (none == 0) +
            8 * ((as_uint(wrong) & 0x7fffffff) > 0x7f800000);
}
#endif
#else
#include "run/case.h"

CASE(relaxed_roots, int, int, .options = "-cl-std=CL3.0 -cl-fast-relaxed-math") {
  EACH(i) { out[i] = 1; }
}

CASE(unsafe_roots, int, int, .options = "-cl-std=CL3.0 -cl-unsafe-math-optimizations") {
  EACH(i) { out[i] = 15; }
}
#endif
