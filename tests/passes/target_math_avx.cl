// pass: widen
// show: rsqrt
// Before AVX-512 there is an estimate of floats' 1 / sqrt(x) only, which is good enough for native_rsqrt.
kernel void each(global float *x) {
  size_t i = get_global_id(0);
  x[i] = native_rsqrt(x[i]);
}
kernel void shared(global float *x, float y) {
  size_t i = get_global_id(0);
  x[i] *= native_rsqrt(y);
}
kernel void full(global float *x) {
  size_t i = get_global_id(0);
  x[i] = rsqrt(x[i]);
}
