/* Loops that go over an array in steps of the group's size: work-items run them nearly equally
 * often.  Any length, any type of counter, values that live on, and numbers that wrap. */
#ifdef __OPENCL_VERSION__
#define TIMES 6
/* Elements left out of 4 for each work-item. */
#define LEFT_OUT(t, size) \
  (t == 0 ? 0 : t == 1 ? 1 : t == 2 ? size / 2 + 1 : t == 3 ? 3 * size : t == 4 ? 4 * size - 1 : 4 * size)

#define STEPS(name, T, ...) \
  kernel void name(global int *out, global const int *in, int from) { \
    global const int *mine = in + get_group_id(0) * get_enqueued_local_size(0) * 4; \
    uint size = get_local_size(0), l = get_local_id(0), sum = 0; \
    for (int t = 0; t < TIMES; t++) { \
      T n = (T)(4 * size - LEFT_OUT(t, size)), last = (T)77; \
      __VA_ARGS__ \
      sum = sum * 5 + (uint)last + work_group_reduce_add(sum ^ (uint)t); \
    } \
    out[get_global_linear_id()] = (int)sum; \
  }
STEPS(steps_uint, uint, for (uint i = l; i < n; i += size) sum = sum * 3 + mine[i], last = i;)
STEPS(steps_int, int, for (int i = l; i < n; i += (int)size) sum = sum * 3 + mine[i], last = i;)
STEPS(steps_size_t, size_t, for (size_t i = l; i < n; i += get_local_size(0)) sum = sum * 3 + mine[i], last = i;)
STEPS(steps_upto, int, for (int i = (int)get_local_id(0); i <= n - 1; i += (int)get_local_size(0)) sum = sum * 3 + mine[i], last = i;)
STEPS(steps_from, int, for (int i = l + from; i < n; i += (int)size) sum = sum * 3 + mine[i], last = i;)
STEPS(steps_wide, ulong, for (ulong i = l; i < n; i += size * 2ul) sum = sum * 3 + mine[i], last = i;)
STEPS(steps_counter, int, int i = l; for (; i < n; i += (int)size) sum += mine[i]; last = i;)

/* Stores, to where another work-item reads. */
kernel void steps_stored(global int *out, global const int *in, int from, local int *cells) {
  uint size = get_local_size(0), l = get_local_id(0), n = size * 3 - size / 3;
  for (uint i = l; i < n; i += size) cells[i] = in[get_global_linear_id()] + (int)i;
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (uint i = l; i < n; i += size) sum += cells[n - 1 - i] * (int)(i + 1);
  out[get_global_linear_id()] = sum;
}

/* Counters that wrap, or look negative: the loop is over at once, or goes on. */
kernel void steps_wrapping(global int *out, global const int *in, int from) {
  uint l = get_local_id(0), sum = 0, big = 0x30000000u;
  global const int *mine = in + get_group_id(0) * get_enqueued_local_size(0);
  for (uint i = l + (uint)from - 8u; i < 5u; i += 3u) sum = sum * 3 + (uint)mine[l] + i;
  for (uint i = l; i < 0xc0000000u; i += big) sum = sum * 3 + (uint)mine[l] + i;
  for (int i = (int)l - from; i < -1; i += 2) sum = sum * 3 + (uint)mine[l] + (uint)i;
  for (int i = (int)l; i < -from; i += 2) sum = sum * 3 + (uint)mine[l];
  out[get_global_linear_id()] = (int)sum;
}

/* The sum of a counter and a size_t is cut off, and wraps near the end of the type; which other
 * loops do not come to. */
#define HIGH(i) ((uint)(((ulong)(long)(i) * 11) >> 3))
#define OVER(T, begin, asks) \
  for (T i = (T)(begin), k = 0; asks; i += get_local_size(0)) { \
    sum = sum * 3 + (uint)mine[l] + HIGH(i); \
    if (++k == 3 + from) break; \
  }
kernel void steps_over(global int *out, global const int *in, int from) {
  uint l = get_local_id(0), size = get_local_size(0), sum = 0, high = 0xffffffffu - (uint)from;
  global const int *mine = in + get_group_id(0) * get_enqueued_local_size(0);
  ulong huge = ~0ul - (ulong)from;
  int most = 0x7fffffff - from;
  OVER(uint, 0xffffffffu - 3 * size + l, i < huge)
  OVER(int, 0x7fffffffu - 3 * size + l, i < most)
  OVER(int, 0x7fffffffu - 3 * size + l, i <= most)
  OVER(uint, 0xffffffffu - 3 * size + l, i < high)
  OVER(uint, l * 0x10000000u, i < high)
  OVER(int, l - 5u, i < (int)(2 * size))
  OVER(int, l, i < most)
  OVER(int, 7 * l, i < (int)(20 * size))
  OVER(short, l, i < (short)(4 * size))
  out[get_global_linear_id()] = (int)sum;
}
#else
#include "run/case.h"

