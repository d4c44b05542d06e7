// pass: widen
// march: x86-64-v4

// set: MANIPLE_VECTOR_WIDTH=16
/* A place that a loop carries on is not known for a row's first lane when it does not run: copies
 * for rows of half a chunk, of a quarter ... would be made of gathers as the one for any is. */
kernel void carried(global short *o, global const short *in, int n, int rows) {
  int x = get_global_id(0), y0 = get_global_id(1) * 4, at = y0 * n + x;
  for (int y = y0, end = min(rows, y0 + 4); y < end; y++, at += n) o[at] = in[at];
}
/* A place that is computed from what all lanes have is known. */
kernel void computed(global short *o, global const short *in, int n) {
  int x = get_global_id(0), y0 = get_global_id(1) * 4;
  for (int y = 0; y < 4; y++) o[(y0 + y) * n + x] = in[(y0 + y) * n + x];
}
/* Where the loop's places are carried and the one behind it is known, words are gathered, and what
 * is smaller would be loaded one by one. */
kernel void sums(global short *o, global const short *in, int n, int rows) {
  int x = get_global_id(0), y = get_global_id(1), at = y * n + x, sum = 0;
  for (int k = x; k < rows; k += 8, at += 8 * n) sum += in[at];
  o[y * n + x] = sum;
}
kernel void sums_of_words(global int *o, global const int *in, int n, int rows) {
  int x = get_global_id(0), y = get_global_id(1), at = y * n + x, sum = 0;
  for (int k = x; k < rows; k += 8, at += 8 * n) sum += in[at];
  o[y * n + x] = sum;
}
