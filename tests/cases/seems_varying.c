/* Flow that is the same for all but comes from memory that varies: the compiler must take it for
 * varying, and what is uniform inside a loop must still be right after it. */
#ifdef __OPENCL_VERSION__
#define SIZE (get_local_size(0) * get_local_size(1) * get_local_size(2))
#define ID get_local_linear_id()
int through_memory(int n, local int *cells) {
  cells[ID] = n;
  barrier(CLK_LOCAL_MEM_FENCE);
  int same = cells[(ID + 1) % SIZE];
  barrier(CLK_LOCAL_MEM_FENCE);
  return same;
}

kernel void result_leaves_loop(global int *out, global const int *in, int n, local int *cells) {
  size_t at = get_global_linear_id();
  int bound = through_memory(n, cells), r = 0, s = 0, u = 7;
  for (int i = 0; i < bound; i++) {
    r = work_group_reduce_max(in[at] ^ i);
    s = s * 3 + i;
    u = u * 5 + r;
  }
  out[at] = r + s + u;
}

kernel void result_leaves_branch(global int *out, global const int *in, int n, local int *cells) {
  size_t at = get_global_linear_id();
  int same = through_memory(n, cells), r = 1, k = 0;
  while (k < same) {
    switch ((same + k) % 3) {
    case 0: r = work_group_reduce_max(in[at] + k); break;
    case 1: r ^= work_group_scan_inclusive_add(r); /* falls */
    default:
      barrier(CLK_LOCAL_MEM_FENCE);
      if (same & 1) r += work_group_any(in[at] == k) ? 3 : work_group_reduce_min(in[at]);
    }
    k++;
    if (work_group_all(r == 12345)) break;
  }
  out[at] = r * 3 + k;
}

kernel void nested_exits(global int *out, global const int *in, int n, local int *cells) {
  size_t at = get_global_linear_id();
  int same = through_memory(n, cells), total = 0, last = 0, i, j;
  for (i = 0; i < same; i++) {
    for (j = 0; j < same + i; j++) {
      last = work_group_reduce_add(in[at] ^ j);
      if (j + i == same) break;
      total += work_group_scan_exclusive_add(last + i);
      if (through_memory(j, cells) == 3) goto out;
    }
    total ^= last;
  }
out:
  out[at] = total + last * 3 + i * 5 + j * 7;
}

kernel void half_result(global int *out, global const int *in, int n, local int *cells) {
  size_t at = get_global_linear_id();
  int bound = through_memory(n, cells);
  float f = 0;
  char c = 0;
  for (int i = 0; i < bound; i++) {
    f = work_group_reduce_max((float)((in[at] + i) & 0xff));
    c = work_group_broadcast(in[at], 0, 0, 0) + i;
    if (bound > 2) barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[at] = (int)f * 3 + c;
}
#else
#include "run/case.h"

CASE(result_leaves_loop, int, int, .args = 1, .arg = {4}, .local_per_item = 4) {
  int r = 0, s = 0, u = 7;
  for (int k = 0; k < 4; k++) {
    r = INT_MIN;
    EACH(i) r = (in[i] ^ k) > r ? in[i] ^ k : r;
    s = s * 3 + k;
    u = add(mul(u, 5), r);
  }
  EACH(i) out[i] = add(add(r, s), u);
}

CASE(result_leaves_branch, int, int, .args = 1, .arg = {5}, .local_per_item = 4) {
  int r[MAX_ITEMS], k = 0, low = min_int(in, g->items);
  EACH(i) r[i] = 1;
  while (k < 5) {
    int way = (5 + k) % 3, high = INT_MIN, sum = 0, any = 0;
    EACH(i) {
      high = add(in[i], k) > high ? add(in[i], k) : high;
      any |= in[i] == k;
    }
    EACH(i) {
      if (way == 0) r[i] = high;
      if (way == 1) sum = add(sum, r[i]), r[i] ^= sum;
      if (way) r[i] = add(r[i], any ? 3 : low);
    }
    k++;
    int all = 1;
    EACH(i) all &= r[i] == 12345;
    if (all) break;
  }
  EACH(i) out[i] = add(mul(r[i], 3), k);
}

CASE(nested_exits, int, int, .args = 1, .arg = {2}, .local_per_item = 4) {
  int total[MAX_ITEMS] = {0}, last = 0, k, j = 0;
  for (k = 0; k < 2; k++) {
    for (j = 0; j < 2 + k; j++) {
      last = 0;
      EACH(i) last = add(last, in[i] ^ j);
      if (j + k == 2) break;
      EACH(i) total[i] = add(total[i], mul((int)i, add(last, k)));
      if (j == 3) goto out;
    }
    EACH(i) total[i] ^= last;
  }
out:
  EACH(i) out[i] = add(add(total[i], mul(last, 3)), k * 5 + j * 7);
}

CASE(half_result, int, int, .args = 1, .arg = {4}, .local_per_item = 4) {
  int high = 0;
  EACH(i) high = (add(in[i], 3) & 0xff) > high ? add(in[i], 3) & 0xff : high;
  EACH(i) out[i] = high * 3 + (signed char)(uchar)add(in[0], 3);
}
#endif
