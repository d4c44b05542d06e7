/* Stream compaction: conditional stores to where a scan of the condition says, in the forms that
 * programs write, for all sizes of values; and what only looks like it. */
#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define MODES 8
#define EMPTY 77

/* Who keeps its value: nobody, all, every other, few, the last only, all but the first,
 * many of one half only. */
bool keeps(long x, int mode, size_t lid, size_t n) {
  switch (mode) {
  case 0: return false;
  case 1: return true;
  case 2: return x & 1;
  case 3: return (x & 15) == 3;
  case 4: return lid == n - 1;
  case 5: return lid != 0;
  case 6: return lid < n / 2 && x & 3;
  default: return lid >= n / 2 && x & 3;
  }
}

size_t group_items(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }

/* Runs `store` in all modes; what it leaves in `buffer` is the result. */
#define KERNEL(name, T, store) \
  kernel void name(global ulong *out, global const long *in, local T *buffer) { \
    size_t at = get_global_linear_id(), lid = get_local_linear_id(), n = group_items(); \
    ulong sum = 0; \
    local uint base; \
    for (int mode = 0; mode < MODES; mode++) { \
      long x = in[at]; \
      buffer[2 * lid] = buffer[2 * lid + 1] = (T)EMPTY; \
      if (lid == 0) base = mode % n; \
      barrier(CLK_LOCAL_MEM_FENCE); \
      store \
      barrier(CLK_LOCAL_MEM_FENCE); \
      sum = (sum * 31 + (ulong)(long)buffer[2 * lid]) * 31 + (ulong)(long)buffer[2 * lid + 1]; \
      barrier(CLK_LOCAL_MEM_FENCE); \
    } \
    out[at] = sum; \
  }

/* Every type, and every way to write the rank. */
#define TYPED(T) \
  KERNEL(pack_##T, T, { \
    uint f = keeps(x, mode, lid, n); \
    uint p = work_group_scan_exclusive_add(f); \
    if (f) buffer[base + p] = (T)x; \
  })
TYPED(char) TYPED(uchar) TYPED(short) TYPED(ushort) TYPED(int) TYPED(uint) TYPED(long) TYPED(ulong)
TYPED(half) TYPED(float) TYPED(double)

KERNEL(inclusive_less_one, int, {
  int f = keeps(x, mode, lid, n);
  int p = work_group_scan_inclusive_add(f) - 1;
  if (f != 0) buffer[base + p] = x;
})
KERNEL(inclusive_less_flag, short, {
  size_t f = keeps(x, mode, lid, n) ? 1 : 0;
  size_t p = work_group_scan_inclusive_add(f) - f;
  if (f) buffer[base + p] = x;
})
KERNEL(long_rank, double, {
  long f = keeps(x, mode, lid, n);
  long p = work_group_scan_exclusive_add(f);
  if (f > 0) buffer[p + mode % (int)n] = x;
})
KERNEL(long_rank_bytes, uchar, {
  bool f = keeps(x, mode, lid, n);
  ulong p = work_group_scan_exclusive_add((ulong)f);
  if (f) buffer[(uint)p + base] = x;
})
KERNEL(low_bit, uint, {
  uint f = (uint)x & 1;
  uint p = work_group_scan_exclusive_add(f);
  if (f) buffer[base + p] = x;
})
KERNEL(low_bit_clear, uint, {
  uint f = (uint)x & 1 ? 0 : 1;
  uint p = work_group_scan_exclusive_add(f);
  if (!((uint)x & 1)) buffer[base + p] = x;
})
KERNEL(indices, uint, {
  bool keep = keeps(x, mode, lid, n);
  uint p = work_group_scan_exclusive_add((uint)keep);
  if (!keep) {
  } else buffer[base + p] = lid;
})
KERNEL(two_values, long, {
  bool keep = keeps(x, mode, lid, n) && x < 1000;
  int p = work_group_scan_exclusive_add(keep ? 1 : 0);
  if (keep) {
    buffer[p] = x;
    buffer[n + p] = p - x;
  }
})
KERNEL(value_read_late, int, {
  bool f = keeps(x, mode, lid, n);
  int p = work_group_scan_exclusive_add((int)f);
  if (f) buffer[base + p] = (int)in[at] / 3 + mode;
})
KERNEL(rank_used_later, int, {
  int f = keeps(x, mode, lid, n);
  int p = work_group_scan_exclusive_add(f);
  if (f) buffer[base + p] = p * 3;
  sum += (ulong)p * 5 + (ulong)work_group_reduce_max(p);
})
KERNEL(behind_a_count, int, {
  int f = keeps(x, mode, lid, n);
  int total = work_group_reduce_add(f);
  int p = work_group_scan_exclusive_add(f);
  if (total > 2) {
    if (f) buffer[n + p] = x;
    else sum += 17;
  }
})
KERNEL(inclusive_as_is, int, {
  int f = keeps(x, mode, lid, n);
  int p = work_group_scan_inclusive_add(f);
  if (f) buffer[p] = x;
})

