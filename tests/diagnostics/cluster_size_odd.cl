int twelve(int x) {
  return sub_group_clustered_rotate(x, 1, 12);
}
kernel void k(global int *out) {
  out[get_global_id(0)] = twelve(3);
}
