// What one work-item does alone, in front of a sync point or the end.
// show: call .*@__mpl_sync
kernel void first(global int *out, global const int *in) {
  int sum = work_group_reduce_add(in[get_global_id(0)]);
  if (get_local_id(0) == 0)
    out[get_group_id(0)] = sum;
}
kernel void last(global int *out, global const int *in) {
  int sum = work_group_scan_inclusive_add(in[get_global_id(0)]);
  if (get_local_id(0) == get_local_size(0) - 1)
    out[get_group_id(0)] = sum;
}

// Not several work-items, not an id that varies, not where more follows.
kernel void several(global int *out, global const int *in) {
  int sum = work_group_reduce_add(in[get_global_id(0)]);
  if (get_local_id(0) < 2)
    out[get_local_id(0)] = sum;
}
kernel void varying_id(global int *out, global const int *in) {
  int sum = work_group_reduce_add(in[get_global_id(0)]);
  if (get_local_id(0) == in[get_local_id(0)])
    out[get_group_id(0)] = sum;
}
kernel void more_follows(global int *out, global const int *in) {
  int sum = work_group_reduce_add(in[get_global_id(0)]);
  if (get_local_id(0) == 0)
    out[get_group_id(0)] = sum;
  out[get_global_id(0) + 1000] = 7;
}
