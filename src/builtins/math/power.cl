/* Powers and roots of float and half (OpenCL C 3.0, 6.15.2). */
#include "exponential.h"
#include "logarithm.h"
#include "power.h"

MPL_HELPER float power_of_two(float x, float low) {
  bool far = !(mpl_abs(x) < 200);
  return mpl_power_of_two(far ? mpl_signed(200, x) : x, far ? 0 : low);
}
/* 2^((y + y_low) log2 |x|), of positive finite |x|. */
MPL_HELPER float power(float size, float y, float y_low) {
  float low, high = mpl_log2_parts(size, &low), product = y * high;
  return power_of_two(product, mpl_exact(y, high, -product) + (y * low + y_low * high));
}
MPL_HELPER float power(float size, float y) {
  float low, high = mpl_log2_parts(size, &low), product = y * high;
  return power_of_two(product, mpl_exact(y, high, -product) + y * low);
}

MPL_POWERS(float, power)

#define MPL_IN_FLOAT_half float
#define MPL_IN_FLOAT_int  int
#define OF_HALF(name, N) \
  MPL_VALUE half name(half a, N b) { return (half)name((float)a, (MPL_IN_FLOAT_##N)b); } \
  MPL_VECTORS_2(half, name, half, N)
OF_HALF(pow, half) OF_HALF(powr, half) OF_HALF(pown, int) OF_HALF(rootn, int)
