// Local variables are places in the group's local memory.
// show: ptr addrspace\(3\)
kernel void two(global int *out) {
  local int cell;
  local long cells[4];
  size_t i = get_local_id(0);
  cell = 1;
  cells[i & 3] = 7;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = cell + (int)cells[3];
}

// Not private ones, not an argument.
kernel void none(global int *out, local int *cells) {
  int own[4];
  size_t i = get_local_id(0);
  for (int k = 0; k < 4; k++)
    own[k ^ (i & 1)] = cells[k];
  out[i] = own[i & 3];
}
