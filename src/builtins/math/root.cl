/* Cube root and length of float, double and half (OpenCL C 3.0, 6.15.2). */
#include "math.h"

/* x = 2^(3 q) m, m from 1/2 to 4.  1 / cbrt(m) by a polynomial, one step of Newton for it and, with
 * an exact residue, one for the root. */
MPL_VALUE float cbrt(float a) {
  float x = mpl_abs(a);
  bool small = x < 0x1p-126f;
  uint bits = mpl_bits(small ? x * 0x1p24f : x), e = bits >> 23, q = (e * 171) >> 9, rest = e - 3 * q;
  float f = mpl_number((bits & 0x7fffff) | 0x3f800000);
  float m = mpl_number((bits & 0x7fffff) | (rest + 126) << 23);
  float inverse = MPL_POLY_5(f, 0x1.d47154p-6f, -0x1.c519b2p-3f, 0x1.641702p-1f, -0x1.2c4234p0f,
                             0x1.ab85acp0f);
  inverse *= rest == 0 ? 0x1.428a3p0f : rest == 1 ? 1.0f : 0x1.965feap-1f;
  float near = m * (inverse * inverse);
  inverse += inverse * ((1.0f - near * inverse) * 0x1.555556p-2f);
  float square = inverse * inverse, root = m * square;
  float residue = mpl_exact(root * root, root, -m);
  root -= residue * square * 0x1.555556p-2f;
  root *= mpl_number((q + (small ? 77 : 85)) << 23);
  return ((a == 0) | !(x < INFINITY)) ? a : mpl_signed(root, a);
}

MPL_VALUE double cbrt(double a) {
  double x = mpl_abs(a);
  bool small = x < 0x1p-1022;
  ulong bits = mpl_bits(small ? x * 0x1p54 : x), e = (bits >> 52) + 1, q = (e * 21846) >> 16;
  uint rest = (uint)(e - 3 * q);
  double f = mpl_number((bits & 0xfffffffffffff) | mpl_bits(1.0));
  double m = f * (rest == 0 ? 0.5 : rest == 1 ? 1.0 : 2.0);
  double inverse = MPL_POLY_5(f, 0x1.c731837107b28p-6, -0x1.bb1bec900c2fdp-3, 0x1.5e8accb9a7d37p-1,
                              -0x1.2992df8a9809cp0, 0x1.aa913e4c930ecp0);
  inverse *= rest == 0 ? 0x1.428a2f98d728bp0 : rest == 1 ? 1.0 : 0x1.965fea53d6e3dp-1;
  double lacks = 1.0 - m * (inverse * inverse) * inverse;
  inverse += inverse * lacks *
             MPL_POLY_3(lacks, 0x1.61f9add3c0ca4p-3, 0x1.c71c71c71c71cp-3, 0x1.5555555555555p-2);
  double square = inverse * inverse, root = m * square;
  double residue = mpl_exact(root * root, root, -m);
  root -= residue * square * 0x1.5555555555555p-2;
  root *= mpl_number((q + (small ? 664 : 682)) << 52);
  return ((a == 0) | !(x < INFINITY)) ? a : mpl_signed(root, a);
}

/* Squares that overflow or vanish are rare: then both are scaled by a power of two near the larger. */
#define HYPOT(T, U, exponents, lowest, highest, one_less, least, most) \
  MPL_HELPER T scaled_length(T a, T b) { \
    T x = mpl_abs(a), y = mpl_abs(b); \
    U scale = mpl_bits(__builtin_elementwise_max(x, y)) & exponents; \
    scale = __builtin_elementwise_min(__builtin_elementwise_max(scale, (U)lowest), (U)highest); \
    T inverse = mpl_number(one_less - scale); \
    x *= inverse; \
    y *= inverse; \
    T length = __builtin_elementwise_sqrt(x * x + y * y) * mpl_number(scale); \
    return ((x == (T)INFINITY) | (y == (T)INFINITY)) ? (T)INFINITY : length; \
  } \
  MPL_VALUE T hypot(T a, T b) { \
    T sum = a * a + b * b, length = __builtin_elementwise_sqrt(sum); \
    bool good = (sum > least) & (sum < most), none = ((mpl_bits(a) | mpl_bits(b)) << 1) == 0; \
    if (MPL_RARELY(!(good | none))) length = scaled_length(a, b); \
    return length; \
  }
HYPOT(float, uint, 0x7f800000, 0x00800000, 0x7e000000, 0x7f000000, 0x1p-100f, 0x1p126f)
HYPOT(double, ulong, 0x7ff0000000000000, 0x0010000000000000, 0x7fc0000000000000, 0x7fe0000000000000,
      0x1p-960, 0x1p1022)

/* By Newton's iteration from an estimate; where the residue is no number, that is exact. */
#ifdef __AVX512F__
MPL_VALUE float rsqrt(float a) {
  float y = mpl_estimate(a), residue = 1.0f - a * y * y;
  return residue == residue ? y + 0.5f * y * residue : y;
}
MPL_VALUE double rsqrt(double a) {
  double y = mpl_estimate(a), residue = 1.0 - a * y * y, z = y + y * residue * (0.5 + 0.375 * residue);
  return residue == residue ? z + 0.5 * z * (1.0 - a * z * z) : y;
}
MPL_MATH_1(rsqrt)
MPL_VECTORS_1(double, rsqrt, double)
#elif defined(__NVPTX__) /* off by at most 2 ULP; half's in float */
MPL_VALUE float rsqrt(float a) { return __nvvm_rsqrt_approx_f(a); }
MPL_MATH_1(rsqrt)
#endif
#if !defined(__AVX512F__) && defined(__AVX__) /* of the full one are a square root and a division */
MPL_VALUE float native_rsqrt(float a) {
  float y = mpl_estimate(a), half_of_y = 0.5f * y, z = y + half_of_y * (1.0f - a * y * y);
  return z > half_of_y ? z : half_of_y; /* of 0, of infinity and below 0 z is no number, and this is y */
}
MPL_VECTORS_1(float, native_rsqrt, float)
#endif
#if defined(__AVX512F__) || defined(__NVPTX__)
#define FAST(n, ...) \
  MPL_VALUE float##n half_rsqrt(float##n a) { return rsqrt(a); } \
  MPL_VALUE float##n native_rsqrt(float##n a) { return rsqrt(a); }
MPL_WIDTHS(FAST, )
#endif

MPL_MATH_1(cbrt) MPL_MATH_2(hypot)
MPL_VECTORS_1(double, cbrt, double) MPL_VECTORS_2(double, hypot, double, double)
