// Small kernels with sync points in a loop have a function for groups of 16 work-items: what they keep is on
// the stack, not in scratch memory.
// function: mpl_few
// show: alloca .*i8\]|%scratch
kernel void scanned(global int *out, int n) {
  int x = (int)get_local_id(0);
  for (int k = 0; k < n; k++)
    x = work_group_scan_exclusive_add(x ^ k);
  out[get_local_id(0)] = x;
}
kernel void rotated(global int *out, local int *at, int n) {
  uint id = get_local_id(0), size = get_local_size(0);
  int x = (int)id, first = 2 * x;
  for (int k = 0; k < n; k++) {
    at[id] = x + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = at[(id + 1) & (size - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    first ^= x;
  }
  out[id] = x + first;
}

// Not where each sync point is come to once, nor where ids are of several dimensions, where no groups of 16
// are launched, or where work-items part.
kernel void once(global int *out) {
  out[get_local_id(0)] = work_group_scan_exclusive_add(out[get_local_id(0)]);
}
kernel void rows(global int *out, int n) {
  int x = (int)get_local_id(1);
  for (int k = 0; k < n; k++)
    x = work_group_scan_exclusive_add(x ^ (int)get_local_id(0));
  out[get_local_id(0)] = x;
}
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void required(global int *out, int n) {
  int x = (int)get_local_id(0);
  for (int k = 0; k < n; k++)
    x = work_group_scan_exclusive_add(x ^ k);
  out[get_local_id(0)] = x;
}
kernel void parted(global int *out, int n) {
  int x = (int)get_local_id(0);
  for (int k = 0; k < n; k++)
    if (out[x] == k) x = work_group_scan_exclusive_add(x ^ k);
  out[get_local_id(0)] = x;
}
