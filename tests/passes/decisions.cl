// Where a loop around a barrier ends, all work-items go on without asking: no loop over them.
// pass: split
kernel void halves(global float *out, local float *t, int n) {
  int x = get_local_id(0);
  t[x] = x;
  for (int i = 1; i < n; i *= 2) {
    t[x] += t[x ^ i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[x] = t[x];
}
// Not where there is something to compute for each first.
kernel void varying(global float *out, local float *t, int n) {
  int x = get_local_id(0);
  float sum = 0;
  for (int i = 1; i < n; i *= 2) {
    t[x] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += t[x ^ i];
  }
  out[x] = sum;
}
