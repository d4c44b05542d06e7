/* Lanes of one sub-group that part and meet again: at each call exactly those take part that arrive
 * together, and all are together again at the earliest point that they have in common. */
#ifdef __OPENCL_VERSION__
#define KERNEL kernel __attribute__((intel_reqd_sub_group_size(SUB_GROUP)))

/* The lanes that are here, as bits. */
ulong here(void) {
  uint4 bits = sub_group_ballot(1);
  return bits.x | (ulong)bits.y << 32;
}
#define NOTE(value) trace = trace * 31 + (value)

KERNEL void lanes_nested_ifs(global ulong *out, global const int *in) {
  size_t at = get_global_linear_id();
  int x = in[at];
  ulong trace = 0;
  if (x & 1) {
    NOTE(here());
    if (x & 2) {
      NOTE(here());
    } else if (x & 4) {
      NOTE((ulong)sub_group_non_uniform_reduce_add(x & 255));
    }
    NOTE(here());
  } else {
    if (get_sub_group_local_id() > 3) NOTE(sub_group_non_uniform_scan_inclusive_add(1u));
    NOTE(here() ^ 5);
  }
  NOTE(here());
  out[at] = trace;
}

KERNEL void lanes_loop(global ulong *out, global const int *in) {
  size_t at = get_global_linear_id();
  ulong trace = 0;
  for (uint i = 0; i < get_sub_group_local_id() % 5; i++) NOTE(here());
  NOTE(here());
  for (uint i = 0; i < ((uint)in[at] & 7); i++) {
    NOTE(here());
    if (i == 2) continue;
    if ((in[at] >> i & 9) == 9) break;
    NOTE(here());
  }
  NOTE(here());
  out[at] = trace;
}

KERNEL void lanes_nested_loops(global ulong *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint x = (uint)in[at];
  ulong trace = 0;
  for (uint i = 0; i < (x & 3); i++) {
    for (uint k = i; k < (x >> 2 & 3); k++) NOTE(here());
    NOTE(here());
    uint left = x >> 4 & 3;
    do NOTE(here()); while (left--);
  }
  NOTE(here());
  out[at] = trace;
}

/* For each distinct value, its lanes together; what they do on leaving the loop they do by
 * themselves. */
KERNEL void lanes_by_value(global ulong *out, global const int *in) {
  size_t at = get_global_linear_id();
  int x = in[at] & 3;
  ulong trace = 0;
  while (true) {
    int first = sub_group_broadcast_first(x);
    NOTE(here());
    if (x == first) {
      NOTE((ulong)sub_group_non_uniform_reduce_add(x + 10));
      NOTE(here());
      break;
    }
  }
  NOTE(here());
  out[at] = trace;
}

KERNEL void lanes_by_value_flag(global ulong *out, global const int *in) {
  size_t at = get_global_linear_id();
  int x = in[at] & 7;
  bool done = false;
  ulong trace = 0;
  while (!done) {
    if (sub_group_broadcast_first(x) == x) {
      NOTE(here());
      done = true;
    }
    NOTE(here());
  }
  NOTE(here());
  out[at] = trace;
}

KERNEL void lanes_one_by_one(global ulong *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint turn = 0;
  ulong trace = 0;
  bool wait = in[at] % 3 != 0;
  while (wait) {
    turn++;
    if (sub_group_elect()) {
      NOTE(here());
      wait = false;
    }
  }
  NOTE(here() + turn);
  out[at] = trace;
}

/* The mask of a ballot decides how often all go round together. */
KERNEL void lanes_leader_mask(global ulong *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint x = (uint)in[at];
  ulong sum = 0;
  uint4 ballot = sub_group_ballot(x % 3 == 1);
  ulong mask = ballot.x | (ulong)ballot.y << 32;
  while (mask) {
    uint first = (uint)ctz(mask);
    sum = sum * 7 + sub_group_shuffle(x, first);
    if (first == get_sub_group_local_id()) sum ^= here();
    mask &= mask - 1;
  }
  out[at] = sum;
}