#define TIMES 6
static uint left_out(int t, uint size) {
  const uint out[TIMES] = {0, 1, size / 2 + 1, 3 * size, 4 * size - 1, 4 * size};
  return out[t];
}

/* begin, step and whether `last` is the counter behind the loop */
static void run_steps(const struct group *g, const int *in, int *out, long begin, long step,
                      bool behind) {
  uint sum[MAX_ITEMS] = {0};
  for (int t = 0; t < TIMES; t++) {
    long n = (long)(4 * g->items) - (long)left_out(t, (uint)g->items), last[MAX_ITEMS];
    uint total = 0;
    EACH(l) {
      long i = (long)l + begin;
      last[l] = 77;
      for (; i < n; i += step) {
        sum[l] = behind ? sum[l] + (uint)in[i] : sum[l] * 3 + (uint)in[i];
        last[l] = i;
      }
      if (behind) last[l] = i;
      total += sum[l] ^ (uint)t;
    }
    EACH(l) sum[l] = sum[l] * 5 + (uint)last[l] + total;
  }
  EACH(l) out[l] = (int)sum[l];
}

#define STEPS(name, begin, step, behind)                                                           \
  CASE(name, int, int, .args = 1, .arg = {3}, .in_per_item = 4, .max_dims = 1) {                   \
    run_steps(g, in, out, begin, step, behind);                                                    \
  }
STEPS(steps_uint, 0, (long)g->items, false)
STEPS(steps_int, 0, (long)g->items, false)
STEPS(steps_size_t, 0, (long)g->items, false)
STEPS(steps_upto, 0, (long)g->items, false)
STEPS(steps_from, 3, (long)g->items, false)
STEPS(steps_wide, 0, 2 * (long)g->items, false)
STEPS(steps_counter, 0, (long)g->items, true)

CASE(steps_stored, int, int, .args = 1, .arg = {3}, .local_per_item = 12, .max_dims = 1) {
  size_t size = g->items, n = size * 3 - size / 3;
  EACH(l) {
    int sum = 0;
    for (size_t i = l; i < n; i += size) {
      size_t at = n - 1 - i;
      sum = add(sum, mul(add(in[at % size], (int)at), (int)(i + 1)));
    }
    out[l] = sum;
  }
}

CASE(steps_wrapping, int, int, .args = 1, .arg = {3}, .max_dims = 1) {
  EACH(l) {
    uint sum = 0, x = (uint)in[l];
    for (uint i = (uint)l + 3u - 8u; i < 5u; i += 3u) sum = sum * 3 + x + i;
    for (uint i = (uint)l; i < 0xc0000000u; i += 0x30000000u) sum = sum * 3 + x + i;
    for (int i = (int)l - 3; i < -1; i += 2) sum = sum * 3 + x + (uint)i;
    for (int i = (int)l; i < -3; i += 2) sum = sum * 3 + x;
    out[l] = (int)sum;
  }
}

#define HIGH(i) ((uint)(((ulong)(long)(i) * 11) >> 3))
#define OVER(T, begin, asks)                                                                       \
  for (T i = (T)(begin), k = 0; asks; i = (T)((ulong)i + size)) {                                   \
    sum = sum * 3 + (uint)in[l] + HIGH(i);                                                         \
    if (++k == 6) break;                                                                           \
  }
CASE(steps_over, int, int, .args = 1, .arg = {3}, .max_dims = 1) {
  EACH(l) {
    uint sum = 0, size = (uint)g->items, own = (uint)l, high = 0xffffffffu - 3u;
    ulong huge = ~0ul - 3;
    int most = 0x7fffffff - 3;
    OVER(uint, 0xffffffffu - 3 * size + own, i < huge)
    OVER(int, 0x7fffffffu - 3 * size + own, i < most)
    OVER(int, 0x7fffffffu - 3 * size + own, i <= most)
    OVER(uint, 0xffffffffu - 3 * size + own, i < high)
    OVER(uint, own * 0x10000000u, i < high)
    OVER(int, own - 5u, i < (int)(2 * size))
    OVER(int, own, i < most)
    OVER(int, 7 * own, i < (int)(20 * size))
    OVER(short, own, i < (short)(4 * size))
    out[l] = (int)sum;
  }
}
#endif
