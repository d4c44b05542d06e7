// pass: widen
// show: avx512
// march: x86-64-v4
// set: MANIPLE_VECTOR_WIDTH=128

// Chunks of more lanes than an instruction of one width has: it is there several times.
kernel void each(global float *x) {
  size_t i = get_global_id(0);
  x[i] = exp2(x[i]);
}
