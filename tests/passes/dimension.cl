// pass: split

// show: call void @mpl_group
/* Lanes lie along the dimension in which memory is consecutive. */
kernel void row_sums(global const float *a, global float *o, int n) {
  int y = get_global_id(1);
  float s = 0;
  for (int i = 0; i < n; i++) s += a[i * n + y];
  o[y] = s;
}
kernel void transposed(global float *a, global const float *b, int n) {
  a[get_global_id(0) * n + get_global_id(1)] *= b[get_global_id(0)];
}
kernel void deepest(global float *a, int n, int m) {
  a[(get_global_id(0) * m + get_global_id(1)) * n + get_global_id(2)] += 1;
}
/* Also where an int that comes from an id is added to and extended. */
kernel void added_to(global float *a, global const float *b) {
  int x = get_local_id(0), y = get_local_id(1);
  a[y] += b[x + 1] * b[x + 2];
}
/* Between x and y there is nothing to choose; nor where rows are known to be short. */
kernel void copied(global float *a, global const float *b, int n) {
  a[get_global_id(0) * n + get_global_id(1)] = b[get_global_id(1) * n + get_global_id(0)];
}
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void required(global float *a, int n) {
  a[get_global_id(0) * n + get_global_id(1)] += 1;
}
/* Not: a scan is in the order of linear ids. */
kernel void scanned(global int *a, int n) {
  size_t i = get_global_id(0) * n + get_global_id(1);
  a[i] = work_group_scan_inclusive_add(a[i]);
}
