// pass: widen
// march: x86-64-v4
// set: MANIPLE_CHECK=1
// set: MANIPLE_CHECK_FILTER=1
// show: uses-nothing-else
// A loop that waits for itself would have 128 lanes: what a filter looks at has a bit for each in a word.
kernel void waits(global int *x, int n) {
  size_t i = get_global_id(0);
  int v = x[i];
  for (int k = 0; k < n; k++) v = v * v + 3;
  x[i + n] = v;
}
