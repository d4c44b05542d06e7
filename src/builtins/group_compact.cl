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
#else
#define DEFINE_COMPACT_VECTORS(bytes, lanes) \
  static void compact_vectors_##bytes(const private element_##bytes *x, const private uchar *keeps, ulong n, \
                                      private element_##bytes *to, uint total) { \
    uint before = 0; \
    for (ulong i = 0; before < total; before += keeps[i++]) to[before] = x[i]; \
  }
#endif

#define DEFINE_COMPACT(bytes, lanes) \
  DEFINE_COMPACT_WRAPPED(bytes) \
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
