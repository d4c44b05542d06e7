/* Values that loops with sync points carry round: where the next one may take the place of the last,
 * and where it must not; broadcasts of what is computed from them; votes on conditions. */
#ifdef __OPENCL_VERSION__
#define EACH_TURN for (int i = 0; i < n; i++)

kernel void scan_of_itself(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at];
  EACH_TURN x = work_group_scan_exclusive_add((x ^ (int)get_local_linear_id()) + i);
  out[at] = x;
}

kernel void last_is_wanted(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], sum = 0;
  EACH_TURN {
    int next = work_group_scan_inclusive_add(x & 0xff);
    sum = sum * 3 + (x ^ next);
    x = next;
  }
  out[at] = sum + x;
}

kernel void two_of_one(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int a = in[at], b = ~a;
  EACH_TURN {
    int next = work_group_scan_inclusive_max(a * 3 + (b & 15));
    a = next;
    b = next;
    if (i & 1) b = b * 5 + i;
  }
  out[at] = a * 7 + b;
}

kernel void one_for_both(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int a = in[at], b = ~a;
  EACH_TURN a = b = work_group_scan_inclusive_add(a * 3 + (b & 15));
  out[at] = a;
}

kernel void first_is_wanted(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int r = work_group_scan_inclusive_add(in[at]), x = r;
  EACH_TURN {
    x = x * 3 + r;
    barrier(CLK_LOCAL_MEM_FENCE);
    x ^= i;
  }
  out[at] = x;
}

kernel void swapped(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int a = in[at], b = a * 11 + 1;
  EACH_TURN {
    int sum = a + b * i;
    barrier(CLK_LOCAL_MEM_FENCE);
    b = a;
    a = sum;
  }
  out[at] = a * 3 + b;
}

kernel void some_turns(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], y = 0;
  EACH_TURN {
    if (i % 3 == 2) {
      x = x * 3 + 1;
      continue;
    }
    if (i == n - 2) {
      y = x;
      barrier(CLK_LOCAL_MEM_FENCE);
      x ^= y >> 1;
      continue;
    }
    x = work_group_scan_exclusive_add(x ^ i);
  }
  out[at] = x + y * 5;
}

kernel void sums_of_tiles(global float *out, global const float *in, int n, local float *tile) {
  size_t at = get_global_linear_id(), lid = get_local_linear_id();
  size_t items = get_local_size(0) * get_local_size(1) * get_local_size(2);
  float sum = in[at], most = 0;
  EACH_TURN {
    tile[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += tile[(lid + i) % items] * 0.5f;
    most = fmax(most, sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[at] = sum + most;
}

kernel void broadcast_of_carried(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id(), lid = get_local_linear_id();
  size_t sx = get_local_size(0), sy = get_local_size(1), sz = get_local_size(2);
  int x = in[at], kept = 0;
  EACH_TURN {
    int y = work_group_broadcast((x ^ (int)lid * 3) + i, i % sx, (i * 5) % sy, (i + 1) % sz);
    kept = kept * 3 + x;
    x = y;
  }
  out[at] = x + kept;
}

kernel void broadcast_of_ids(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  size_t sx = get_local_size(0), sy = get_local_size(1), sz = get_local_size(2);
  int x = 0;
  EACH_TURN {
    int id = get_local_id(0) + get_local_id(1) * 100 + get_local_id(2) * 10000;
    x = x * 7 + work_group_broadcast(id * i, (i * 7) % sx, (i * 3) % sy, i % sz);
  }
  out[at] = x ^ in[at];
}

kernel void broadcast_of_scan(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  size_t sx = get_local_size(0), sy = get_local_size(1), sz = get_local_size(2);
  int x = in[at];
  EACH_TURN {
    int s = work_group_scan_inclusive_add(x);
    int last = work_group_broadcast(s * 2 + i, sx - 1, sy - 1, sz - 1);
    x = s ^ last;
  }
  out[at] = x;
}

kernel void broadcast_of_float(global float *out, global const float *in, int n) {
  size_t at = get_global_linear_id();
  size_t sx = get_local_size(0), sy = get_local_size(1), sz = get_local_size(2);
  float x = in[at];
  EACH_TURN {
    float y = work_group_broadcast(x > 2 ? x * 0.5f - i : (float)(int)(x + i), i % sx, 0, sz - 1);
    x = x + y;
  }
  out[at] = x;
}

kernel void votes(global int *out, global const long *in, int n) {
  size_t at = get_global_linear_id();
  long x = in[at];
  int found = 0;
  EACH_TURN {
    found = found * 2 + work_group_any(x % 100 == i);
    found = found * 2 + work_group_all(x > LONG_MIN / 2 * (i & 1));
    found = found * 2 + work_group_any((char)x == i && (x & 0x100) || (short)x == -i);
    found = found * 2 + work_group_all((float)x != (float)i && get_local_linear_id() < 1000);
    x ^= (long)found << 40;
  }
  out[at] = found;
}
/* Uniform from the second iteration on. */
kernel void sum_of_sums(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at];
  EACH_TURN x = work_group_reduce_add((x ^ (int)get_local_linear_id()) * 3 + i);
  out[at] = x;
}

kernel void no_turn(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], y = in[at];
  for (int i = 5; i < n; i++) x = work_group_reduce_max(x ^ (int)get_local_linear_id());
  for (int i = 4; i < n; i++) y = work_group_reduce_max(y ^ (int)get_local_linear_id());
  out[at] = x ^ y * 7;
}

kernel void of_two_turns_before(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], last = ~x;
  EACH_TURN {
    int sum = work_group_reduce_add((last ^ (int)get_local_linear_id()) + i);
    last = x;
    x = sum;
  }
  out[at] = x * 5 + last;
}

