// A sum by halves that trusts work-items to go in step: volatile alone orders nothing.
kernel void k(global int *out) {
  local volatile int t[48];
  int l = get_local_id(0);
  t[l] = l;
  if (l < 16) t[l + 32] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  t[l] += t[l + 16];
  if (l == 0) out[0] = t[0];
}
