// A barrier of the first work-group orders nothing for the second one.
kernel void k(global int *out) {
  if (get_global_id(0) == 0) out[0] = 0;
  barrier(CLK_GLOBAL_MEM_FENCE);
  atomic_inc(&out[0]);
}
