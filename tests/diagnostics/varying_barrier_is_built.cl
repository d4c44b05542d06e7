// launch: 1 1
kernel void k(void) {
  if (get_global_id(0) < 5) barrier(CLK_LOCAL_MEM_FENCE);
}
