/* Circular functions of double whose angle is so large that the multiple of pi/2 is not known exactly
 * (math/trig_double.cl), which are libm's on a processor that has one: the angle times 2/pi, of which
 * the bits are taken that matter (M. Payne and R. Hanek, 1983). */
#include "libm/libm.h"

/* 2/pi, behind a word of zeros: each bit has half the weight of the one before. */
static constant ulong two_over_pi[] = {
    0,
    0xa2f9836e4e441529ul, 0xfc2757d1f534ddc0ul, 0xdb6295993c439041ul,
    0xfe5163abdebbc561ul, 0xb7246e3a424dd2e0ul, 0x06492eea09d1921cul,
    0xfe1deb1cb129a73eul, 0xe88235f52ebb4484ul, 0xe99c7026b45f7e41ul,
    0x3991d639835339f4ul, 0x9c845f8bbdf9283bul, 0x1ff897ffde05980ful,
    0xef2f118b5a0a6d1ful, 0x6d367ecf27cb09b7ul, 0x4f463f669e5fea2dul,
    0x7527bac7ebe5f17bul, 0x3d0739f78a5292eaul, 0x6bfb5fb11f8d5d08ul,
    0x56033046fc7b6babul,
};

/* |a| as a number of quarters of a circle, of which the lowest bits are *quarters, and a rest of at
 * most half a quarter, in radians.  a: finite, at least 2^30. */
static double rest_of_huge(double a, ulong *quarters) {
  ulong bits = as_ulong(a), m = (bits & 0xffffffffffffful) | 0x10000000000000ul;
  uint at = (uint)(bits >> 52 & 0x7ff) - 1075 + 62; /* of the first bit that is no multiple of 4 */
  constant ulong *from = two_over_pi + (at >> 6);
  uint shift = at & 63;
  ulong w2 = from[0], w1 = from[1], w0 = from[2];
  if (shift) {
    w2 = w2 << shift | w1 >> (64 - shift);
    w1 = w1 << shift | w0 >> (64 - shift);
    w0 = w0 << shift | from[3] >> (64 - shift);
  }
  ulong p0 = m * w0, h0 = mul_hi(m, w0), p1 = m * w1 + h0, p2 = m * w2 + mul_hi(m, w1) + (p1 < h0);
  ulong high = p2 << 2 | p1 >> 62, low = p1 << 2 | p0 >> 62, rest = p0 << 2;
  bool above = high >> 63;
  *quarters = (p2 >> 62) + above;
  if (above) { /* one more, and what is then too much */
    rest = -rest;
    low = ~low + !rest;
    high = ~high + !(rest | low);
  }
  int zeros = 0;
  if (!high) high = low, low = rest, rest = 0, zeros = 64;
  uint lead = (uint)clz(high);
  zeros += (int)lead;
  if (lead) {
    high = high << lead | low >> (64 - lead);
    low = low << lead | rest >> (64 - lead);
  }
  double x = (double)(high >> 11) * 0x1p-53, y = (double)(high << 53 | low >> 11) * 0x1p-117;
  double product = x * 0x1.921fb54442d18p0, error = fma(x, 0x1.921fb54442d18p0, -product);
  double radians = product + (error + x * 0x1.1a62633145c07p-54 + y * 0x1.921fb54442d18p0);
  radians = ldexp(radians, -zeros);
  return above ? -radians : radians;
}

__attribute__((overloadable)) double mpl_libm_sin(double a) {
  ulong q;
  if (!isfinite(a)) return a - a;
  double rest = rest_of_huge(a, &q), sine = q & 1 ? cos(rest) : sin(rest);
  return ((q >> 1 & 1) != 0) != (a < 0) ? -sine : sine;
}
__attribute__((overloadable)) double mpl_libm_cos(double a) {
  ulong q;
  if (!isfinite(a)) return a - a;
  double rest = rest_of_huge(a, &q), cosine = q & 1 ? sin(rest) : cos(rest);
  return (q ^ q >> 1) & 1 ? -cosine : cosine;
}
__attribute__((overloadable)) double mpl_libm_tan(double a) {
  ulong q;
  if (!isfinite(a)) return a - a;
  double rest = rest_of_huge(a, &q), tangent = tan(rest);
  if (q & 1) tangent = -1 / tangent;
  return a < 0 ? -tangent : tangent;
}
