/* Intel's sub-group functions (cl_intel_subgroups, _short, _char, _long): shuffles of vectors and
 * of two operands, and blocks of memory.  Vectors move component by component. */
#include "sync.h"
#include "tables/operations.h"

#define SHUFFLE(T) \
  MPL_INLINE T intel_sub_group_shuffle(T x, uint id) { return sub_group_shuffle(x, id); } \
  MPL_INLINE T intel_sub_group_shuffle_xor(T x, uint id) { return sub_group_shuffle_xor(x, id); } \
  /* `next` lies behind `current`, and `previous` before it: rotations, and a choice. */ \
  MPL_INLINE T intel_sub_group_shuffle_down(T current, T next, uint by) { \
    uint at = __mpl_lane_id() + by; \
    T inside = sub_group_shuffle(current, at), behind = sub_group_shuffle(next, at); \
    return at < __mpl_lanes_size() ? inside : behind; \
  } \
  MPL_INLINE T intel_sub_group_shuffle_up(T previous, T current, uint by) { \
    uint at = __mpl_lane_id() - by; \
    T inside = sub_group_shuffle(current, at), before = sub_group_shuffle(previous, at); \
    return __mpl_lane_id() >= by ? inside : before; \
  }

#define EACH_2(f) f(s0), f(s1)
#define EACH_3(f) f(s0), f(s1), f(s2)
#define EACH_4(f) EACH_3(f), f(s3)
#define EACH_8(f) EACH_4(f), f(s4), f(s5), f(s6), f(s7)
#define EACH_16(f) EACH_8(f), f(s8), f(s9), f(sa), f(sb), f(sc), f(sd), f(se), f(sf)
#define MOVED(i) intel_sub_group_shuffle(x.i, id)
#define MOVED_XOR(i) intel_sub_group_shuffle_xor(x.i, id)
#define MOVED_DOWN(i) intel_sub_group_shuffle_down(x.i, y.i, id)
#define MOVED_UP(i) intel_sub_group_shuffle_up(x.i, y.i, id)
#define SHUFFLE_VECTOR(T, n) \
  MPL_INLINE T##n intel_sub_group_shuffle(T##n x, uint id) { return (T##n)(EACH_##n(MOVED)); } \
  MPL_INLINE T##n intel_sub_group_shuffle_xor(T##n x, uint id) { \
    return (T##n)(EACH_##n(MOVED_XOR)); \
  } \
  MPL_INLINE T##n intel_sub_group_shuffle_down(T##n x, T##n y, uint id) { \
    return (T##n)(EACH_##n(MOVED_DOWN)); \
  } \
  MPL_INLINE T##n intel_sub_group_shuffle_up(T##n x, T##n y, uint id) { \
    return (T##n)(EACH_##n(MOVED_UP)); \
  }
#define SCALAR(T) SHUFFLE(T)
#define ALL(T) \
  SHUFFLE(T) SHUFFLE_VECTOR(T, 2) SHUFFLE_VECTOR(T, 3) SHUFFLE_VECTOR(T, 4) SHUFFLE_VECTOR(T, 8) \
  SHUFFLE_VECTOR(T, 16)
#define MPL_INTEL_SHUFFLE(T, widths, extension) widths(T)
#include "tables/intel_subgroups.def"

/* A block: as many elements in a row as the sub-group is large, for the first of each work-item,
 * then for the second, and so on. */
#define AT(i) p[0x##i * __mpl_lanes_size() + __mpl_lane_id()]
#define READ(i) AT(i)
#define EACH_ID_2(do) do(0), do(1)
#define EACH_ID_4(do) EACH_ID_2(do), do(2), do(3)
#define EACH_ID_8(do) EACH_ID_4(do), do(4), do(5), do(6), do(7)
#define EACH_ID_16(do) EACH_ID_8(do), do(8), do(9), do(a), do(b), do(c), do(d), do(e), do(f)
#define WRITE(i) (void)(AT(i) = x.s##i)
#define BLOCK(suffix, T, n) \
  MPL_INLINE T##n intel_sub_group_block_read##suffix##n(const global T *p) { \
    return (T##n)(EACH_ID_##n(READ)); \
  } \
  MPL_INLINE void intel_sub_group_block_write##suffix##n(global T *p, T##n x) { \
    EACH_ID_##n(WRITE); \
  }
#define TO_8(suffix, T) \
  MPL_INLINE T intel_sub_group_block_read##suffix(const global T *p) { return AT(0); } \
  MPL_INLINE void intel_sub_group_block_write##suffix(global T *p, T x) { AT(0) = x; } \
  BLOCK(suffix, T, 2) BLOCK(suffix, T, 4) BLOCK(suffix, T, 8)
#define TO_16(suffix, T) TO_8(suffix, T) BLOCK(suffix, T, 16)
#define MPL_INTEL_BLOCK(suffix, T, widths, extension) widths(suffix, T)
#include "tables/intel_subgroups.def"

#define SMALL_OPERATION(op, types, T) \
  MPL_INLINE T intel_sub_group_reduce_##op(T x) { return sub_group_reduce_##op(x); } \
  MPL_INLINE T intel_sub_group_scan_inclusive_##op(T x) { \
    return sub_group_scan_inclusive_##op(x); \
  } \
  MPL_INLINE T intel_sub_group_scan_exclusive_##op(T x) { \
    return sub_group_scan_exclusive_##op(x); \
  }
#define BROADCAST(T) \
  MPL_INLINE T intel_sub_group_broadcast(T x, uint id) { return sub_group_broadcast(x, id); }
#define MPL_INTEL_SMALL(T, extension) \
  BROADCAST(T) BROADCAST(T##2) BROADCAST(T##3) BROADCAST(T##4) BROADCAST(T##8) BROADCAST(T##16) \
  MPL_EACH_CORE(SMALL_OPERATION, T)
#include "tables/intel_subgroups.def"