kernel void until_found(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], i = 0;
  while (!work_group_any(((x + (int)get_local_linear_id()) & 63) == 7 || i == n)) {
    x = work_group_reduce_max((x ^ i) & 0xffff);
    i++;
  }
  out[at] = x + i;
}

kernel void in_one_of_two(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at];
  for (int k = 0; k < 2; k++) {
    EACH_TURN {
      if (i == 1) continue;
      if (x & 1) out[at] = x;
      x = work_group_reduce_min(x + (int)get_local_linear_id()) + k;
    }
    x += (int)get_local_linear_id();
  }
  out[at] = x;
}

kernel void broadcast_of_broadcast(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id(), lid = get_local_linear_id();
  size_t sx = get_local_size(0), sy = get_local_size(1), sz = get_local_size(2);
  int x = in[at];
  EACH_TURN
    x = work_group_broadcast((x ^ (int)lid * 3) + i, (i + 1) % sx, i * 3 % sy, (i + 1) % sz);
  out[at] = x;
}

kernel void sum_of_float_sums(global float *out, global const float *in, int n) {
  size_t at = get_global_linear_id();
  float x = in[at];
  EACH_TURN x = work_group_reduce_add((float)((int)x + (int)get_local_linear_id() & 15));
  out[at] = x;
}

kernel void of_other_operations(global long *out, global const long *in, int n) {
  size_t at = get_global_linear_id();
  long id = get_local_linear_id(), x = in[at];
  uint y = (uint)x;
  EACH_TURN {
    x = work_group_reduce_max((x ^ id) - i) & 0xffffffffff;
    y = work_group_reduce_min((y ^ (uint)id * 77) - (uint)i) + 5;
  }
  out[at] = x ^ y;
}

kernel void of_bits(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int id = get_local_linear_id(), x = in[at];
  EACH_TURN x = (work_group_reduce_xor(x * 3 + id) ^ i) + 1;
  for (int i = 0; i < n; i++) x = 7 - work_group_reduce_and(x | id | 0x55 << i);
  out[at] = x;
}

kernel void stepping(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], y = 0;
  for (int i = 0; i < n; i += 2) {
    y += x;
    x = work_group_all(x != i) ? i : work_group_reduce_add(x);
  }
  out[at] = x + y;
}
#else
#include "run/case.h"

CASE(scan_of_itself, int, int, .args = 1, .arg = {5}) {
  EACH(i) out[i] = in[i];
  for (int k = 0; k < 5; k++) {
    int sum = 0;
    EACH(i) {
      int x = add(out[i] ^ (int)i, k);
      out[i] = sum;
      sum = add(sum, x);
    }
  }
}

CASE(last_is_wanted, int, int, .args = 1, .arg = {4}) {
  int x[MAX_ITEMS];
  EACH(i) x[i] = in[i], out[i] = 0;
  for (int k = 0; k < 4; k++) {
    int sum = 0;
    EACH(i) {
      sum = add(sum, x[i] & 0xff);
      out[i] = add(mul(out[i], 3), x[i] ^ sum);
      x[i] = sum;
    }
  }
  EACH(i) out[i] = add(out[i], x[i]);
}

CASE(two_of_one, int, int, .args = 1, .arg = {5}) {
  int a[MAX_ITEMS], b[MAX_ITEMS];
  EACH(i) a[i] = in[i], b[i] = ~in[i];
  for (int k = 0; k < 5; k++) {
    int most = INT_MIN;
    EACH(i) {
      int x = add(mul(a[i], 3), b[i] & 15);
      most = x > most ? x : most;
      a[i] = most;
      b[i] = k & 1 ? add(mul(most, 5), k) : most;
    }
  }
  EACH(i) out[i] = add(mul(a[i], 7), b[i]);
}

