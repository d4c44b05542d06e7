// A loop that goto makes: the second half of them skips the first iteration, the others the second.
kernel void k(global int *out) {
  local int tile[32];
  int i = get_local_id(0), j = 0;
again:
  if (j == i / 16) {
    tile[i] = j;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (++j < 2) goto again;
  out[i] = tile[i];
}
