// Each turn of the loop has an array of its own: what the last one wrote is gone.
kernel void k(global int *out) {
  int i = (int)get_global_id(0), sum = 0;
  for (int turn = 0; turn < i; turn++) {
    int digits[40];
    if (turn == 0)
      for (int j = 0; j < 40; j++) digits[j] = j;
    sum += digits[(turn + i) % 40];
  }
  out[i] = sum;
}
