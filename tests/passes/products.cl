// pass: widen
// march: x86-64-v4
// show: i128> %, %|mul <|ashr <
// Upper halves of products of 64 bits are made of products of halves.

kernel void high(global const ulong *a, global const ulong *b, global ulong *out) {
  size_t i = get_global_id(0);
  out[i] = mul_hi(a[i], b[i]);
}

kernel void signed_high(global const long *a, global long *out, long by) {
  size_t i = get_global_id(0);
  out[i] = mul_hi(a[i], by);
}

kernel void by_constant(global const ulong *a, global ulong *out) {
  size_t i = get_global_id(0);
  out[i] = mul_hi(a[i], 0xfedcba9876543210UL);
}

// Not of a shift by another number of bits.
kernel void middle(global const ulong *a, global ulong *out) {
  size_t i = get_global_id(0);
  out[i] = (ulong)((unsigned __int128)a[i] * a[i] >> 32);
}
