/* What PTX has and OpenCL C does not: the one header with assembly in it.
 *
 * Where PTX asks which lanes take part, all do: work-items that were never there, in the last
 * sub-group, count as gone.  Values read from such lanes mean nothing, so steps have a predicate. */
#ifndef MPL_NVPTX_PRIMITIVES_H
#define MPL_NVPTX_PRIMITIVES_H

#include "sync.h"

#define NV static __attribute__((always_inline, unused))
#define EVERYONE 0xffffffffu

/* Where lanes meet: in front of all that they do together.  NVIDIA's compiler (13.0 to 13.5) takes
 * some loops for uniform that lanes leave one after another, and then lets them go on one by one,
 * through shuffles too.  Where no such loop is in front, the compiler leaves it out
 * (compiler/gpu/masks.c). */
void __mpl_gpu_meet_all(void) MPL_LANES;
void __mpl_gpu_meet(void) MPL_LANES;

/* The lanes of which all of this is: the 32 that the processor runs together, as the functions of
 * work-groups want it; in a file with OF_SUB_GROUPS the sub-group, which may be a part of the 32.
 * PTX's segments keep shuffles inside.  Its own lanes wait for one another; for all 32 where the
 * others are known to come to the same call, which takes the processor less. */
#ifdef OF_SUB_GROUPS
#define LANES __mpl_lanes_size()
NV void meet_lanes(void) { __mpl_gpu_meet(); }
#else
#define LANES 32
NV void meet_lanes(void) { __mpl_gpu_meet_all(); }
#endif
#define SEGMENT ((32 - LANES) << 8)
#define OF_PART (EVERYONE >> (32 - LANES)) /* bits of as many lanes */
uint __mpl_gpu_others(void) MPL_LANES;
NV uint first_lane(void) { return __nvvm_read_ptx_sreg_laneid() & (32 - LANES); }
NV uint and_others(uint m) { return LANES == 32 ? m : m | __mpl_gpu_others(); }
NV uint all_lanes(void) { /* of a part those that there are */
  if (LANES == 32) return EVERYONE;
  return and_others(EVERYONE >> (32 - __mpl_lanes_here()) << first_lane());
}

/* Lanes that are together see what the others have written before. */
NV void order_lanes(void) { __asm__ volatile("bar.warp.sync %0;" ::"ri"(all_lanes()) : "memory"); }

/* The local size.  Loops and branches that depend on it are known to be the same for all. */
uint __mpl_gpu_size_0(void) __attribute__((const));
uint __mpl_gpu_size_1(void) __attribute__((const));
uint __mpl_gpu_size_2(void) __attribute__((const));

/* Which half of the scratch memory is free, and the memory; memory for operands (group_staged.h). */
local char *__mpl_gpu_scratch(void) __attribute__((const));
local char *__mpl_gpu_stage(void) __attribute__((const));
private uint *__mpl_gpu_phase(void) __attribute__((const));

/* A store by some work-items only, without a branch: LLVM would move the address into it, and ptxas
 * then asks for the base of shared memory there, on the way that everyone waits for. */
#define PUT(T, r, bits) \
  NV void put_##T(local T *p, T x, bool c) { \
    __asm__ volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; @p st.shared.b" bits " [%0], %1; }" \
                     :: "l"(p), r(x), "r"((int)c) : "memory"); \
  }
PUT(int, "r", "32") PUT(uint, "r", "32") PUT(long, "l", "64") PUT(ulong, "l", "64")
PUT(float, "f", "32") PUT(double, "d", "64") PUT(ushort, "h", "16")
/* Likewise a load by some; the others keep `none`.  No step comes after it. */
#define GET(T, r, bits) \
  NV T get_##T(const local T *p, bool c, T none) { \
    __asm__ volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; @p ld.shared.b" bits " %0, [%1]; }" \
                     : "+" r(none) : "l"(p), "r"((int)c) : "memory"); \
    return none; \
  }
GET(int, "r", "32") GET(uint, "r", "32") GET(long, "l", "64") GET(ulong, "l", "64")
NV void put_half(local half *p, half x, bool c) { put_ushort((local ushort *)p, as_ushort(x), c); }

