// What one sub-group releases for itself another one acquires.
kernel void k(global int *out) {
  local int data;
  local atomic_int flag;
  size_t i = get_local_id(0);
  if (i == 0) {
    data = 5;
    atomic_store_explicit(&flag, 1, memory_order_release, memory_scope_sub_group);
  } else if (i == 31) {
    if (atomic_load_explicit(&flag, memory_order_acquire, memory_scope_work_group) == 1) out[i] = data;
  }
}
