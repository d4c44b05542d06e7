// No barrier between the plain write and the atomic ones, of which one is by the same work-item.
kernel void k(global int *out) {
  local int count;
  if (get_local_id(0) == 0) count = 0;
  atomic_inc(&count);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_local_id(0)] = count;
}
