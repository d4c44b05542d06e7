/* Conditions that are the same for all, which only the run shows: loaded, broadcast, voted, or
 * computed from what varies. */
#ifdef __OPENCL_VERSION__
kernel void loaded(global int *out, global const int *in, global const int *u) {
  size_t at = get_global_linear_id();
  int x = in[at];
  for (int i = 0; i < u[0]; i++) {
    if (u[1 + i]) x += work_group_reduce_max(x & 0xfff);
    else barrier(CLK_LOCAL_MEM_FENCE);
    x ^= i;
  }
  out[at] = x;
}

kernel void loaded_at_item(global int *out, global const int *in, global const int *u) {
  size_t at = get_global_linear_id();
  int x = in[at], n = u[get_local_linear_id() & 0] + (int)(at - at);
  while (n-- > 0) {
    int y = work_group_scan_inclusive_add(x);
    if (n == (int)(get_local_linear_id() * 0) + 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      x += 3;
    }
    x ^= y;
  }
  out[at] = x;
}

kernel void from_local(global int *out, global const int *in, global const int *u) {
  local int cell[2];
  size_t at = get_global_linear_id();
  int x = in[at];
  if (get_local_linear_id() == 0) cell[0] = u[0], cell[1] = u[1];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < cell[0]; i++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (cell[1] & 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (get_local_linear_id() == 0) cell[1] = i;
      x += 5;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    x ^= cell[1];
  }
  out[at] = x;
}

kernel void from_collectives(global int *out, global const int *in, global const int *u) {
  size_t at = get_global_linear_id();
  int x = in[at], rounds = 0;
  while (work_group_broadcast(x, 0, 0, 0) & 0xff) {
    if (work_group_any((x & 7) == 3)) x = work_group_scan_exclusive_add(x) ^ x;
    else barrier(CLK_LOCAL_MEM_FENCE);
    x >>= 1;
    if (++rounds > 20) break;
  }
  int total = work_group_reduce_add(x);
  int mine = total;                    /* the same in all, kept by each */
  for (int i = 0; i < 4; i++) {
    if (mine & 1 << i) x += work_group_reduce_max(x ^ i);
    mine = mine * 5 + 1;
  }
  out[at] = x + rounds;
}
#else
#include "run/case.h"

CASE(loaded, int, int, .args_in_buffer = true, .arg = {5, 1, 0, 1, 1, 0}) {
  int x[MAX_ITEMS];
  EACH(i) x[i] = in[i];
  for (int k = 0; k < 5; k++) {
    int high = 0;
    EACH(i) high = (x[i] & 0xfff) > high ? x[i] & 0xfff : high;
    EACH(i) x[i] = (g->arg[1 + k] ? add(x[i], high) : x[i]) ^ k;
  }
  EACH(i) out[i] = x[i];
}

CASE(loaded_at_item, int, int, .args_in_buffer = true, .arg = {4}) {
  EACH(i) out[i] = in[i];
  for (int n = 3; n >= 0; n--) {
    int sum = 0;
    EACH(i) {
      sum = add(sum, out[i]);
      out[i] = (n == 1 ? add(out[i], 3) : out[i]) ^ sum;
    }
  }
}

CASE(from_local, int, int, .args_in_buffer = true, .arg = {5, 7}) {
  EACH(i) out[i] = in[i];
  int cell = 7;
  for (int k = 0; k < 5; k++) {
    bool odd = cell & 1;
    if (odd) cell = k;
    EACH(i) out[i] = (odd ? add(out[i], 5) : out[i]) ^ cell;
  }
}

CASE(from_collectives, int, int, .args_in_buffer = true) {
  int x[MAX_ITEMS], rounds = 0;
  EACH(i) x[i] = in[i];
  while (x[0] & 0xff) {
    int any = 0, sum = 0;
    EACH(i) any |= (x[i] & 7) == 3;
    EACH(i) {
      int v = x[i];
      if (any) x[i] ^= sum;
      sum = add(sum, v);
      x[i] >>= 1;
    }
    if (++rounds > 20) break;
  }
  int mine = sum_int(x, g->items), y[MAX_ITEMS];
  for (int k = 0; k < 4; k++) {
    if (mine & 1 << k) {
      EACH(i) y[i] = x[i] ^ k;
      int high = max_int(y, g->items);
      EACH(i) x[i] = add(x[i], high);
    }
    mine = add(mul(mine, 5), 1);
  }
  EACH(i) out[i] = add(x[i], rounds);
}
#endif
