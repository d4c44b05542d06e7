// What is read again and again is not told of again; who writes then races with those who read.
kernel void k(global int *out) {
  local int s[40];
  int i = get_local_id(0), sum = 0;
  s[i] = i;
  if (i < 8) s[32 + i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int turn = 0; turn < 3; turn++)
    for (int k = 0; k < 8; k++) sum += s[32 + k];
  if (i == 20) s[35] = sum;
  out[i] = sum;
}
