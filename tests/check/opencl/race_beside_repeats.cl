// Neighbours that are looked at together, of which one races.
kernel void k(global int *out) {
  local int s[64];
  int i = get_local_id(0), sum = 0;
  s[i] = i;
  s[32 + i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 3) s[13] = 7;
  for (int k = 0; k < 16; k++) sum += s[i / 16 * 8 + k];
  out[i] = sum;
}
