/* shuffle and shuffle2 (OpenCL C 3.0, 6.15.13): only the low bits of a mask element count.  With a
 * constant mask, which is the usual case, nothing but a permutation is left. */
#include "value.h"

#define PICK_2(x, m) x(m.s0), x(m.s1)
#define PICK_4(x, m) PICK_2(x, m), x(m.s2), x(m.s3)
#define PICK_8(x, m) PICK_4(x, m), x(m.s4), x(m.s5), x(m.s6), x(m.s7)
#define PICK_16(x, m) \
  PICK_8(x, m), x(m.s8), x(m.s9), x(m.sa), x(m.sb), x(m.sc), x(m.sd), x(m.se), x(m.sf)

#define FROM_1(i) a[(i) & (count - 1)]
#define FROM_2(i) ((i) & count ? b[(i) & (count - 1)] : a[(i) & (count - 1)])
#define SHUFFLE(T, M, m, n) \
  MPL_VALUE T##n shuffle(T##m a, M##n mask) { \
    const uint count = m; \
    return (T##n)(PICK_##n(FROM_1, mask)); \
  } \
  MPL_VALUE T##n shuffle2(T##m a, T##m b, M##n mask) { \
    const uint count = m; \
    return (T##n)(PICK_##n(FROM_2, mask)); \
  }
#define FROM_WIDTH(T, M, m) \
  SHUFFLE(T, M, m, 2) SHUFFLE(T, M, m, 4) SHUFFLE(T, M, m, 8) SHUFFLE(T, M, m, 16)
#define SHUFFLES(T, M) \
  FROM_WIDTH(T, M, 2) FROM_WIDTH(T, M, 4) FROM_WIDTH(T, M, 8) FROM_WIDTH(T, M, 16)
#define OF_INTEGER(T, S, U, ...) SHUFFLES(T, U)
MPL_SIGNED_TYPES(OF_INTEGER)
MPL_UNSIGNED_TYPES(OF_INTEGER)
SHUFFLES(half, ushort)
SHUFFLES(float, uint)
SHUFFLES(double, ulong)
