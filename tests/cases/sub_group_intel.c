/* cl_intel_subgroups and its sisters for other types: shuffles of one and of two operands, blocks of
 * memory. */
#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define KERNEL kernel __attribute__((intel_reqd_sub_group_size(SUB_GROUP)))

KERNEL void intel_shuffles(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint lane = get_sub_group_local_id(), lanes = get_sub_group_size(), size = get_max_sub_group_size();
  int x = in[at], y = x * 3 + 1;
  out[at * 4] = intel_sub_group_shuffle(x, (lane * 5 + 3) % lanes);
  int pair = intel_sub_group_shuffle_xor(x, 1);
  int down = intel_sub_group_shuffle_down(x, y, 3), up = intel_sub_group_shuffle_up(y, x, 3);
  out[at * 4 + 1] = (lane ^ 1) < lanes ? pair : -1;
  out[at * 4 + 2] = (lane + 3) % size < lanes ? down : -2;
  out[at * 4 + 3] = (lane - 3) % size < lanes ? up : -3;
}

KERNEL void intel_shuffle_vectors(global float *out, global const float *in) {
  size_t at = get_global_linear_id();
  uint lanes = get_sub_group_size(), lane = get_sub_group_local_id();
  float4 x = (float4)(in[at], in[at] * 2, in[at] * 4, in[at] * 8);
  x = intel_sub_group_shuffle(x, lanes - 1 - lane).wzyx;
  float2 y = intel_sub_group_shuffle_xor((float2)(in[at], 3), 1);
  out[at] = x.x + x.y * 16 + x.z * 256 + x.w * 4096 + ((lane ^ 1) < lanes ? y.x + y.y : 0);
}

/* Numbers that a half has exactly. */
KERNEL void intel_shuffle_halves(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint lanes = get_sub_group_size(), lane = get_sub_group_local_id();
  int4 parts = (int4)(in[at], in[at] >> 8, in[at] >> 16, in[at] >> 24) & 255;
  int4 moved = convert_int4(intel_sub_group_shuffle(convert_half4(parts), lanes - 1 - lane));
  int2 pair = convert_int2(intel_sub_group_shuffle_xor(convert_half2(parts.xy), 1));
  if ((lane ^ 1) >= lanes) pair = 0;
  out[at] = (moved.x | moved.y << 8 | moved.z << 16 | moved.w << 24) ^ (pair.x + pair.y);
}

/* Blocks, at addresses of 16 bytes: where a sub-group is whole, which is what they are for. */
#define BLOCKS(NAME, T, SUFFIX, PER) \
  KERNEL void NAME(global T *out, global const T *in) { \
    size_t at = get_global_linear_id(); \
    uint lane = get_sub_group_local_id(); \
    size_t first = (at - lane) * PER; \
    if (get_sub_group_size() == get_max_sub_group_size()) { \
      T##4 x = intel_sub_group_block_read##SUFFIX##4(in + first); \
      T y = intel_sub_group_block_read##SUFFIX(in + first); \
      intel_sub_group_block_write##SUFFIX##2(out + first, x.zy + y); \
      intel_sub_group_block_write##SUFFIX##2(out + first + 2 * get_max_sub_group_size(), x.xw); \
    } else { \
      for (uint i = 0; i < 4; i++) out[at * PER + i] = in[at * PER + i]; \
    } \
  }
BLOCKS(intel_blocks, uint, , 4)
BLOCKS(intel_blocks_short, ushort, _us, 8)
#else
#include "run/case.h"

CASE(intel_shuffles, int, int, .out_per_item = 4, .sub_groups = true,
     .extension = "cl_intel_subgroups") {
  EACH_SUB_GROUP(s) EACH_LANE(s, i) {
    size_t lane = i - s.first, lanes = s.end - s.first, size = g->sub_group;
    const int *x = in + s.first;
    size_t down = (lane + 3) % size, up = (lane - 3) % size;
    out[i * 4] = x[(lane * 5 + 3) % lanes];
    out[i * 4 + 1] = (lane ^ 1) < lanes ? x[lane ^ 1] : -1;
    out[i * 4 + 2] = down >= lanes ? -2 : lane + 3 < size ? x[down] : add(mul(x[down], 3), 1);
    out[i * 4 + 3] = up >= lanes ? -3 : lane >= 3 ? x[up] : add(mul(x[up], 3), 1);
  }
}

CASE(intel_shuffle_vectors, float, float, .small = true, .sub_groups = true,
     .extension = "cl_intel_subgroups") {
  EACH_SUB_GROUP(s) EACH_LANE(s, i) {
    size_t lane = i - s.first, lanes = s.end - s.first;
    float x = in[s.first + lanes - 1 - lane];
    out[i] = x * 8 + x * 4 * 16 + x * 2 * 256 + x * 4096;
    if ((lane ^ 1) < lanes) out[i] += in[s.first + (lane ^ 1)] + 3;
  }
}

CASE(intel_shuffle_halves, int, int, .sub_groups = true,
     .extension = "cl_intel_subgroups") {
  EACH_SUB_GROUP(s) EACH_LANE(s, i) {
    size_t lane = i - s.first, lanes = s.end - s.first;
    int pair = (lane ^ 1) < lanes ? in[s.first + (lane ^ 1)] : 0;
    out[i] = in[s.first + lanes - 1 - lane] ^ ((pair & 255) + (pair >> 8 & 255));
  }
}

#define BLOCKS(NAME, T, PER)                                                                       \
  CASE(NAME, T, T, .in_per_item = PER, .out_per_item = PER, .max_dims = 1, .sub_groups = true,     \
       .extension = "cl_intel_subgroups") {                                                        \
    EACH_SUB_GROUP(s) {                                                                            \
      size_t n = g->sub_group;                                                                     \
      const T *x = in + s.first * PER;                                                             \
      T *y = out + s.first * PER;                                                                  \
      for (size_t i = 0; i < n; i++) {                                                             \
        bool whole = s.end - s.first == n;                                                         \
        for (size_t k = 0; !whole && i < s.end - s.first && k < 4; k++)                            \
          y[i * PER + k] = x[i * PER + k];                                                         \
        if (!whole) continue;                                                                      \
        y[i] = (T)(x[2 * n + i] + x[i]);                                                           \
        y[n + i] = (T)(x[n + i] + x[i]);                                                           \
        y[2 * n + i] = x[i];                                                                       \
        y[3 * n + i] = x[3 * n + i];                                                               \
      }                                                                                            \
    }                                                                                              \
  }
BLOCKS(intel_blocks, uint, 4)
BLOCKS(intel_blocks_short, ushort, 8)
#endif
