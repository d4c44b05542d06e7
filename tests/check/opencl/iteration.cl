// Each calls it once, half of them one iteration later.
kernel void k(global int *out) {
  int i = get_local_id(0);
  for (int j = 0; j < 2; j++)
    if (j == (i & 1)) out[i] = work_group_reduce_add(j);
}
