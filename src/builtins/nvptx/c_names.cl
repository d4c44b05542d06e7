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