/* These must be left as they are. */
KERNEL(other_condition, int, {
  int f = keeps(x, mode, lid, n);
  int p = work_group_scan_exclusive_add(1);
  if (f) buffer[base + p] = x;
})
KERNEL(opposite_condition, int, {
  int f = keeps(x, mode, lid, n);
  int p = (int)lid - work_group_scan_exclusive_add(f);
  if (!f) buffer[base + p] = x;
})
KERNEL(narrower_condition, int, {
  int f = keeps(x, mode, lid, n);
  int p = work_group_scan_exclusive_add(f);
  if (x & 2) {
    sum ^= 5;
    buffer[2 * n - 1 - lid] = 4;
    if (f) buffer[p] = x;
  }
})
KERNEL(sparse, int, {
  int f = keeps(x, mode, lid, n);
  int p = work_group_scan_exclusive_add(f);
  if (f) buffer[2 * p] = x;
})
KERNEL(backwards, int, {
  int f = keeps(x, mode, lid, n);
  int p = work_group_scan_exclusive_add(f);
  if (f) buffer[2 * n - 1 - p] = x;
})
KERNEL(store_between, int, {
  int f = keeps(x, mode, lid, n);
  int p = work_group_scan_exclusive_add(f);
  if (f) {
    buffer[n + lid] = 9;
    buffer[p] = x;
  }
})
KERNEL(load_behind, int, {
  int f = keeps(x, mode, lid, n);
  int p = work_group_scan_exclusive_add(f);
  if (f) {
    buffer[p] = x;
    sum += (ulong)buffer[p];
  }
})
KERNEL(private_place, int, {
  int mine[8] = {0};
  int f = keeps(x, mode, lid, n);
  int p = work_group_scan_exclusive_add(f) & 7;
  if (f) mine[p] = x;
  buffer[lid] = mine[mode];
})
KERNEL(volatile_store, int, {
  int f = keeps(x, mode, lid, n);
  int p = work_group_scan_exclusive_add(f);
  if (f) ((volatile local int *)buffer)[p] = x;
})

/* To global memory, with an index that is only read if something is kept. */
kernel void pack_global(global int *out, global const int *in, global const int *first) {
  size_t at = get_global_id(0), begin = get_group_id(0) * get_local_size(0);
  int x = in[at];
  out[at] = EMPTY;
  barrier(CLK_GLOBAL_MEM_FENCE);
  uint keep = x > 0;
  uint p = work_group_scan_exclusive_add(keep);
  if (keep) out[first[0] + begin + p] = x;
}
#else
#include "run/case.h"

enum { MODES = 8, EMPTY = 77 };

static bool keeps(long x, int mode, size_t lid, size_t n) {
  bool keep[MODES] = {false, true, x & 1, (x & 15) == 3, lid == n - 1, lid != 0,
                      lid < n / 2 && x & 3, lid >= n / 2 && x & 3};
  return keep[mode];
}

