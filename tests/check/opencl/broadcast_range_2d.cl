// There is a ninth work-item in the group, but none in its first row.
kernel void k(global int *out) {
  int i = get_local_id(0), j = get_local_id(1);
  out[j * 8 + i] = work_group_broadcast(i, 9, 0);
}
