// Only odd lanes come here, and they ask even ones.
kernel void k(global int *out) {
  int i = (int)get_local_id(0);
  if (i % 2) out[i] = sub_group_shuffle_xor(i, 1);
}
