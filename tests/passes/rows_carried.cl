// pass: widen

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
