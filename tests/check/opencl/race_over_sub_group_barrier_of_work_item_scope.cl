// The same within a sub-group.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void k(global int *out) {
  local int data[32];
  size_t i = get_local_id(0);
  data[i] = (int)i;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_item);
  out[i] = data[i ^ 1];
}
