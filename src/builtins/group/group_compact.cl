/* Stream compaction: what the compiler makes of a conditional store to where an add-scan of the
 * condition says (src/compiler/prepare/compaction.c).
 *
 * x, keeps  value and condition (0 or 1) of each work-item
 * total     how many are kept
 * first     where the first of them goes, the others behind it
 * wrap      if not 0: the number of values behind which an index overflows and goes on ...
 * second    ... here */
#include "group.h"

/* Destinations are memory of the program: of any type, aligned to an element only. */
#define DEFINE_TYPE(bytes, T) \
  typedef T element_##bytes __attribute__((may_alias)); \
  typedef T vector_##bytes __attribute__((ext_vector_type(LANES_##bytes), aligned(1), may_alias));
#define LANES_1 16
#define LANES_2 16
#define LANES_4 16
#define LANES_8 8
DEFINE_TYPE(1, uchar)
DEFINE_TYPE(2, ushort)
DEFINE_TYPE(4, uint)
DEFINE_TYPE(8, ulong)

/* Each value goes to the place of the next one kept; if it is not kept itself, the next overwrites
 * it.  What lies behind the last place is never touched. */
#define DEFINE_COMPACT_WRAPPED(bytes) \
  static void compact_wrapped_##bytes(const private element_##bytes *x, const private uchar *keeps, uint total, \
                                      private element_##bytes *first, private element_##bytes *second, ulong wrap) { \
    uint before = 0; \
    for (ulong i = 0; before < total; before += keeps[i++]) { \
      if (before < wrap) first[before] = x[i]; \
      else second[before - wrap] = x[i]; \
    } \
  }

#ifdef __AVX512F__
/* A vector at a time, without a branch that depends on data: the kept lanes of it move together in a
 * register, and these are stored.  (The form of the instruction that writes to memory is slow on AMD
 * CPUs.) */
typedef int lanes_16 __attribute__((__vector_size__(64)));
typedef long lanes_8 __attribute__((__vector_size__(64)));
typedef uchar keeps_16 __attribute__((ext_vector_type(16), aligned(1)));
typedef uchar keeps_8 __attribute__((ext_vector_type(8), aligned(1)));
#define WIDE_16 int16
#define WIDE_8 long8
#define NOT_ZERO_16(v) __builtin_ia32_cmpd512_mask((lanes_16)(v), (lanes_16)(int16)0, 4, (ushort)-1)
#define NOT_ZERO_8(v) __builtin_ia32_cmpq512_mask((lanes_8)(v), (lanes_8)(long8)0, 4, (uchar)-1)
#define COMPRESS_16(v, mask) __builtin_ia32_compresssi512_mask((lanes_16)(v), (lanes_16)(v), mask)
#define COMPRESS_8(v, mask) __builtin_ia32_compressdi512_mask((lanes_8)(v), (lanes_8)(v), mask)
#define STORE_1(to, v, mask) __builtin_ia32_pmovdb512mem_mask((private char16 *)(to), v, mask)
#define STORE_2(to, v, mask) __builtin_ia32_pmovdw512mem_mask((private short16 *)(to), v, mask)
#define STORE_4(to, v, mask) __builtin_ia32_storedqusi512_mask((private int *)(to), v, mask)
#define STORE_8(to, v, mask) __builtin_ia32_storedqudi512_mask((private long *)(to), v, mask)

#define DEFINE_COMPACT_VECTORS(bytes, lanes) \
  static void compact_vectors_##bytes(const private element_##bytes *x, const private uchar *keeps, ulong n, \
                                      private element_##bytes *to, uint total) { \
    for (ulong i = 0; i < n; i += lanes) { \
      WIDE_##lanes values = __builtin_convertvector(*(const private vector_##bytes *)(x + i), WIDE_##lanes); \
      uint mask = NOT_ZERO_##lanes(__builtin_convertvector(*(const private keeps_##lanes *)(keeps + i), WIDE_##lanes)); \
      if (n - i < lanes) mask &= (1u << (n - i)) - 1; \
      uint count = __builtin_popcount(mask); \
      STORE_##bytes(to, COMPRESS_##lanes(values, mask), (1u << count) - 1); \
      to += count; \
    } \
  }
