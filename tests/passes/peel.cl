// Loops that carry what is uniform behind the first iteration.
// show: call .*@__mpl_sync
kernel void reduced(global int *out, global const int *in, int n) {
  size_t i = get_local_id(0);
  int x = in[i];
  for (int k = 0; k < n; k++)
    x = work_group_reduce_add(x ^ (int)i);
  out[i] = x;
}

// Not what goes on varying, nor what is uniform from the beginning, nor a loop without a sync point.
kernel void scanned(global int *out, global const int *in, int n) {
  size_t i = get_local_id(0);
  int x = in[i];
  for (int k = 0; k < n; k++)
    x = work_group_scan_inclusive_add(x ^ (int)i);
  out[i] = x;
}
kernel void uniform(global int *out, global const int *in, int n) {
  size_t i = get_local_id(0);
  int x = in[0];
  for (int k = 0; k < n; k++)
    x = work_group_reduce_add(x ^ (int)i);
  out[i] = x;
}
kernel void no_sync(global int *out, global const int *in, int n) {
  size_t i = get_local_id(0);
  int x = in[i];
  for (int k = 0; k < n; k++)
    x = in[x];
  out[i] = x;
}
