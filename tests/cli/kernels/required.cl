__attribute__((reqd_work_group_size(4, 1, 1)))
kernel void required(global int *out, local int *items) {
  items[get_local_id(0)] = (int)get_local_size(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = items[3 - get_local_id(0)] + (int)get_group_id(0);
}