CASE(one_for_both, int, int, .args = 1, .arg = {4}) {
  int a[MAX_ITEMS], b[MAX_ITEMS];
  EACH(i) a[i] = in[i], b[i] = ~in[i];
  for (int k = 0; k < 4; k++) {
    int sum = 0;
    EACH(i) a[i] = b[i] = sum = add(sum, add(mul(a[i], 3), b[i] & 15));
  }
  EACH(i) out[i] = a[i];
}

CASE(first_is_wanted, int, int, .args = 1, .arg = {4}) {
  int r = 0;
  EACH(i) {
    r = add(r, in[i]);
    out[i] = r;
    for (int k = 0; k < 4; k++) out[i] = add(mul(out[i], 3), r) ^ k;
  }
}

CASE(swapped, int, int, .args = 1, .arg = {6}) {
  EACH(i) {
    int a = in[i], b = add(mul(a, 11), 1);
    for (int k = 0; k < 6; k++) {
      int sum = add(a, mul(b, k));
      b = a;
      a = sum;
    }
    out[i] = add(mul(a, 3), b);
  }
}

CASE(some_turns, int, int, .args = 1, .arg = {7}) {
  int y[MAX_ITEMS];
  EACH(i) out[i] = in[i], y[i] = 0;
  for (int k = 0; k < 7; k++) {
    int sum = 0;
    EACH(i) {
      int x = out[i];
      if (k % 3 == 2) {
        out[i] = add(mul(x, 3), 1);
      } else if (k == 5) {
        y[i] = x;
        out[i] = x ^ x >> 1;
      } else {
        out[i] = sum;
        sum = add(sum, x ^ k);
      }
    }
  }
  EACH(i) out[i] = add(out[i], mul(y[i], 5));
}

CASE(sums_of_tiles, float, float, .args = 1, .arg = {4}, .local_per_item = sizeof(float),
     .small = true) {
  float last[MAX_ITEMS], most[MAX_ITEMS];
  EACH(i) out[i] = in[i], most[i] = 0;
  for (size_t k = 0; k < 4; k++) {
    EACH(i) last[i] = out[i];
    EACH(i) {
      out[i] += last[(i + k) % g->items] * 0.5f;
      most[i] = out[i] > most[i] ? out[i] : most[i];
    }
  }
  EACH(i) out[i] += most[i];
}

static size_t at_id(const struct group *g, size_t x, size_t y, size_t z) {
  return (z * g->size[1] + y) * g->size[0] + x;
}

CASE(broadcast_of_carried, int, int, .args = 1, .arg = {5}) {
  int kept[MAX_ITEMS];
  EACH(i) out[i] = in[i], kept[i] = 0;
  for (size_t k = 0; k < 5; k++) {
    size_t id = at_id(g, k % g->size[0], k * 5 % g->size[1], (k + 1) % g->size[2]);
    int y = add(out[id] ^ (int)id * 3, (int)k);
    EACH(i) {
      kept[i] = add(mul(kept[i], 3), out[i]);
      out[i] = y;
    }
  }
  EACH(i) out[i] = add(out[i], kept[i]);
}

CASE(broadcast_of_ids, int, int, .args = 1, .arg = {6}) {
  int x = 0;
  for (size_t k = 0; k < 6; k++) {
    size_t id = k * 7 % g->size[0] + k * 3 % g->size[1] * 100 + k % g->size[2] * 10000;
    x = add(mul(x, 7), (int)(id * k));
  }
  EACH(i) out[i] = x ^ in[i];
}

CASE(broadcast_of_scan, int, int, .args = 1, .arg = {4}) {
  EACH(i) out[i] = in[i];
  for (int k = 0; k < 4; k++) {
    int sum = 0;
    EACH(i) out[i] = sum = add(sum, out[i]);
    EACH(i) out[i] ^= add(mul(sum, 2), k);
  }
}

CASE(broadcast_of_float, float, float, .args = 1, .arg = {5}, .small = true) {
  EACH(i) out[i] = in[i];
  for (size_t k = 0; k < 5; k++) {
    float x = out[at_id(g, k % g->size[0], 0, g->size[2] - 1)];
    x = x > 2 ? x * 0.5f - (float)k : (float)(int)(x + (float)k);
    EACH(i) out[i] += x;
  }
}

CASE(votes, long, int, .args = 1, .arg = {7}) {
  long x[MAX_ITEMS];
  int found = 0;
  EACH(i) x[i] = in[i];
  for (int k = 0; k < 7; k++) {
    int any = 0, all = 1, either = 0, each = 1;
    EACH(i) any |= x[i] % 100 == k, all &= x[i] > LONG_MIN / 2 * (k & 1);
    EACH(i) either |= ((char)x[i] == k && x[i] & 0x100) || (short)x[i] == -k;
    EACH(i) each &= (float)x[i] != (float)k && i < 1000;
    found = add(mul(found, 2), any);
    found = add(mul(found, 2), all);
    found = add(mul(found, 2), either);
    found = add(mul(found, 2), each);
    EACH(i) x[i] ^= (long)((ulong)found << 40);
  }
  EACH(i) out[i] = found;
}

