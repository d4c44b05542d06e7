// Behind the first array lies the second one.
kernel void k(global int *out) {
  local int first[32], second[32];
  size_t i = get_local_id(0);
  first[i] = 1;
  second[i] = 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = first[i + 1] + second[i];
}
