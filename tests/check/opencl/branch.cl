int sum_of(int x) { return work_group_reduce_add(x); }

kernel void k(global int *out) {
  size_t i = get_local_id(0);
  out[i] = 0;
  if (i < 5)
    out[i] = sum_of((int)i);
  else
    barrier(CLK_LOCAL_MEM_FENCE);
}
