// pass: widen

/* More values that all operations of a block read than there is room for: which of them is read from memory
 * is the same in each build (same_again.sh). */
kernel void chains(global float *out, float a) {
  int id = get_local_id(0);
  float8 x = a, y = a + 1, c = id, d = id * 3 + 1, e = id * 5 + 1;
  for (int k = 0; k < 64; k++) {
    x = x * x + c, y = y * y + d;
    x = x * x + e, y = y * y + c;
    x = x * x + d, y = y * y + e;
  }
  x *= y;
  out[get_global_id(0)] = x.s0 * x.s1 * x.s2 * x.s3 * x.s4 * x.s5 * x.s6 * x.s7;
}
