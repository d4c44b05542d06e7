// Integer divisions by what may be zero, or of the smallest number by -1.
kernel void by_a_variable(global int *out, int n) {
  size_t i = get_local_id(0);
  out[i] = out[i] / n;
}
kernel void remainder(global uint *out, uint n) {
  size_t i = get_local_id(0);
  out[i] = out[i] % n;
}

// Not by a constant, and not of floating point.
kernel void by_a_constant(global int *out) {
  size_t i = get_local_id(0);
  out[i] = out[i] / 7 + out[i + 1] % 3;
}
kernel void floating(global float *out, float n) {
  size_t i = get_local_id(0);
  out[i] = out[i] / n;
}
