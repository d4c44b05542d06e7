/* Powers and roots of double (OpenCL C 3.0, 6.15.2). */
#include "exponential_double.h"
#include "logarithm_double.h"
#include "power.h"

/* 2^((y + y_low) log2 |x|), of positive finite |x|.  Larger exponents do as much as 2^80. */
MPL_HELPER double power(double size, double y, double y_low) {
  if (!__mpl_fused()) y = mpl_within(y, 0x1p80);
  double low, high = mpl_log2_parts(size, &low), product = y * high;
  double rest = mpl_exact(y, high, -product) + (y * low + y_low * high);
  bool far = !(mpl_abs(product) < 1200);
  return mpl_power_of_two(far ? mpl_signed(1200.0, product) : product, far ? 0 : rest);
}
MPL_POWERS(double, power)
