// A barrier in front of the flag makes its scope no wider: another group still does not see what is released.
global atomic_int flag;
kernel void k(global int *out) {
  size_t i = get_global_id(0);
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (i == 0) {
    out[1] = 5;
    atomic_store_explicit(&flag, 1, memory_order_release, memory_scope_work_group);
  } else if (i == 16) {
    if (atomic_load_explicit(&flag, memory_order_acquire, memory_scope_device)) out[2] = out[1];
  }
}
