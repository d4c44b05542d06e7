kernel void k(global int *out, uint n) {
  out[get_global_id(0)] = sub_group_clustered_reduce_add(1, n);
}
