// pass: expand
// march: armv8-a
// show: = (add|sub|mul|lshr|ashr|shl|trunc)[a-z ]* i(8|16|32) |@llvm.[us]m
// What is cut to a byte or two is computed with as few.

kernel void weighted(global const uchar *in, global uchar *out) {
  size_t i = get_global_id(0);
  out[i] = (77 * in[i] + 150 * in[i + 1] + 29 * in[i + 2]) >> 8;
}

kernel void limited(global const uchar *in, global uchar *out) {
  size_t i = get_global_id(0);
  out[i] = add_sat(in[i], (uchar)40);
}

// A difference has a sign above its byte.
kernel void halved(global const uchar *in, global uchar *out) {
  size_t i = get_global_id(0);
  out[i] = (in[i] - in[i + 1]) >> 1;
}

kernel void wrapped(global const ushort *in, global ushort *out) {
  size_t i = get_global_id(0);
  out[i] = in[i] * in[i + 1] - (in[i + 2] << 3);
}

// Three bytes' product has more than 16 bits, of which the shift takes some.
kernel void too_large(global const uchar *in, global uchar *out) {
  size_t i = get_global_id(0);
  out[i] = (in[i] * in[i + 1] * in[i + 2]) >> 4;
}

// Used as it is too.
kernel void twice(global const uchar *in, global uchar *out, global int *whole) {
  size_t i = get_global_id(0);
  int sum = in[i] + in[i + 1] * 3;
  out[i] = sum;
  whole[i] = sum;
}
