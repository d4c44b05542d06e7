/* The C library's functions under names that cannot be taken for OpenCL's overloads.  They read no
 * memory (errno and signgam are nobody's concern here), so LLVM may move and join calls. */
#ifndef MPL_BUILTINS_LIBM_H
#define MPL_BUILTINS_LIBM_H

#include "value.h"

#define MPL_LIBM_1(name) \
  float mpl_libm_##name(float) __asm__(#name "f") __attribute__((overloadable, const)); \
  double mpl_libm_##name(double) __asm__(#name) __attribute__((overloadable, const));
#define MPL_LIBM_2(name) \
  float mpl_libm_##name(float, float) __asm__(#name "f") __attribute__((overloadable, const)); \
  double mpl_libm_##name(double, double) __asm__(#name) __attribute__((overloadable, const));

MPL_LIBM_1(acos) MPL_LIBM_1(acosh) MPL_LIBM_1(asin) MPL_LIBM_1(asinh) MPL_LIBM_1(atan)
MPL_LIBM_1(atanh) MPL_LIBM_1(cbrt) MPL_LIBM_1(cosh) MPL_LIBM_1(erf) MPL_LIBM_1(erfc)
MPL_LIBM_1(exp10) MPL_LIBM_1(exp2) MPL_LIBM_1(log10) MPL_LIBM_1(log2) MPL_LIBM_1(expm1)
MPL_LIBM_1(lgamma) MPL_LIBM_1(log1p) MPL_LIBM_1(sinh)
MPL_LIBM_1(cos) MPL_LIBM_1(exp) MPL_LIBM_1(log) MPL_LIBM_1(sin)
MPL_LIBM_1(tan) MPL_LIBM_1(tanh) MPL_LIBM_1(tgamma)
MPL_LIBM_2(atan2) MPL_LIBM_2(fmod) MPL_LIBM_2(hypot) MPL_LIBM_2(pow) MPL_LIBM_2(remainder)

#endif
