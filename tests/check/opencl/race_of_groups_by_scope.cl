// The flag of one work-group is read by another: both name a scope that does not reach so far.
global atomic_int flag;
kernel void k(global int *out) {
  size_t i = get_global_id(0);
  if (i == 0) {
    out[1] = 5;
    atomic_store_explicit(&flag, 1, memory_order_release, memory_scope_work_group);
  } else if (i == 16) {
    if (atomic_load_explicit(&flag, memory_order_acquire, memory_scope_device)) out[2] = out[1];
  }
}
