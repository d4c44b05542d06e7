// Neighbourhoods in images and grids.

#define TILES(name, T) \
  kernel void name(global const float *in, global float *out, int width, int height) { \
    local float tile[T + 2][T + 2]; \
    int x = get_global_id(0), y = get_global_id(1); \
    int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1; \
    tile[ly][lx] = in[y * width + x]; \
    if (lx == 1) tile[ly][0] = x > 0 ? in[y * width + x - 1] : 0.0f; \
    if (lx == T) tile[ly][T + 1] = x < width - 1 ? in[y * width + x + 1] : 0.0f; \
    if (ly == 1) tile[0][lx] = y > 0 ? in[(y - 1) * width + x] : 0.0f; \
    if (ly == T) tile[T + 1][lx] = y < height - 1 ? in[(y + 1) * width + x] : 0.0f; \
    barrier(CLK_LOCAL_MEM_FENCE); \
    out[y * width + x] = 0.5f * tile[ly][lx] + 0.125f * (tile[ly][lx - 1] + tile[ly][lx + 1] + \
                                                         tile[ly - 1][lx] + tile[ly + 1][lx]); \
  }
TILES(tiles8, 8)
TILES(tiles16, 16)

kernel void life(global const uchar *in, global uchar *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  int left = x == 0 ? width - 1 : x - 1, right = x == width - 1 ? 0 : x + 1;
  int up = y == 0 ? height - 1 : y - 1, down = y == height - 1 ? 0 : y + 1;
  int n = in[up * width + left] + in[up * width + x] + in[up * width + right] +
          in[y * width + left] + in[y * width + right] + in[down * width + left] +
          in[down * width + x] + in[down * width + right];
  out[y * width + x] = n == 3 || (n == 2 && in[y * width + x]);
}

constant float taps[9] = {0.05f, 0.09f, 0.12f, 0.15f, 0.18f, 0.15f, 0.12f, 0.09f, 0.05f};

kernel void convolve_row(global const float *in, global float *out, int width) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = -4; k <= 4; k++) sum += taps[k + 4] * in[y * width + clamp(x + k, 0, width - 1)];
  out[y * width + x] = sum;
}

kernel void convolve_column(global const float *in, global float *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = -4; k <= 4; k++)
    if (y + k >= 0 && y + k < height) sum += taps[k + 4] * in[(y + k) * width + x];
  out[y * width + x] = sum;
}

void order(float *a, float *b) {
  float low = fmin(*a, *b);
  *b = fmax(*a, *b);
  *a = low;
}

kernel void median(global const float *in, global float *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  float v[9];
  for (int k = 0; k < 9; k++) v[k] = in[(y + k / 3 - 1) * width + x + k % 3 - 1];
  for (int k = 0; k < 5; k++)
    for (int i = 0; i < 8 - k; i++) order(&v[i], &v[i + 1]);
  out[y * width + x] = v[4];
}

kernel void bilateral(global const float *in, global float *out, int width, int height,
                      float space, float range) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  float centre = in[y * width + x], sum = 0, weights = 0;
  for (int dy = -3; dy <= 3; dy++)
    for (int dx = -3; dx <= 3; dx++) {
      int cx = clamp(x + dx, 0, width - 1), cy = clamp(y + dy, 0, height - 1);
      float v = in[cy * width + cx], d = v - centre;
      float weight = exp(-(dx * dx + dy * dy) * space - d * d * range);
      sum += weight * v;
      weights += weight;
    }
  out[y * width + x] = sum / weights;
}

kernel void sobel(global const uchar *in, global uchar *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[y * width + x] = 0;
    return;
  }
  global const uchar *p = in + y * width + x;
  int h = p[1 - width] + 2 * p[1] + p[1 + width] - p[-1 - width] - 2 * p[-1] - p[width - 1];
  int v = p[width - 1] + 2 * p[width] + p[width + 1] - p[-width - 1] - 2 * p[-width] - p[1 - width];
  out[y * width + x] = (uchar)min(255, (int)sqrt((float)(h * h + v * v)));
}

kernel void jacobi3(global const float *in, global float *out, int n) {
  int x = get_global_id(0) + 1, y = get_global_id(1) + 1, z = get_global_id(2) + 1;
  if (x >= n - 1 || y >= n - 1 || z >= n - 1) return;
  int at = (z * n + y) * n + x;
  out[at] = (in[at - 1] + in[at + 1] + in[at - n] + in[at + n] + in[at - n * n] + in[at + n * n]) *
            (1.0f / 6);
}

// Columns of a grid from bottom to top, with what was read kept in registers.
kernel void columns3(global const float *in, global float *out, int n, int levels) {
  int x = get_global_id(0), y = get_global_id(1), at = y * n + x, plane = n * n;
  float below = in[at], here = in[at], above = in[at + plane];
  for (int z = 0; z < levels; z++) {
    out[at + z * plane] = 0.25f * below + 0.5f * here + 0.25f * above;
    below = here;
    here = above;
    above = in[at + min(z + 2, levels - 1) * plane];
  }
}
