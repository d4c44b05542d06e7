/* Powers and roots of float and half (OpenCL C 3.0, 6.15.2). */
#include "exponential.h"
#include "logarithm.h"

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

/* Positive, and neither infinite nor NaN. */
MPL_HELPER bool is_plain(float x) { return mpl_bits(x) - 1 < 0x7f7fffff; }
MPL_HELPER float zero_or_infinity(bool infinite) { return infinite ? INFINITY : 0.0f; }
MPL_HELPER bool is_whole(float y) { return __builtin_elementwise_rint(y) == y; }

MPL_HELPER float special_pow(float x, float y, float result) {
  float size = mpl_abs(x);
  bool odd = is_whole(y) & !is_whole(y * 0.5f);
  result = (size == 0) | (size == INFINITY) ? zero_or_infinity((y < 0) == (size == 0)) : result;
  result = mpl_abs(y) == INFINITY ? zero_or_infinity((y > 0) == (size > 1)) : result;
  result = (size == 1) & (mpl_abs(y) == INFINITY) ? 1.0f : result;
  result = mpl_flip(result, odd ? mpl_bits(x) >> 31 : 0);
  result = (x < 0) & (size != INFINITY) & !is_whole(y) ? NAN : result;
  result = (x != x) | (y != y) ? NAN : result;
  return (x == 1) | (y == 0) ? 1.0f : result;
}
MPL_VALUE float pow(float a, float b) {
  float result = power(mpl_abs(a), b, 0);
  if (!(is_plain(a) & (mpl_abs(b) < INFINITY))) result = special_pow(a, b, result);
  return result;
}

/* 7.5.1: of a base that is not negative; not a number wherever the limit is not one. */
MPL_HELPER float special_powr(float x, float y, float result) {
  float size = mpl_abs(x);
  bool far = mpl_abs(y) == INFINITY, edge = (size == 0) | (size == INFINITY);
  result = edge ? zero_or_infinity((y < 0) == (size == 0)) : result;
  result = far ? zero_or_infinity((y > 0) == (size > 1)) : result;
  bool none = (x < 0) | (x != x) | (y != y) | (edge & (y == 0)) | ((size == 1) & far);
  return none ? NAN : result;
}
MPL_VALUE float powr(float a, float b) {
  float result = power(mpl_abs(a), b, 0);
  if (!(is_plain(a) & (mpl_abs(b) < INFINITY))) result = special_powr(a, b, result);
  return result;
}

MPL_HELPER float special_whole(float x, int n, bool negative, float result) {
  float size = mpl_abs(x);
  result = (size == 0) | (size == INFINITY) ? zero_or_infinity(negative == (size == 0)) : result;
  result = mpl_flip(result, mpl_bits(x) >> 31 & (uint)n);
  return x != x ? NAN : result;
}
MPL_VALUE float pown(float a, int n) {
  float y = (float)n, y_low = ((float)(n & ~255) - y) + (float)(n & 255);
  float result = power(mpl_abs(a), y, y_low);
  if (!is_plain(a)) {
    result = special_whole(a, n, n < 0, result);
    result = n == 0 ? 1.0f : result;
  }
  return result;
}
MPL_VALUE float rootn(float a, int n) {
  float whole = (float)n, y = 1.0f / whole, y_low = mpl_exact(-y, whole, 1.0f) * y;
  float result = power(mpl_abs(a), y, y_low);
  if (!is_plain(a)) {
    result = special_whole(a, n, n < 0, result);
    result = (a < 0) & !(n & 1) ? NAN : result;
  }
  return n == 0 ? NAN : result;
}

MPL_MATH_2(pow) MPL_MATH_2(powr)
#define WHOLE(name) \
  MPL_VALUE half name(half a, int n) { return (half)name((float)a, n); } \
  MPL_VECTORS_2(float, name, float, int) MPL_VECTORS_2(half, name, half, int)
WHOLE(pown) WHOLE(rootn)
#define FAST_POWR(n, ...) \
  MPL_VALUE float##n half_powr(float##n a, float##n b) { return powr(a, b); } \
  MPL_VALUE float##n native_powr(float##n a, float##n b) { return powr(a, b); }
MPL_WIDTHS(FAST_POWR, )
