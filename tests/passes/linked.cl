// pass: library
// show: @fmodf|@remainderf
// march: x86-64-v3

// Math of our own, though a module that has another function of the kernel defines the same by the
// C library's.
kernel void both(global float4 *x, global float4 *y, global int4 *q) {
  size_t i = get_global_id(0);
  float4 whole;
  int4 quotient;
  x[i] = fract(x[i], &whole);
  y[i] = remquo(y[i], whole, &quotient);
  q[i] = quotient;
}
