// A lock without fences: the one who gets it need not see what the last one wrote.
kernel void k(global int *out) {
  local int lock, sum;
  size_t i = get_local_id(0);
  if (i == 0) lock = sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (bool done = false; !done;)
    if (atomic_cmpxchg(&lock, 0, 1) == 0) {
      sum = sum + (int)i;
      atomic_xchg(&lock, 0);
      done = true;
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = sum;
}
