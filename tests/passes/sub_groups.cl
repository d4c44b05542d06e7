// A function for one sub-group, and the driver that calls it.
// pass: split
// show: call .*@mpl_|call .*sub_group
kernel void together(global int *out) {
  size_t i = get_global_id(0);
  out[i] = sub_group_reduce_add(out[i]);
}
kernel void guarded(global int *out, ulong n) {
  size_t i = get_global_id(0);
  if (i >= n)
    return;
  out[i] = sub_group_reduce_add(out[i]);
}
kernel __attribute__((intel_reqd_sub_group_size(8))) void of_8(global int *out) {
  size_t i = get_global_id(0);
  int x = sub_group_reduce_add(out[i]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = x;
}
kernel void of_vectors(global int4 *out) {
  size_t i = get_global_id(0);
  out[i] = sub_group_broadcast(out[i], 3);
}
