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

kernel void copied_for_some(global int *out, global const int *in) {
  local int t[96];
  int i = get_global_id(0), l = get_local_id(0);
  t[l] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (in[i] % 96 < 90) async_work_group_copy(t, in, 96, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[l];
}

kernel void copied_apart(global int *out, global const int *in) {
  local int t[96];
  event_t e = async_work_group_copy(t, in + get_local_id(0) % 4, 8, 0);
  wait_group_events(1, &e);
}

// Of a block that has ended.
kernel void after_scope(global int *out, global const int *in) {
  int i = get_global_id(0), *last;
  {
    int digits[4];
    for (int j = 0; j < 4; j++) digits[j] = in[i] + j;
    last = digits;
  }
  last[0] = 5;
  out[i] = last[i & 3];
}
