// pass: widen
// march: x86-64-v4

// set: MANIPLE_VECTOR_WIDTH=16
// show: load <8 x float>|store <8 x float>
/* Rows of half a chunk: two of them, each of whose accesses is one of half the width.  The gathers
 * that shorter rows would need cost more than lanes without work. */
kernel void stencil(global float *o, global const float *in, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  o[y * n + x] = in[y * n + x] + in[(y + 1) * n + x] * in[y * n];
}
/* Computing pays for them: rows of any length. */
kernel void mandelbrot(global int *o, int n) {
  int x = get_global_id(0), y = get_global_id(1), k = 0;
  float cr = x * 0.01f - 2, ci = y * 0.01f - 1, r = 0, i = 0;
  while (k < n && r * r + i * i < 4) {
    float t = r * r - i * i + cr;
    i = 2 * r * i + ci;
    r = t;
    k++;
  }
  o[y * n + x] = k;
}
/* Not: fields of neighbours, whose lanes are taken from one wide access of a whole row. */
kernel void grey(global const uchar4 *in, global uchar *o, int n) {
  int at = (int)(get_global_id(1) * n + get_global_id(0));
  o[at] = (in[at].x + in[at].y + in[at].z) / 3;
}
/* Nor where rows are long, or nothing tells one from another. */
kernel __attribute__((reqd_work_group_size(32, 4, 1))) void required(global float *o, int n) {
  o[get_global_id(1) * n + get_global_id(0)] += 1;
}
kernel void one(global float *o) { o[get_global_id(0)] += 1; }
/* Between barriers, a row of just one chunk is nothing but that chunk. */
kernel void reversed(global float *o, local float *tile, int n) {
  int x = get_local_id(0), y = get_local_id(1), at = get_global_id(1) * n + get_global_id(0);
  tile[y * 16 + x] = o[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  o[at] = tile[y * 16 + 15 - x];
}
