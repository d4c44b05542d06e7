// pass: lone
// show: sync|local_id|call
/* Kernels whose work-items meet have a second function for groups of one. */
kernel void reversed(global float *x, local float *t) {
  t[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = t[get_local_size(0) - 1 - get_local_id(0)];
}
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void required_one(global int *x) {
  x[get_group_id(0)] += work_group_scan_exclusive_max(x[get_group_id(0)]);
}
/* Not where groups are larger, or of sub-groups, or nobody meets. */
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void required(global int *x) {
  x[get_global_id(0)] = work_group_reduce_add(x[get_global_id(0)]);
}
kernel void sub_groups(global int *x) { x[get_global_id(0)] = sub_group_reduce_add(x[get_global_id(0)]); }
kernel void alone(global int *x) { x[get_global_id(0)] += 1; }
