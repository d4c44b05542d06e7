/* Powers and roots of double (OpenCL C 3.0, 6.15.2). */
#include "exponential_double.h"
#include "logarithm_double.h"
#include "power.h"

MPL_HELPER double power_of_two(double x, double low) {
  bool far = !(mpl_abs(x) < 1200);
  return mpl_power_of_two(far ? mpl_signed(1200.0, x) : x, far ? 0 : low);
}
/* 2^((y + y_low) log2 |x|), of positive finite |x|.  Larger exponents do as much as 2^80. */
MPL_HELPER double power(double size, double y, double y_low) {
  if (!__mpl_fused()) y = mpl_within(y, 0x1p80);
  double low, high = mpl_log2_parts(size, &low), product = y * high;
  return power_of_two(product, mpl_exact(y, high, -product) + (y * low + y_low * high));
}
MPL_HELPER double power(double size, double y) {
  if (!__mpl_fused()) y = mpl_within(y, 0x1p80);
  double low, high = mpl_log2_parts(size, &low), product = y * high;
  return power_of_two(product, mpl_exact(y, high, -product) + y * low);
}
MPL_POWERS(double, power)