KERNEL void lanes_while_any(global ulong *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint x = (uint)in[at] & 0xff;
  ulong trace = 0;
  while (sub_group_any(x > 1)) {
    if (x > 1) {
      x = x & 1 ? x * 3 + 1 : x / 2;
      if (x < 20) NOTE(here());
      x &= 0xff;
    }
    NOTE((ulong)sub_group_reduce_max(x));
    if (trace % 13 == 7) x /= 2;
  }
  out[at] = trace;
}

KERNEL void lanes_switch(global ulong *out, global const int *in) {
  size_t at = get_global_linear_id();
  ulong trace = 0;
  switch (in[at] & 7) {
  case 0: NOTE(here()); /* falls */
  case 1: NOTE(here()); break;
  case 2: NOTE((ulong)sub_group_elect());
  case 3: break;
  case 4: NOTE(here()); /* falls */
  default: NOTE(here());
  }
  NOTE(here());
  out[at] = trace;
}

KERNEL void lanes_return(global ulong *out, global const int *in) {
  size_t at = get_global_linear_id();
  ulong trace = 0;
  out[at] = 3;
  if (in[at] % 3 == 0) return;
  NOTE(here());
  for (int i = 0; i < 4; i++) {
    out[at] = trace;
    if (in[at] >> i & 1) {
      NOTE(here());
      if (in[at] & 32) return;
    }
    NOTE(here());
  }
  out[at] = trace;
}

KERNEL void lanes_conditions(global ulong *out, global const int *in) {
  size_t at = get_global_linear_id();
  int x = in[at];
  ulong trace = 0;
  NOTE((x & 1) && (here() & 0x5555555555555555ul) ? 3 : 4);
  NOTE(x & 2 ? here() : 1);
  NOTE((x & 4) || sub_group_non_uniform_all(x & 8) ? 5 : 6);
  if ((x & 16) && sub_group_non_uniform_any(x & 1) && !sub_group_elect()) NOTE(here());
  NOTE(here());
  out[at] = trace;
}

ulong deeper(int x) {
  if (x & 1) return here();
  ulong trace = 1;
  if (x & 2) NOTE(here());
  return trace + here();
}
ulong deep(int x, int n) {
  ulong trace = 0;
  for (int i = 0; i < n; i++) {
    if (x >> i & 4) NOTE(deeper(x >> i));
    if ((x ^ i) & 8) return trace;
  }
  return ~trace;
}
KERNEL void lanes_functions(global ulong *out, global const int *in) {
  size_t at = get_global_linear_id();
  ulong trace = deep(in[at], 3);
  NOTE(here());
  if (in[at] & 64) NOTE(deep(in[at] >> 3, (in[at] & 3) + 1));
  NOTE(here());
  out[at] = trace;
}

/* Shuffles in flow that varies, from lanes that are there. */
KERNEL void lanes_shuffle(global ulong *out, global const int *in) {
  size_t at = get_global_linear_id();
  int x = in[at];
  uint lane = get_sub_group_local_id();
  ulong trace = 0;
  if (x & 3) {
    uint4 active = sub_group_ballot(1);
    uint last = sub_group_ballot_find_msb(active), first = sub_group_ballot_find_lsb(active);
    NOTE((uint)sub_group_shuffle(x, x & 1 ? last : first));
    NOTE((uint)sub_group_non_uniform_broadcast(x, last));
    int from_pair = sub_group_shuffle_xor(x, 1), from_below = sub_group_shuffle_up(x, 2);
    if (sub_group_ballot_bit_extract(active, lane ^ 1)) NOTE((uint)from_pair);
    if (lane >= 2 && sub_group_ballot_bit_extract(active, lane - 2)) NOTE((uint)from_below);
  }
  NOTE(here());
  out[at] = trace;
}