/* Counters: nanoseconds, the same for the whole device; and cycles, of a part of it that a group does
 * not leave. */
#define COUNTER(name, special) \
  NV ulong name(void) { \
    ulong count; \
    __asm__ volatile("mov.u64 %0, %%" special ";" : "=l"(count)::"memory"); \
    return count; \
  }
COUNTER(nanoseconds, "globaltimer") COUNTER(cycles, "clock64")

/* The total of all 32 lanes in each of them; the order does not matter. */
#define TOTAL(op, T, how) \
  NV T total_##op##_##T(T x) { \
    T y; \
    __asm__ volatile("redux.sync." how " %0, %1, -1;" : "=r"(y) : "r"(x)); \
    return y; \
  }
TOTAL(add, int, "add.s32") TOTAL(min, int, "min.s32") TOTAL(max, int, "max.s32")
TOTAL(and, int, "and.b32") TOTAL(or, int, "or.b32") TOTAL(xor, int, "xor.b32")
TOTAL(add, uint, "add.u32") TOTAL(min, uint, "min.u32") TOTAL(max, uint, "max.u32")

/* x combined with that of the lane d below, or above up to lane `last`, if there is one.  The lower
 * lane's operand comes first.  `both`: *with is that, of what lanes up to the own one have, and the
 * same step tells *before what those before it have: an exclusive scan takes no step more. */
#define STEP_32(op, T, r, instruction) \
  NV T up_##op##_##T(T x, const uint d) { \
    T y = x; \
    __asm__ volatile("{ .reg .pred p; .reg .b32 t; shfl.sync.up.b32 t|p, %1, %2, %3, %4; " \
                     "@p " instruction " %0, t, %0; }" \
                     : "+" r(y) : r(x), "n"(d), "n"(SEGMENT), "ri"(all_lanes())); \
    return y; \
  } \
  NV T down_##op##_##T(T x, const uint d, uint last) { \
    T y = x; \
    __asm__ volatile("{ .reg .pred p; .reg .b32 t; shfl.sync.down.b32 t|p, %1, %2, %3, %4; " \
                     "@p " instruction " %0, %0, t; }" \
                     : "+" r(y) : r(x), "n"(d), "r"(SEGMENT | last), "ri"(all_lanes())); \
    return y; \
  } \
  NV void both_##op##_##T(T *before, T *with, const uint d) { \
    T b = *before, w = *with; \
    __asm__ volatile("{ .reg .pred p; .reg .b32 t; shfl.sync.up.b32 t|p, %1, %2, %3, %4; " \
                     "@p " instruction " %0, t, %0; @p " instruction " %1, t, %1; }" \
                     : "+" r(b), "+" r(w) : "n"(d), "n"(SEGMENT), "ri"(all_lanes())); \
    *before = b; \
    *with = w; \
  }
#define HALVES(how) \
  "{ .reg .pred p; .reg .b32 a, b; .reg .b64 t; mov.b64 {a, b}, %1; " \
  "shfl.sync." how ".b32 a|p, a, %2, %3, %4; shfl.sync." how ".b32 b|p, b, %2, %3, %4; " \
  "mov.b64 t, {a, b}; @p "
#define STEP_64(op, T, r, instruction) \
  NV T up_##op##_##T(T x, const uint d) { \
    T y = x; \
    __asm__ volatile(HALVES("up") instruction " %0, t, %0; }" \
                     : "+" r(y) : r(x), "n"(d), "n"(SEGMENT), "ri"(all_lanes())); \
    return y; \
  } \
  NV T down_##op##_##T(T x, const uint d, uint last) { \
    T y = x; \
    __asm__ volatile(HALVES("down") instruction " %0, %0, t; }" \
                     : "+" r(y) : r(x), "n"(d), "r"(SEGMENT | last), "ri"(all_lanes())); \
    return y; \
  } \
  NV void both_##op##_##T(T *before, T *with, const uint d) { \
    T b = *before, w = *with; \
    __asm__ volatile(HALVES("up") instruction " %0, t, %0; @p " instruction " %1, t, %1; }" \
                     : "+" r(b), "+" r(w) : "n"(d), "n"(SEGMENT), "ri"(all_lanes())); \
    *before = b; \
    *with = w; \
  }
