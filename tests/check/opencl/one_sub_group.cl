// The sum of a sub-group is stored as if it were the work-group's, by each of the two sub-groups.
kernel void k(global int *out) {
  int sum = sub_group_reduce_add((int)get_local_id(0));
  if (get_sub_group_local_id() == 0) out[get_group_id(0)] = sum;
}
