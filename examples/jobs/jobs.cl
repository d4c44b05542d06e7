/* Jobs over a whole array, of group functions: a sum, a prefix sum, a compaction, and a sort.
 *
 * Each goes over the array once (the sort once for each digit), as a group gets what all before it have
 * summed up from their states while they work: "Single-pass Parallel Prefix Scan with Decoupled
 * Look-back", Merrill and Garland, 2016; for the sort "Onesweep", Adinets and Merrill, 2022.  Groups take
 * numbers as they begin, so whom one waits for has begun.
 *
 * The host says how large groups are and what a work-item takes: SCAN_GROUP work-items of SCAN_VECTORS
 * int4, and the same for COMPACT and SORT (keys). */
#define LANES 32
#define SUB_GROUPS __attribute__((intel_reqd_sub_group_size(LANES)))
#define GROUP(n) SUB_GROUPS __attribute__((reqd_work_group_size(n, 1, 1)))
#define UNROLL __attribute__((opencl_unroll_hint))

/* All work-items get the number of their group in the order in which groups begin. */
uint take_number(volatile global atomic_uint *next) {
  uint number = 0;
  if (get_local_id(0) == 0)
    number = atomic_fetch_add_explicit(next, 1, memory_order_relaxed, memory_scope_device);
  return work_group_broadcast(number, 0);
}

/* --- The sum --- */

/* The last group that is done writes the sum; what groups share is 0 again then, as it was. */
kernel GROUP(SUM_GROUP) void sum(global const int4 *in, uint vectors, global int *result,
                                 volatile global atomic_int *shared) {
  enum { AT_ONCE = 4 };
  int4 sums[AT_ONCE] = {0};
  const uint step = (uint)get_global_size(0);
  uint i = (uint)get_global_id(0);
  for (; i + (AT_ONCE - 1) * step < vectors; i += AT_ONCE * step) {
    int4 v[AT_ONCE];
    UNROLL for (uint k = 0; k < AT_ONCE; k++) v[k] = in[i + k * step];
    UNROLL for (uint k = 0; k < AT_ONCE; k++) sums[k] += v[k];
  }
  for (; i < vectors; i += step) sums[0] += in[i];
  int4 all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  int group = work_group_reduce_add((all.x + all.y) + (all.z + all.w));
  if (get_local_id(0) == 0) {
    atomic_fetch_add_explicit(&shared[0], group, memory_order_relaxed, memory_scope_device);
    if (atomic_fetch_add_explicit(&shared[1], 1, memory_order_acq_rel, memory_scope_device) + 1 ==
        (int)get_num_groups(0)) {
      *result = atomic_exchange_explicit(&shared[0], 0, memory_order_relaxed, memory_scope_device);
      atomic_store_explicit(&shared[1], 0, memory_order_relaxed, memory_scope_device);
    }
  }
}

/* --- States: what a tile, or all up to it, sum up to, in one word with what it is --- */

enum { NONE, OWN, ALL };
typedef volatile global atomic_ulong state;

void publish(state *s, uint what, uint value) {
  atomic_store_explicit(s, (ulong)what << 32 | value, memory_order_relaxed, memory_scope_device);
}

/* What the tiles before `tile` sum up to: called by a whole sub-group, each of whose lanes asks one. */
uint look_back(state *states, uint tile) {
  const uint lane = get_sub_group_local_id();
  uint before = 0;
  for (int at = (int)tile - 1 - (int)lane;; at -= LANES) {
    ulong s = (ulong)ALL << 32;
    if (at >= 0) do
        s = atomic_load_explicit(&states[at], memory_order_relaxed, memory_scope_device);
      while (s >> 32 == NONE);
    uint done = sub_group_ballot(s >> 32 == ALL).x;
    before += sub_group_reduce_add(done && lane > ctz(done) ? 0 : (uint)s);
    if (done) return before;
  }
}