/* What a lane computed before the others came must still be its own. */
KERNEL void lanes_private_state(global ulong *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint cells[4] = {1, 2, 3, 4};
  uint4 v = (uint4)(5, 6, 7, get_sub_group_local_id());
  uint x = (uint)in[at];
  for (uint i = 0; i < (x & 7); i++) {
    cells[(x + i) & 3] += sub_group_ballot_bit_count(sub_group_ballot(v.x & 1));
    if (cells[i & 3] & 1) v = v.yzwx + sub_group_broadcast_first(v.y);
    else v.z ^= cells[(i + 1) & 3];
  }
  out[at] = cells[0] + cells[1] * 31ul + cells[2] * 961ul + cells[3] * 29791ul + v.x * 3ul +
            v.y * 5ul + v.z * 7ul + v.w * 11ul;
}
#else
#include "run/case.h"

/* Lanes as bits of an ulong: all of a sub-group, and a loop over those in a mask. */
static ulong all_of(struct sub_group s) { return ~0ul >> (64 - (s.end - s.first)); }
#define LANES(MASK, K)                                                                             \
  for (size_t K = 0; K < 64; K++)                                                                  \
    if ((MASK) >> K & 1)
#define NOTE(MASK, VALUE) LANES(MASK, k) t[k] = t[k] * 31 + (VALUE)
#define WHERE(MASK, CONDITION)                                                                     \
  ({                                                                                               \
    ulong found = 0;                                                                               \
    LANES(MASK, k) found |= (ulong)((CONDITION) != 0) << k;                                        \
    found;                                                                                         \
  })
/* The reference of one sub-group: its inputs x, its traces t, its lanes `all`. */
#define LANES_CASE(NAME)                                                                           \
  static void NAME##_lanes(const int *x, ulong *t, ulong all);                                     \
  CASE(NAME, int, ulong, .sub_groups = true) {                                                     \
    EACH_SUB_GROUP(s) {                                                                            \
      ulong t[64] = {0};                                                                           \
      NAME##_lanes(in + s.first, t, all_of(s));                                                    \
      EACH_LANE(s, i) out[i] = t[i - s.first];                                                     \
    }                                                                                              \
  }                                                                                                \
  static void NAME##_lanes(const int *x, ulong *t, ulong all)

LANES_CASE(lanes_nested_ifs) {
  ulong odd = WHERE(all, x[k] & 1), two = WHERE(odd, x[k] & 2);
  ulong four = WHERE(odd & ~two, x[k] & 4), high = all & ~odd & ~0xful, sum = 0, count = 0;
  NOTE(odd, odd);
  NOTE(two, two);
  LANES(four, k) sum += (ulong)(x[k] & 255);
  NOTE(four, sum);
  NOTE(odd, odd);
  NOTE(high, ++count);
  NOTE(all & ~odd, (all & ~odd) ^ 5);
  NOTE(all, all);
}

LANES_CASE(lanes_loop) {
  ulong live = all, now;
  for (uint i = 0; (live = WHERE(live, i < k % 5)); i++) NOTE(live, live);
  NOTE(all, all);
  live = all;
  for (uint i = 0; (live = WHERE(live, i < ((uint)x[k] & 7))); i++) {
    NOTE(live, live);
    if (i == 2) continue;
    live = now = WHERE(live, (x[k] >> i & 9) != 9);
    NOTE(now, now);
  }
  NOTE(all, all);
}

LANES_CASE(lanes_nested_loops) {
  ulong live = all, now;
  for (uint i = 0; (live = WHERE(live, i < ((uint)x[k] & 3))); i++) {
    now = live;
    for (uint n = i; (now = WHERE(now, n < ((uint)x[k] >> 2 & 3))); n++) NOTE(now, now);
    NOTE(live, live);
    now = live;
    for (uint n = 0; now; n++) {
      NOTE(now, now);
      now = WHERE(now, ((uint)x[k] >> 4 & 3) > n);
    }
  }
  NOTE(all, all);
}

