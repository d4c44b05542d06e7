/* Atomics between barriers, on local and global memory. */
#ifdef __OPENCL_VERSION__
#define SIZE (get_local_size(0) * get_local_size(1) * get_local_size(2))
kernel void histogram(global int *out, global const int *in) {
  local uint bins[16];
  size_t at = get_global_linear_id(), id = get_local_linear_id();
  for (size_t i = id; i < 16; i += SIZE) bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[in[at] & 15]);
  if (in[at] & 16) atomic_add(&bins[(in[at] >> 5) & 15], 3u);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = bins[id & 15] + 1000 * bins[(id + 1) & 15];
}

kernel void tickets(global int *out, global const int *in) {
  local int next, low, high;
  local atomic_int total;
  size_t at = get_global_linear_id(), id = get_local_linear_id();
  if (id == 0) {
    next = 0, low = INT_MAX, high = INT_MIN;
    atomic_init(&total, 5);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int mine = atomic_inc(&next);
  atomic_min(&low, in[at]);
  atomic_max(&high, in[at]);
  atomic_fetch_add_explicit(&total, in[at], memory_order_relaxed, memory_scope_work_group);
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = work_group_reduce_add(mine); /* 0 to n - 1, each once */
  int all = atomic_load_explicit(&total, memory_order_relaxed, memory_scope_work_group);
  out[at] = sum + low * 3 + high * 5 + all * 7 + next;
}

kernel void compare_and_swap(global int *out, global const int *in) {
  local int longest;
  size_t at = get_global_linear_id(), id = get_local_linear_id();
  if (id == 0) longest = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int mine = in[at] & 0xffff, seen = *(volatile local int *)&longest;
  while (seen < mine) {
    int was = atomic_cmpxchg(&longest, seen, mine);
    if (was == seen) break;
    seen = was;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = longest;
}

kernel void on_global(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  size_t first = work_group_broadcast((ulong)at, 0, 0, 0);
  out[at] = 0;
  barrier(CLK_GLOBAL_MEM_FENCE);
  atomic_add(&out[first], in[at]);
  atomic_xor(&out[at], (int)(at != first));
  barrier(CLK_GLOBAL_MEM_FENCE);
  int x = out[first];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[at] = x;
}

/* Each work-item gets places of its own, and finds what others left. */
kernel void reserved(global int *out, global const int *in, local int *marks) {
  local int next, left, bits, low;
  size_t at = get_global_linear_id(), id = get_local_linear_id();
  if (id == 0) next = 0, left = 4 * SIZE, bits = 0, low = INT_MAX;
  for (int k = 0; k < 4; k++) marks[4 * id + k] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int size = in[at] & 3, mine = atomic_add(&next, size), wrong = 0;
  for (int k = 0; k < size; k++) atomic_inc(&marks[mine + k]);
  if (in[at] & 4) {
    int end = atomic_sub(&left, size);
    for (int k = 0; k < size; k++) atomic_add(&marks[end - 1 - k], 16);
  }
  int seen = atomic_or(&bits, in[at]), least = atomic_min(&low, in[at]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 4; k++) {
    int place = 4 * id + k;
    wrong += (marks[place] & 15) != (place < next);
    wrong += marks[place] >> 4 != (place >= left);
  }
  wrong += seen & ~bits ? 1 : 0;
  wrong += least < low;
  int first = work_group_any(seen == 0) & work_group_any(least == INT_MAX);
  out[at] = wrong + first * 2 + (next + left) * 4 + bits * 5 + low * 7;
}

/* Mostly they change nothing. */
kernel void extremes_on_global(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  size_t first = work_group_broadcast((ulong)at, 0, 0, 0);
  global uint *most = (global uint *)out;
  out[at] = INT_MAX;
  barrier(CLK_GLOBAL_MEM_FENCE);
  int old = atomic_min(&out[first], in[at]);
  barrier(CLK_GLOBAL_MEM_FENCE);
  int low = out[first], wrong = work_group_any(old < low || low > in[at]);
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[at] = 7;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (in[at] & 3) atomic_max(&most[first], (uint)in[at]);
  barrier(CLK_GLOBAL_MEM_FENCE);
  uint high = most[first];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[at] = low * 3 + (int)high + wrong;
}
/* cl_ext_float_atomics, of numbers whose sums are exact; the old value is used of one of them. What
 * is no number is neither a minimum nor a maximum. */
#define FLOATS(NAME, T)                                                                            \
  kernel void NAME(global T *out, global const int *in) {                                          \
    local atomic_##T sum, low, high, left;                                                         \
    size_t at = get_global_linear_id(), id = get_local_linear_id();                                \
    size_t first = work_group_broadcast((ulong)at, 0, 0, 0);                                       \
    volatile global atomic_##T *far = (volatile global atomic_##T *)&out[first];                   \
    T x = in[at] & 255, y = in[at] & 512 ? NAN : x;                                                \
    if (id == 0) {                                                                                 \
      atomic_init(&sum, 0), atomic_init(&left, 0);                                                 \
      atomic_init(&low, 300), atomic_init(&high, NAN);                                             \
      atomic_fetch_max(&high, -1);                                                                 \
      atomic_init(far, 5);                                                                         \
    }                                                                                              \
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                           \
    T old = atomic_fetch_add_explicit(&sum, x, memory_order_relaxed, memory_scope_work_group);     \
    if (in[at] & 256) atomic_fetch_sub(&left, x / 2);                                              \
    atomic_fetch_min_explicit(&low, y, memory_order_relaxed);                                      \
    atomic_fetch_max(&high, y);                                                                    \
    atomic_fetch_add_explicit(far, x, memory_order_relaxed, memory_scope_device);                  \
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                           \
    T all = atomic_load(far), odd = work_group_any(old < 0 || old + x > atomic_load(&sum));        \
    barrier(CLK_GLOBAL_MEM_FENCE);                                                                 \
    out[at] = atomic_load(&sum) + 2 * atomic_load(&left) + 3 * atomic_load(&low) +                 \
              5 * atomic_load(&high) + 7 * all + odd;                                              \
  }
#ifdef cl_ext_float_atomics
FLOATS(floats, float)
FLOATS(doubles, double)
#endif

/* The last one to arrive sums up what all have written: release and acquire of different scopes
 * meet, as long as both reach over the group (OpenCL 3.1). */
#define MEMORY CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE
#define PAIR(producer, consumer)                                                                   \
  {                                                                                                \
    if (id == 0) atomic_init(&arrived, 0);                                                         \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    cells[id] = in[at] + turn;                                                                     \
    atomic_work_item_fence(MEMORY, memory_order_release, producer);                                \
    atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed, producer);                        \
    int all = SIZE;                                                                                \
    if (atomic_compare_exchange_strong_explicit(&arrived, &all, 0, memory_order_relaxed,           \
                                                memory_order_relaxed, consumer)) {                 \
      atomic_work_item_fence(MEMORY, memory_order_acquire, consumer);                              \
      for (int i = 0; i < (int)SIZE; i++) total += cells[i];                                       \
    }                                                                                              \
    turn++;                                                                                        \
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                           \
  }
#define PAIRS(producer)                                                                            \
  PAIR(producer, memory_scope_work_group)                                                          \
  PAIR(producer, memory_scope_device) PAIR(producer, memory_scope_all_svm_devices)
kernel void unlike_scopes(global int *out, global const int *in, local int *cells) {
  local atomic_int arrived;
  local int total;
  size_t at = get_global_linear_id(), id = get_local_linear_id();
  int turn = 0;
  if (id == 0) total = 0;
  PAIRS(memory_scope_work_group)
  PAIRS(memory_scope_device)
  PAIRS(memory_scope_all_svm_devices)
  out[at] = total;
}
#else
#include "run/case.h"

CASE(histogram, int, int) {
  int bins[16] = {0};
  EACH(i) {
    bins[in[i] & 15]++;
    if (in[i] & 16) bins[in[i] >> 5 & 15] += 3;
  }
  EACH(i) out[i] = bins[i & 15] + 1000 * bins[(i + 1) & 15];
}
CASE(tickets, int, int) {
  int n = (int)g->items, low = min_int(in, g->items), high = max_int(in, g->items);
  int total = add(5, sum_int(in, g->items)), v = n * (n - 1) / 2;
  EACH(i) out[i] = add(add(v, mul(low, 3)), add(add(mul(high, 5), mul(total, 7)), n));
}
CASE(compare_and_swap, int, int) {
  int high = 0;
  EACH(i) high = (in[i] & 0xffff) > high ? in[i] & 0xffff : high;
  EACH(i) out[i] = high;
}
CASE(on_global, int, int) {
  EACH(i) out[i] = sum_int(in, g->items);
}
CASE(extremes_on_global, int, int) {
  int low = min_int(in, g->items);
  uint high = 7;
  EACH(i) if ((in[i] & 3) && (uint)in[i] > high) high = (uint)in[i];
  EACH(i) out[i] = add(mul(low, 3), (int)high);
}
#define FLOATS(NAME, T)                                                                            \
  CASE(NAME, int, T, .extension = "cl_ext_float_atomics") {                                        \
    T sum = 0, left = 0, low = 300, high = -1;                                                     \
    EACH(i) {                                                                                      \
      T x = (T)(in[i] & 255);                                                                      \
      sum += x;                                                                                    \
      if (in[i] & 256) left -= x / 2;                                                              \
      if (in[i] & 512) continue;                                                                   \
      low = x < low ? x : low;                                                                     \
      high = x > high ? x : high;                                                                  \
    }                                                                                              \
    EACH(i) out[i] = sum + 2 * left + 3 * low + 5 * high + 7 * (sum + 5);                          \
  }
FLOATS(floats, float)
FLOATS(doubles, double)
CASE(unlike_scopes, int, int, .local_per_item = 4) {
  int n = (int)g->items, sum = mul(9, sum_int(in, g->items));
  EACH(i) out[i] = add(sum, mul(n, 36));
}
CASE(reserved, int, int, .local_per_item = 16, .max_items = 1024) {
  int next = 0, left = 4 * (int)g->items, bits = 0;
  EACH(i) {
    next += in[i] & 3;
    if (in[i] & 4) left -= in[i] & 3;
    bits |= in[i];
  }
  int all = add(mul(bits, 5), mul(min_int(in, g->items), 7));
  EACH(i) out[i] = add(add(2, (next + left) * 4), all);
}
#endif
