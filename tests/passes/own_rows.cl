// pass: widen
// show: gather|load float
// Each lane walks along a row of its own: the begins are known before the loop.
__attribute__((reqd_work_group_size(8, 1, 1))) kernel void rows(global const float *a, global const float *x, global float *y, int n) {
  int row = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * x[k];
  y[row] = sum;
}
// Unsigned numbers of 32 bits may wrap: what they address is not such a sum.
__attribute__((reqd_work_group_size(8, 1, 1))) kernel void wrapping(global const float *a, global const uint *begin, global float *y, int n) {
  uint i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < n; k++) sum += a[begin[i] + k];
  y[i] = sum;
}
// The loop changes where the row is.
__attribute__((reqd_work_group_size(8, 1, 1))) kernel void lists(global const float *a, global const int *next, global float *y, int n) {
  int i = get_global_id(0), at = i;
  float sum = 0;
  for (int k = 0; k < n; k++, at = next[at]) sum += a[at];
  y[i] = sum;
}
