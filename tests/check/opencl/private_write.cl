// Ids from 3 on write behind their own array: what lies there is the work-item's too.
kernel void k(global int *out) {
  int digits[8];
  int i = (int)get_global_id(0);
  for (int j = 0; j < 8; j++) digits[j] = j;
  digits[i * 3] = 7;
  out[i] = digits[(i + 1) & 7];
}
