// Uniform loops that access memory side by side, or compute much, go around the work-item loop.
// set: MANIPLE_VECTOR=0
// show: call .*@__mpl_sync
kernel void rows(global float *out, global const float *in, int n, int width) {
  size_t i = get_global_id(0);
  for (int k = 0; k < n; k++)
    out[i + k * width] = in[i + k * width] * 2.0f;
}
kernel void carried(global float *out, global const float *in, int n, int width) {
  size_t i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; k++)
    sum += in[i + k * width];
  out[i] = sum;
}
kernel void arithmetic(global float *out, int n) {
  size_t i = get_global_id(0);
  float x = out[i], y = 1.0f;
  for (int k = 0; k < n; k++)
    y = (y * x + 1.0f) * (y - x) + y * y * 3.0f + (x - 2.0f) * (y + 5.0f);
  out[i] = y;
}
// An int made of an id, extended again for the address: (id << 32) >> 30.
kernel void int_id(global float *out, global const float *in, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; k++)
    out[i] = out[i] * in[k];
}
kernel void uint_column(global float *out, global const float *in, uint n, uint width) {
  uint i = get_global_id(0);
  float sum = 0.0f;
  for (uint k = 0; k < n; k++)
    sum += in[i + k * width];
  out[i] = sum;
}
kernel void pointer_carried(global float *out, global const float *in, int n, int width) {
  global const float *at = in + get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; k++, at += width * k)
    sum += *at;
  out[get_global_id(0)] = sum;
}

// Not memory that each work-item walks for itself, not a loop whose end varies, not atomics.
kernel void own_rows(global float *out, global const float *in, int n) {
  size_t i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; k++)
    sum += in[i * n + k];
  out[i] = sum;
}
kernel void own_int_rows(global float *out, global const float *in, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; k++)
    out[i * 2] = out[i * 2] + in[k];
}
kernel void varying_end(global float *out, global const float *in, global const int *n, int width) {
  size_t i = get_global_id(0);
  for (int k = 0; k < n[i]; k++)
    out[i + k * width] = in[i + k * width] * 2.0f;
}
kernel void atomic(global int *out, global const int *in, int n, int width) {
  size_t i = get_global_id(0);
  for (int k = 0; k < n; k++)
    atomic_add(&out[k], in[i + k * width]);
}
