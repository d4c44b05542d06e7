/* Vector loads and stores (OpenCL C 3.0, 6.15.7): n elements at p + offset * n, aligned as one
 * element is.  A vector of three touches three elements. */
#include "numbers/round.h"

#define UNALIGNED(n, T, bytes) \
  typedef T unaligned_##T##n __attribute__((ext_vector_type(n), aligned(bytes)));
#define UNALIGNED_OF(T, bytes) \
  UNALIGNED(2, T, bytes) UNALIGNED(4, T, bytes) UNALIGNED(8, T, bytes) UNALIGNED(16, T, bytes)
UNALIGNED_OF(char, 1) UNALIGNED_OF(uchar, 1)
UNALIGNED_OF(short, 2) UNALIGNED_OF(ushort, 2) UNALIGNED_OF(half, 2)
UNALIGNED_OF(int, 4) UNALIGNED_OF(uint, 4) UNALIGNED_OF(float, 4)
UNALIGNED_OF(long, 8) UNALIGNED_OF(ulong, 8) UNALIGNED_OF(double, 8)

#define READABLE(X, ...) WRITABLE(X, __VA_ARGS__) X(constant, __VA_ARGS__)
#define WRITABLE(X, ...) \
  X(global, __VA_ARGS__) X(local, __VA_ARGS__) X(private, __VA_ARGS__) X(generic, __VA_ARGS__)

#define LOAD(space, n, T) \
  MPL_READS T##n vload##n(size_t offset, const space T *p) { \
    return *(const space unaligned_##T##n *)(p + offset * n); \
  }
#define LOAD_3(space, T) \
  MPL_READS T##3 vload3(size_t offset, const space T *p) { \
    p += offset * 3; \
    return (T##3)(p[0], p[1], p[2]); \
  }
#define STORE(space, n, T) \
  MPL_WRITES void vstore##n(T##n a, size_t offset, space T *p) { \
    *(space unaligned_##T##n *)(p + offset * n) = a; \
  }
#define STORE_3(space, T) \
  MPL_WRITES void vstore3(T##3 a, size_t offset, space T *p) { \
    p += offset * 3; \
    p[0] = a.s0, p[1] = a.s1, p[2] = a.s2; \
  }
#define ALL_WIDTHS(T, ...) \
  READABLE(LOAD, 2, T) READABLE(LOAD_3, T) READABLE(LOAD, 4, T) READABLE(LOAD, 8, T) \
  READABLE(LOAD, 16, T) \
  WRITABLE(STORE, 2, T) WRITABLE(STORE_3, T) WRITABLE(STORE, 4, T) WRITABLE(STORE, 8, T) \
  WRITABLE(STORE, 16, T)
MPL_TYPES(ALL_WIDTHS)

/* Halves in memory, float or double in registers.  The a forms take vectors of halves that are
 * aligned as vectors are, three in the room of four. */
#define HALF_LOAD(space, ...) \
  MPL_READS float vload_half(size_t offset, const space half *p) { return (float)p[offset]; } \
  MPL_READS float3 vload_half3(size_t offset, const space half *p) { \
    return __builtin_convertvector(vload3(offset, p), float3); \
  } \
  MPL_READS float3 vloada_half3(size_t offset, const space half *p) { \
    return __builtin_convertvector(((const space half4 *)p)[offset].xyz, float3); \
  }
#define HALF_LOAD_VECTOR(space, n) \
  MPL_READS float##n vload_half##n(size_t offset, const space half *p) { \
    return __builtin_convertvector(vload##n(offset, p), float##n); \
  } \
  MPL_READS float##n vloada_half##n(size_t offset, const space half *p) { \
    return __builtin_convertvector(((const space half##n *)p)[offset], float##n); \
  }
READABLE(HALF_LOAD, )
READABLE(HALF_LOAD_VECTOR, 2) READABLE(HALF_LOAD_VECTOR, 4)
READABLE(HALF_LOAD_VECTOR, 8) READABLE(HALF_LOAD_VECTOR, 16)

#define NARROW_VECTORS(f, S) MPL_VECTORS_1(half, f, S)
NARROW_VECTORS(half_rte, double)
NARROW_VECTORS(half_rtz, float) NARROW_VECTORS(half_rtz, double)
NARROW_VECTORS(half_rtp, float) NARROW_VECTORS(half_rtp, double)
NARROW_VECTORS(half_rtn, float) NARROW_VECTORS(half_rtn, double)
#define NEAREST_VECTOR(n, ...) \
  MPL_HELPER half##n half_rte(float##n a) { return __builtin_convertvector(a, half##n); }
MPL_VECTOR_WIDTHS(NEAREST_VECTOR, )

#define HALF_STORES(space, S, mode, round) \
  MPL_WRITES void vstore_half##mode(S a, size_t offset, space half *p) { p[offset] = round(a); } \
  MPL_WRITES void vstore_half3##mode(S##3 a, size_t offset, space half *p) { \
    vstore3(round(a), offset, p); \
  } \
  MPL_WRITES void vstorea_half3##mode(S##3 a, size_t offset, space half *p) { \
    half3 b = round(a); \
    p += offset * 4; \
    p[0] = b.s0, p[1] = b.s1, p[2] = b.s2; \
  } \
  HALF_STORE(space, 2, S, mode, round) HALF_STORE(space, 4, S, mode, round) \
  HALF_STORE(space, 8, S, mode, round) HALF_STORE(space, 16, S, mode, round)
#define HALF_STORE(space, n, S, mode, round) \
  MPL_WRITES void vstore_half##n##mode(S##n a, size_t offset, space half *p) { \
    vstore##n(round(a), offset, p); \
  } \
  MPL_WRITES void vstorea_half##n##mode(S##n a, size_t offset, space half *p) { \
    ((space half##n *)p)[offset] = round(a); \
  }
#define HALF_STORE_MODES(S) \
  WRITABLE(HALF_STORES, S, , half_rte) WRITABLE(HALF_STORES, S, _rte, half_rte) \
  WRITABLE(HALF_STORES, S, _rtz, half_rtz) WRITABLE(HALF_STORES, S, _rtp, half_rtp) \
  WRITABLE(HALF_STORES, S, _rtn, half_rtn)
HALF_STORE_MODES(float)
HALF_STORE_MODES(double)
