// pass: inline
// show: addrspacecast|switch
// What a helper's generic pointer comes from is known in its kernel; and the ways out of a loop are branches, not
// the numbers by which the front end knows them.

float take(float *from, int at, int n) {
  float v = from[at];
  while (at < n) {
    int next = 2 * at + 1;
    if (from[next & 15] <= v) break;
    from[at & 15] = from[next & 15];
    at = next;
  }
  return v + at;
}

kernel void private_array(global float *x) {
  float own[16];
  int i = get_global_id(0);
  for (int k = 0; k < 16; k++) own[k] = x[16 * i + k];
  x[i] = take(own, i & 7, 16);
}

kernel void global_memory(global float *x) {
  x[get_global_id(0)] = take(x, get_global_id(0) & 7, 16);
}

// It may be either.
kernel void unknown(global float *x, int which) {
  local float shared[16];
  float *from = x;
  if (which) from = shared;
  shared[get_local_id(0) & 15] = which;
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = from[which & 15];
}
