// The flag is set with release, and read without acquire.
kernel void k(global int *out) {
  local int data;
  local atomic_int flag;
  size_t i = get_local_id(0);
  if (i == 0) atomic_init(&flag, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) {
    data = 5;
    atomic_store_explicit(&flag, 1, memory_order_release, memory_scope_work_group);
  } else if (atomic_load_explicit(&flag, memory_order_relaxed, memory_scope_work_group)) {
    out[i] = data;
  }
}
