// What another work-item has released says nothing of this one's accesses.
kernel void k(global int *out) {
  local int data, other;
  local atomic_int flag;
  int i = get_local_id(0);
  if (i == 0) atomic_init(&flag, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) data = 5;
  if (i == 1) {
    other = 7;
    atomic_store_explicit(&flag, 1, memory_order_release, memory_scope_work_group);
  }
  if (i == 2) {
    while (!atomic_load_explicit(&flag, memory_order_acquire, memory_scope_work_group)) continue;
    out[0] = other;
    out[1] = data;
  }
}
