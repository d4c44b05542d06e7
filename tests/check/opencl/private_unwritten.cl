// The loop ends one element too early.
kernel void k(global int *out) {
  int digits[8];
  int i = (int)get_global_id(0);
  for (int j = 0; j < 7; j++) digits[j] = i + j;
  out[i] = digits[i & 7];
}
