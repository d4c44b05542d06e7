/* Powers and roots of float and half (OpenCL C 3.0, 6.15.2). */
#include "exponential.h"
#include "logarithm.h"
#include "power.h"

/* log2 of |x| to some 30 bits, in two parts: k + (f - f^2/2) / log 2 + f^3 q. */
MPL_HELPER float log2_parts(float x, float *low) {
  float k, f = mpl_any_fraction(x, &k), square = f * f;
  float q = MPL_POLY_9(f, 0x1.6efe6p-3f, -0x1.7b8c38p-3f, 0x1.3a787p-3f, -0x1.6855fcp-3f,
                       0x1.a6f264p-3f, -0x1.ecd262p-3f, 0x1.2773dcp-2f, -0x1.7153c8p-2f,
                       0x1.ec70a4p-2f);
  float one = f * 0x1.715476p0f, two = square * -0x1.715476p-1f, near = one + two;
  float rest = (one - near) + two;
  rest += mpl_exact(f, 0x1.715476p0f, -one) + mpl_exact(square, -0x1.715476p-1f, -two);
  rest += mpl_exact(f, f, -square) * -0x1.715476p-1f + (f - 0.5f * square) * 0x1.4ae0cp-26f;
  rest += f * square * q;
  float log = near + rest, sum = k + log;
  *low = ((k - sum) + log) + ((near - log) + rest);
  return sum;
}
/* 2^((y + y_low) log2 |x|), of positive finite |x|. */
MPL_HELPER float power(float size, float y, float y_low) {
  float low, high = log2_parts(size, &low), product = y * high;
  float rest = mpl_exact(y, high, -product) + (y * low + y_low * high);
  bool far = !(mpl_abs(product) < 200);
  return mpl_power_of_two(far ? mpl_signed(200, product) : product, far ? 0 : rest);
}

MPL_POWERS(float, power)

#define MPL_IN_FLOAT_half float
#define MPL_IN_FLOAT_int  int
#define OF_HALF(name, N) \
  MPL_VALUE half name(half a, N b) { return (half)name((float)a, (MPL_IN_FLOAT_##N)b); } \
  MPL_VECTORS_2(half, name, half, N)
OF_HALF(pow, half) OF_HALF(powr, half) OF_HALF(pown, int) OF_HALF(rootn, int)
#define FAST_POWR(n, ...) \
  MPL_VALUE float##n half_powr(float##n a, float##n b) { return powr(a, b); } \
  MPL_VALUE float##n native_powr(float##n a, float##n b) { return powr(a, b); }
MPL_WIDTHS(FAST_POWR, )
