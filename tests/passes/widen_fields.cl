// pass: widen

// set: MANIPLE_VECTOR_WIDTH=8
// show: masked|gather|scatter
/* Under a condition: masked moves of the elements that lanes which are there access. */
kernel void some(global float4 *x, float a) {
  size_t i = get_global_id(0);
  if (x[i].x > a) x[i].yz *= a;
}

/* All bytes of a lane: one number, masked as that. */
kernel void bytes(global uchar4 *x, int n) {
  size_t i = get_global_id(0);
  if (i > n) x[i] = x[i].wzyx;
}

/* A small structure goes word by word; what is read of local memory is nothing that the fields of
 * global memory change, so these are stored together. */
struct record { float x, y; int n[2]; };
kernel void records(global struct record *out, global const struct record *in) {
  local struct record own[64];
  size_t i = get_global_id(0), l = get_local_id(0);
  own[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i].x += own[l].n[0];
  out[i].y += own[l].x;
  out[i].n[0] += own[l].y;
  out[i].n[1] += own[l].n[1];
}

/* Elements by numbers that differ by a constant. */
kernel void pairs(global int *out, global const short *in) {
  size_t i = get_global_id(0);
  int k = get_global_id(0), one = in[2 * k], other = in[2 * k + 1];
  out[2 * i] = other;
  out[2 * i + 1] = one;
}

/* Three for one, by numbers that may wrap; and constant memory, which no store changes. */
kernel void digits(global uchar *out, global const uchar *in, constant uchar *table) {
  int k = get_global_id(0);
  uint v = in[3 * k] << 16 | in[3 * k + 1] << 8 | in[3 * k + 2];
  out[2 * k] = table[v >> 12];
  out[2 * k + 1] = table[v & 4095];
}

/* What is stored again is stored once. */
kernel void again(global float4 *x, float a, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  x[i].x += a;
  x[i].y *= a;
}

/* What is read of another array between the stores does not keep them apart, if the arrays are one
 * or are no neighbours, which is asked for in front of the loop. */
kernel void faded(global uchar *out, global const uchar *in, uint by) {
  size_t i = get_global_id(0);
  for (int c = 0; c < 3; c++) out[3 * i + c] = in[3 * i + c] * by >> 8;
}
/* If they are one, the first is written before it is read. */
kernel void mirrored(global uchar *out, global const uchar *in) {
  size_t i = get_global_id(0);
  for (int c = 0; c < 2; c++) out[2 * i + c] = in[2 * i + 1 - c];
}
