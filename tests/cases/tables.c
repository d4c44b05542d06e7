/* Tables of the program as long as a vector, read from somewhere on by lanes of which some are there: rows of 2D
 * groups begin anywhere.  LLVM, which knows how long they are, must not take it for their begin. */
#ifdef __OPENCL_VERSION__
#define FIRST_4 {3, 10, 17, 24}
#define FIRST_8 {3, 10, 17, 24, 31, 38, 45, 52}
#define FIRST_16 {3, 10, 17, 24, 31, 38, 45, 52, 59, 66, 73, 80, 87, 94, 101, 108}
#define TABLE(type, name, n)                                                                                       \
  constant type name##_##n[n] = FIRST_##n;                                                                         \
  kernel void name##_part_##n(global int *out, global const int *in) {                                             \
    size_t at = get_global_linear_id(), i = get_local_id(0), j = get_local_id(1);                                  \
    int x = in[at];                                                                                                \
    if (i < n / 2) x ^= (int)name##_##n[i + (j & (n / 2 - 1))];                                                    \
    out[at] = x;                                                                                                   \
  }                                                                                                                \
  kernel void name##_round_##n(global int *out, global const int *in) {                                            \
    size_t at = get_global_linear_id(), i = get_local_linear_id();                                                 \
    out[at] = in[at] ^ (int)name##_##n[i & (n - 1)];                                                               \
  }
#else
#include "run/case.h"

#define TABLE(type, name, n)                                                                                       \
  CASE(name##_part_##n, int, int) {                                                                                \
    EACH(i) {                                                                                                      \
      size_t x = local_x(g, i), y = local_y(g, i) & (n / 2 - 1);                                                   \
      out[i] = x < n / 2 ? in[i] ^ (3 + 7 * (int)(x + y)) : in[i];                                                 \
    }                                                                                                              \
  }                                                                                                                \
  CASE(name##_round_##n, int, int) { EACH(i) out[i] = in[i] ^ (3 + 7 * (int)(i & (n - 1))); }
#endif

TABLE(char, chars, 4)
TABLE(char, chars, 16)
TABLE(short, shorts, 4)
TABLE(short, shorts, 8)
TABLE(int, ints, 4)
TABLE(int, ints, 8)
TABLE(long, longs, 4)