CASE(sum_of_sums, int, int, .args = 1, .arg = {5}) {
  EACH(i) out[i] = in[i];
  for (int k = 0; k < 5; k++) {
    int sum = 0;
    EACH(i) sum = add(sum, add(mul(out[i] ^ (int)i, 3), k));
    EACH(i) out[i] = sum;
  }
}

CASE(no_turn, int, int, .args = 1, .arg = {5}) {
  int most = INT_MIN;
  EACH(i) most = (in[i] ^ (int)i) > most ? in[i] ^ (int)i : most;
  EACH(i) out[i] = in[i] ^ mul(most, 7);
}

CASE(of_two_turns_before, int, int, .args = 1, .arg = {6}) {
  int x[MAX_ITEMS], last[MAX_ITEMS];
  EACH(i) x[i] = in[i], last[i] = ~in[i];
  for (int k = 0; k < 6; k++) {
    int sum = 0;
    EACH(i) sum = add(sum, add(last[i] ^ (int)i, k));
    EACH(i) last[i] = x[i], x[i] = sum;
  }
  EACH(i) out[i] = add(mul(x[i], 5), last[i]);
}

CASE(until_found, int, int, .args = 1, .arg = {9}) {
  int k = 0;
  EACH(i) out[i] = in[i];
  for (;; k++) {
    int found = k == 9, most = 0;
    EACH(i) found |= (add(out[i], (int)i) & 63) == 7;
    if (found) break;
    EACH(i) most = ((out[i] ^ k) & 0xffff) > most ? (out[i] ^ k) & 0xffff : most;
    EACH(i) out[i] = most;
  }
  EACH(i) out[i] = add(out[i], k);
}

CASE(in_one_of_two, int, int, .args = 1, .arg = {4}) {
  EACH(i) out[i] = in[i];
  for (int round = 0; round < 2; round++) {
    for (int k = 0; k < 4; k++) {
      int least = INT_MAX;
      if (k == 1) continue;
      EACH(i) least = add(out[i], (int)i) < least ? add(out[i], (int)i) : least;
      EACH(i) out[i] = add(least, round);
    }
    EACH(i) out[i] = add(out[i], (int)i);
  }
}

CASE(broadcast_of_broadcast, int, int, .args = 1, .arg = {5}) {
  EACH(i) out[i] = in[i];
  for (size_t k = 0; k < 5; k++) {
    size_t id = at_id(g, (k + 1) % g->size[0], k * 3 % g->size[1], (k + 1) % g->size[2]);
    int x = add(out[id] ^ (int)id * 3, (int)k);
    EACH(i) out[i] = x;
  }
}

CASE(sum_of_float_sums, float, float, .args = 1, .arg = {5}, .small = true) {
  EACH(i) out[i] = in[i];
  for (int k = 0; k < 5; k++) {
    float sum = 0;
    EACH(i) sum += (float)(((int)out[i] + (int)i) & 15);
    EACH(i) out[i] = sum;
  }
}

CASE(of_other_operations, long, long, .args = 1, .arg = {5}) {
  uint y[MAX_ITEMS];
  EACH(i) out[i] = in[i], y[i] = (uint)in[i];
  for (int k = 0; k < 5; k++) {
    long most = LONG_MIN;
    uint least = UINT_MAX;
    EACH(i) {
      long x = (long)((ulong)(out[i] ^ (long)i) - (ulong)k);
      uint z = (y[i] ^ (uint)i * 77) - (uint)k;
      most = x > most ? x : most;
      least = z < least ? z : least;
    }
    EACH(i) out[i] = most & 0xffffffffff, y[i] = least + 5;
  }
  EACH(i) out[i] ^= y[i];
}

CASE(of_bits, int, int, .args = 1, .arg = {5}) {
  EACH(i) out[i] = in[i];
  for (int k = 0; k < 10; k++) {
    int odd = 0, all = -1;
    EACH(i) odd ^= add(mul(out[i], 3), (int)i), all &= out[i] | (int)i | 0x55 << k % 5;
    EACH(i) out[i] = k < 5 ? add(odd ^ k, 1) : add(7, -all);
  }
}

CASE(stepping, int, int, .args = 1, .arg = {5}) {
  int y[MAX_ITEMS];
  EACH(i) out[i] = in[i], y[i] = 0;
  for (int k = 0; k < 5; k += 2) {
    int all = 1, sum = 0;
    EACH(i) all &= out[i] != k, sum = add(sum, out[i]);
    EACH(i) {
      y[i] = add(y[i], out[i]);
      out[i] = all ? k : sum;
    }
  }
  EACH(i) out[i] = add(out[i], y[i]);
}
#endif