/* The tile's own sum goes out, as soon as the group knows it. */
void publish_own(state *states, uint tile, uint own) {
  if (get_local_id(0) == 0) publish(&states[tile], tile ? OWN : ALL, own);
}

/* Then, what the tiles before it sum up to, for all work-items of the group; and with it goes out what
 * all up to this one sum up to. */
uint before_tile(state *states, uint tile, uint own) {
  uint before = 0;
  if (tile && get_sub_group_id() == 0) {
    before = look_back(states, tile);
    if (get_local_id(0) == 0) publish(&states[tile], ALL, before + own);
  }
  return work_group_broadcast(before, 0);
}

/* Of numbers of sub-groups, which their last lane has: what those before the own one sum up to. */
uint before_sub_group(uint number) {
  return work_group_scan_exclusive_add(get_sub_group_local_id() == LANES - 1 ? number : 0);
}

/* --- Prefix sums: each number with all before it --- */

kernel GROUP(SCAN_GROUP) void scan(global const int4 *in, global int4 *out, uint vectors,
                                   state *states, volatile global atomic_uint *next) {
  const uint tile = take_number(next), lane = get_sub_group_local_id();
  const uint first = (tile * (SCAN_GROUP / LANES) + get_sub_group_id()) * (SCAN_VECTORS * LANES) + lane;
  int4 v[SCAN_VECTORS];
  int own[SCAN_VECTORS], sum = 0;
  UNROLL for (uint k = 0; k < SCAN_VECTORS; k++)
    v[k] = first + k * LANES < vectors ? in[first + k * LANES] : 0;
  UNROLL for (uint k = 0; k < SCAN_VECTORS; k++) {
    v[k].y += v[k].x;
    v[k].z += v[k].y;
    v[k].w += v[k].z;
    own[k] = sum + sub_group_scan_inclusive_add(v[k].w) - v[k].w;
    sum += sub_group_reduce_add(v[k].w);
  }
  uint before = before_sub_group((uint)sum);
  uint all = work_group_broadcast(before + (uint)sum, SCAN_GROUP - 1);
  publish_own(states, tile, all);
  before += before_tile(states, tile, all);
  UNROLL for (uint k = 0; k < SCAN_VECTORS; k++)
    if (first + k * LANES < vectors) out[first + k * LANES] = v[k] + (own[k] + (int)before);
}

/* --- Compaction: the odd numbers, in their order --- */

bool is_kept(int x) { return x & 1; }

kernel GROUP(COMPACT_GROUP) void compact(global const int4 *in, global int *out, uint vectors,
                                         global uint *count, state *states,
                                         volatile global atomic_uint *next) {
  local int kept[COMPACT_GROUP * COMPACT_VECTORS * 4];
  const uint tile = take_number(next), lane = get_sub_group_local_id();
  const uint first = (tile * (COMPACT_GROUP / LANES) + get_sub_group_id()) * (COMPACT_VECTORS * LANES) + lane;
  int4 v[COMPACT_VECTORS];
  UNROLL for (uint k = 0; k < COMPACT_VECTORS; k++)
    v[k] = first + k * LANES < vectors ? in[first + k * LANES] : 0;
  /* How many of each of four vectors, in a byte each: up to 128 of a sub-group. */
  uint at[COMPACT_VECTORS], sum = 0;
  UNROLL for (uint k = 0; k < COMPACT_VECTORS; k += 4) {
    uint counts = 0;
    UNROLL for (uint b = 0; b < 4; b++) {
      int4 x = v[k + b];
      counts |= (uint)(is_kept(x.x) + is_kept(x.y) + is_kept(x.z) + is_kept(x.w)) << 8 * b;
    }
    uint up_to = sub_group_scan_inclusive_add(counts), all = sub_group_broadcast(up_to, LANES - 1);
    uint before = up_to - counts;
    UNROLL for (uint b = 0; b < 4; b++) {
      at[k + b] = sum + (before >> 8 * b & 255);
      sum += all >> 8 * b & 255;
    }
  }
  const uint before = before_sub_group(sum);
  const uint all = work_group_broadcast(before + sum, COMPACT_GROUP - 1);
  publish_own(states, tile, all);
  UNROLL for (uint k = 0; k < COMPACT_VECTORS; k++) {
    uint to = before + at[k];
    if (is_kept(v[k].x)) kept[to++] = v[k].x;
    if (is_kept(v[k].y)) kept[to++] = v[k].y;
    if (is_kept(v[k].z)) kept[to++] = v[k].z;
    if (is_kept(v[k].w)) kept[to] = v[k].w;
  }
  const uint begin = before_tile(states, tile, all); /* which is a barrier too */
  for (uint i = get_local_id(0); i < all; i += COMPACT_GROUP) out[begin + i] = kept[i];
  if (get_local_id(0) == 0 && tile + 1 == get_num_groups(0)) *count = begin + all;
}

