// The value is written behind the barrier.
kernel void k(global atomic_int *out) {
  if (get_local_id(0) == 0)
    while (!atomic_load(out))
      ;
  barrier(CLK_GLOBAL_MEM_FENCE);
  atomic_store(out, 1);
}
