// Of the lanes there are 16: the last five have no source.
kernel void k(global int *out) {
  int i = (int)get_local_id(0);
  out[i] = sub_group_shuffle_down(i, 5) + 1;
}
