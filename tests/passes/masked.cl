// Regions that only some work-items come to are masked; others are not.
// pass: split
kernel void varying_barrier(global int *out, global const int *in) {
  size_t i = get_local_id(0);
  if (in[i] > 50) {
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = in[i];
  }
}
kernel void uniform_barrier(global int *out, global const int *in) {
  size_t i = get_local_id(0);
  if (in[0] > 50) {
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = in[i];
  }
}
