// pass: widen
// march: x86-64-v3
// plan: yes
/* Rows of a private array, which LLVM finds by bytes: i8, shl %row, 7.  They are whole elements apart
 * nonetheless, and the array is laid out lane beside lane. */
static void products_of(const float *row, global const float *in, float *sum) {
  for (int k = 0; k < 32; k++)
    for (int r = 0; r < 4; r++) sum[r] += row[r * 32 + k] * in[k];
}

kernel void products(global float *out, global const float *in, int n) {
  float b[512];
  size_t i = get_global_id(0);
  for (size_t k = 0; k < 512; k++) b[k] = in[k * n + i];
  for (size_t row = 0; row < 16; row += 4) {
    float sum[4] = {0, 0, 0, 0};
    products_of(b + row * 32, in, sum);
    for (int r = 0; r < 4; r++) out[(row + r) * n + i] = sum[r];
  }
}
