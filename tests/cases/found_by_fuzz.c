/* What random kernels have shown to be wrong once, cut down. */
#ifdef __OPENCL_VERSION__
#define SIZE ((uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)))
#define AT ((uint)get_global_linear_id())

/* A loop of varying length right at the head of a uniform loop. */
kernel void varying_head(global int *out, global const int *in, global const int *u) {
  out[AT] = 0;
  barrier(CLK_GLOBAL_MEM_FENCE);
  int v = 0;
  uint r = 0;
  do {
    uint j = 0;
    while (j < ((uint)u[0] >> (in[AT] & 31))) {
      j++;
      v = get_local_size(0);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  } while (++r < (u[3] != 0 ? SIZE : 0u));
  out[AT] = v;
}

kernel void varying_inside_uniform(global int *out, global const int *in, global const int *u) {
  uint x = in[AT], r = 0;
  float f = 0;
  long kept[8];
  for (int i = 0; i < 8; i++) kept[i] = i;
  do {
    kept[0] = (uint)f;
    for (uint i = 0; i < 3u; i++) {
      uint j = 0;
      while (j < (((uint)f % (x | 1u)) | 2u)) {
        j++;
        f = i;
      }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint i = 0; i < (uint)u[0]; i++) {}
  } while (++r < 2u);
  out[AT] = kept[0] * 3 + (int)f;
}

/* A division of what is the same for all, needed by some only. */
kernel void division_for_some(global int *out, global const int *in, global const int *u,
                              local int *cells) {
  cells[get_local_linear_id()] = in[AT];
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong same = (ulong)work_group_reduce_add((double)u[0]);
  double d = in[AT] & 2 ? cells[(uint)same % SIZE] & 0xff : 0;
  int y = in[AT] & 1 ? cells[(uint)get_local_id(1) % SIZE] : 5;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[AT] = (int)d + 3 * y;
}

/* A uniform result kept per work-item, because the loop that makes it seems to vary. */
kernel void result_kept(global int *out, global const int *in, global const int *u,
                        local int *cells) {
  cells[get_local_linear_id()] = u[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  int bound = cells[(get_local_linear_id() + 1) % SIZE], f = 0;
  for (int i = 0; i < bound; i++) {
    f = work_group_reduce_max((in[AT] + i) & 0xff);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[AT] = f;
}

/* A division that must stay behind the condition that makes it safe. */
kernel void guarded_division(global int *out, global const int *in, global const int *u) {
  uint n = u[0], y = 1, r = 0;
  do {
    if (in[AT] & 1) {
      if (n) y = (uint)get_local_id(0) / n;
    }
    if (!(r & 1)) break;
    y += (uint)get_group_id(0) % (r | 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
  } while (++r < n);
  out[AT] = y;
}

/* A private array written side by side, read by a computed index and written again: one work-item's
 * accesses keep their order. */
kernel void array_in_order(global int *out, global const int *in, global const int *u) {
  short v[4];
  int t = work_group_scan_exclusive_max(0) & 1;
  for (int i = 0; i < 4; i++) v[i] = (short)(t + i + 10);
  int x = v[u[0] & 3];
  v[0] = (short)min((uint)(x & 2 ? x + 20 : x), (uint)u[1]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[AT] = x + 100 * v[0] + 10000 * v[u[2] & 3];
}

/* A varying switch whose default cannot be reached says nothing of the loop behind it. */
kernel void switch_before_loop(global int *out, global const int *in, global const int *u,
                               local int *cells) {
  uchar4 v = (uchar4)(0, 1, 2, 3);
  cells[get_local_linear_id()] = 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  uchar bound = (uchar)cells[0];
  switch (in[AT] & 3) {
  case 0: { uint n = 0; while (n < bound) n++; } break;
  case 1: break;
  case 2: break;
  }
  for (int i = 0; i < u[0]; i++) v.s1 = (uchar)work_group_reduce_xor(0u);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[AT] = v.s2 + 10 * v.s1;
}

/* Components of a private array that lives longer than a barrier. */
kernel void components_kept(global int *out, global const int *in, global const int *u) {
  char4 v[2];
  for (int i = 0; i < 2; i++) v[i] = (char4)(in[AT] + i, 1, in[AT] & 31, 3);
  barrier(CLK_LOCAL_MEM_FENCE);
  char4 x = v[u[0]];
  out[AT] = x.s0 + 1000 * v[0].s2 + x.s3;
}

/* Of long blocks that are passed by where no lane is: a loop that is one block, and a switch of which
 * two values lead to one place. */
kernel void passed_by(global int *out, global const int *in, global const int *u) {
  uint x = in[AT] & 15, n = 0, sum = 0;
  if (x & 1)
    do {
      sum += n * n + (x ^ n) * 3 + (sum >> 3) + (uint)u[n & 3] + (uint)u[(n + x) & 3] * n;
    } while (++n < x);
  if (x & 2) {
    uint y = sum * 5 + (uint)u[x & 3] * x + (uint)u[(x >> 1) & 3] + (uint)u[sum & 3] * 7;
    switch ((y ^ x) & 7) {
    case 0: case 4: sum += y; break;
    case 1: case 5: sum = y; break;
    default: sum ^= y;
    }
  }
  out[AT] = sum;
}

/* The place of an element is computed in a long block, or in a loop that lanes leave at different
 * times, and used behind it. */
kernel void place_used_later(global int *out, global const int *in, global const int *u) {
  uint x = in[AT] & 15, sum = 0, n = 0, i;
  uint v[4] = {u[0], u[1], u[2], x};
  if (x & 1) {
    i = (x * 5 + (uint)u[x & 3] * x + (uint)u[(x >> 1) & 3] + (uint)u[(x >> 2) & 3] * 7) & 3;
    v[i] += x;
    if (x & 4) {
      v[x & 3] ^= 5;
      sum = v[i] * 3;
    }
  }
  do {
    i = (x * n + (x >> 1)) & 3;
    v[i] += n;
    v[(i + n) & 3] ^= x;
  } while (++n < x);
  out[AT] = sum + v[i] * 7;
}

/* A uniform result kept in lanes, of which a phi wants more than there are. */
kernel void wider_by_a_branch(global int *out, global const int *in, global const int *u) {
  size_t i = get_global_id(0) - get_global_offset(0);
  uint least = work_group_reduce_min((uint)u[1]);
  out[i] = max((ushort)(u[0] != 1 ? least : ((global const ushort *)in)[i * 2]), (ushort)1);
}

/* Constants that saturate. */
kernel void saturated_constants(global int *out, global const int *in) {
  uint4 u = convert_uint4_sat((float4)(-14.0f, 2.0f, 5e9f, NAN));
  long4 l = convert_long4_sat_rte((double4)(-1e30, 2.5, 1e30, -3.0));
  uint one = convert_uint_sat(-3.5f);
  out[AT] = u.s0 == 0 && u.s1 == 2 && u.s2 == UINT_MAX && u.s3 == 0 && l.s0 == LONG_MIN && l.s1 == 2 &&
            l.s2 == LONG_MAX && l.s3 == -3 && one == 0;
}

/* Some bits of a value become others for some work-items: what is new is computed, or loaded. */
kernel void merged_bits(global int *out, global const int *in) {
  int y = in[AT], x = y * 7;
  if (x & 32) x = (y & 15) | (x & ~15);
  out[AT] = x;
}

kernel void merged_loaded_bits(global int *out, global const int *in) {
  int y = in[AT], x = (int)get_local_linear_id() * 7;
  if (x & 32) x = (x & ~15) | (y & 15);
  out[AT] = x;
}
#else
#include "run/case.h"

CASE(varying_head, int, int, .args_in_buffer = true, .arg = {3, 0, 0, 1}, .max_items = 1024) {
  EACH(i) out[i] = 3u >> (in[i] & 31) ? (int)g->size[0] : 0;
}

CASE(varying_inside_uniform, int, int, .args_in_buffer = true, .arg = {3}) {
  EACH(i) out[i] = 2 * 3 + 2;
}

CASE(division_for_some, int, int, .args_in_buffer = true, .arg = {3}, .local_per_item = 4) {
  size_t same = 3 * g->items % g->items;
  EACH(i) {
    int y = in[i] & 1 ? in[local_y(g, i) % g->items] : 5;
    out[i] = add(in[i] & 2 ? in[same] & 0xff : 0, mul(3, y));
  }
}

CASE(guarded_division, int, int, .args_in_buffer = true) { EACH(i) out[i] = 1; }

CASE(result_kept, int, int, .args_in_buffer = true, .arg = {4}, .local_per_item = 4) {
  int high = 0;
  EACH(i) high = (add(in[i], 3) & 0xff) > high ? add(in[i], 3) & 0xff : high;
  EACH(i) out[i] = high;
}

CASE(array_in_order, int, int, .args_in_buffer = true, .arg = {1, 100, 3}) {
  EACH(i) { /* item 0 gets the identity, INT_MIN, whose last bit is 0 */
    out[i] = 11 + 100 * 31 + 10000 * 13;
  }
}

CASE(switch_before_loop, int, int, .args_in_buffer = true, .arg = {3}, .local_per_item = 4) {
  EACH(i) out[i] = 2;
}

CASE(components_kept, int, int, .args_in_buffer = true, .arg = {1}) {
  EACH(i) out[i] = (signed char)add(in[i], 1) + 1000 * (in[i] & 31) + 3;
}

CASE(passed_by, int, int, .args_in_buffer = true, .arg = {3, 0, 5, 9}) {
  const int *u = g->arg;
  EACH(i) {
    uint32_t x = in[i] & 15, n = 0, sum = 0;
    if (x & 1) do {
        sum += n * n + (x ^ n) * 3 + (sum >> 3) + (uint32_t)u[n & 3] + (uint32_t)u[(n + x) & 3] * n;
      } while (++n < x);
    if (x & 2) {
      uint32_t y = sum * 5 + (uint32_t)u[x & 3] * x + (uint32_t)u[(x >> 1) & 3] + (uint32_t)u[sum & 3] * 7;
      uint32_t way = (y ^ x) & 3;
      if (way == 0) sum += y;
      else if (way == 1) sum = y;
      else sum ^= y;
    }
    out[i] = (int)sum;
  }
}

CASE(place_used_later, int, int, .args_in_buffer = true, .arg = {3, 0, 5, 9}) {
  const int *u = g->arg;
  EACH(item) {
    uint32_t x = in[item] & 15, sum = 0, n = 0, i;
    uint32_t v[4] = {(uint32_t)u[0], (uint32_t)u[1], (uint32_t)u[2], x};
    if (x & 1) {
      i = (x * 5 + (uint32_t)u[x & 3] * x + (uint32_t)u[(x >> 1) & 3] + (uint32_t)u[(x >> 2) & 3] * 7) & 3;
      v[i] += x;
      if (x & 4) {
        v[x & 3] ^= 5;
        sum = v[i] * 3;
      }
    }
    do {
      i = (x * n + (x >> 1)) & 3;
      v[i] += n;
      v[(i + n) & 3] ^= x;
    } while (++n < x);
    out[item] = (int)(sum + v[i] * 7);
  }
}

CASE(wider_by_a_branch, int, int, .args_in_buffer = true, .arg = {3, 7}, .max_dims = 1) {
  EACH(i) out[i] = 7;
}

CASE(saturated_constants, int, int) { EACH(i) out[i] = 1; }

static int merged(int x, int y) {
  return x & 32 ? (y & 15) | (x & ~15) : x;
}

CASE(merged_bits, int, int) { EACH(i) out[i] = merged(mul(in[i], 7), in[i]); }

CASE(merged_loaded_bits, int, int) { EACH(i) out[i] = merged((int)i * 7, in[i]); }
#endif