/* The buffer before and after a mode; `Base`, P and F are what the kernel calls base, p and f. */
#define REFERENCE(name, T, ...) \
  CASE(name, long, ulong, .small = true, .local_per_item = 2 * sizeof(T), \
       .max_items = sizeof(T) > 4 ? 2048 : 0) { \
    static T buffer[2 * MAX_ITEMS]; \
    static ulong sum[MAX_ITEMS]; \
    size_t n = g->items; \
    memset(sum, 0, sizeof sum); \
    for (int mode = 0; mode < MODES; mode++) { \
      size_t base = (size_t)mode % n, p = 0, total = 0; \
      for (size_t i = 0; i < 2 * n; i++) buffer[i] = (T)EMPTY; \
      EACH(i) total += keeps(in[i], mode, i, n); \
      EACH(i) { \
        long x = in[i]; \
        bool f = keeps(x, mode, i, n); \
        __VA_ARGS__ \
        p += f; \
      } \
      EACH(i) sum[i] = (sum[i] * 31 + (ulong)(long)buffer[2 * i]) * 31 + (ulong)(long)buffer[2 * i + 1]; \
      (void)base, (void)total, (void)p; \
    } \
    EACH(i) out[i] = sum[i]; \
  }

#define TYPED(T) REFERENCE(pack_##T, T, if (f) buffer[base + p] = (T)x;)
TYPED(char) TYPED(uchar) TYPED(short) TYPED(ushort) TYPED(int) TYPED(uint) TYPED(long) TYPED(ulong)
TYPED(half) TYPED(float) TYPED(double)

REFERENCE(inclusive_less_one, int, if (f) buffer[base + p] = (int)x;)
REFERENCE(inclusive_less_flag, short, if (f) buffer[base + p] = (short)x;)
REFERENCE(long_rank, double, if (f) buffer[base + p] = (double)x;)
REFERENCE(long_rank_bytes, uchar, if (f) buffer[base + p] = (uchar)x;)
REFERENCE(low_bit, uint, f = x & 1; if (f) buffer[base + p] = (uint)x;)
REFERENCE(low_bit_clear, uint, f = ~x & 1; if (f) buffer[base + p] = (uint)x;)
REFERENCE(indices, uint, if (f) buffer[base + p] = (uint)i;)
REFERENCE(two_values, long, f = f && x < 1000; if (f) { buffer[p] = x; buffer[n + p] = (long)p - x; })
REFERENCE(value_read_late, int, if (f) buffer[base + p] = (int)x / 3 + mode;)
REFERENCE(rank_used_later, int, {
  if (f) buffer[base + p] = (int)p * 3;
  sum[i] += p * 5 + total - keeps(in[n - 1], mode, n - 1, n);
})
REFERENCE(behind_a_count, int, if (total > 2) { if (f) buffer[n + p] = (int)x; else sum[i] += 17; })
REFERENCE(inclusive_as_is, int, if (f) buffer[p + 1] = (int)x;)
REFERENCE(other_condition, int, if (f) buffer[base + i] = (int)x;)
REFERENCE(opposite_condition, int, if (!f) buffer[base + i - p] = (int)x;)
REFERENCE(narrower_condition, int, if (x & 2) {
  sum[i] ^= 5;
  buffer[2 * n - 1 - i] = 4;
  if (f) buffer[p] = (int)x;
})
REFERENCE(sparse, int, if (f) buffer[2 * p] = (int)x;)
REFERENCE(backwards, int, if (f) buffer[2 * n - 1 - p] = (int)x;)
REFERENCE(store_between, int, if (f) { buffer[n + i] = 9; buffer[p] = (int)x; })
REFERENCE(load_behind, int, if (f) { buffer[p] = (int)x; sum[i] += (ulong)(long)(int)x; })
REFERENCE(private_place, int, buffer[i] = f && (p & 7) == (size_t)mode ? (int)x : 0;)
REFERENCE(volatile_store, int, if (f) buffer[p] = (int)x;)

CASE(pack_global, int, int, .args = 1, .arg = {0}, .args_in_buffer = true, .max_dims = 1,
     .uniform_only = true, .no_offset = true) {
  size_t kept = 0;
  EACH(i) out[i] = EMPTY;
  EACH(i) if (in[i] > 0) out[kept++] = in[i];
}
#endif
