// options: -cl-std=CL3.0 -w
kernel void k(global int *out) {
  if (out[0] = 3) out[1] = 2;
}