LANES_CASE(lanes_by_value) {
  for (ulong live = all; live;) {
    int first = x[__builtin_ctzl(live)] & 3;
    ulong same = WHERE(live, (x[k] & 3) == first);
    NOTE(live, live);
    NOTE(same, (ulong)__builtin_popcountl(same) * (ulong)(first + 10));
    NOTE(same, same);
    live &= ~same;
  }
  NOTE(all, all);
}

LANES_CASE(lanes_by_value_flag) {
  for (ulong live = all; live;) {
    int first = x[__builtin_ctzl(live)] & 7;
    ulong same = WHERE(live, (x[k] & 7) == first);
    NOTE(same, same);
    NOTE(live, live);
    live &= ~same;
  }
  NOTE(all, all);
}

LANES_CASE(lanes_one_by_one) {
  ulong turns[64] = {0}, turn = 0, live = WHERE(all, x[k] % 3 != 0);
  for (; live; live &= live - 1) {
    size_t first = (size_t)__builtin_ctzl(live);
    turns[first] = ++turn;
    t[first] = 1ul << first;
  }
  NOTE(all, all + turns[k]);
}

LANES_CASE(lanes_leader_mask) {
  for (ulong left = WHERE(all, (uint)x[k] % 3 == 1); left; left &= left - 1) {
    size_t first = (size_t)__builtin_ctzl(left);
    LANES(all, k) t[k] = t[k] * 7 + (uint)x[first];
    t[first] ^= 1ul << first;
  }
}

LANES_CASE(lanes_while_any) {
  uint y[64];
  LANES(all, k) y[k] = (uint)x[k] & 0xff;
  for (ulong live; (live = WHERE(all, y[k] > 1));) {
    ulong most = 0;
    LANES(live, k) y[k] = y[k] & 1 ? y[k] * 3 + 1 : y[k] / 2;
    ulong low = WHERE(live, y[k] < 20);
    NOTE(low, low);
    LANES(live, k) y[k] &= 0xff;
    LANES(all, k) most = y[k] > most ? y[k] : most;
    NOTE(all, most);
    LANES(all, k) y[k] /= t[k] % 13 == 7 ? 2 : 1;
  }
}

LANES_CASE(lanes_switch) {
  ulong now = WHERE(all, (x[k] & 7) == 0);
  NOTE(now, now);
  now = WHERE(all, (x[k] & 7) < 2);
  NOTE(now, now);
  now = WHERE(all, (x[k] & 7) == 2);
  NOTE(now, k == (size_t)__builtin_ctzl(now));
  now = WHERE(all, (x[k] & 7) == 4);
  NOTE(now, now);
  now = WHERE(all, (x[k] & 7) >= 4);
  NOTE(now, now);
  NOTE(all, all);
}

LANES_CASE(lanes_return) {
  ulong result[64], live = WHERE(all, x[k] % 3 != 0);
  LANES(all, k) result[k] = 3;
  NOTE(live, live);
  for (int i = 0; i < 4; i++) {
    LANES(live, k) result[k] = t[k];
    ulong now = WHERE(live, x[k] >> i & 1);
    NOTE(now, now);
    live &= ~WHERE(now, x[k] & 32);
    NOTE(live, live);
  }
  LANES(live, k) result[k] = t[k];
  LANES(all, k) t[k] = result[k];
}

LANES_CASE(lanes_conditions) {
  ulong one = WHERE(all, x[k] & 1), two = WHERE(all, x[k] & 2), not_four = WHERE(all, !(x[k] & 4));
  NOTE(all, one >> k & 1 && one & 0x5555555555555555ul ? 3 : 4);
  NOTE(all, two >> k & 1 ? two : 1);
  bool eight = WHERE(not_four, x[k] & 8) == not_four;
  NOTE(all, not_four >> k & 1 && !eight ? 6 : 5);
  ulong now = WHERE(all, x[k] & 16);
  if (now & one) now &= now - 1;
  else now = 0;
  NOTE(now, now);
  NOTE(all, all);
}

