// A sub-group is one chunk of vectors: its functions stay where they are, and take a mask.
// pass: split

// show: call .*@lanes_|phi i32 .*[[] 1,|br i1|masked
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
kernel void some(global int *out) {
  size_t i = get_global_id(0);
  int x = out[i];
  if (x & 1)
    x = sub_group_non_uniform_reduce_max(x);
  else
    x = sub_group_shuffle_xor(x, 2);
  out[i] = x;
}
/* Regions end at what the work-group does together only. */
kernel __attribute__((intel_reqd_sub_group_size(8))) void of_8(global int *out) {
  size_t i = get_global_id(0);
  int x = sub_group_scan_inclusive_add(out[i]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = sub_group_broadcast(x, 1);
}
/* The next vote waits for this one: a branch between two constants; not so where it need not. */
kernel void carried(global int *out, int n) {
  size_t i = get_global_id(0);
  int x = out[i];
  for (int k = 0; k < n; k++) x = x * 3 + sub_group_any(x == 7);
  out[i] = x + sub_group_all(x > 0);
}
/* The atomic is done lane by lane in the chunk. */
kernel void counted(global int *out) {
  out[get_global_id(0)] = sub_group_reduce_add(atomic_add(out, (int)get_global_id(0)));
}