STEP_32(add, int, "r", "add.s32") STEP_32(min, int, "r", "min.s32") STEP_32(max, int, "r", "max.s32")
STEP_32(and, int, "r", "and.b32") STEP_32(or, int, "r", "or.b32") STEP_32(xor, int, "r", "xor.b32")
STEP_32(mul, int, "r", "mul.lo.s32")
STEP_32(min, uint, "r", "min.u32") STEP_32(max, uint, "r", "max.u32")
STEP_32(add, float, "f", "add.rn.f32") STEP_32(mul, float, "f", "mul.rn.f32")
STEP_64(add, long, "l", "add.s64") STEP_64(min, long, "l", "min.s64") STEP_64(max, long, "l", "max.s64")
STEP_64(and, long, "l", "and.b64") STEP_64(or, long, "l", "or.b64") STEP_64(xor, long, "l", "xor.b64")
STEP_64(mul, long, "l", "mul.lo.s64")
STEP_64(min, ulong, "l", "min.u64") STEP_64(max, ulong, "l", "max.u64")
STEP_64(add, double, "d", "add.rn.f64") STEP_64(mul, double, "d", "mul.rn.f64")

/* That of the lane below; of the first `first`. */
#define PREVIOUS_32(T, r) \
  NV T previous_##T(T x, T first) { \
    T y = first; \
    __asm__ volatile("{ .reg .pred p; .reg .b32 t; shfl.sync.up.b32 t|p, %1, 1, %2, %3; " \
                     "@p mov.b32 %0, t; }" \
                     : "+" r(y) : r(x), "n"(SEGMENT), "ri"(all_lanes())); \
    return y; \
  }
#define PREVIOUS_64(T, r) \
  NV T previous_##T(T x, T first) { \
    T y = first; \
    __asm__ volatile(HALVES("up") "mov.b64 %0, t; }" \
                     : "+" r(y) : r(x), "n"(1), "n"(SEGMENT), "ri"(all_lanes())); \
    return y; \
  }
PREVIOUS_32(int, "r") PREVIOUS_32(uint, "r") PREVIOUS_32(float, "f")
PREVIOUS_64(long, "l") PREVIOUS_64(ulong, "l") PREVIOUS_64(double, "d")

/* That of the lane whose id differs in the bits of d. */
#define OTHER_32(T, r) \
  NV T other_##T(T x, const uint d) { \
    T y; \
    __asm__ volatile("shfl.sync.bfly.b32 %0, %1, %2, %3, %4;" \
                     : "=" r(y) : r(x), "n"(d), "n"(SEGMENT | 31), "ri"(all_lanes())); \
    return y; \
  }
#define OTHER_64(T) \
  NV T other_##T(T x, const uint d) { \
    uint2 v = __builtin_astype(x, uint2); \
    v.x = other_uint(v.x, d); \
    v.y = other_uint(v.y, d); \
    return __builtin_astype(v, T); \
  }
OTHER_32(int, "r") OTHER_32(uint, "r") OTHER_32(float, "f")
OTHER_64(long) OTHER_64(ulong) OTHER_64(double)

/* That of a lane. */
#define FROM_32(T, r) \
  NV T from_##T(T x, uint lane) { \
    T y; \
    __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, %3, %4;" \
                     : "=" r(y) : r(x), "r"(lane), "n"(SEGMENT | 31), "ri"(all_lanes())); \
    return y; \
  }
#define FROM_64(T) \
  NV T from_##T(T x, uint lane) { \
    uint2 v = __builtin_astype(x, uint2); \
    v.x = from_uint(v.x, lane); \
    v.y = from_uint(v.y, lane); \
    return __builtin_astype(v, T); \
  }
