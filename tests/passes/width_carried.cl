// pass: widen
// march: x86-64-v3
// What a loop carries from one iteration to the next fits the registers, if half of the lanes do.

/* 16 times 8 lanes. */
kernel void sums(global const float *a, global const float *b, global float *out, int n) {
  int i = get_global_id(0);
  float16 sum = 0;
  for (int k = 0; k < n; k++) sum += a[k * n + i] * vload16(k, b);
  sum.lo += sum.hi;
  sum.lo.lo += sum.lo.hi;
  out[i] = sum.x + sum.y + sum.z + sum.w;
}

/* 8 times 16 fit. */
kernel void fewer(global const float *a, global const float *b, global float *out, int n) {
  int i = get_global_id(0);
  float8 sum = 0;
  for (int k = 0; k < n; k++) sum += a[k * n + i] * vload8(k, b);
  sum.lo += sum.hi;
  out[i] = sum.x + sum.y + sum.z + sum.w;
}

/* 20 do not with 8 lanes either. */
kernel void more(global const float *a, global const float *b, global float *out, int n) {
  int i = get_global_id(0);
  float16 sum = 0;
  float4 others = 0;
  for (int k = 0; k < n; k++) {
    sum += a[k * n + i] * vload16(k, b);
    others += a[k * n + i] + vload4(k, b);
  }
  sum.lo += sum.hi;
  sum.lo.lo += sum.lo.hi + others;
  out[i] = sum.x + sum.y + sum.z + sum.w;
}
