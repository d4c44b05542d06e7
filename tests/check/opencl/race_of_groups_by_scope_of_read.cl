// The flag is read in a scope that does not reach the other group, and the fence behind it cannot help.
global atomic_int flag;
kernel void k(global int *out) {
  size_t i = get_global_id(0);
  if (i == 0) {
    out[1] = 5;
    atomic_store_explicit(&flag, 1, memory_order_release, memory_scope_device);
  } else if (i == 16) {
    int seen = atomic_load_explicit(&flag, memory_order_relaxed, memory_scope_work_group);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    if (seen) out[2] = out[1];
  }
}
