// Loops of sub-groups that may wait for another sub-group.
// show: call .*@__mpl_sync
kernel void spins(global atomic_int *flag, global int *out) {
  while (atomic_load(flag) == 0)
    ;
  out[get_global_id(0)] = sub_group_reduce_add(1);
}
kernel void volatile_flag(global volatile int *flag, global int *out) {
  while (*flag == 0)
    ;
  out[get_global_id(0)] = sub_group_reduce_add(1);
}

// Not where nothing atomic decides, and not in work-groups, which run one work-item after another.
kernel void counts(global atomic_int *flag, global int *out, int n) {
  for (int i = 0; i < n; i++)
    atomic_fetch_add(flag, 1);
  out[get_global_id(0)] = sub_group_reduce_add(1);
}
kernel void work_group(global atomic_int *flag, global int *out) {
  while (atomic_load(flag) == 0)
    ;
  out[get_global_id(0)] = work_group_reduce_add(1);
}
