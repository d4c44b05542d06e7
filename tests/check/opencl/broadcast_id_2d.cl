// An id of two dimensions that differs.
kernel void k(global int *out) {
  int i = get_local_id(0), j = get_local_id(1);
  out[j * 8 + i] = work_group_broadcast(i, j / 2, j % 2);
}
