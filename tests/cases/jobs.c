/* Shapes of code that real kernels are made of, and that the compiler treats specially: sums with a
 * stride, compaction, what one work-item does alone, loops that carry values. */
#ifdef __OPENCL_VERSION__
#define SIZE ((int)(get_local_size(0) * get_local_size(1) * get_local_size(2)))
#define ID ((int)get_local_linear_id())

kernel void strided_sum(global int *out, global const int *in, int each) {
  global const int *mine = in + get_group_id(0) * get_enqueued_local_size(0) * each;
  int sum = 0, high = INT_MIN;
  long wide = 1;
  for (int n = 0; n < each; n++) {
    int x = mine[ID + n * SIZE];
    sum += x;
    high = max(high, x ^ n);
    wide = wide * 3 + x;
  }
  int total = work_group_reduce_add(sum);
  out[get_global_linear_id()] = total + high * 3 + (int)(wide >> 5);
}

/* No turn, one and several, each with the reduction of what the loop carries. */
kernel void few_turns(global int *out, global const int *in, int each) {
  global const int *mine = in + get_group_id(0) * get_enqueued_local_size(0) * each;
  int total = 0;
#define SUM(turns) \
  { \
    int sum = 0; \
    for (int n = 0; n < (turns); n++) sum += mine[ID + n * SIZE]; \
    total = total * 3 + work_group_reduce_add(sum); \
  }
#define LEAST(turns) \
  { \
    int low = ID; \
    for (int n = 0; n < (turns); n++) low = min(low, mine[ID + n * SIZE] ^ n); \
    total = total * 3 + work_group_reduce_min(low); \
  }
  SUM(each - 4)
  SUM(each - 3)
  SUM(each)
  LEAST(each - 4)
  LEAST(each - 3)
  LEAST(each)
  out[get_global_linear_id()] = total;
}

/* What each work-item has of its rows, and what all have: a vote and a least one. */
kernel void own_and_all(global int *out, global const int *in, int each) {
  global const int *mine = in + get_group_id(0) * get_enqueued_local_size(0) * each;
  int sum = 3;
  for (int n = 0; n < each; n++) sum -= mine[ID + n * SIZE];
  int low = work_group_reduce_min(sum), any = work_group_any(sum > 0);
  out[get_global_linear_id()] = sum * 5 + low * 3 + any;
}