#define FROM_SMALL(T, bits) \
  NV T from_##T(T x, uint lane) { \
    return __builtin_astype((bits)from_uint((uint)__builtin_astype(x, bits), lane), T); \
  }
FROM_32(int, "r") FROM_32(uint, "r") FROM_32(float, "f")
FROM_64(long) FROM_64(ulong) FROM_64(double)
FROM_SMALL(char, uchar) FROM_SMALL(uchar, uchar) FROM_SMALL(short, ushort)
FROM_SMALL(ushort, ushort) FROM_SMALL(half, ushort)

/* The same among the lanes m, which all come here with the same m. */
NV uint among_uint(uint m, uint x, uint lane) {
  return (uint)__nvvm_shfl_sync_idx_i32(and_others(m), (int)x, (int)lane, SEGMENT | 31);
}
#define AMONG_32(T) \
  NV T among_##T(uint m, T x, uint lane) { \
    return __builtin_astype(among_uint(m, __builtin_astype(x, uint), lane), T); \
  }
#define AMONG_64(T) \
  NV T among_##T(uint m, T x, uint lane) { \
    uint2 v = __builtin_astype(x, uint2); \
    v.x = among_uint(m, v.x, lane); \
    v.y = among_uint(m, v.y, lane); \
    return __builtin_astype(v, T); \
  }
#define AMONG_SMALL(T, bits) \
  NV T among_##T(uint m, T x, uint lane) { \
    return __builtin_astype((bits)among_uint(m, (uint)__builtin_astype(x, bits), lane), T); \
  }
AMONG_32(int) AMONG_32(float) AMONG_64(long) AMONG_64(ulong) AMONG_64(double)
AMONG_SMALL(char, uchar) AMONG_SMALL(uchar, uchar) AMONG_SMALL(short, ushort)
AMONG_SMALL(ushort, ushort) AMONG_SMALL(half, ushort)

/* Their votes.  Of the lanes m: bits of the sub-group's lanes, without those of the others. */
NV uint ballot_among(uint m, int x) {
  return __nvvm_vote_ballot_sync(and_others(m), x != 0) >> first_lane() & OF_PART;
}
NV int all_of_lanes(int x) {
  return LANES == 32 ? __nvvm_vote_all_sync(EVERYONE, x != 0) : !ballot_among(all_lanes(), !x);
}
NV int any_of_lanes(int x) {
  return LANES == 32 ? __nvvm_vote_any_sync(EVERYONE, x != 0) : ballot_among(all_lanes(), x) != 0;
}

/* Is it worth it to add doubles by multiplying matrices?  Where that is done by units of their own. */
int __mpl_gpu_matrices(void) __attribute__((const));
/* The sum of all 32 lanes in each of them.  The first product has the sums of 4 lanes side by
 * side, a lane has two of them; the second adds up those of four lanes.  Rounded as other sums are. */
NV double product(double a, double b, double *next) {
  double x;
  __asm__ volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %4};"
                   : "=d"(x), "=d"(*next) : "d"(a), "d"(b), "d"(-0.0));
  return x;
}
NV double total_by_matrices(double x) {
  double next, rest, sum = product(1, x, &next);
  return product(sum + next, 1, &rest);
}

/* Where all of the work-group meet. */
NV void meet(void) { __nvvm_bar_sync(0); }
NV int all_of_group(int x) { return __nvvm_bar0_and(x); }
NV int any_of_group(int x) { return __nvvm_bar0_or(x); }
NV int count_of_group(int x) { return __nvvm_bar0_popc(x); }

/* part(T, i) for each component of a vector. */
#define PARTS_2(part, T) part(T, 0), part(T, 1)
#define PARTS_3(part, T) PARTS_2(part, T), part(T, 2)
#define PARTS_4(part, T) PARTS_3(part, T), part(T, 3)
#define PARTS_8(part, T) PARTS_4(part, T), part(T, 4), part(T, 5), part(T, 6), part(T, 7)
#define PARTS_16(part, T) \
  PARTS_8(part, T), part(T, 8), part(T, 9), part(T, a), part(T, b), part(T, c), part(T, d), \
      part(T, e), part(T, f)

#endif
