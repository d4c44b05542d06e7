kernel void k(global int *out) {
  size_t i = get_local_id(0);
  for (int turn = 0; turn < (int)i; turn++) barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = 1;
}
