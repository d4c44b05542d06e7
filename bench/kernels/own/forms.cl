// Each for one form of access or of loop that the vector engine has (docs/vector.md).

kernel void axpy_stride(int n, float a, global const float *x, int incx, global float *y, int incy) {
  int i = get_global_id(0);
  if (i < n) y[i * incy] += a * x[i * incx];
}

kernel void bias_modulo(global const float *a, global const float *b, global float *o, int n) {
  int i = get_global_id(0);
  o[i] = a[i] + b[i % n];
}

kernel void gemm_flat(global const float *a, global const float *b, global float *c, int m, int n, int k) {
  int i = get_global_id(0), y = i / n, x = i % n;
  if (y >= m) return;
  float s = 0;
  for (int p = 0; p < k; p++) s += a[y * k + p] * b[p * n + x];
  c[i] = s;
}

kernel void clamp_five(global const float *a, global float *o, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = -2; k <= 2; k++) s += a[clamp(i + k, 0, n - 1)];
  o[i] = s;
}

kernel void ring_of_taps(global const float *ring, global const float *w, global float *o, int head, int mask, int taps) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < taps; k++) s += w[k] * ring[(head + i - k) & mask];
  o[i] = s;
}

kernel void softmax_dim(global const float *a, global float *o, int outer, int n, int inner) {
  int i = get_global_id(0), y = i / inner, x = i % inner;
  if (y >= outer) return;
  a += y * n * inner + x;
  o += y * n * inner + x;
  float most = a[0], sum = 0;
  for (int k = 1; k < n; k++) most = fmax(most, a[k * inner]);
  for (int k = 0; k < n; k++) sum += exp(a[k * inner] - most);
  for (int k = 0; k < n; k++) o[k * inner] = exp(a[k * inner] - most) / sum;
}

kernel void affine_row(global const float4 *p, global const float *x, global float *o, int per) {
  int i = get_global_id(0);
  float4 q = p[i / per];
  o[i] = q.x * x[i] * x[i] * x[i] + q.y * x[i] * x[i] + q.z * x[i] + q.w;
}

kernel void palette_row(global const uchar4 *palette, global const uchar *x, global uchar *o, int w) {
  int i = get_global_id(0);
  uchar4 p = palette[i / w];
  o[i] = (p.x * x[i] + p.y * 3 + p.z + p.w) >> 8;
}

kernel void outer_table(global const float *a, global const float *b, global const int *ia, global const int *ib, global float *o, int n) {
  int i = get_global_id(0), j = get_global_id(1);
  o[i * n + j] = a[ia[i]] * b[ib[j]];
}

kernel void upper_product(global const ulong *a, global const ulong *b, global ulong *o) {
  size_t i = get_global_id(0);
  o[i] = mul_hi(a[i], b[i]);
}

kernel void ring_of_group(global const float *a, global float *o) {
  local float t[32];
  int l = get_local_id(0);
  t[l & 31] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0, own = a[get_global_id(0)];
  for (int k = 0; k < 32; k++) {
    float d = t[(l + k) & 31] - own;
    s += d / (d * d + 1);
  }
  o[get_global_id(0)] = s;
}

kernel void triangle(global const float *a, global const float *x, global float *y, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k <= i; k++) s += a[k * n + i] * x[k];
  y[i] = s;
}

kernel void box_mean(global const float *a, global float *o, int w, int h, int r) {
  int x = get_global_id(0), y = get_global_id(1), n = 0;
  float s = 0;
  for (int j = max(y - r, 0); j <= min(y + r, h - 1); j++)
    for (int k = max(x - r, 0); k <= min(x + r, w - 1); k++) s += a[j * w + k], n++;
  o[y * w + x] = s / n;
}

kernel void pairs_until(global float2 *b, global const int *count, int n, int m) {
  int i = get_global_id(0);
  for (int k = 0; k < count[i]; k++) {
    float2 v = b[k * n + i];
    for (int j = 0; j < m; j++) v = v * 0.5f + v.yx * 0.25f;
    b[k * n + i] = v;
  }
}