static void deeper_lanes(const int *x, ulong *t, ulong all) {
  ulong odd = WHERE(all, x[k] & 1), two = WHERE(all & ~odd, x[k] & 2);
  LANES(odd, k) t[k] = odd;
  LANES(all & ~odd, k) t[k] = 1;
  NOTE(two, two);
  LANES(all & ~odd, k) t[k] += all & ~odd;
}
static void deep_lanes(const int *x, const int *n, ulong *t, ulong all) {
  ulong live = all, result[64], left = 0;
  LANES(all, k) t[k] = 0;
  for (int i = 0; (live = WHERE(live, i < n[k])); i++) {
    int shifted[64];
    ulong value[64], now = WHERE(live, x[k] >> i & 4);
    LANES(now, k) shifted[k] = x[k] >> i;
    deeper_lanes(shifted, value, now);
    NOTE(now, value[k]);
    now = WHERE(live, (x[k] ^ i) & 8);
    LANES(now, k) result[k] = t[k];
    left |= now;
    live &= ~now;
  }
  LANES(all, k) t[k] = left >> k & 1 ? result[k] : ~t[k];
}
LANES_CASE(lanes_functions) {
  int n[64], shifted[64];
  ulong value[64], now = WHERE(all, x[k] & 64);
  LANES(all, k) n[k] = 3;
  deep_lanes(x, n, t, all);
  NOTE(all, all);
  LANES(now, k) n[k] = (x[k] & 3) + 1, shifted[k] = x[k] >> 3;
  deep_lanes(shifted, n, value, now);
  NOTE(now, value[k]);
  NOTE(all, all);
}

LANES_CASE(lanes_shuffle) {
  ulong now = WHERE(all, x[k] & 3);
  if (now) {
    size_t last = 63 - (size_t)__builtin_clzl(now), first = (size_t)__builtin_ctzl(now);
    NOTE(now, (uint)x[x[k] & 1 ? last : first]);
    NOTE(now, (uint)x[last]);
  }
  LANES(now, k) if (now >> (k ^ 1) & 1) t[k] = t[k] * 31 + (uint)x[k ^ 1];
  LANES(now, k) if (k >= 2 && now >> (k - 2) & 1) t[k] = t[k] * 31 + (uint)x[k - 2];
  NOTE(all, all);
}

LANES_CASE(lanes_private_state) {
  uint cells[64][4], v[64][4];
  LANES(all, k) for (uint c = 0; c < 4; c++) {
    cells[k][c] = c + 1;
    v[k][c] = c < 3 ? c + 5 : (uint)k;
  }
  ulong live = all;
  for (uint i = 0; (live = WHERE(live, i < ((uint)x[k] & 7))); i++) {
    ulong ones = WHERE(live, v[k][0] & 1);
    LANES(live, k) cells[k][((uint)x[k] + i) & 3] += (uint)__builtin_popcountl(ones);
    ulong turn = WHERE(live, cells[k][i & 3] & 1);
    LANES(live & ~turn, k) v[k][2] ^= cells[k][(i + 1) & 3];
    if (!turn) continue;
    uint first = v[__builtin_ctzl(turn)][1];
    LANES(turn, k) {
      uint next[4] = {v[k][1] + first, v[k][2] + first, v[k][3] + first, v[k][0] + first};
      memcpy(v[k], next, sizeof next);
    }
  }
  LANES(all, k) t[k] = cells[k][0] + cells[k][1] * 31ul + cells[k][2] * 961ul +
                       cells[k][3] * 29791ul + v[k][0] * 3ul + v[k][1] * 5ul + v[k][2] * 7ul +
                       v[k][3] * 11ul;
}
#endif
