// All of the group wait, and each sub-group sees what its own work-items have written, by the scope of the barrier.
kernel void k(global int *out) {
  local int data[32];
  size_t i = get_local_id(0);
  data[i] = (int)i;
  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);
  int near = data[i ^ 1]; // of the same one
  out[i] = near + data[31 - i];
}
