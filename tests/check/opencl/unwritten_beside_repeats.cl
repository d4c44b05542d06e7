// Of neighbours that are read together, one was not written.
kernel void k(global int *out) {
  local int s[32];
  int i = get_local_id(0), sum = 0;
  if (i != 13) s[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 16; k++) sum += s[k];
  out[i] = sum;
}
