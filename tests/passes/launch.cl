// Arguments, sizes and group ids, and arithmetic on them, are in the first block: before the first label.
// show: invariant.load|^[0-9]+:|mul |add |local_id
kernel void sizes(global int *out, int n, int m) {
  size_t i = get_local_id(0) + get_group_id(0) * get_local_size(0);
  out[i] = n * m;
}
