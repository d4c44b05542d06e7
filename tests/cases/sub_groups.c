/* Sub-groups whose work-items stay together: ids, the core functions in straight code and in
 * uniform loops, exchange through memory, partial last sub-groups. */
#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#define KERNEL kernel __attribute__((intel_reqd_sub_group_size(SUB_GROUP)))

KERNEL void sub_group_ids(global uint *out, global const int *in) {
  size_t at = get_global_linear_id() * 6;
  out[at] = get_sub_group_size();
  out[at + 1] = get_max_sub_group_size();
  out[at + 2] = get_num_sub_groups();
  out[at + 3] = get_enqueued_num_sub_groups();
  out[at + 4] = get_sub_group_id();
  out[at + 5] = get_sub_group_local_id() ^ (uint)in[get_global_linear_id()];
}

KERNEL void sub_group_straight(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  int x = in[at];
  int sum = sub_group_reduce_add(x), before = sub_group_scan_exclusive_add(x ^ sum);
  int far = sub_group_broadcast(before, get_sub_group_size() - 1);
  int low = sub_group_scan_inclusive_min(x + far), high = sub_group_reduce_max(low - before);
  int all = sub_group_all(x > 0) != 0, any = sub_group_any(low == high) != 0;
  out[at] = before * 3 + low * 5 + high * 7 + all * 1000 + any * 100;
}

/* The branch goes by what all lanes of a sub-group share. */
KERNEL void sub_group_chain(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], base = x;
  for (int i = 0; i < n; i++) {
    int most = sub_group_reduce_max(x);
    if (most & 1) x = sub_group_scan_inclusive_add(x) * 3 + base;
    else x = sub_group_reduce_add(most ^ x ^ base) - i + base;
  }
  out[at] = x;
}

KERNEL void sub_group_rotation(global int *out, global const int *in, int n, local int *cells) {
  size_t at = get_global_linear_id();
  uint me = get_local_linear_id(), lane = get_sub_group_local_id(), first = me - lane;
  int x = in[at];
  for (int i = 0; i < n; i++) {
    cells[me] = x;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    x = cells[first + (lane + 1) % get_sub_group_size()] + i;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);
  }
  out[at] = x;
}

KERNEL void sub_group_global_exchange(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint lane = get_sub_group_local_id(), size = get_sub_group_size();
  uint partner = size - 1 - lane;
  size_t there = get_global_id(0) - lane + partner; /* 1-D only */
  out[at] = in[at] * 3;
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  int x = out[there - get_global_offset(0)];
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  out[at] = x + (int)lane;
}

/* A private array and a vector that live across calls. */
KERNEL void sub_group_private(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  int cells[8];
  int4 v = (int4)(in[at], in[at] ^ 5, 3, (int)get_sub_group_local_id());
  for (int i = 0; i < 8; i++) cells[i] = in[at] + i;
  for (int i = 0; i < 8; i++) {
    int r = sub_group_scan_exclusive_max(cells[(i * 3 + v.w) & 7] & 0xffff);
    cells[i] ^= r;
    v = v.yzwx + (int4)(r, 1, sub_group_reduce_min(v.z), 2);
    v.w &= 0xff;
  }
  int sum = v.x + v.y * 3 + v.z * 5 + v.w * 7;
  for (int i = 0; i < 8; i++) sum = sum * 31 + cells[i];
  out[at] = sum;
}

/* Built as OpenCL C 2.0, where the functions are an extension. */
KERNEL void sub_group_2_0(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  out[at] = sub_group_reduce_min(in[at]) - (int)get_sub_group_local_id();
}

struct extent { float low, high; };
struct extent extent_of(float x) {
  return (struct extent){sub_group_reduce_min(x), sub_group_reduce_max(x)};
}
float spread(float x, float *total) {
  struct extent e = extent_of(x);
  *total += sub_group_scan_inclusive_add(x - e.low);
  return e.high - e.low;
}
KERNEL void sub_group_in_functions(global float *out, global const float *in) {
  size_t at = get_global_linear_id();
  float total = 0, s = spread(in[at], &total);
  if (get_sub_group_id() % 2) s += spread(in[at] * 2, &total);
  out[at] = s * 100 + total;
}
#else
#include "run/case.h"

CASE(sub_group_ids, int, uint, .out_per_item = 6, .sub_groups = true) {
  const size_t *local = g->shape->local;
  size_t enqueued = local[0] * local[1] * local[2];
  EACH_SUB_GROUP(s) EACH_LANE(s, i) {
    out[i * 6] = (uint)(s.end - s.first);
    out[i * 6 + 1] = (uint)g->sub_group;
    out[i * 6 + 2] = (uint)((g->items + g->sub_group - 1) / g->sub_group);
    out[i * 6 + 3] = (uint)((enqueued + g->sub_group - 1) / g->sub_group);
    out[i * 6 + 4] = (uint)s.id;
    out[i * 6 + 5] = (uint)(i - s.first) ^ (uint)in[i];
  }
}

