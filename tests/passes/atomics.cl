// Atomics on local memory are plain loads and stores: a work-group runs on one thread.
// show: atomicrmw|cmpxchg|load volatile|store volatile
kernel void local_add(global int *out) {
  local int cell;
  atomic_add(&cell, 3);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[0] = cell;
}
kernel void local_exchange(global int *out, local int *cell) {
  out[get_global_id(0)] = atomic_cmpxchg(cell, 3, 4);
}

// Not on global memory, nor where it may be.
kernel void global_add(global int *out) {
  atomic_add(out, 3);
}
kernel void either(global atomic_int *out, local atomic_int *cell, int which) {
  atomic_int *p = which ? (atomic_int *)out : (atomic_int *)cell;
  atomic_fetch_add(p, 3);
}
