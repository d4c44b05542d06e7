kernel void k(global int *out) {
  int *p = out;
  if (out[0] = 3) out[1] = 2;
}
