// pass: widen

// set: MANIPLE_VECTOR_WIDTH=8
// show: icmp (eq|ne) i8 %.*, 0
/* A loop that all lanes enter goes on while some stay: where it begins nobody asks again. */
kernel void all_enter(global int *out, global const uchar *text, global const uchar *word, int n) {
  int i = get_global_id(0), k = 0;
  while (k < n && text[i + k] == word[k]) k++;
  out[i] = k;
}
/* Where some enter there may be none. */
kernel void some_enter(global int *out, global const uchar *text, global const uchar *word, int n) {
  int i = get_global_id(0), k = 0;
  if (text[i] & 1)
    while (k < n && text[i + k] == word[k]) k++;
  out[i] = k;
}
