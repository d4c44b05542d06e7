// Nobody has written the last element.
kernel void k(global int *out) {
  local int tile[33];
  size_t i = get_local_id(0);
  tile[i] = (int)i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[i + 1];
}
