// pass: widen
// show: vpdpbusd
// march: icelake-server

// Dot products of bytes are instructions of vectors of 32-bit lanes, packed or not.
kernel void packed(global int *out, global const uint *a, global const uint *b) {
  size_t i = get_global_id(0);
  out[i] = dot_4x8packed_us_int(a[i], b[i]);
}
__attribute__((reqd_work_group_size(16, 1, 1))) kernel void of_vectors(global int *out, global const char4 *a, global const char4 *b) {
  size_t i = get_global_id(0);
  out[i] = dot_acc_sat(a[i], b[i], out[i]);
}