/* --- Sort: digits of 8 bits, the lowest first --- */

#define DIGITS 256
#define PASSES 4

/* How many keys have each digit, of all passes at once. */
kernel GROUP(COUNT_GROUP) void count_digits(global const uint4 *keys, uint vectors,
                                            global atomic_uint *counts) {
  local atomic_uint own[PASSES * DIGITS];
  const uint lid = get_local_id(0);
  for (uint i = lid; i < PASSES * DIGITS; i += COUNT_GROUP)
    atomic_store_explicit(&own[i], 0, memory_order_relaxed, memory_scope_work_group);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = (uint)get_global_id(0); i < vectors; i += (uint)get_global_size(0)) {
    uint4 v = keys[i];
    uint k[4] = {v.x, v.y, v.z, v.w};
    UNROLL for (uint c = 0; c < 4; c++)
      UNROLL for (uint p = 0; p < PASSES; p++)
        atomic_fetch_add_explicit(&own[p * DIGITS + (k[c] >> 8 * p & 255)], 1, memory_order_relaxed,
                                  memory_scope_work_group);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = lid; i < PASSES * DIGITS; i += COUNT_GROUP)
    atomic_fetch_add_explicit(&counts[i],
                              atomic_load_explicit(&own[i], memory_order_relaxed, memory_scope_work_group),
                              memory_order_relaxed, memory_scope_device);
}

/* Where each digit's keys begin. */
kernel GROUP(DIGITS) void begin_digits(global uint *counts) {
  for (uint p = 0; p < PASSES; p++) {
    global uint *count = &counts[p * DIGITS + get_local_id(0)];
    *count = work_group_scan_exclusive_add(*count);
  }
}

/* Which lanes have the same digit. */
uint lanes_like(uint digit) {
  uint others = 0;
  UNROLL for (uint b = 0; b < 8; b++) {
    bool is_zero = !(digit & 1u << b);
    others |= sub_group_ballot(is_zero).x ^ (is_zero ? ~0u : 0);
  }
  return ~others;
}

#define IS_OWN (1u << 30)
#define IS_ALL (2u << 30)
typedef volatile global atomic_uint digit_state;
uint state_of(digit_state *s) {
  return atomic_load_explicit(s, memory_order_relaxed, memory_scope_device);
}

/* How many keys with this digit the tiles before have: each work-item asks for a digit of its own,
 * several tiles at a time. */
uint look_back_digit(digit_state *states, int tile) {
  enum { AT_ONCE = 4 };
  uint before = 0;
  for (int at = tile - 1; at >= 0;) {
    uint s[AT_ONCE];
    UNROLL for (int k = 0; k < AT_ONCE; k++) s[k] = at >= k ? state_of(&states[(at - k) * DIGITS]) : IS_ALL;
    bool known = true;
    UNROLL for (int k = 0; k < AT_ONCE; k++) {
      known = known && s[k];
      if (!known) continue;
      before += s[k] & (IS_OWN - 1);
      if (s[k] & IS_ALL) return before;
      at--;
    }
  }
  return before;
}

