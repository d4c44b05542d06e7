/* Powers and roots of double (OpenCL C 3.0, 6.15.2). */
#include "exponential_double.h"
#include "logarithm_double.h"
#include "power.h"

/* log2 of |x| to some 64 bits, in two parts: k + 2 / log 2 * s (1 + s^2 / 3 + s^4 q), where
 * s = f / (2 + f). */
MPL_HELPER double log2_parts(double x, double *low) {
  double k, f = mpl_any_fraction(x, &k), below = 2.0 + f, inverse = 1.0 / below, s = f * inverse;
  double s_low = (mpl_exact(-s, below, f) - s * (f - (below - 2.0))) * inverse;
  double z = s * s, z_low = mpl_exact(s, s, -z) + 2 * s * s_low;
  double q = MPL_POLY_7(z, 0x1.11ad1d84b7f33p-4, 0x1.0f372b63699bep-4, 0x1.3b20cfd416dfap-4,
                        0x1.745ce7c6f0b9dp-4, 0x1.c71c7218cf0e7p-4, 0x1.2492492477f52p-3,
                        0x1.99999999999c6p-3);
  double third = z * 0x1.5555555555555p-2, rest = z * z * q;
  double third_low =
      mpl_exact(z, 0x1.5555555555555p-2, -third) + (z * 0x1.5555555555555p-56 + z_low * 0x1.5555555555555p-2);
  double part = third + rest, part_low = ((third - part) + rest) + third_low;
  double more = s * part, more_low = mpl_exact(s, part, -more) + (s * part_low + s_low * part);
  double sum = s + more, sum_low = ((s - sum) + more) + (s_low + more_low);
  double high = sum * 0x1.71547652b82fep1;
  double high_low = mpl_exact(sum, 0x1.71547652b82fep1, -high) +
                    (sum * 0x1.777d0ffda0d24p-55 + sum_low * 0x1.71547652b82fep1);
  double all = k + high;
  *low = ((k - all) + high) + high_low;
  return all;
}
/* 2^((y + y_low) log2 |x|), of positive finite |x|.  Larger exponents do as much as 2^80. */
MPL_HELPER double power(double size, double y, double y_low) {
  if (!__mpl_fused()) y = mpl_within(y, 0x1p80);
  double low, high = log2_parts(size, &low), product = y * high;
  double rest = mpl_exact(y, high, -product) + (y * low + y_low * high);
  bool far = !(mpl_abs(product) < 1200);
  return mpl_power_of_two(far ? mpl_signed(1200.0, product) : product, far ? 0 : rest);
}
MPL_POWERS(double, power)
