// pass: widen
// march: x86-64-v4
// Rows of bytes: a register of them, since all are side by side.
kernel void thresholds(global const uchar *in, global uchar *out, int width, uchar t) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < width) out[y * width + x] = in[y * width + x] > t ? 255 : 0;
}

// From right to left too.
kernel void mirrored(global const uchar *in, global uchar *out, int width) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < width) out[y * width + width - 1 - x] = in[y * width + x];
}

// Not where they are apart: pieces of a chunk would be gathers.
kernel void halved(global const uchar *in, global uchar *out, int width) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < width) out[y * width + x] = in[2 * (y * width + x)];
}

// Nor where rows may not share a chunk, since nobody promises that their numbers do not wrap, and
// something wider is computed: short rows would leave most lanes without work.
kernel void neighbours(global const uchar *in, global uchar *out, uint width) {
  uint x = get_global_id(0), y = get_global_id(1), at = y * width + x;
  int alive = (in[at - 1] == 1) + (in[at + 1] == 1) + (in[at + width] == 1) + (in[at - width] == 1);
  out[at] = alive * alive > 5;
}
