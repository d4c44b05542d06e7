/* Sub-group functions in another translation unit and in a library, put together by clLinkProgram;
 * the front end keeps every variable in memory. */
#ifdef __OPENCL_VERSION__
#define KERNEL kernel __attribute__((intel_reqd_sub_group_size(SUB_GROUP)))
uint rank_of(int x, uint *peers);
uint count_here(void);
#if PART == 1
KERNEL void sub_group_linked(global uint *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint peers = 1000, rank = 0;
  for (int i = 0; i < (in[at] & 3); i++) rank = rank * 100 + rank_of(in[at] >> i, &peers);
  out[at] = rank * 10000 + peers * 100 + count_here();
}
#elif PART == 2
/* The work-item's place among those with the same last bit. */
uint rank_of(int x, uint *peers) {
  if (x & 1) {
    *peers = count_here();
    return sub_group_non_uniform_scan_exclusive_add(1u);
  }
  *peers ^= count_here();
  return sub_group_non_uniform_scan_exclusive_add(1u) + 50;
}
#else
uint count_here(void) { return sub_group_ballot_bit_count(sub_group_ballot(1)); }
#endif
#else
#include "run/case.h"

CASE(sub_group_linked, int, uint, .linked = 3, .options = "-cl-std=CL3.0 -cl-opt-disable",
     .sub_groups = true) {
  EACH_SUB_GROUP(s) {
    uint rank[64] = {0}, peers[64];
    EACH_LANE(s, i) peers[i - s.first] = 1000;
    for (int r = 0; r < 3; r++) {
      uint count[2] = {0, 0}, place[2] = {0, 0};
      EACH_LANE(s, i) if (r < (in[i] & 3)) count[in[i] >> r & 1]++;
      EACH_LANE(s, i) {
        size_t k = i - s.first;
        int odd = in[i] >> r & 1;
        if (r >= (in[i] & 3)) continue;
        peers[k] = odd ? count[1] : peers[k] ^ count[0];
        rank[k] = rank[k] * 100 + place[odd]++ + (odd ? 0 : 50);
      }
    }
    EACH_LANE(s, i)
      out[i] = rank[i - s.first] * 10000 + peers[i - s.first] * 100 + (uint)(s.end - s.first);
  }
}
#endif
