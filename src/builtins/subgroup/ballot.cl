/* Ballots, and masks of lanes (the extension subgroup_ballot), once they are there: only arithmetic. */
#include "sync.h"

#define BITS static __attribute__((unused, always_inline))

/* Ballots are looked at up to the largest size, in a shorter last sub-group too. */
BITS ulong all_lanes(void) { return ~0ul >> (64 - __mpl_lanes_size()); }
BITS ulong lanes_below(void) { return ((ulong)1 << __mpl_lane_id()) - 1; }
BITS ulong own_lane(void) { return (ulong)1 << __mpl_lane_id(); }
BITS uint4 ballot_of(ulong bits) { return (uint4)((uint)bits, (uint)(bits >> 32), 0, 0); }
BITS ulong bits_of(uint4 ballot) { return ((ulong)ballot.y << 32 | ballot.x) & all_lanes(); }

MPL_INLINE int sub_group_inverse_ballot(uint4 b) { return bits_of(b) >> __mpl_lane_id() & 1; }
MPL_INLINE int sub_group_ballot_bit_extract(uint4 b, uint id) {
  return bits_of(b) >> (id & 63) & 1;
}
MPL_INLINE uint sub_group_ballot_bit_count(uint4 b) { return (uint)popcount(bits_of(b)); }
MPL_INLINE uint sub_group_ballot_inclusive_scan(uint4 b) {
  return (uint)popcount(bits_of(b) & (lanes_below() | own_lane()));
}
MPL_INLINE uint sub_group_ballot_exclusive_scan(uint4 b) {
  return (uint)popcount(bits_of(b) & lanes_below());
}
MPL_INLINE uint sub_group_ballot_find_lsb(uint4 b) { return (uint)ctz(bits_of(b)); }
MPL_INLINE uint sub_group_ballot_find_msb(uint4 b) { return 63 - (uint)clz(bits_of(b)); }
MPL_INLINE uint4 get_sub_group_eq_mask(void) { return ballot_of(own_lane()); }
MPL_INLINE uint4 get_sub_group_lt_mask(void) { return ballot_of(lanes_below()); }
MPL_INLINE uint4 get_sub_group_le_mask(void) { return ballot_of(lanes_below() | own_lane()); }
MPL_INLINE uint4 get_sub_group_ge_mask(void) { return ballot_of(all_lanes() & ~lanes_below()); }
MPL_INLINE uint4 get_sub_group_gt_mask(void) {
  return ballot_of(all_lanes() & ~(lanes_below() | own_lane()));
}