#define DEFINE_COMPACT_SINGLY(bytes)
#else
#define DEFINE_COMPACT_SINGLY(bytes) \
  static void compact_singly_##bytes(const private element_##bytes *x, const private uchar *keeps, \
                                     private element_##bytes *to, uint total) { \
    uint before = 0; \
    for (ulong i = 0; before < total; before += keeps[i++]) to[before] = x[i]; \
  }
#endif

#if !defined(__AVX512F__) && defined(__AVX__)
/* The same with a table: where each of the lanes that are kept comes from, for each set of them.  Whole
 * vectors are stored, whose ends the next ones overwrite.  The later half goes from the last place
 * backwards, what is kept at the vectors' ends; so how often each loop goes round does not depend on data.
 * Where few are kept, the last ones go to a place of ours first. */
#define LANE(set, k) ((set) >> (k)&1 ? (ulong)(k) << 8 * __builtin_popcount((set) & ((1 << (k)) - 1)) : 0)
#define ROW_1(set) \
  LANE(set, 0) | LANE(set, 1) | LANE(set, 2) | LANE(set, 3) | LANE(set, 4) | LANE(set, 5) | LANE(set, 6) | LANE(set, 7),
#define ROW_4(set) ROW_1(set) ROW_1(set + 1) ROW_1(set + 2) ROW_1(set + 3)
#define ROW_16(set) ROW_4(set) ROW_4(set + 4) ROW_4(set + 8) ROW_4(set + 12)
#define ROW_64(set) ROW_16(set) ROW_16(set + 16) ROW_16(set + 32) ROW_16(set + 48)
static constant ulong kept_lanes[257] = {0, ROW_64(0) ROW_64(64) ROW_64(128) ROW_64(192)};

/* library.c: has the processor AVX2? */
bool __mpl_has_permute(void) __attribute__((const));

typedef ulong eight_keeps __attribute__((aligned(1), may_alias));
typedef uint four_keeps __attribute__((aligned(1), may_alias));
typedef uchar moved_1 __attribute__((ext_vector_type(8), aligned(1), may_alias));
typedef ushort moved_2 __attribute__((ext_vector_type(8), aligned(1), may_alias));
typedef uint moved_4 __attribute__((ext_vector_type(8), aligned(1), may_alias));
typedef ulong moved_8 __attribute__((ext_vector_type(4), aligned(1), may_alias));
typedef char bytes_16 __attribute__((__vector_size__(16)));
typedef int lanes_8 __attribute__((__vector_size__(32)));
#define KEEPS_1 eight_keeps
#define KEEPS_2 eight_keeps
#define KEEPS_4 eight_keeps
#define KEEPS_8 four_keeps
#define FROM_8(row, T) __builtin_convertvector(as_uchar8(row), T)
#define BYTES(v) __builtin_bit_cast(bytes_16, v)
#define MOVE_1(v, row) as_uchar16(__builtin_ia32_pshufb128(BYTES(((uchar16)(v, (uchar8)0))), BYTES(((ulong2)(row, 0))))).lo
#define MOVE_2(v, row) as_ushort8(__builtin_ia32_pshufb128(BYTES(v), BYTES(FROM_8(row, ushort8) * (ushort)0x202 + (ushort)0x100)))
#define MOVE_4(v, row) \
  as_uint8(__builtin_ia32_permvarsi256(__builtin_bit_cast(lanes_8, v), __builtin_bit_cast(lanes_8, FROM_8(row, uint8))))
#define MOVE_8(v, row) \
  as_ulong4(__builtin_ia32_permvarsi256(__builtin_bit_cast(lanes_8, v), \
      __builtin_bit_cast(lanes_8, __builtin_convertvector(as_uchar8(row).lo, ulong4) * 0x200000002ul + 0x100000000ul)))

/* The lanes from `at` on that are kept, and their row, to `to` on or to the end of what is in front of `to`:
 * as many bytes of the row in front follow in the latter case as lanes are not kept.  What is behind the last
 * work-item may say anything of itself: `all` are in front of it. */
