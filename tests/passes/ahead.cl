// show: llvm.prefetch
// What is written behind a scan is asked for in front of it, if its place is known there.
kernel void sums(global int *out, global const int *in) {
  size_t i = get_global_id(0);
  out[i] = work_group_scan_inclusive_add(in[i]);
}

/* The place is what is scanned. */
kernel void sorted(global int *out, global const int *in) {
  int x = in[get_global_id(0)];
  out[work_group_scan_exclusive_add(x & 1)] = x;
}

/* All go to one place; to places far apart; to local memory, which is near. */
kernel void elsewhere(global int *out, global const int *in, local int *near) {
  size_t i = get_local_id(0);
  int sum = work_group_scan_inclusive_add(in[i]);
  out[0] = sum;
  out[16 * i] = sum;
  near[i] = sum;
}

/* Only some write. */
kernel void some(global int *out, global const int *in) {
  size_t i = get_global_id(0);
  int sum = work_group_scan_inclusive_add(in[i]);
  if (sum > 5) out[i] = sum;
}

/* Not behind the next point where they meet. */
kernel void waits(global int *out, global const int *in) {
  size_t i = get_global_id(0);
  int sum = work_group_scan_inclusive_add(in[i]);
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = sum;
}
