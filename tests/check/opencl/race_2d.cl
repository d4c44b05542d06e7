// One work-item of each row, not one of the group.  (8 x 4 work-items.)
kernel void k(global int *out) {
  local int sum;
  if (get_local_linear_id() == 0) sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) sum += 1 + (int)get_local_id(1);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_local_linear_id()] = sum;
}
