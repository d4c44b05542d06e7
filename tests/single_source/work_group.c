/* Every work-group function in C, compiled: against fibres, and against a loop. */
#include "engines.h"

#include "check/functions/c_types.h"
#include "run/reference.h"

enum { ITEMS = 2500 }; /* the last group is ragged */
static const size_t local_sizes[] = {1, 7, 64, 256, 1000};

/* Small numbers, so that no sum or product is rounded. */
#define NUMBER(i)   ((i) % 11 == 3 ? 2 : (i) % 97 == 5 ? 3 : (i) % 2)
#define FACTOR(i)   ((i) % 97 == 5 ? 2 : 1)
#define DATA(op, i) (strcmp(#op, "mul") ? NUMBER(i) : FACTOR(i))

#define PLAIN(x)   (x)
#define V_int      int32_t
#define V_uint     uint32_t
#define V_long     int64_t
#define V_ulong    uint64_t
#define V_half     half
#define V_float    float
#define V_double   double
#define IN_int     PLAIN
#define IN_uint    PLAIN
#define IN_long    PLAIN
#define IN_ulong   PLAIN
#define IN_half(x) mpl_half_bits((half)(x))
#define IN_float   PLAIN
#define IN_double  PLAIN
#define OUT_int    PLAIN
#define OUT_uint   PLAIN
#define OUT_long   PLAIN
#define OUT_ulong  PLAIN
#define OUT_half   mpl_half_of
#define OUT_float  PLAIN
#define OUT_double PLAIN

/* The reference for n numbers of the table's type T. */
#define FOLD_int    INTEGERS
#define FOLD_uint   INTEGERS
#define FOLD_long   INTEGERS
#define FOLD_ulong  INTEGERS
#define FOLD_half   REALS
#define FOLD_float  REALS
#define FOLD_double REALS
#define INTEGERS(T, op, x, n)                                                                      \
  __extension__({                                                                                  \
    struct integer_type type = integer_type((V_##T) - 1 < (V_##T)1, 8 * sizeof(V_##T));            \
    V_##T sum = (V_##T)identity_##op(type);                                                        \
    for (size_t k = 0; k < (n); k++)                                                               \
      sum = (V_##T)integers_##op(type, (uint64_t)sum, (uint64_t)(x)[k]);                           \
    sum;                                                                                           \
  })
#define REALS(T, op, x, n)                                                                         \
  __extension__({                                                                                  \
    long double sum = reference_of(#op)->identity_of_reals;                                        \
    for (size_t k = 0; k < (n); k++) sum = reals_##op(sum, (x)[k]);                                \
    (V_##T) sum;                                                                                   \
  })

/* What work-item i of a group of n has to get; x: the group's numbers. */
#define RIGHT_reduce(T, op, x, i, n)         FOLD_##T(T, op, x, n)
#define RIGHT_scan_inclusive(T, op, x, i, n) FOLD_##T(T, op, x, (i) + 1)
#define RIGHT_scan_exclusive(T, op, x, i, n) FOLD_##T(T, op, x, i)

#define MPL_EACH_WORK_FORM(T, form, op)                                                            \
  mpl_kernel(form##_##op##_##T, (const C_##T *)in, (C_##T *)out) {                                 \
    size_t i = get_global_id(0);                                                                   \
    out[i] = mpl_work_group_##form##_##op##_##T(in[i], MPL_SITE());                                \
  }                                                                                                \
  static void test_##form##_##op##_##T(size_t local) {                                             \
    static C_##T in[ITEMS], out[ITEMS];                                                            \
    static V_##T x[ITEMS];                                                                         \
    for (size_t i = 0; i < ITEMS; i++) in[i] = IN_##T(x[i] = (V_##T)DATA(op, i));                  \
    compare_engines(&mpl_record_##form##_##op##_##T, ITEMS, local, in, out, sizeof out);           \
    for (size_t g = 0; g < ITEMS; g += local) {                                                    \
      size_t n = ITEMS - g < local ? ITEMS - g : local, step = n > 64 ? 37 : 1;                    \
      for (size_t i = 0; i < n; i += step)                                                         \
        EXPECT(RIGHT_##form(T, op, x + g, i, n) == OUT_##T(out[g + i]),                            \
               #form "_" #op "_" #T ": work-item %zu of a group of %zu", i, n);                    \
    }                                                                                              \
  }
#define MPL_EACH_WORK_BROADCAST(T)                                                                 \
  mpl_kernel(broadcast_##T, (const C_##T *)in, (C_##T *)out) {                                     \
    size_t i = get_global_id(0);                                                                   \
    out[i] = mpl_work_group_broadcast_##T(in[i], get_local_size(0) / 2, MPL_SITE());               \
  }                                                                                                \
  static void test_broadcast_##T(size_t local) {                                                   \
    static C_##T in[ITEMS], out[ITEMS];                                                            \
    for (size_t i = 0; i < ITEMS; i++) in[i] = IN_##T((V_##T)(i % 2000));                          \
    compare_engines(&mpl_record_broadcast_##T, ITEMS, local, in, out, sizeof out);                 \
    for (size_t i = 0; i < ITEMS; i++) {                                                           \
      size_t g = i / local * local, n = ITEMS - g < local ? ITEMS - g : local;                     \
      EXPECT(out[i] == in[g + n / 2], "broadcast_" #T ": work-item %zu", i);                       \
    }                                                                                              \
  }
#define MPL_EACH_WORK_VOTE(name)                                                                   \
  mpl_kernel(vote_##name, (const int *)in, (int *)out) {                                           \
    size_t i = get_global_id(0);                                                                   \
    out[i] = work_group_##name(in[i] > (int)(get_group_id(0) % 3));                                \
  }                                                                                                \
  static void test_vote_##name(size_t local) {                                                     \
    static int in[ITEMS], out[ITEMS];                                                              \
    for (size_t i = 0; i < ITEMS; i++) in[i] = i % 211 == 7 ? 0 : i % 101 == 3 ? 2 : 1;            \
    compare_engines(&mpl_record_vote_##name, ITEMS, local, in, out, sizeof out);                   \
    for (size_t g = 0; g < ITEMS; g += local) {                                                    \
      int all = 1, any = 0;                                                                        \
      for (size_t i = g; i < g + local && i < ITEMS; i++) {                                        \
        all &= in[i] > (int)(g / local % 3);                                                       \
        any |= in[i] > (int)(g / local % 3);                                                       \
      }                                                                                            \
      (void)all, (void)any;                                                                        \
      EXPECT(out[g] == name, #name " of the group at %zu", g);                                     \
    }                                                                                              \
  }
#include "tables/each_collective.h"

int main(void) {
  for (size_t k = 0; k < sizeof local_sizes / sizeof *local_sizes; k++) {
    size_t local = local_sizes[k];
#define MPL_EACH_WORK_FORM(T, form, op) test_##form##_##op##_##T(local);
#define MPL_EACH_WORK_BROADCAST(T)      test_broadcast_##T(local);
#define MPL_EACH_WORK_VOTE(name)        test_vote_##name(local);
#include "tables/each_collective.h"
  }
  return result();
}
