// No barrier between the write of one work-item and its neighbour's read.
kernel void k(global int *out) {
  local int tile[32];
  size_t i = get_local_id(0);
  tile[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[i] = (int)i;
  out[i] = tile[(i + 16) % 32];
}
