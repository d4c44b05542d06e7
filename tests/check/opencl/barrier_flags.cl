kernel void k(global int *out) {
  size_t i = get_local_id(0);
  barrier(i < 4 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, i & 1 ? memory_scope_device : memory_scope_work_group);
  out[i] = 1;
}
