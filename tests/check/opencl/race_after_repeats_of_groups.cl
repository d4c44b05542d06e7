// Both groups read all of it; then one writes.
kernel void k(global int *out) {
  int i = get_global_id(0), sum = 0;
  for (int turn = 0; turn < 3; turn++)
    for (int k = 0; k < 4; k++) sum += out[k];
  if (i == 25) out[2] = sum;
}
