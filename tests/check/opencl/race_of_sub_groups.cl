// A sub-group's barrier orders nothing between sub-groups.
kernel void k(global int *out) {
  local int tile[32];
  size_t i = get_local_id(0);
  tile[i] = (int)i;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[31 - i];
}
