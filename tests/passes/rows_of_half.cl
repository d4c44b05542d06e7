// pass: widen
// show: call void @llvm.masked.store|call .* @llvm.masked.load
/* Rows of 8 floats fill a register of AVX2, and chunks are of 16 lanes: such rows have chunks of their
 * own length, which need no masks, and in which a branch on the row is one for all lanes. */
kernel void columns(global float *out, global const float *in, global const float *basis, int n) {
  local float block[8][8];
  int x = get_local_id(0), y = get_local_id(1), at = get_global_id(1) * n + get_global_id(0);
  block[y][x] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 8; k++) sum += basis[x * 8 + k] * block[y][k];
  if (y > 0) sum += in[at - n];
  out[at] = sum;
}
