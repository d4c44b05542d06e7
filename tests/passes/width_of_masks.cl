// Lanes of bytes before AVX-512: a register of them where some go another way than others, since the
// mask of more is no register; else two.
// pass: widen
kernel void leave(global uchar *out, global const uchar *text, constant uchar *pattern, int n) {
  size_t i = get_global_id(0);
  uchar k = 0;
  while (k < n && text[i + k] == pattern[k]) k++;
  out[i] = k;
}
kernel void stay(global uchar *out, global const uchar *text, constant uchar *pattern, int n) {
  size_t i = get_global_id(0);
  uchar sum = 0;
  for (int k = 0; k < n; k++) sum += text[i + k] ^ pattern[k];
  out[i] = sum;
}
