// The pointer leads to an array of a block that has ended.
kernel void k(global int *out) {
  int i = get_local_id(0), *digit;
  {
    int digits[4];
    for (int j = 0; j < 4; j++) digits[j] = i + j;
    digit = digits + (i & 3);
  }
  out[i] = *digit;
}
