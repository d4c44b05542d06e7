// A mistake in each that no filter could see: these kernels have none.

kernel void barrier_for_some(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (in[i] < 20) barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = 1;
}

kernel void barrier_behind_return(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (in[i] == 20) return;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = 1;
}

// One who waits for the other would do so for ever where they run together.
kernel void waits(global int *out, global const int *in) {
  local int lock;
  int i = get_global_id(0);
  if (get_local_id(0) == 0) lock = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  while (atomic_cmpxchg(&lock, 0, 1) != 0)
    ;
  out[0] += 1;
  atomic_xchg(&lock, 0);
}
