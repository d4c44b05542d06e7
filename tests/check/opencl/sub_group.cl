kernel void k(global int *out) {
  size_t i = get_local_id(0);
  out[i] = 0;
  if (get_sub_group_local_id() < 3) out[i] = sub_group_scan_inclusive_add((int)i);
}
