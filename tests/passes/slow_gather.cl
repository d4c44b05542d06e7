// pass: widen
// march: cascadelake
// show: gather|extractelement <[0-9]+ x (i64|ptr)> %[0-9]*, i(32|64) 7$
// Where a gather takes longer than its loads: lanes load one after another, by indices that leave their vector
// two at a time; rows of the lanes' own are loaded along.

kernel void looked_up(global const float *table, global const int *from, global float *out) {
  int i = get_global_id(0);
  out[i] = table[from[i]];
}

kernel void rows(global const float *a, global const float *x, int n, global float *out) {
  int row = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * x[k];
  out[row] = sum;
}

// Lanes that are not there load what one that is does.
kernel void looked_up_by_some(global const float *table, global const int *from, global float *out) {
  int i = get_global_id(0), at = from[i];
  float x = 0;
  if (at >= 0) x = table[at];
  out[i] = x / (1.0f + x * x) + sqrt(x);
}
