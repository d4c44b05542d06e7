/* native_ functions of angles, which may be off by any amount, stay near the full ones. */
#ifdef __OPENCL_VERSION__
kernel void native_angles(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  float x = (float)(in[at] % 1000) * 0.03125f;
  int sine = fabs(native_sin(x) - sin(x)) < 1e-5f, cosine = fabs(native_cos(x) - cos(x)) < 1e-5f;
  int tangent = fabs(native_tan(x) - tan(x)) < 1e-4f * (1 + tan(x) * tan(x));
  int huge = fabs(native_sin(x * 1e30f)) <= 1.0001f && isnan(native_cos(INFINITY));
  out[at] = sine + 2 * cosine + 4 * tangent + 8 * huge;
}
#else
#include "run/case.h"

CASE(native_angles, int, int) {
  EACH(i) { out[i] = 15; }
}
#endif
