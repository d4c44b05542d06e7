// The barrier orders local memory; what is exchanged is global.
kernel void k(global int *out) {
  size_t i = get_local_id(0);
  out[i] = (int)i;
  barrier(CLK_LOCAL_MEM_FENCE);
  int other = out[(i + 1) % 32];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  out[i] = other;
}