kernel void loop_over_own(global int *out, global const int *in, int n, local int *cells) {
  size_t at = get_global_linear_id();
  cells[ID] = in[at];
  out[at] = 0;
  for (int i = 0; i < n; i++) {
    cells[ID] = cells[ID] * 3 + i;
    if (cells[ID] & 4) out[at] += cells[ID] >> i;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int other = cells[SIZE - 1 - ID];
  for (int i = 0; i < n; i++) other = (other << 1) ^ (in[at] + i);
  out[at] += other;
}

/* The kept of each group go to the front of its part of `out`, the others to its end. */
kernel void compaction(global int *out, global const int *in) {
  size_t at = get_global_id(0), base = at - get_local_id(0);
  int x = in[at], keep = x > 0;
  int place = work_group_scan_exclusive_add(keep);
  int total = work_group_reduce_add(keep);
  if (keep) out[base + place] = x * 2;
  else out[base + total + (ID - place)] = -x;
}

kernel void compaction_in_local(global int *out, global const int *in, local int *cells) {
  size_t at = get_global_linear_id();
  int x = in[at];
  cells[ID] = -1;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int bit = 0; bit < 3; bit++) {
    int keep = (x >> bit) & 1, place = work_group_scan_exclusive_add(keep);
    if (keep) cells[place] = x + bit;
    barrier(CLK_LOCAL_MEM_FENCE);
    x ^= cells[SIZE - 1 - ID];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[at] = x;
}

/* Like compaction, but the condition, the place or the value differ in something. */
kernel void almost_compaction(global int *out, global const int *in, local int *cells) {
  size_t at = get_global_linear_id();
  int x = in[at];
  cells[ID] = 0, cells[ID + SIZE] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int flag = x & 3, place = work_group_scan_exclusive_add(flag & 1);
  if (flag == 1) cells[place] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  int a = cells[ID];
  barrier(CLK_LOCAL_MEM_FENCE);
  int upto = work_group_scan_inclusive_add(flag & 1);
  if (flag & 1) cells[upto] = x ^ 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  int b = cells[ID];
  barrier(CLK_LOCAL_MEM_FENCE);
  int two = work_group_scan_exclusive_add(flag & 1 ? 2 : 0);
  if (flag & 1) cells[two] = x, cells[two + 1] = ~x;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = a + 3 * b + 5 * cells[ID] + 7 * cells[ID + SIZE];
}

kernel void sort_by_bits(global int *out, global const int *in, local int *cells) {
  size_t at = get_global_linear_id();
  int x = in[at] & 0xff;
  for (int bit = 0; bit < 8; bit++) {
    int one = x >> bit & 1;
    int ones = work_group_scan_exclusive_add(one);
    int zeros = SIZE - work_group_reduce_add(one);
    cells[one ? zeros + ones : ID - ones] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = cells[ID];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[at] = x;
}

kernel void leaders(global int *out, global const int *in, int n, local int *cells) {
  size_t at = get_global_linear_id();
  local int first, last, some;
  int x = in[at], k = n % SIZE;
  cells[ID] = x;
  if (ID == 0) first = x * 3;
  if (ID == SIZE - 1) last = x * 5;
  if (ID == k) some = x * 7;
  barrier(CLK_LOCAL_MEM_FENCE);
  x += first + last + some;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (ID == 0) {
    int sum = 0;
    for (int i = 0; i < SIZE; i++) {
      sum += cells[i];
      cells[i] = sum;
      if (sum == 77) break;
    }
    first = sum;
  } else {
    x ^= 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int y = cells[ID] + first;
  if (ID == k) {
    x = -x;
    y += 100;
  }
  out[at] = x + work_group_scan_inclusive_add(y);
}

kernel void leader_after_collective(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  local int kept[8];
  int sum = 0;
  for (int i = 0; i < 8; i++) {
    int r = work_group_reduce_max(in[at] ^ i);
    if (get_local_id(0) == 0 && get_local_id(1) == 0 && get_local_id(2) == 0) kept[i] = r + n;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 8; i++) sum = sum * 3 + kept[(i + ID) & 7];
  out[at] = sum;
}

/* The operand of the collective behind the leader is cheap to compute, and so nowhere kept. */
kernel void leader_before_collective(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  local int kept;
  int x = (ID ^ n) + 1;
  out[at] = in[at];
  if (ID == 0) kept = n;
  int y = work_group_scan_inclusive_add(x);
  if (ID == 0) kept += n;
  out[at] += y + work_group_reduce_max(x) + work_group_broadcast(x, 0);
}

/* Several work-items have an id with these low bits. */
kernel void narrow_leaders(global int *out, global const int *in) {
  size_t at = get_global_linear_id(), first = get_group_id(0) * get_enqueued_local_size(0);
  global const uchar *low = (global const uchar *)(in + first);
  global const short *middle = (global const short *)(in + first);
  out[at] = in[at];
  if ((uchar)get_local_id(0) == *low) out[at] ^= 5;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[at] *= 3;
  if ((char)get_local_id(0) == *middle >> 9) out[at] += 9;
}

/* Columns by an int id, which is extended again for the address of the sum. */
kernel void int_columns(global int *out, global const int *in, int n) {
  int at = get_global_id(0), local_at = get_local_id(0), items = get_local_size(0), sum = 0;
  global const int *mine = in + (get_global_id(0) - get_local_id(0)) * n;
  for (int k = 0; k < n; k++) sum = sum * 3 + mine[k * items + local_at];
  for (int k = 0; k < n; k++) out[at] = out[at] * (k > 0) + (sum ^ k);
}

kernel void matrix_row(global float *out, global const float *in, int n) {
  size_t at = get_global_linear_id();
  float a = in[at], x = 1, y = 0;
  for (int i = 0; i < n; i++) {
    y = y + a * x;
    x = x > 2 ? x - 2 : x + 1;
  }
  out[at] = y + work_group_reduce_add(x);
}
#else
#include "run/case.h"
#include <stdlib.h>

CASE(strided_sum, int, int, .args = 1, .arg = {4}, .in_per_item = 4, .max_dims = 1) {
  int total = sum_int(in, 4 * g->items);
  EACH(i) {
    int high = INT_MIN;
    ulong wide = 1;
    for (size_t k = 0; k < 4; k++) {
      int x = in[i + k * g->items];
      high = (x ^ (int)k) > high ? x ^ (int)k : high;
      wide = wide * 3 + (ulong)(long)x;
    }
    out[i] = add(add(total, mul(high, 3)), (int)((long)wide >> 5));
  }
}

static int sum_of_turns(const struct group *g, const int *in, size_t turns) {
  int sum = 0;
  for (size_t n = 0; n < turns; n++) EACH(i) sum = add(sum, in[i + n * g->items]);
  return sum;
}

static int least_of_turns(const struct group *g, const int *in, size_t turns) {
  int low = INT_MAX;
  EACH(i) low = (int)i < low ? (int)i : low;
  for (size_t n = 0; n < turns; n++) {
    EACH(i) {
      int x = in[i + n * g->items] ^ (int)n;
      low = x < low ? x : low;
    }
  }
  return low;
}

CASE(few_turns, int, int, .args = 1, .arg = {4}, .in_per_item = 4, .max_dims = 1) {
  static const size_t turns[] = {0, 1, 4};
  int total = 0;
  for (int k = 0; k < 3; k++) total = add(mul(total, 3), sum_of_turns(g, in, turns[k]));
  for (int k = 0; k < 3; k++) total = add(mul(total, 3), least_of_turns(g, in, turns[k]));
  EACH(i) out[i] = total;
}

CASE(own_and_all, int, int, .args = 1, .arg = {4}, .in_per_item = 4, .max_dims = 1) {
  int low = INT_MAX, any = 0;
  EACH(i) {
    int sum = 3;
    for (size_t n = 0; n < 4; n++) sum = sub(sum, in[i + n * g->items]);
    out[i] = sum;
    low = sum < low ? sum : low;
    any |= sum > 0;
  }
  EACH(i) out[i] = add(mul(out[i], 5), add(mul(low, 3), any));
}

CASE(loop_over_own, int, int, .args = 1, .arg = {6}, .local_per_item = 4) {
  int cells[MAX_ITEMS];
  EACH(i) {
    cells[i] = in[i], out[i] = 0;
    for (int k = 0; k < 6; k++) {
      cells[i] = add(mul(cells[i], 3), k);
      if (cells[i] & 4) out[i] = add(out[i], cells[i] >> k);
    }
  }
  EACH(i) {
    uint other = (uint)cells[g->items - 1 - i];
    for (int k = 0; k < 6; k++) other = other << 1 ^ (uint)add(in[i], k);
    out[i] = add(out[i], (int)other);
  }
}

CASE(compaction, int, int, .max_dims = 1, .no_offset = true) {
  size_t front = 0, back = 0;
  EACH(i) back += in[i] > 0;
  EACH(i) {
    if (in[i] > 0) out[front++] = mul(in[i], 2);
    else out[back++] = sub(0, in[i]);
  }
}

CASE(compaction_in_local, int, int, .local_per_item = 4) {
  int x[MAX_ITEMS], cells[MAX_ITEMS];
  EACH(i) x[i] = in[i], cells[i] = -1;
  for (int bit = 0; bit < 3; bit++) {
    int place = 0;
    EACH(i) if (x[i] >> bit & 1) cells[place++] = add(x[i], bit);
    EACH(i) x[i] ^= cells[g->items - 1 - i];
  }
  EACH(i) out[i] = x[i];
}

CASE(almost_compaction, int, int, .local_per_item = 8) {
  static int cells[2 * MAX_ITEMS + 2];
  int a[MAX_ITEMS], b[MAX_ITEMS], place = 0, upto = 0, two = 0;
  memset(cells, 0, sizeof cells);
  EACH(i) {
    if ((in[i] & 3) == 1) cells[place] = in[i];
    place += in[i] & 1;
  }
  EACH(i) a[i] = cells[i];
  EACH(i) if (in[i] & 1) cells[++upto] = in[i] ^ 5;
  EACH(i) b[i] = cells[i];
  EACH(i) if (in[i] & 1) cells[two] = in[i], cells[two + 1] = ~in[i], two += 2;
  EACH(i) {
    out[i] = add(add(a[i], mul(3, b[i])), add(mul(5, cells[i]), mul(7, cells[i + g->items])));
  }
}

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
CASE(sort_by_bits, int, int, .local_per_item = 4) {
  EACH(i) out[i] = in[i] & 0xff;
  qsort(out, g->items, sizeof *out, by_value);
}

CASE(leaders, int, int, .args = 1, .arg = {37}, .local_per_item = 4) {
  size_t n = g->items, k = 37 % n;
  int cells[MAX_ITEMS], sum = 0, upto = 0;
  int all = add(mul(in[0], 3), add(mul(in[n - 1], 5), mul(in[k], 7)));
  EACH(i) cells[i] = in[i];
  EACH(i) {
    cells[i] = sum = add(sum, cells[i]);
    if (sum == 77) break;
  }
  EACH(i) {
    int x = i ? add(in[i], all) ^ 1 : add(in[i], all), y = add(cells[i], sum);
    if (i == k) x = sub(0, x), y = add(y, 100);
    out[i] = add(x, upto = add(upto, y));
  }
}

CASE(leader_after_collective, int, int, .args = 1, .arg = {3}) {
  int kept[8];
  for (int k = 0; k < 8; k++) {
    kept[k] = INT_MIN;
    EACH(i) kept[k] = (in[i] ^ k) > kept[k] ? in[i] ^ k : kept[k];
  }
  EACH(i) {
    int sum = 0;
    for (size_t k = 0; k < 8; k++) sum = add(mul(sum, 3), add(kept[(k + i) & 7], 3));
    out[i] = sum;
  }
}

CASE(leader_before_collective, int, int, .args = 1, .arg = {37}) {
  int sum = 0, high = 0;
  EACH(i) high = ((int)i ^ 37) > high ? (int)i ^ 37 : high;
  EACH(i) {
    sum = add(sum, ((int)i ^ 37) + 1);
    out[i] = add(in[i], sum + high + 1 + 38);
  }
}

CASE(narrow_leaders, int, int, .max_dims = 1) {
  EACH(i) {
    int x = (uchar)i == (uchar)in[0] ? in[i] ^ 5 : in[i];
    out[i] = mul(x, 3);
    if ((signed char)i == (short)in[0] >> 9) out[i] = add(out[i], 9);
  }
}

CASE(int_columns, int, int, .args = 1, .arg = {4}, .in_per_item = 4, .max_dims = 1, .no_offset = true, .uniform_only = true) {
  EACH(i) {
    int sum = 0, all = 0;
    for (size_t k = 0; k < 4; k++) sum = add(mul(sum, 3), in[k * g->items + i]);
    for (int k = 0; k < 4; k++) all = add(all, sum ^ k);
    out[i] = all;
  }
}

CASE(matrix_row, float, float, .args = 1, .arg = {10}, .small = true) {
  EACH(i) {
    float x = 1, y = 0;
    for (int k = 0; k < 10; k++) {
      y += in[i] * x;
      x = x > 2 ? x - 2 : x + 1;
    }
    out[i] = y + x * (float)g->items;
  }
}
#endif
