/* Dot products of four bytes (OpenCL C 3.1, 6.15.3).  Written on packed operands: the widening makes
 * one vector of 32-bit lanes of each. */
#include "value.h"

/* The processor's instruction, where it has one (tables/target_math.def): acc plus the products of
 * unsigned and signed bytes. */
#ifdef __AVX512F__
bool __mpl_has_dot(void) __attribute__((const));
int __mpl_dot(int acc, int a, int b) __attribute__((const));
#define HAS_DOT() __mpl_has_dot()
#else
#define HAS_DOT()            false
#define __mpl_dot(acc, a, b) (acc)
#endif

#define BYTE_u(x, i) ((int)((x) >> 8 * i & 0xff))
#define BYTE_s(x, i) ((int)((x) << (24 - 8 * i)) >> 24)
#define PRODUCT(A, B, i) (BYTE_##A(a, i) * BYTE_##B(b, i))
#define BYTES(A, B) (PRODUCT(A, B, 0) + PRODUCT(A, B, 1) + PRODUCT(A, B, 2) + PRODUCT(A, B, 3))

/* a - 128 is the signed byte a ^ 0x80, so the difference to the instruction's kinds of operands is
 * 128 times the sum of the others. */
#define SIGNS 0x80808080
#define ONES  0x01010101
MPL_HELPER int dot_us(uint a, uint b) {
  return HAS_DOT() ? __mpl_dot(0, a, b) : BYTES(u, s);
}
MPL_HELPER int dot_su(uint a, uint b) { return dot_us(b, a); }
MPL_HELPER int dot_ss(uint a, uint b) {
  return HAS_DOT() ? __mpl_dot(0, a ^ SIGNS, b) - (__mpl_dot(0, ONES, b) << 7) : BYTES(s, s);
}
MPL_HELPER int dot_uu(uint a, uint b) {
  return HAS_DOT() ? __mpl_dot(0, a, b ^ SIGNS) + (__mpl_dot(0, a, ONES) << 7) : BYTES(u, u);
}

#define DOT(A, B, R, TA, TB) \
  MPL_VALUE R dot_4x8packed_##A##B##_##R(uint a, uint b) { return (R)dot_##A##B(a, b); } \
  MPL_VALUE R dot_acc_sat_4x8packed_##A##B##_##R(uint a, uint b, R acc) { \
    return __builtin_elementwise_add_sat((R)dot_##A##B(a, b), acc); \
  } \
  MPL_VALUE R dot(TA##4 a, TB##4 b) { \
    return dot_4x8packed_##A##B##_##R(MPL_AS(uint, , a), MPL_AS(uint, , b)); \
  } \
  MPL_VALUE R dot_acc_sat(TA##4 a, TB##4 b, R acc) { \
    return dot_acc_sat_4x8packed_##A##B##_##R(MPL_AS(uint, , a), MPL_AS(uint, , b), acc); \
  }
DOT(u, u, uint, uchar, uchar)
DOT(s, s, int, char, char)
DOT(u, s, int, uchar, char)
DOT(s, u, int, char, uchar)
