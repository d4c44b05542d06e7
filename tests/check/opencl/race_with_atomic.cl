// The last increment need not have been made when the first work-item reads.
kernel void k(global int *out) {
  local int count;
  if (get_local_id(0) == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&count);
  out[get_local_id(0)] = count;
}
