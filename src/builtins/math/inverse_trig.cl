/* Inverse circular functions of float and half (OpenCL C 3.0, 6.15.2). */
#include "math.h"

#define PI          0x1.921fb6p1f
#define HALF_PI     0x1.921fb6p0f
#define HALF_PI_REST -0x1.777a5cp-25f /* pi/2 - HALF_PI */
#define ONE_OVER_PI 0x1.45f306p-2f

/* |x| <= 1 */
MPL_HELPER float small_atan(float x) {
  float z = x * x;
  float p = MPL_POLY_8(z, 0x1.09e3bap-8f, -0x1.531654p-6f, 0x1.984998p-5f, -0x1.4aad5cp-4f,
                       0x1.bdfa6cp-4f, -0x1.240faep-3f, 0x1.9993ecp-3f, -0x1.55555p-2f);
  return x * (z * p) + x;
}
MPL_HELPER float from_half_pi(float angle) { return (angle + HALF_PI_REST) + HALF_PI; }
MPL_VALUE float atan(float a) {
  float x = mpl_abs(a);
  bool over = x > 1;
  float angle = small_atan((over ? -1.0f : x) / (over ? x : 1.0f));
  return mpl_signed(over ? from_half_pi(angle) : angle, a);
}
MPL_VALUE float atan2(float y, float x) {
  float height = mpl_abs(y), width = mpl_abs(x);
  bool steep = height > width;
  float slope = (steep ? -width : height) / (steep ? height : width);
  float diagonal = height > 0 ? 1.0f : 0.0f; /* infinities; zeros */
  float angle = small_atan(height == width ? diagonal : slope);
  angle = steep ? from_half_pi(angle) : angle;
  angle = (int)mpl_bits(x) < 0 ? PI - angle : angle;
  return mpl_signed(angle, y);
}

/* asin(x) where x is up to 1/2; elsewhere asin(sqrt((1 - x) / 2)), of which pi/2 is twice as far. */
MPL_HELPER float half_asin(float x, bool over) {
  float z = over ? 0.5f - 0.5f * x : x * x, s = over ? __builtin_elementwise_sqrt(z) : x;
  float p = MPL_POLY_5(z, 0x1.39fbbcp-5f, 0x1.b1164ap-6f, 0x1.70ce26p-5f, 0x1.332638p-4f,
                       0x1.55555ep-3f);
  return s * (z * p) + s;
}
MPL_VALUE float asin(float a) {
  float x = mpl_abs(a);
  bool over = x > 0.5f;
  float angle = half_asin(x, over);
  return mpl_signed(over ? HALF_PI - 2 * angle : angle, a);
}
MPL_VALUE float acos(float a) {
  float x = mpl_abs(a);
  bool over = x > 0.5f;
  float angle = half_asin(x, over), both = angle + angle;
  return over ? (a < 0 ? PI - both : both) : HALF_PI - mpl_signed(angle, a);
}

MPL_VALUE float atanpi(float a) { return atan(a) * ONE_OVER_PI; }
MPL_VALUE float asinpi(float a) { return asin(a) * ONE_OVER_PI; }
MPL_VALUE float acospi(float a) { return acos(a) * ONE_OVER_PI; }
MPL_VALUE float atan2pi(float y, float x) {
  float diagonal = (int)mpl_bits(x) < 0 ? 0.75f : 0.25f; /* exact, of infinities too */
  bool equal = mpl_abs(y) == mpl_abs(x) && y != 0;
  return equal ? mpl_signed(diagonal, y) : atan2(y, x) * ONE_OVER_PI;
}

MPL_MATH_1(asin) MPL_MATH_1(acos) MPL_MATH_1(atan) MPL_MATH_2(atan2)
MPL_MATH_1(asinpi) MPL_MATH_1(acospi) MPL_MATH_1(atanpi) MPL_MATH_2(atan2pi)
