// pass: widen

// set: MANIPLE_VECTOR_WIDTH=8
// show: masked.gather|masked.load|load <8|icmp ne <8|mixed
/* The window's ends grow from lane to lane but at borders, which is tested once: where they do the loop
 * has no mask. */
kernel void window(global int *out, global const int *in, int n, int r) {
  int x = get_global_id(0), s = 0;
  for (int k = max(x - r, 0); k <= min(x + r, n - 1); k++) s += in[k];
  out[x] = s;
}
/* In front of each turn of the loop around it, if nothing is changed there. */
kernel void window_of_rows(global int *out, global const int *in, int n, int r) {
  int x = get_global_id(0), s = 0;
  for (int y = 0; y < r; y++)
    for (int k = max(x - y, 0); k <= min(x + y, n - 1); k++) s += in[y * n + k];
  out[x] = s;
}
/* Most lanes have all taps. */
kernel void taps(global int *out, global const int *in, int n, int r) {
  int x = get_global_id(0), s = 0;
  for (int k = max(0, r - x); k < r; k++) s += in[x + k - r];
  out[x] = s;
}
/* Not behind a store: the chunk could not begin again. */
kernel void stored(global int *out, global const int *in, int n, int r) {
  int x = get_global_id(0), s = 0;
  out[x] = r;
  for (int k = max(x - r, 0); k <= x; k++) s += in[k];
  out[x] += s;
}
/* Nor is a clamp tested that no loop asks for. */
kernel void no_loop(global int *out, global const int *in, int n) {
  int x = get_global_id(0);
  out[x] = in[max(x - n, 0)];
}
/* Two numbers that may wrap between two lanes end a loop for all if they do not, and what is counted so
 * is extended. */
kernel void wraps(global uint *out, global const uint *in, uint by, uint n) {
  uint x = get_global_id(0), from = x + by, s = 1;
  for (uint k = from; k < from + n; k++) s = s * 3 + in[k];
  out[x] = s;
}
/* Not where something is stored: the chunk could not begin again. */
kernel void stores(global uint *out, uint by, uint n) {
  uint x = get_global_id(0), from = x * 3 + by;
  for (uint k = from; k < from + n; k++) out[k] = x;
}
