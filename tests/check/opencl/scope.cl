kernel void k(global int *out) {
  size_t i = get_local_id(0);
  out[i] = i < 20 ? work_group_all(1) : sub_group_all(1);
}
