// pass: widen

// set: MANIPLE_VECTOR_WIDTH=8
// show: masked.gather|masked.load|extractelement|freeze i1|select i1 .* float
/* At the border of an image lanes read one place; within it they are side by side. */
kernel void clamped(global float *out, global const float *in, int n) {
  int x = get_global_id(0);
  out[x] = in[clamp(x - 1, 0, n)];
}
/* So they do in a tile, where most chunks have a border: lanes that stop there have own code, or get 0. */
kernel void clamped_tile(local float *t, int n) {
  int x = get_local_id(0);
  t[x] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  float v = t[clamp(x - 1, 0, n)];
  barrier(CLK_LOCAL_MEM_FENCE);
  t[x] = v;
}
/* A row may end in a chunk. */
kernel void modulo(global float *out, global const float *in, uint n) {
  uint x = get_global_id(0);
  out[x] = in[x % n];
}
/* The same behind a barrier: the place is computed again.  */
kernel void wrapped(local float *t, uint n) {
  uint x = get_local_id(0), next = (x + 1) % n;
  t[x] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  float v = t[next];
  barrier(CLK_LOCAL_MEM_FENCE);
  t[x] = v;
}
/* One place for all, unless the row ends. */
kernel void divided(global float *out, global const float *in, uint n) {
  uint x = get_global_id(0);
  out[x] = in[x / n];
}
/* An index of which nobody promises that it does not wrap, in a loop: two scalars are compared. */
kernel void wraps(global float *out, global const float *in, uint n, global const uint *k) {
  uint x = get_global_id(0);
  float s = 0;
  for (uint i = 0; k[i]; i++) s += in[k[i] * n + x];
  out[x] = s;
}
/* A rotation, by a mask that is hoped to have ones at its end. */
kernel void rotated(global float *out, global const float *in, uint mask) {
  uint x = get_global_id(0);
  out[x] = in[(x + 1) & mask];
}
/* In a tile most chunks go round: lanes in front of that and behind it have a masked load each. */
kernel void rotated_tile(local float *t, uint mask) {
  uint x = get_local_id(0);
  float v = t[(x + 1) & mask];
  barrier(CLK_LOCAL_MEM_FENCE);
  t[x] = v;
}
/* Not: pieces are shorter than a chunk. */
kernel void short_rows(global float *out, global const float *in) {
  out[get_global_id(0)] = in[get_global_id(0) % 3];
}
/* Freezing a number that grows changes nothing: no test, and it is no place that varies. */
kernel void frozen(global int *out, int n) {
  int x = get_global_id(0);
  out[x] = (x + 1) / n;
}
/* An index of ids is computed again behind a barrier: one that memory handed on would vary. */
kernel void behind_a_barrier(global float *a, local float *t, int n, int m) {
  int x = get_local_id(0), y = get_local_id(1);
  int at = (n + 1) * 16 * m + (n + 1) * y + x + 1 + (n + 1);
  t[y * 16 + x] = a[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[at] = t[x];
}
/* Nor is a sum gathered that wraps at most where its parts do: they are asked for in front. */
kernel void summed(global const float *a, global float *b, int n) {
  int x = get_global_id(0) * 4;
  float s = 0;
  for (int k = 0; k < n; k++) s += a[k * n + x] * a[k * n + x + 1];
  b[get_global_id(0)] = s;
}
/* Row and column are looked at where they are computed, not in each turn, whoever is there then. */
kernel void looked_at_once(global float *out, global const float *in, int n, int m) {
  int x = get_global_id(0), column = x % n, row = x / n;
  float s = 0;
  for (int k = 0; k < m; k++)
    if (column + k < n) s += in[row * n + column + k];
  out[x] = s;
}
/* A mask that is hoped to have ones in front: each chunk tests it. */
kernel void pairs(global int *a, int distance) {
  uint i = get_global_id(0), at = (i & ~(uint)(distance - 1)) * 2 + (i & (distance - 1));
  if (a[at] > a[at + distance]) a[at] = 0;
}
