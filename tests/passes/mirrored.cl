// A place that counts down from a constant beside something else: the index in the width of an address.
// pass: inline
// show: sext|sub|add i32|getelementptr.*float
kernel void row_backwards(global float *x, int row) {
  int i = get_global_id(0);
  for (int k = 0; k < 62; k++) x[i * 64 + (62 - k)] -= x[i * 64 + (62 - k - 1)];
}

// Not where the constant stands alone: its int arithmetic keeps that it does not overflow.
kernel void backwards(global float *x) {
  int i = get_global_id(0);
  x[62 - i] = x[63 - i];
}

// Not of unsigned indices, which may wrap round.
kernel void wraps(global float *x, uint n) {
  uint i = get_global_id(0);
  x[(uint)(n * 64 + (62 - i))] = 0;
}
