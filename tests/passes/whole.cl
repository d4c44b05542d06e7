// Small vectors at places that vary are read and written as whole ones.
// pass: widen
// set: MANIPLE_VECTOR_WIDTH=16
// show: call .*masked.(gather|scatter)|load <4 x i32>
kernel void table(global const int *at, global const uchar4 *from, global uchar4 *to) {
  int i = get_global_id(0);
  to[i] = from[at[i]] + (uchar)1;
}
kernel void permuted(global const int *at, global float2 *a) {
  int i = at[get_global_id(0)];
  a[i] = a[i] * 2 + 1;
}
kernel void wide(global const int *at, global const float4 *from, global float *to) {
  int i = get_global_id(0);
  float4 v = from[at[i]];
  to[i] = v.x * v.y + v.z * v.w;
}
// Components go to the context of what is behind the barrier, one after another.
kernel void kept(global const int *at, local float4 *t, global float *to) {
  int i = get_local_id(0);
  float4 v = t[at[i]];
  barrier(CLK_LOCAL_MEM_FENCE);
  t[i] = v * 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  to[i] = dot(v, t[0]);
}
// Longer rows, of which all is accessed: one whole behind another.
kernel void row(global const int *at, global short *a) {
  global short *to = a + 40 * at[get_global_id(0)];
  for (int k = 0; k < 12; k++) to[k] = k;
}
kernel void words(global const int *at, global const int *from, global int *to) {
  int i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < 7; k++) sum += from[9 * at[i] + k] * (k + 3);
  to[i] = sum;
}
// Not where something between may write, nor of parts.
kernel void between(global const int *at, global float *a, global float *b) {
  int i = at[get_global_id(0)];
  float x = a[2 * i];
  b[i] = x;
  b[i + 1] = a[2 * i + 1];
}
kernel void three(global const int *at, global const float *from, global float *to) {
  int i = get_global_id(0);
  float3 v = vload3(at[i], from);
  to[i] = v.x * v.y + v.z;
}
