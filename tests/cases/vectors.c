/* Vector values across sync points. */
#ifdef __OPENCL_VERSION__
kernel void int4_lives(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  int4 v = vload4(at, in);
  v.x = work_group_reduce_add(v.x);
  v.y = work_group_scan_inclusive_max(v.y);
  barrier(CLK_LOCAL_MEM_FENCE);
  v.zw = v.wz + v.xy;
  barrier(CLK_LOCAL_MEM_FENCE);
  vstore4(v, at, out);
}

kernel void int3_and_others(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int3 v = (int3)(in[at], in[at] + 1, in[at] ^ 3);
  uchar16 bytes = (uchar16)((uchar)in[at]) + (uchar16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  float2 f = convert_float2(v.xy & 0xff);
  ulong2 w = (ulong2)((uint)in[at], n);
  for (int i = 0; i < n; i++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    v = v.yzx + i;
    bytes = bytes.s123456789abcdef0;
    f = f.yx + 1.0f;
    w = w * 3 + w.yx;
  }
  int high = work_group_reduce_max(v.z);
  out[at] = v.x + v.y * 3 + v.z * 5 + bytes.s0 + bytes.sf * 7 + (int)f.x + (int)f.y * 3 +
            (int)w.x + (int)(w.y >> 16) + high;
}
#else
#include "run/case.h"

CASE(int4_lives, int, int, .in_per_item = 4, .out_per_item = 4) {
  int sum = 0, high = INT_MIN;
  EACH(i) sum = add(sum, in[4 * i]);
  EACH(i) {
    high = in[4 * i + 1] > high ? in[4 * i + 1] : high;
    out[4 * i] = sum;
    out[4 * i + 1] = high;
    out[4 * i + 2] = add(in[4 * i + 3], sum);
    out[4 * i + 3] = add(in[4 * i + 2], high);
  }
}

CASE(int3_and_others, int, int, .args = 1, .arg = {5}) {
  int high = INT_MIN;
  for (int pass = 0; pass < 2; pass++)
    EACH(i) {
      int v[3] = {in[i], add(in[i], 1), in[i] ^ 3};
      float f[2] = {(float)(v[0] & 0xff), (float)(v[1] & 0xff)};
      ulong w[2] = {(uint)in[i], 5};
      for (int k = 0; k < 5; k++) {
        int x = v[0];
        v[0] = add(v[1], k), v[1] = add(v[2], k), v[2] = add(x, k);
        float t = f[0];
        f[0] = f[1] + 1, f[1] = t + 1;
        ulong u = w[0];
        w[0] = w[0] * 3 + w[1], w[1] = w[1] * 3 + u;
      }
      high = v[2] > high ? v[2] : high;
      int bytes = (uchar)add(in[i], 5) + (uchar)add(in[i], 4) * 7;
      out[i] = add(add(v[0], mul(v[1], 3)), add(mul(v[2], 5), bytes));
      out[i] = add(out[i], (int)f[0] + (int)f[1] * 3);
      out[i] = add(add(out[i], (int)w[0]), add((int)(w[1] >> 16), high));
    }
}
#endif
