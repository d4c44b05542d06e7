// The barrier that the next turn of the loop needs is missing.
kernel void k(global int *out) {
  local int sums[32];
  size_t i = get_local_id(0);
  sums[i] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t step = 1; step < 32; step *= 2) {
    int left = i >= step ? sums[i - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[i] += left;
  }
  out[i] = sums[i];
}
