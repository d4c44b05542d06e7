/* The specification's own example of what is invalid: the id is not the same for all. */
kernel void k(global int *out) {
  size_t i = get_local_id(0);
  out[i] = work_group_broadcast((int)i, get_local_id(0) & 1);
}
