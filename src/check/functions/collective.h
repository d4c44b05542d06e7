/* Shared by the files that define the collectives of the C interface: the types of the table, and
 * how a work-item brings an operand to a meeting. */
#ifndef MPL_CHECK_COLLECTIVE_H
#define MPL_CHECK_COLLECTIVE_H

#include <string.h>

#include "c_types.h"
#include "check/engine/engine.h"

/* The types in which results are computed. */
#define V_char   int8_t
#define V_uchar  uint8_t
#define V_short  int16_t
#define V_ushort uint16_t
#define V_int    int32_t
#define V_uint   uint32_t
#define V_long   int64_t
#define V_ulong  uint64_t
#define V_half   float /* rounded once, at the end, as in compiled code */
#define V_float  float
#define V_double double

static inline float from_half(uint16_t bits) {
  _Float16 value;
  memcpy(&value, &bits, sizeof value);
  return (float)value;
}
static inline uint16_t to_half(float value) {
  _Float16 half = (_Float16)value;
  uint16_t bits;
  memcpy(&bits, &half, sizeof bits);
  return bits;
}

#define SAME(x)      (x)
#define LOAD_char    SAME
#define LOAD_uchar   SAME
#define LOAD_short   SAME
#define LOAD_ushort  SAME
#define LOAD_int     SAME
#define LOAD_uint    SAME
#define LOAD_long    SAME
#define LOAD_ulong   SAME
#define LOAD_half    from_half
#define LOAD_float   SAME
#define LOAD_double  SAME
#define STORE_char   SAME
#define STORE_uchar  SAME
#define STORE_short  SAME
#define STORE_ushort SAME
#define STORE_int    SAME
#define STORE_uint   SAME
#define STORE_long   SAME
#define STORE_ulong  SAME
#define STORE_half   to_half
#define STORE_float  SAME
#define STORE_double SAME

#define ZERO_OF(T)     0
#define ONE_OF(T)      1
#define ONES_OF(T)     (V_##T) ~0ull
#define HIGHEST_OF(T)  HIGHEST_##T
#define LOWEST_OF(T)   LOWEST_##T
#define HIGHEST_char   INT8_MAX
#define LOWEST_char    INT8_MIN
#define HIGHEST_uchar  UINT8_MAX
#define LOWEST_uchar   0
#define HIGHEST_short  INT16_MAX
#define LOWEST_short   INT16_MIN
#define HIGHEST_ushort UINT16_MAX
#define LOWEST_ushort  0
#define HIGHEST_int    INT32_MAX
#define LOWEST_int     INT32_MIN
#define HIGHEST_uint   UINT32_MAX
#define LOWEST_uint    0
#define HIGHEST_long   INT64_MAX
#define LOWEST_long    INT64_MIN
#define HIGHEST_ulong  UINT64_MAX
#define LOWEST_ulong   0
#define HIGHEST_half   __builtin_inff()
#define LOWEST_half    -__builtin_inff()
#define HIGHEST_float  __builtin_inff()
#define LOWEST_float   -__builtin_inff()
#define HIGHEST_double __builtin_inf()
#define LOWEST_double  -__builtin_inf()

/* Whether the work-item at that place of the unit takes part. */
static inline bool is_active(const struct mpl_meeting *m, uint32_t place) {
  return !m->unit->sub_group || m->active >> place & 1;
}

#define SITE const struct mpl_site *site
#define FUNCTION(name, op, T, argument, compute, kind, flags)                                      \
  static const struct mpl_function function = {#name, op, #T, argument, compute, kind, flags}
#define LANES_TOGETHER MPL_FUNCTION_SUB_GROUP
#define LANES_APART    (MPL_FUNCTION_SUB_GROUP | MPL_FUNCTION_ANY_LANES)

/* Brings an operand, and the argument, to a meeting and waits until it is over; the result is then
 * to be taken before mpl_leave.  Null outside a kernel. */
static inline struct mpl_meeting *meet(const struct mpl_function *function,
                                       const struct mpl_site *site, uint64_t argument,
                                       const void *operand, size_t size) {
  struct mpl_meeting *m = mpl_arrive(function, site, argument, size, NULL);
  if (!m) return NULL;
  memcpy((char *)m->operands + mpl_place(m) * size, operand, size);
  mpl_meet(m);
  return m;
}

/* The operand of the work-item at that place, and leaves.  A place outside is undefined by the
 * specifications: the value stays. */
static inline void take(struct mpl_meeting *m, uint64_t place, void *value, size_t size) {
  if (place < m->unit->count) memcpy(value, (const char *)m->operands + place * size, size);
  mpl_leave(m);
}

/* The one result, and leaves. */
static inline void take_result(struct mpl_meeting *m, void *value, size_t size) {
  memcpy(value, m->result, size);
  mpl_leave(m);
}

#endif