#define DEFINE_MOVE(bytes) \
  static uint kept_##bytes(const private uchar *keeps, ulong at, bool all) { \
    ulong bits = *(const private KEEPS_##bytes *)(keeps + at); \
    return (all ? bits : bits & 0x101010101010101ul) * 0x102040810204080ul >> 56; \
  } \
  __attribute__((target("avx2"))) static uint move_##bytes(const private element_##bytes *x, const private uchar *keeps, ulong at, private element_##bytes *to, bool all) { \
    uint set = kept_##bytes(keeps, at, all); \
    *(private moved_##bytes *)to = MOVE_##bytes(*(const private moved_##bytes *)(x + at), kept_lanes[set + 1]); \
    return __builtin_popcount(set); \
  } \
  __attribute__((target("avx2"))) static uint move_back_##bytes(const private element_##bytes *x, const private uchar *keeps, ulong at, private element_##bytes *to) { \
    enum { LANES = sizeof(moved_##bytes) / bytes }; \
    uint set = kept_##bytes(keeps, at, true), count = __builtin_popcount(set); \
    ulong row = *(constant eight_keeps *)((constant uchar *)&kept_lanes[set + 1] + count - LANES); \
    *(private moved_##bytes *)(to - LANES) = MOVE_##bytes(*(const private moved_##bytes *)(x + at), row); \
    return count; \
  }
DEFINE_MOVE(1)
DEFINE_MOVE(2)
DEFINE_MOVE(4)
DEFINE_MOVE(8)

#define DEFINE_COMPACT_VECTORS(bytes, unused) \
  static void compact_vectors_##bytes(const private element_##bytes *x, const private uchar *keeps, ulong n, \
                                      private element_##bytes *to, uint total) { \
    enum { LANES = sizeof(moved_##bytes) / bytes, MOST_BACK = 4 }; \
    element_##bytes last[2 * LANES]; \
    uint before = 0, more = 0; \
    ulong at = 0; \
    if (!__mpl_has_permute()) { \
      compact_singly_##bytes(x, keeps, to, total); \
      return; \
    } \
    if (n % LANES == 0) { \
      ulong middle = n > 2 * MOST_BACK * LANES ? n - MOST_BACK * LANES : n / 2 & -(ulong)LANES; \
      for (; at < middle && before + LANES <= total; at += LANES) before += move_##bytes(x, keeps, at, to + before, true); \
      if (at == middle && before >= LANES) { \
        moved_##bytes kept = *(const private moved_##bytes *)(to + before - LANES); \
        for (at = n; at > middle; at -= LANES) total -= move_back_##bytes(x, keeps, at - LANES, to + total); \
        *(private moved_##bytes *)(to + before - LANES) = kept; \
        return; \
      } \
    } \
    for (; before + LANES <= total; at += LANES) before += move_##bytes(x, keeps, at, to + before, false); \
    for (; before + more < total; at += LANES) more += move_##bytes(x, keeps, at, last + more, false); \
    for (more = 0; before < total; before++) to[before] = last[more++]; \
  }
#elif !defined(__AVX512F__)
#define DEFINE_COMPACT_VECTORS(bytes, lanes) \
  static void compact_vectors_##bytes(const private element_##bytes *x, const private uchar *keeps, ulong n, \
                                      private element_##bytes *to, uint total) { \
    compact_singly_##bytes(x, keeps, to, total); \
  }
#endif

#define DEFINE_COMPACT(bytes, lanes) \
  DEFINE_COMPACT_WRAPPED(bytes) \
  DEFINE_COMPACT_SINGLY(bytes) \
  DEFINE_COMPACT_VECTORS(bytes, lanes) \
  void __mpl_compact_##bytes(const private element_##bytes *x, const private uchar *keeps, ulong n, uint total, \
                             private element_##bytes *first, private element_##bytes *second, ulong wrap) { \
    if (wrap && wrap < total) compact_wrapped_##bytes(x, keeps, total, first, second, wrap); \
    else compact_vectors_##bytes(x, keeps, n, first, total); \
  }
DEFINE_COMPACT(1, 16)
DEFINE_COMPACT(2, 16)
DEFINE_COMPACT(4, 16)
DEFINE_COMPACT(8, 8)

/* The number of those kept, under a name of its own. */
DEFINE_REDUCE(uint, add, 0)
uint __mpl_reduce_add_uint(const private uint *x, ulong n) { return reduce_add_uint(x, n); }
