/* Every sub-group function in C, compiled: against fibres, whose arithmetic is a loop over the
 * lanes.  Functions that some lanes may call alone are called by some as well. */
#include "engines.h"

#include <stdbool.h>

#include "check/functions/c_types.h"

/* Sub-groups with lanes missing; and whole ones, for what would ask those. */
enum { ITEMS = 1003, WHOLE = 960 };
static const size_t local_sizes[] = {5, 64, 250}, whole_sizes[] = {16, 64, 240};

static union {
  uint8_t bytes[ITEMS * 8];
  uint64_t align;
} data;

/* Numbers that are small in any type: no result is rounded. */
#define FILL(T)                                                                                    \
  for (size_t i = 0; i < ITEMS; i++) ((C_##T *)data.bytes)[i] = VALUE_##T((i * 7 % 5) % 3)
#define VALUE_char(x)   (int8_t)(x)
#define VALUE_uchar(x)  (uint8_t)(x)
#define VALUE_short(x)  (int16_t)(x)
#define VALUE_ushort(x) (uint16_t)(x)
#define VALUE_int(x)    (int32_t)(x)
#define VALUE_uint(x)   (uint32_t)(x)
#define VALUE_long(x)   (int64_t)(x)
#define VALUE_ulong(x)  (uint64_t)(x)
#define VALUE_half(x)   mpl_half_bits((half)(x))
#define VALUE_float(x)  (float)(x)
#define VALUE_double(x) (double)(x)

static void test(const struct mpl_kernel_record *record, size_t size) {
  static uint64_t out[ITEMS];
  bool whole = strstr(record->name, "clustered_rotate") != NULL;
  size_t items = whole ? WHOLE : ITEMS;
  for (size_t k = 0; k < sizeof local_sizes / sizeof *local_sizes; k++)
    compare_engines(record, items, whole ? whole_sizes[k] : local_sizes[k], data.bytes, out,
                    size * items);
}

/* Who calls: all; or, where some may, most of them after that. */
#define CALL_TOGETHER(call) out[i] = call;
#define CALL_APART(call)                                                                           \
  out[i] = call;                                                                                   \
  if (get_local_id(0) % 5 != 2) out[i] += call;

/* With FEW_TYPES, one of each sort. */
#define WITH(...) __VA_ARGS__
#ifdef FEW_TYPES
#define OFTEN(...)
#else
#define OFTEN(...) __VA_ARGS__
#endif
#define FOR_char   OFTEN
#define FOR_uchar  WITH
#define FOR_short  OFTEN
#define FOR_ushort OFTEN
#define FOR_int    WITH
#define FOR_uint   OFTEN
#define FOR_long   OFTEN
#define FOR_ulong  WITH
#define FOR_half   WITH
#define FOR_float  OFTEN
#define FOR_double WITH

#define AND_NONE
#define AND_UINT 4,
#define MPL_EACH_LANES_FORM(T, prefix, form, op, size, flow)                             \
  FOR_##T(mpl_kernel(test_##prefix##_##form##_##op##_##T, (const C_##T *)in, (C_##T *)out) {       \
    size_t i = get_global_id(0);                                                                   \
    CALL_##flow((C_##T)mpl_##prefix##_##form##_##op##_##T(in[i], AND_##size MPL_SITE()))           \
  })
#define FIRST_NONE
#define FIRST_INT   in[i] == 1,
#define FIRST_UINT4 0x0123456789abcdefu * (uint64_t)(get_group_id(0) + 1),
#define FIRST_TYPE  in[i],
#define NEXT_NONE(n)
#define NEXT_INT(n)  n,
#define NEXT_UINT(n) n,
/* The second operand of shuffles may differ, and that of broadcasts may not. */
#define BY_sub_group_broadcast             1
#define BY_sub_group_non_uniform_broadcast 0
#define BY_sub_group_broadcast_first       0
#define BY_sub_group_non_uniform_all_equal 0
#define BY_sub_group_shuffle               (get_sub_group_local_id() * 3 % get_sub_group_size())
#define BY_sub_group_shuffle_xor           0
#define BY_sub_group_shuffle_up            0
#define BY_sub_group_shuffle_down          0
#define BY_sub_group_rotate                0
#define BY_sub_group_clustered_rotate      1
#define BY_sub_group_ballot_bit_extract    (uint32_t)(i % 16)
#define WORD_INT(T)                        int32_t
#define WORD_TYPE(T)                       C_##T
#define MPL_EACH_LANES_FUNCTION(T, name, value, first, second, third, flow)                        \
  FOR_##T(mpl_kernel(test_##name##_##T, (const C_##T *)in, (WORD_##value(T) *)out) {               \
    size_t i = get_global_id(0);                                                                   \
    CALL_TOGETHER(                                                                                 \
        mpl_##name##_##T(FIRST_##first NEXT_##second(BY_##name) NEXT_##third(4) MPL_SITE()))       \
  })
#define MPL_EACH_LANES_SINGLE(name, value, first, second, third, flow)                             \
  mpl_kernel(test_##name, (const int *)in, (uint64_t *)out) {                                      \
    size_t i = get_global_id(0);                                                                   \
    (void)in;                                                                                      \
    CALL_##flow((uint64_t)mpl_##name(FIRST_##first NEXT_##second((uint32_t)(i % 16)) MPL_SITE()))  \
  }
#include "tables/each_collective.h"

int main(void) {
#define MPL_EACH_LANES_FORM(T, prefix, form, op, size, flow)                             \
  FOR_##T(FILL(T);                                                                                 \
          test(&mpl_record_test_##prefix##_##form##_##op##_##T, sizeof(C_##T));)
#define MPL_EACH_LANES_FUNCTION(T, name, value, first, second, third, flow)                        \
  FOR_##T(FILL(T);                                                                                 \
          test(&mpl_record_test_##name##_##T, sizeof(WORD_##value(T)));)
#define MPL_EACH_LANES_SINGLE(name, value, first, second, third, flow)                             \
  FILL(int);                                                                                       \
  test(&mpl_record_test_##name, sizeof(uint64_t));
#include "tables/each_collective.h"
  return result();
}
