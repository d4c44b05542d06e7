/* Collectives whose operands are uniform, constant, or built from ids: arithmetic to the compiler. */
#ifdef __OPENCL_VERSION__
kernel void constants(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  out[at] = work_group_reduce_add(1) + work_group_scan_inclusive_add(2) * 3 +
            work_group_scan_exclusive_add(n) * 5 + work_group_reduce_max(7) +
            (work_group_scan_exclusive_min(n) & 0xff) + (work_group_all(1) != 0) +
            (work_group_any(0) != 0) * 100 + work_group_broadcast(n, 0, 0, 0);
}

kernel void only_constants(global int *out, global const int *in, int n) {
  out[get_global_linear_id()] = work_group_reduce_add(1);
}

kernel void only_argument(global int *out, global const int *in, int n) {
  out[get_global_linear_id()] = work_group_scan_exclusive_add(n);
}

kernel void uniform_values(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int g = get_group_id(0) * 3 + n, sum = 0;
  for (int i = 0; i < n; i++) {
    sum += work_group_reduce_add(g + i);
    sum ^= work_group_scan_inclusive_max(g - i) + work_group_scan_exclusive_max(i);
    g = work_group_reduce_min(sum);
  }
  out[at] = sum + g;
}

kernel void ids(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int i = get_local_linear_id();
  int r = work_group_reduce_add(i) + work_group_scan_exclusive_max(i) * 3;
  r += work_group_reduce_max((int)get_local_id(0)) + work_group_reduce_max((int)get_local_id(1)) * 7;
  r += work_group_reduce_max((int)get_local_id(2)) * 11;
  ulong u = work_group_scan_inclusive_add((ulong)i << 31);
  out[at] = r + (int)(u >> 30);
}
/* Operands that nothing else needs, made in loops, behind conditions, from what came before. */
kernel void made_for_the_call(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], r = 0, found = 0;
  uint high = 0;
  for (int i = 0; i < n; i++) {
    r = work_group_reduce_add((x ^ r) >> 3);
    int y = 0;
    for (int k = 0; k < 3; k++)
      if ((x >> k & 1) != (i & 1)) y += k + r;
    if (i & 1) high = max(high, work_group_reduce_min((uint)y));
    else high += work_group_reduce_max((uint)(y ^ i));
    if (work_group_any(x == r) || !work_group_all((x & 3) < 3)) found++;
  }
  long wide = work_group_reduce_max((long)x << 20) ^ work_group_reduce_min(~(long)x);
  out[at] = r + (int)high + found + (int)(wide >> 20);
}
/* The operand is made by the operation that combines; its result comes round again. */
kernel void same_operation(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at];
  uint sum = n, product = 3, both = ~0u, either = 0, odd = n;
  for (int k = 0; k < n; k++) {
    sum = work_group_reduce_add((uint)x + sum + k);
    product = work_group_reduce_mul(((uint)x | 1) * product);
    both = work_group_reduce_and(((uint)x | sum) & (both | 0xffff));
    either = work_group_reduce_or((uint)x << k | either);
    odd = work_group_reduce_xor((uint)x ^ (odd + 5));
    x += odd;
  }
  out[at] = sum ^ product ^ both * 3 ^ either * 5 ^ odd * 7 ^ (uint)x;
}
/* The operand comes from several places, and is used once. */
kernel void met_operand(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int v = in[at], w = v;
  if (n > 1) {
    for (int i = 0; i < n; i++) {
      v = (v ^ i) * 3;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (work_group_any((v & 63) == 2 * i)) break;
    }
  }
  int low = work_group_reduce_min(v);
  for (int i = 0; i < n; i++) {
    w = work_group_broadcast(w, i % get_local_size(0)) + in[at];
    if (low & 1) barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[at] = low + work_group_reduce_add(w);
}
#else
#include "run/case.h"

CASE(constants, int, int, .args = 1, .arg = {6}) {
  EACH(i) {
    int k = (int)i;
    out[i] = (int)g->items + (k + 1) * 6 + 6 * k * 5 + 7 + (k ? 6 : 0xff) + 1 + 6;
  }
}
CASE(only_constants, int, int, .args = 1, .arg = {6}) { EACH(i) out[i] = (int)g->items; }
CASE(only_argument, int, int, .args = 1, .arg = {6}) { EACH(i) out[i] = 6 * (int)i; }

CASE(uniform_values, int, int, .args = 1, .arg = {4}) {
  int v = (int)g->id[0] * 3 + 4, sum[MAX_ITEMS] = {0};
  for (int k = 0; k < 4; k++) {
    EACH(i) {
      sum[i] = add(sum[i], mul((int)g->items, add(v, k)));
      sum[i] ^= add(sub(v, k), i ? k : INT_MIN);
    }
    v = min_int(sum, g->items);
  }
  EACH(i) out[i] = add(sum[i], v);
}

CASE(ids, int, int, .args = 1, .arg = {6}) {
  int n = (int)g->items;
  EACH(i) {
    int k = (int)i;
    ulong u = (ulong)k * ((ulong)k + 1) / 2 << 31;
    out[i] = add(n * (n - 1) / 2, k ? (k - 1) * 3 : mul(INT_MIN, 3));
    out[i] = add(out[i], (int)(g->size[0] - 1 + (g->size[1] - 1) * 7 + (g->size[2] - 1) * 11));
    out[i] = add(out[i], (int)(u >> 30));
  }
}
CASE(made_for_the_call, int, int, .args = 1, .arg = {5}) {
  int r = 0, found = 0;
  uint high = 0;
  long widest = LONG_MIN, least = LONG_MAX;
  for (int k = 0; k < 5; k++) {
    int sum = 0, any = 0, all = 1;
    uint low = UINT_MAX, top = 0;
    EACH(i) sum = add(sum, (in[i] ^ r) >> 3);
    r = sum;
    EACH(i) {
      int y = 0;
      for (int bit = 0; bit < 3; bit++)
        if ((in[i] >> bit & 1) != (k & 1)) y = add(y, add(bit, r));
      low = (uint)y < low ? (uint)y : low;
      top = ((uint)y ^ (uint)k) > top ? (uint)y ^ (uint)k : top;
      any |= in[i] == r, all &= (in[i] & 3) < 3;
    }
    if (k & 1) high = low > high ? low : high;
    else high += top;
    found += any || !all;
  }
  EACH(i) {
    long x = in[i];
    widest = x * (1 << 20) > widest ? x * (1 << 20) : widest;
    least = ~x < least ? ~x : least;
  }
  EACH(i) out[i] = add(add(r, (int)high), add(found, (int)((widest ^ least) >> 20)));
}
CASE(same_operation, int, int, .args = 1, .arg = {5}) {
  uint32_t x[MAX_ITEMS], n = 5, sum = n, product = 3, both = ~0u, either = 0, odd = n;
  EACH(i) x[i] = (uint32_t)in[i];
  for (uint32_t k = 0; k < n; k++) {
    uint32_t s = 0, p = 1, a = ~0u, o = 0, d = 0;
    EACH(i) s += x[i] + sum + k, p *= (x[i] | 1) * product;
    EACH(i) a &= (x[i] | s) & (both | 0xffff), o |= x[i] << k | either, d ^= x[i] ^ (odd + 5);
    sum = s, product = p, both = a, either = o, odd = d;
    EACH(i) x[i] += odd;
  }
  EACH(i) out[i] = (int)(sum ^ product ^ both * 3 ^ either * 5 ^ odd * 7 ^ x[i]);
}
CASE(met_operand, int, int, .args = 1, .arg = {5}, .max_dims = 1) {
  int v[MAX_ITEMS], w[MAX_ITEMS];
  EACH(i) v[i] = w[i] = in[i];
  for (int k = 0; k < 5; k++) {
    int any = 0;
    EACH(i) v[i] = mul(v[i] ^ k, 3), any |= (v[i] & 63) == 2 * k;
    if (any) break;
  }
  for (int k = 0; k < 5; k++) {
    int first = w[(size_t)k % g->items];
    EACH(i) w[i] = add(first, in[i]);
  }
  int sum = sum_int(w, g->items), low = min_int(v, g->items);
  EACH(i) out[i] = add(low, sum);
}
#endif
