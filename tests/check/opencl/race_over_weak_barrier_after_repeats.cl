// What was read before a barrier that orders other memory is not in order with what is behind it.
kernel void k(global int *out) {
  int i = get_local_id(0), sum = 0;
  for (int turn = 0; turn < 3; turn++) sum += out[0] + out[1];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int turn = 0; turn < 3; turn++) sum += out[0] + out[1];
  if (i == 7) out[1] = sum;
}
