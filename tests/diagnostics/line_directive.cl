kernel void fine(global int *out) { out[0] = 1; }
#line 70 "kernels/mine.cl"
kernel void k(global int *out) {
  out[0] = undeclared;
}
