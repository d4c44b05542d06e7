/* What kernels in C and C++ call of the C library on a GPU, beside math (../math/c_names.cl), under
 * names of their own: there is no other library. */
#include "../value.h"

#define C_TEXT __attribute__((pure))

C_TEXT ulong __mpl_c_strlen(private const char *text) {
  ulong length = 0;
  while (text[length]) length++;
  return length;
}

C_TEXT int __mpl_c_memcmp(private const uchar *a, private const uchar *b, ulong size) {
  for (ulong i = 0; i < size; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}
C_TEXT int __mpl_c_bcmp(private const uchar *a, private const uchar *b, ulong size) {
  return __mpl_c_memcmp(a, b, size);
}

C_TEXT int __mpl_c_strncmp(private const uchar *a, private const uchar *b, ulong size) {
  for (ulong i = 0; i < size; i++) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    if (!a[i]) return 0;
  }
  return 0;
}
C_TEXT int __mpl_c_strcmp(private const uchar *a, private const uchar *b) {
  return __mpl_c_strncmp(a, b, ULONG_MAX);
}

C_TEXT private uchar *__mpl_c_memchr(private const uchar *a, int value, ulong size) {
  for (ulong i = 0; i < size; i++)
    if (a[i] == (uchar)value) return (private uchar *)a + i;
  return 0;
}

/* --- Math with integers, and with second results --- */

#define C_VALUE __attribute__((const, always_inline))
#define C_BOTH(T, f) \
  C_VALUE T __mpl_c_ldexp##f(T a, int n) { return ldexp(a, n); } \
  C_VALUE T __mpl_c_scalbn##f(T a, int n) { return ldexp(a, n); } \
  C_VALUE T __mpl_c_scalbln##f(T a, long n) { return ldexp(a, (int)clamp(n, -100000L, 100000L)); } \
  C_VALUE int __mpl_c_ilogb##f(T a) { return ilogb(a); } \
  C_VALUE long __mpl_c_lround##f(T a) { return (long)round(a); } \
  C_VALUE long __mpl_c_llround##f(T a) { return (long)round(a); } \
  C_VALUE long __mpl_c_lrint##f(T a) { return (long)rint(a); } \
  C_VALUE long __mpl_c_llrint##f(T a) { return (long)rint(a); } \
  C_VALUE T __mpl_c_nearbyint##f(T a) { return rint(a); } \
  MPL_C T __mpl_c_frexp##f(T a, private int *n) { return frexp(a, n); } \
  MPL_C T __mpl_c_modf##f(T a, private T *whole) { return modf(a, whole); } \
  MPL_C T __mpl_c_remquo##f(T a, T b, private int *n) { return remquo(a, b, n); } \
  MPL_C T __mpl_c_lgamma##f##_r(T a, private int *sign) { return lgamma_r(a, sign); } \
  MPL_C void __mpl_c_sincos##f(T a, private T *s, private T *c) { *s = sincos(a, c); }
#define MPL_C __attribute__((always_inline))
C_BOTH(float, f)
C_BOTH(double, )

/* The table's are all here: the type of a function that is not declared is an error. */
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
#define MPL_GPU_C_FUNCTION(name) __typeof__(__mpl_c_##name) __mpl_c_##name;
#include "tables/gpu_c_functions.def"
