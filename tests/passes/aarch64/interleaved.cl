// pass: widen
// march: armv8-a
// plan: yes
// show: neon\.(ld|st)[234]|fpto[su]i
// Fields of structures by LD2 to LD4 and ST2 to ST4.

kernel void products(global const float2 *a, global const float2 *b, global float2 *to) {
  size_t i = get_global_id(0);
  to[i] = (float2)(a[i].x * b[i].x - a[i].y * b[i].y, a[i].x * b[i].y + a[i].y * b[i].x);
}

// The last load begins in the lane before its first: behind the last field may be no memory.
kernel void grey(global const uchar4 *in, global uchar *out) {
  size_t i = get_global_id(0);
  out[i] = (77 * in[i].x + 150 * in[i].y + 29 * in[i].z) >> 8;
}

kernel void three(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  out[i] = (in[3 * i + 1] - in[3 * i]) ^ in[3 * i + 2];
}

// Two of three: what is between is nobody's to store, so that is no ST3.
kernel void in_part(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int x = in[i];
  for (int k = 0; k < 9; k++) x = x * x + k;
  out[3 * i] = x;
  out[3 * i + 2] = ~x;
}

kernel void saturated(global const float *in, global int *out) {
  size_t i = get_global_id(0);
  out[i] = convert_int_sat_rte(in[i]);
}
