/* Dot products of bytes: DOT(A, B, R, TA, TB) for each signedness, packed and as vectors. */
#define I size_t i = get_global_id(0);
#define DOT(A, B, R, TA, TB) \
  kernel void packed_##A##B(global R *out, global const uint *a, global const uint *b) { \
    I out[i] = dot_4x8packed_##A##B##_##R(a[i], b[i]); \
  } \
  kernel void vector_##A##B(global R *out, global const TA##4 *a, global const TB##4 *b) { \
    I out[i] = dot(a[i], b[i]); \
  } \
  kernel void packed_sat_##A##B(global R *out, global const uint *a, global const uint *b, \
                                global const R *c) { \
    I out[i] = dot_acc_sat_4x8packed_##A##B##_##R(a[i], b[i], c[i]); \
  } \
  kernel void vector_sat_##A##B(global R *out, global const TA##4 *a, global const TB##4 *b, \
                                global const R *c) { \
    I out[i] = dot_acc_sat(a[i], b[i], c[i]); \
  }
DOT(u, u, uint, uchar, uchar)
DOT(s, s, int, char, char)
DOT(u, s, int, uchar, char)
DOT(s, u, int, char, uchar)
