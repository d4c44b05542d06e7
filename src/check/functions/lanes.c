/* The other sub-group functions of the C interface: broadcasts, ballots, shuffles, rotations.  Each
 * row of the table has its definition here, by name. */
#include "collective.h"

static uint32_t lane(void) {
  return mpl_item_now ? mpl_item_now->lane : 0;
}
static uint32_t size(void) {
  return mpl_item_now ? mpl_item_now->run->sub_group_size : 1;
}
static uint32_t lowest(uint64_t bits) {
  return bits ? (uint32_t)__builtin_ctzll(bits) : 0;
}

/* Lanes 0 to count - 1. */
static uint64_t lanes(uint32_t count) {
  return count >= 64 ? ~0ull : (1ull << count) - 1;
}

/* --- Of every type: LANES_name(T, flags) --- */

#define EXCHANGE(T, name, parameter, argument_name, argument, kind, flags, from)                   \
  C_##T mpl_##name##_##T(C_##T value, parameter SITE) {                                            \
    FUNCTION(name, "", T, argument_name, NULL, kind, flags);                                       \
    struct mpl_meeting *m = meet(&function, site, argument, &value, sizeof value);                 \
    if (m) take(m, from, &value, sizeof value);                                                    \
    return value;                                                                                  \
  }
#define WITH(type) type by,

#define LANES_sub_group_broadcast(T, flags)                                                        \
  EXCHANGE(T, sub_group_broadcast, WITH(uint32_t), "sub-group local id", by,                       \
           MPL_FUNCTION_BROADCAST, (flags) | MPL_FUNCTION_UNIFORM | MPL_FUNCTION_INSIDE,           \
           m->argument)
#define LANES_sub_group_non_uniform_broadcast(T, flags)                                            \
  EXCHANGE(T, sub_group_non_uniform_broadcast, WITH(uint32_t), "sub-group local id", by,           \
           MPL_FUNCTION_BROADCAST, (flags) | MPL_FUNCTION_UNIFORM | MPL_FUNCTION_INSIDE,           \
           m->argument)
#define LANES_sub_group_broadcast_first(T, flags)                                                  \
  EXCHANGE(T, sub_group_broadcast_first, , NULL, 0, MPL_FUNCTION_BROADCAST, flags,                 \
           lowest(m->active))
#define LANES_sub_group_shuffle(T, flags)                                                          \
  EXCHANGE(T, sub_group_shuffle, WITH(uint32_t), "index", by, MPL_FUNCTION_SHUFFLE, flags, by)
#define LANES_sub_group_shuffle_xor(T, flags)                                                      \
  EXCHANGE(T, sub_group_shuffle_xor, WITH(uint32_t), "mask", by, MPL_FUNCTION_SHUFFLE, flags,      \
           lane() ^ by)
#define LANES_sub_group_shuffle_up(T, flags)                                                       \
  EXCHANGE(T, sub_group_shuffle_up, WITH(uint32_t), "delta", by, MPL_FUNCTION_SHUFFLE, flags,      \
           (uint64_t)lane() - by)
#define LANES_sub_group_shuffle_down(T, flags)                                                     \
  EXCHANGE(T, sub_group_shuffle_down, WITH(uint32_t), "delta", by, MPL_FUNCTION_SHUFFLE, flags,    \
           (uint64_t)lane() + by)
#define LANES_sub_group_rotate(T, flags)                                                           \
  EXCHANGE(T, sub_group_rotate, WITH(int32_t), "delta", (uint32_t)by, MPL_FUNCTION_SHUFFLE,        \
           (flags) | MPL_FUNCTION_UNIFORM, rotated(by, size()))
#define LANES_sub_group_clustered_rotate(T, flags)                                                 \
  EXCHANGE(T, sub_group_clustered_rotate, WITH(int32_t) WITH_CLUSTER, "delta and cluster size",    \
           (uint64_t)cluster << 32 | (uint32_t)by, MPL_FUNCTION_SHUFFLE,                           \
           (flags) | MPL_FUNCTION_UNIFORM, rotated(by, cluster))
#define WITH_CLUSTER uint32_t cluster,

/* The lane `by` further on in the caller's cluster, which begins again at its end. */
static uint32_t rotated(int32_t by, uint32_t cluster) {
  if (!cluster || cluster > size()) cluster = size();
  uint32_t first = lane() / cluster * cluster;
  return first + (lane() - first + (uint32_t)by) % cluster;
}

#define ALL_EQUAL(T)                                                                               \
  static void all_equal_##T(struct mpl_meeting *m) {                                               \
    const C_##T *x = m->operands;                                                                  \
    int32_t equal = 1;                                                                             \
    for (uint32_t i = 0; i < m->unit->count; i++)                                                  \
      if (is_active(m, i)) equal &= LOAD_##T(x[i]) == LOAD_##T(x[lowest(m->active)]);              \
    memcpy(m->result, &equal, sizeof equal);                                                       \
  }
