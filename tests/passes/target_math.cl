// pass: widen
// show: avx512
// march: x86-64-v4

// Math asks for instructions of the processor: on vectors of their width, and of what all work-items
// share on one lane.
kernel void each(global float *x) {
  size_t i = get_global_id(0);
  x[i] = log2(x[i]);
}
kernel void shared(global double *x, double y) {
  size_t i = get_global_id(0);
  x[i] *= exp2(y);
}
__attribute__((reqd_work_group_size(8, 1, 1))) kernel void narrow(global float *x) {
  size_t i = get_global_id(0);
  x[i] = rsqrt(x[i]);
}
