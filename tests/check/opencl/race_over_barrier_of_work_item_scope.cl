// All of the group wait, but nobody sees what another has written, by the scope of the barrier.
kernel void k(global int *out) {
  local int data[32];
  size_t i = get_local_id(0);
  data[i] = (int)i;
  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_item);
  out[i] = data[31 - i];
}
