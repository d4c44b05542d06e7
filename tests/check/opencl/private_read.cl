// The last step reads one element too many.
kernel void k(global int *out) {
  int digits[8], sum = 0;
  int i = (int)get_global_id(0);
  for (int j = 0; j < 8; j++) digits[j] = i + j;
  for (int j = 0; j <= i; j++) sum += digits[j];
  out[i] = sum;
}