#define LANES_sub_group_non_uniform_all_equal(T, flags)                                            \
  ALL_EQUAL(T)                                                                                     \
  int32_t mpl_sub_group_non_uniform_all_equal_##T(C_##T value, SITE) {                             \
    FUNCTION(sub_group_non_uniform_all_equal, "", T, NULL, all_equal_##T, MPL_FUNCTION_VOTE,       \
             flags);                                                                               \
    int32_t equal = 1;                                                                             \
    struct mpl_meeting *m = meet(&function, site, 0, &value, sizeof value);                        \
    if (m) take_result(m, &equal, sizeof equal);                                                   \
    return equal;                                                                                  \
  }

/* --- Without a type: SINGLE_name(flags) --- */

static void ballot(struct mpl_meeting *m) {
  const int32_t *x = m->operands;
  uint64_t bits = 0;
  for (uint32_t i = 0; i < m->unit->count; i++)
    if (is_active(m, i)) bits |= (uint64_t)(x[i] != 0) << i;
  memcpy(m->result, &bits, sizeof bits);
}

#define SINGLE_sub_group_ballot(flags)                                                             \
  uint64_t mpl_sub_group_ballot(int32_t value, SITE) {                                             \
    FUNCTION(sub_group_ballot, "", int, NULL, ballot, MPL_FUNCTION_VOTE, flags);                   \
    uint64_t bits = value != 0;                                                                    \
    struct mpl_meeting *m = meet(&function, site, 0, &value, sizeof value);                        \
    if (m) take_result(m, &bits, sizeof bits);                                                     \
    return bits;                                                                                   \
  }
#define SINGLE_sub_group_elect(flags)                                                              \
  int32_t mpl_sub_group_elect(SITE) {                                                              \
    FUNCTION(sub_group_elect, "", int, NULL, NULL, MPL_FUNCTION_VOTE, flags);                      \
    int32_t elected = 1;                                                                           \
    struct mpl_meeting *m = meet(&function, site, 0, &elected, sizeof elected);                    \
    if (!m) return elected;                                                                        \
    elected = lane() == lowest(m->active);                                                         \
    mpl_leave(m);                                                                                  \
    return elected;                                                                                \
  }
#define SINGLE_sub_group_all(flags)             /* collectives.c: votes */
#define SINGLE_sub_group_any(flags)             /* the same */
#define SINGLE_sub_group_non_uniform_all(flags) /* the same */
#define SINGLE_sub_group_non_uniform_any(flags) /* the same */

/* The rest needs no other lane. */
#define SINGLE_sub_group_inverse_ballot(flags)                                                     \
  int32_t mpl_sub_group_inverse_ballot(uint64_t bits, SITE) {                                      \
    return bits >> lane() & 1;                                                                     \
  }
#define SINGLE_sub_group_ballot_bit_extract(flags)                                                 \
  int32_t mpl_sub_group_ballot_bit_extract(uint64_t bits, uint32_t index, SITE) {                  \
    return index < 64 && bits >> index & 1;                                                        \
  }
#define COUNT(name, those)                                                                         \
  uint32_t mpl_##name(uint64_t bits, SITE) {                                                       \
    return (uint32_t)__builtin_popcountll(bits & (those));                                         \
  }
#define SINGLE_sub_group_ballot_bit_count(flags) COUNT(sub_group_ballot_bit_count, lanes(size()))
#define SINGLE_sub_group_ballot_inclusive_scan(flags)                                              \
  COUNT(sub_group_ballot_inclusive_scan, lanes(lane() + 1))
#define SINGLE_sub_group_ballot_exclusive_scan(flags)                                              \
  COUNT(sub_group_ballot_exclusive_scan, lanes(lane()))
#define SINGLE_sub_group_ballot_find_lsb(flags)                                                    \
  uint32_t mpl_sub_group_ballot_find_lsb(uint64_t bits, SITE) {                                    \
    return lowest(bits & lanes(size()));                                                           \
  }
#define SINGLE_sub_group_ballot_find_msb(flags)                                                    \
  uint32_t mpl_sub_group_ballot_find_msb(uint64_t bits, SITE) {                                    \
    bits &= lanes(size());                                                                         \
    return bits ? 63 - (uint32_t)__builtin_clzll(bits) : 0;                                        \
  }
#define MASK(name, those)                                                                          \
  uint64_t mpl_##name(SITE) {                                                                      \
    return (those)&lanes(size());                                                                  \
  }
#define SINGLE_get_sub_group_eq_mask(flags) MASK(get_sub_group_eq_mask, 1ull << lane())
#define SINGLE_get_sub_group_ge_mask(flags) MASK(get_sub_group_ge_mask, ~lanes(lane()))
#define SINGLE_get_sub_group_gt_mask(flags) MASK(get_sub_group_gt_mask, ~lanes(lane() + 1))
#define SINGLE_get_sub_group_le_mask(flags) MASK(get_sub_group_le_mask, lanes(lane() + 1))
#define SINGLE_get_sub_group_lt_mask(flags) MASK(get_sub_group_lt_mask, lanes(lane()))

#define MPL_EACH_LANES_FUNCTION(T, name, value, first, second, third, flow)                        \
  LANES_##name(T, LANES_##flow)
#define MPL_EACH_LANES_SINGLE(name, value, first, second, third, flow) SINGLE_##name(LANES_##flow)
#include "tables/each_collective.h"
