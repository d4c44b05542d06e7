// Linear algebra on full matrices.

kernel void gemm(global const float *a, global const float *b, global float *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= n || y >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

kernel void gemm_tiles(global const float *a, global const float *b, global float *c, int n) {
  local float as[16][16], bs[16][16];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    as[ly][lx] = a[y * n + t + lx];
    bs[ly][lx] = b[(t + ly) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++) sum += as[ly][k] * bs[k][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}

// Each work-item has 4 x 4 sums of its own.
kernel void gemm_registers(global const float *a, global const float *b, global float *c, int n) {
  int x = get_global_id(0) * 4, y = get_global_id(1) * 4;
  float sum[4][4] = {{0}};
  for (int k = 0; k < n; k++) {
    float row[4], column[4];
    for (int i = 0; i < 4; i++) {
      row[i] = a[(y + i) * n + k];
      column[i] = b[k * n + x + i];
    }
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) sum[i][j] += row[i] * column[j];
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) c[(y + i) * n + x + j] = sum[i][j];
}

// As many columns as the group is wide, of a row that is kept privately.
kernel void gemm_private_row(global const float *a, global const float *b, global float *c,
                             int n) {
  int y = get_global_id(0);
  float row[128];
  for (int k = 0; k < n; k++) row[k] = a[y * n + k];
  for (int x = 0; x < n; x++) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += row[k] * b[k * n + x];
    c[y * n + x] = sum;
  }
}

// The same with columns that the group keeps in local memory: the row lives on behind barriers.
kernel void gemm_row_and_column(global const float *a, global const float *b, global float *c,
                                int n) {
  local float column[128];
  int y = get_global_id(0), l = get_local_id(0), size = get_local_size(0);
  float row[128];
  for (int k = 0; k < n; k++) row[k] = a[y * n + k];
  for (int x = 0; x < n; x++) {
    for (int k = l; k < n; k += size) column[k] = b[k * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int k = 0; k < n; k++) sum += row[k] * column[k];
    c[y * n + x] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// A row of the matrix for each work-item.
kernel void rows_by_vector(global const float *a, global const float *x, global float *y, int n) {
  int row = get_global_id(0);
  if (row < n) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * x[k];
    y[row] = sum;
  }
}

kernel void dot4(global const float4 *a, global const float4 *x, global float *y, int n) {
  int row = get_global_id(0);
  float4 sum = (float4)(0.0f);
  for (int k = 0; k < n; k++) sum += a[row * n + k] * x[k];
  y[row] = sum.x + sum.y + sum.z + sum.w;
}

kernel void shortest(global int *d, int n, int k) {
  int x = get_global_id(0), y = get_global_id(1);
  int over = d[y * n + k] + d[k * n + x];
  if (over < d[y * n + x]) d[y * n + x] = over;
}

// LU of one block in local memory, by one group that is as wide as the block.
kernel void lu_block(global float *a, int n) {
  local float s[32][33];
  int l = get_local_id(0);
  global float *block = a + get_group_id(0) * n * n;
  for (int i = 0; i < n; i++) s[i][l] = block[i * n + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < n - 1; k++) {
    if (l > k) s[l][k] /= s[k][k];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l > k)
      for (int j = k + 1; j < n; j++) s[l][j] -= s[l][k] * s[k][j];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < n; i++) block[i * n + l] = s[i][l];
}

kernel void lu_update(global float *a, int n, int k) {
  int x = get_global_id(0) + k + 1, y = get_global_id(1) + k + 1;
  if (x < n && y < n) a[y * n + x] -= a[y * n + k] / a[k * n + k] * a[k * n + x];
}

// Cosine transforms of 8 x 8: by a group of as many, and by one work-item for a row.
kernel void dct_group(global const float *in, global const float *basis, global float *out,
                      int width) {
  local float block[8][8], rows[8][8];
  int lx = get_local_id(0), ly = get_local_id(1), at = get_global_id(1) * width + get_global_id(0);
  block[ly][lx] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 8; k++) sum += basis[lx * 8 + k] * block[ly][k];
  rows[ly][lx] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = 0;
  for (int k = 0; k < 8; k++) sum += basis[ly * 8 + k] * rows[k][lx];
  out[at] = sum;
}

kernel void dct_private(global const float *in, global const float *basis, global float *out) {
  size_t i = get_global_id(0);
  float v[8];
  for (int k = 0; k < 8; k++) v[k] = in[i * 8 + k];
  for (int u = 0; u < 8; u++) {
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += basis[u * 8 + k] * v[k];
    out[i * 8 + u] = sum;
  }
}

// Small symmetric systems, one a work-item, whose matrices are private.
kernel void cholesky6(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float a[6][6];
  for (int r = 0; r < 6; r++)
    for (int c = 0; c <= r; c++) a[r][c] = in[(r * 6 + c) * n + i];
  for (int c = 0; c < 6; c++) {
    for (int k = 0; k < c; k++) a[c][c] -= a[c][k] * a[c][k];
    a[c][c] = sqrt(a[c][c]);
    for (int r = c + 1; r < 6; r++) {
      for (int k = 0; k < c; k++) a[r][c] -= a[r][k] * a[c][k];
      a[r][c] /= a[c][c];
    }
  }
  for (int r = 0; r < 6; r++)
    for (int c = 0; c <= r; c++) out[(r * 6 + c) * n + i] = a[r][c];
}

kernel void covariance(global const float *a, global float *out, int n) {
  int j = get_global_id(0);
  for (int k = j; k < n; k++) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += a[i * n + j] * a[i * n + k];
    out[j * n + k] = sum;
    out[k * n + j] = sum;
  }
}
