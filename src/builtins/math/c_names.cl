/* The C library's functions for kernels in C and C++, under names of their own: what such a kernel
 * calls sinf calls __mpl_c_sinf while the passes run, if that is here (compiler/records/math.c). */
#include "../value.h"

#define C_VALUE __attribute__((const, always_inline))
#define C_1(name) \
  C_VALUE float __mpl_c_##name##f(float a) { return name(a); } \
  C_VALUE double __mpl_c_##name(double a) { return name(a); }
#define C_2(name) \
  C_VALUE float __mpl_c_##name##f(float a, float b) { return name(a, b); } \
  C_VALUE double __mpl_c_##name(double a, double b) { return name(a, b); }
#define C_3(name) \
  C_VALUE float __mpl_c_##name##f(float a, float b, float c) { return name(a, b, c); } \
  C_VALUE double __mpl_c_##name(double a, double b, double c) { return name(a, b, c); }

C_1(acos) C_1(acosh) C_1(asin) C_1(asinh) C_1(atan) C_1(atanh) C_1(cbrt) C_1(cos) C_1(cosh) C_1(erf)
C_1(erfc) C_1(exp) C_1(exp2) C_1(exp10) C_1(expm1) C_1(lgamma) C_1(log) C_1(log10) C_1(log1p)
C_1(log2) C_1(logb) C_1(sin) C_1(sinh) C_1(sqrt) C_1(tan) C_1(tanh) C_1(tgamma)
C_2(atan2) C_2(fdim) C_2(fmod) C_2(hypot) C_2(nextafter) C_2(pow) C_2(remainder)
C_3(fma)
