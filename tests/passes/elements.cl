// pass: widen

// set: MANIPLE_VECTOR_WIDTH=8
// show: (masked|select <8)
/* What work-items keep until the next region is in the group's own memory: no mask there. */
kernel void kept(global int *out) {
  int x = out[get_global_id(0)] * 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0) ^ 1] = x;
}
