// pass: widen
// march: x86-64-v3
// show: mul <|mul nuw <|mul nsw <|i64> % to <32 x i32>
// Upper halves of products of 32 bits are those of every second lane's products, in more than two registers.

kernel void words(global const uint *a, global const uint *b, global uint *out) {
  size_t i = get_global_id(0);
  out[i] = mul_hi(a[i], b[i]);
}

kernel void signed_words(global const int *a, global int *out, int by) {
  size_t i = get_global_id(0);
  out[i] = mul_hi(a[i], by);
}

// Not where the lower half of the product is asked for too.
kernel void both_words(global const uint *a, global uint *out, uint by) {
  size_t i = get_global_id(0);
  ulong product = (ulong)a[i] * by;
  out[i] = (uint)(product >> 32) + (uint)(product >> 16);
}
