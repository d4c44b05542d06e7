/* Stream compaction: what the compiler makes of a conditional store to where an add-scan says
 * (../compiler/pack.c).  `rank` holds the inclusive scan of the condition, so rank[n - 1] values are
 * stored; the value of a work-item whose rank is one more than that of the work-item before it goes
 * to its rank - 1.
 *
 * first  where the value of rank 1 goes, the others behind it
 * wrap   if not 0: the number of values behind which an index overflows and goes on ...
 * second ... here */
#include "group.h"

/* Destinations are memory of the program: of any type, aligned to an element only. */
#define DEFINE_TYPE(bytes, T) \
  typedef T packed_##bytes __attribute__((may_alias)); \
  typedef T vector_##bytes __attribute__((ext_vector_type(LANES_##bytes), aligned(1), may_alias));
#define LANES_1 16
#define LANES_2 16
#define LANES_4 16
#define LANES_8 8
DEFINE_TYPE(1, uchar)
DEFINE_TYPE(2, ushort)
DEFINE_TYPE(4, uint)
DEFINE_TYPE(8, ulong)

/* Each value goes to the place of the next one kept; if it is not kept itself, the next overwrites it.
 * What lies behind the last place is never touched. */
#define DEFINE_PACK_WRAPPED(bytes, R) \
  static void pack_wrapped_##bytes##_##R(const private packed_##bytes *x, const private R *rank, \
                                         private packed_##bytes *first, private packed_##bytes *second, \
                                         ulong wrap, R total) { \
    R before = 0; \
    for (ulong i = 0; before < total; before = rank[i++]) { \
      if (before < wrap) first[before] = x[i]; \
      else second[before - wrap] = x[i]; \
    } \
  }

#ifdef __AVX512F__
/* A vector at a time: the kept lanes of it move together in a register, and all lanes are stored; the
 * next vector overwrites those in excess.  The form of the instruction that writes to memory is slow
 * on AMD CPUs.  Ranks may be compared as their low halves. */
typedef int lanes_16 __attribute__((__vector_size__(64)));
typedef long lanes_8 __attribute__((__vector_size__(64)));
#define RANKS_16 uint16
#define RANKS_8 ulong8
#define DIFFER_16(a, b) __builtin_ia32_cmpd512_mask((lanes_16)(a), (lanes_16)(b), 4, (ushort)-1)
#define DIFFER_8(a, b) __builtin_ia32_cmpq512_mask((lanes_8)(a), (lanes_8)(b), 4, (uchar)-1)
#define COMPRESS_16(v, mask) __builtin_ia32_compresssi512_mask((lanes_16)(v), (lanes_16)(v), mask)
#define COMPRESS_8(v, mask) __builtin_ia32_compressdi512_mask((lanes_8)(v), (lanes_8)(v), mask)
#define STORE_1(to, v, mask) __builtin_ia32_pmovdb512mem_mask((private char16 *)(to), v, mask)
#define STORE_2(to, v, mask) __builtin_ia32_pmovdw512mem_mask((private short16 *)(to), v, mask)
#define STORE_4(to, v, mask) __builtin_ia32_storedqusi512_mask((private int *)(to), v, mask)
#define STORE_8(to, v, mask) __builtin_ia32_storedqudi512_mask((private long *)(to), v, mask)

#define DEFINE_PACK_VECTORS(bytes, R, lanes) \
  static void pack_vectors_##bytes##_##R(const private packed_##bytes *x, const private R *rank, \
                                         private packed_##bytes *to, ulong n, R total) { \
    typedef R ranks __attribute__((ext_vector_type(lanes))); \
    RANKS_##lanes left = 0; \
    R before = 0; \
    for (ulong i = 0; i < n && before < total; i += lanes) { \
      RANKS_##lanes v = __builtin_convertvector(*(const private ranks *)(rank + i), RANKS_##lanes); \
      RANKS_##lanes values = __builtin_convertvector(*(const private vector_##bytes *)(x + i), RANKS_##lanes); \
      RANKS_##lanes past = SHIFT_##lanes(v, left, 1); \
      lanes_##lanes kept = COMPRESS_##lanes(values, DIFFER_##lanes(v, past)); \
      if (total - before >= lanes) \
        *(private vector_##bytes *)(to + before) = \
            __builtin_convertvector(__builtin_astype(kept, RANKS_##lanes), vector_##bytes); \
      else STORE_##bytes(to + before, kept, (1u << (total - before)) - 1); \
      left = v; \
      before = rank[i + lanes - 1]; \
    } \
  }
#else
#define DEFINE_PACK_VECTORS(bytes, R, lanes) \
  static void pack_vectors_##bytes##_##R(const private packed_##bytes *x, const private R *rank, \
                                         private packed_##bytes *to, ulong n, R total) { \
    R before = 0; \
    for (ulong i = 0; i < n && before < total; before = rank[i++]) to[before] = x[i]; \
  }
#endif

#define DEFINE_PACK(bytes, R, lanes) \
  DEFINE_PACK_WRAPPED(bytes, R) \
  DEFINE_PACK_VECTORS(bytes, R, lanes) \
  void __mpl_pack_##bytes##_##R(const private packed_##bytes *x, const private R *rank, ulong n, \
                                private packed_##bytes *first, private packed_##bytes *second, ulong wrap) { \
    R total = rank[n - 1]; \
    if (wrap && wrap < total) pack_wrapped_##bytes##_##R(x, rank, first, second, wrap, total); \
    else pack_vectors_##bytes##_##R(x, rank, first, n, total); \
  }

/* Scans under names of their own, and their last results. */
#define DEFINE_FAMILY(R) \
  DEFINE_SCAN(R, add, 0, inclusive) \
  void __mpl_scan_inclusive_add_##R(private R *x, ulong n) { scan_inclusive_add_##R(x, n); } \
  R __mpl_last_##R(const private R *x, ulong n) { return x[n - 1]; } \
  DEFINE_PACK(1, R, 16) \
  DEFINE_PACK(2, R, 16) \
  DEFINE_PACK(4, R, 16) \
  DEFINE_PACK(8, R, 8)
DEFINE_FAMILY(uint)
DEFINE_FAMILY(ulong)