CASE(sub_group_straight, int, int, .sub_groups = true) {
  EACH_SUB_GROUP(s) {
    int sum = 0, before[64], low[64], high = INT_MIN, all = 1, any = 0, b = 0, l = INT_MAX;
    EACH_LANE(s, i) sum = add(sum, in[i]), all &= in[i] > 0;
    EACH_LANE(s, i) before[i - s.first] = b, b = add(b, in[i] ^ sum);
    int far = before[s.end - 1 - s.first];
    EACH_LANE(s, i) {
      int x = add(in[i], far), k = (int)(i - s.first);
      low[k] = l = x < l ? x : l;
      high = sub(l, before[k]) > high ? sub(l, before[k]) : high;
    }
    EACH_LANE(s, i) any |= low[i - s.first] == high;
    EACH_LANE(s, i) {
      size_t k = i - s.first;
      int rest = add(mul(high, 7), all * 1000 + any * 100);
      out[i] = add(add(mul(before[k], 3), mul(low[k], 5)), rest);
    }
  }
}

CASE(sub_group_chain, int, int, .args = 1, .arg = {7}, .sub_groups = true) {
  EACH_SUB_GROUP(s) {
    EACH_LANE(s, i) out[i] = in[i];
    for (int n = 0; n < 7; n++) {
      int most = max_int(out + s.first, s.end - s.first), sum = 0, all = 0;
      EACH_LANE(s, i) all = add(all, most ^ out[i] ^ in[i]);
      EACH_LANE(s, i) {
        sum = add(sum, out[i]);
        out[i] = most & 1 ? add(mul(sum, 3), in[i]) : add(sub(all, n), in[i]);
      }
    }
  }
}

CASE(sub_group_rotation, int, int, .args = 1, .arg = {5}, .local_per_item = 4, .sub_groups = true) {
  EACH_SUB_GROUP(s) EACH_LANE(s, i)
    out[i] = add(in[s.first + (i - s.first + 5) % (s.end - s.first)], 0 + 1 + 2 + 3 + 4);
}

CASE(sub_group_global_exchange, int, int, .max_dims = 1, .sub_groups = true) {
  EACH_SUB_GROUP(s) EACH_LANE(s, i)
    out[i] = add(mul(in[s.end - 1 - (i - s.first)], 3), (int)(i - s.first));
}

CASE(sub_group_private, int, int, .sub_groups = true) {
  EACH_SUB_GROUP(s) {
    int cells[64][8], v[64][4];
    EACH_LANE(s, i) {
      size_t k = i - s.first;
      int start[4] = {in[i], in[i] ^ 5, 3, (int)k};
      memcpy(v[k], start, sizeof start);
      for (int c = 0; c < 8; c++) cells[k][c] = add(in[i], c);
    }
    for (int c = 0; c < 8; c++) {
      int most = INT_MIN, least = INT_MAX;
      EACH_LANE(s, i) least = v[i - s.first][2] < least ? v[i - s.first][2] : least;
      EACH_LANE(s, i) {
        size_t k = i - s.first;
        int x = cells[k][(c * 3 + v[k][3]) & 7] & 0xffff;
        cells[k][c] ^= most;
        int next[4] = {add(v[k][1], most), add(v[k][2], 1), add(v[k][3], least), add(v[k][0], 2) & 0xff};
        memcpy(v[k], next, sizeof next);
        most = x > most ? x : most;
      }
    }
    EACH_LANE(s, i) {
      const int *w = v[i - s.first];
      out[i] = add(add(w[0], mul(w[1], 3)), add(mul(w[2], 5), mul(w[3], 7)));
      for (int c = 0; c < 8; c++) out[i] = add(mul(out[i], 31), cells[i - s.first][c]);
    }
  }
}

CASE(sub_group_2_0, int, int, .options = "-cl-std=CL2.0", .sub_groups = true) {
  EACH_SUB_GROUP(s) {
    int low = min_int(in + s.first, s.end - s.first);
    EACH_LANE(s, i) out[i] = sub(low, (int)(i - s.first));
  }
}

/* Small whole numbers, so that sums are exact. */
CASE(sub_group_in_functions, float, float, .small = true, .sub_groups = true) {
  EACH_SUB_GROUP(s) {
    float low = min_float(in + s.first, s.end - s.first), total = 0;
    float high = max_float(in + s.first, s.end - s.first);
    EACH_LANE(s, i) {
      int rounds = s.id % 2 ? 3 : 1; /* the second time everything is doubled */
      total += in[i] - low;
      out[i] = (high - low) * (float)rounds * 100 + total * (float)rounds;
    }
  }
}
#endif