/* A tile's keys are counted first, so that its states go out early; then each key goes to its place in
 * the tile, digit by digit, and a digit's keys to theirs in all. */
kernel GROUP(SORT_GROUP) void sort_digit(global const uint *in, global uint *out, uint count, uint pass,
                                         global const uint *begins, digit_state *states,
                                         volatile global atomic_uint *next) {
  enum { TEAMS = SORT_GROUP / LANES, TILE = SORT_GROUP * SORT_KEYS };
  local atomic_uint counts[TEAMS * DIGITS]; /* keys of a digit that each sub-group has */
  local uint sorted[TILE], begin_of[DIGITS];
  local uint *places = (local uint *)counts; /* then: the place of the next of them */
  const uint tile = take_number(&next[pass]), lid = get_local_id(0), shift = 8 * pass;
  const uint lane = get_sub_group_local_id(), team = get_sub_group_id();
  const uint first = tile * TILE + team * (SORT_KEYS * LANES) + lane;
  local uint *own = places + team * DIGITS;
  uint key[SORT_KEYS];
  begins += pass * DIGITS;
  states += pass * (uint)get_num_groups(0) * DIGITS;
  /* What is behind the end comes last. */
  if (tile * TILE + TILE <= count) {
    UNROLL for (uint k = 0; k < SORT_KEYS; k++) key[k] = in[first + k * LANES];
  } else {
    UNROLL for (uint k = 0; k < SORT_KEYS; k++)
      key[k] = first + k * LANES < count ? in[first + k * LANES] : ~0u;
  }
  UNROLL for (uint k = 0; k < DIGITS / LANES; k++) own[lane + k * LANES] = 0;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  UNROLL for (uint k = 0; k < SORT_KEYS; k++)
    atomic_fetch_add_explicit(&counts[team * DIGITS + (key[k] >> shift & 255)], 1,
                              memory_order_relaxed, memory_scope_work_group);
  barrier(CLK_LOCAL_MEM_FENCE);
  /* A work-item for each digit: where its keys begin in the tile, of each sub-group, and in all. */
  uint total = 0;
  if (lid < DIGITS) {
    UNROLL for (uint t = 0; t < TEAMS; t++) {
      uint number = places[t * DIGITS + lid];
      places[t * DIGITS + lid] = total;
      total += number;
    }
    atomic_store_explicit(&states[tile * DIGITS + lid], (tile ? IS_OWN : IS_ALL) | total,
                          memory_order_relaxed, memory_scope_device);
  }
  const uint begin = work_group_scan_exclusive_add(total);
  if (lid < DIGITS)
    UNROLL for (uint t = 0; t < TEAMS; t++) places[t * DIGITS + lid] += begin;
  barrier(CLK_LOCAL_MEM_FENCE);
  UNROLL for (uint k = 0; k < SORT_KEYS; k++) {
    uint digit = key[k] >> shift & 255, same = lanes_like(digit), before = same & ((1u << lane) - 1);
    uint place = own[digit];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (!before) own[digit] = place + popcount(same); /* the first of them, for all */
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    sorted[place + popcount(before)] = key[k];
  }
  if (lid < DIGITS) {
    uint before = look_back_digit(&states[lid], (int)tile);
    if (tile)
      atomic_store_explicit(&states[tile * DIGITS + lid], IS_ALL | (before + total),
                            memory_order_relaxed, memory_scope_device);
    begin_of[lid] = begins[lid] + before - begin;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  UNROLL for (uint k = 0; k < SORT_KEYS; k++) {
    uint i = lid + k * SORT_GROUP, x = sorted[i], to = begin_of[x >> shift & 255] + i;
    if (to < count) out[to] = x;
  }
}
