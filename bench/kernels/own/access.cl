// How memory is reached: neighbours, strides, fields, columns, tables.

kernel void gray(global const uchar4 *in, global uchar4 *out, int width) {
  int x = get_global_id(0), y = get_global_id(1);
  uchar4 p = in[y * width + x];
  uchar g = (uchar)((p.x * 77 + p.y * 151 + p.z * 28) >> 8);
  out[y * width + x] = (uchar4)(g, g, g, p.w);
}

kernel void saxpy4(global float4 *y, global const float4 *x, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}

kernel void divided_index(global const float *a, global float *out, int w, int h) {
  int i = get_global_id(0), x = i % w, y = i / w % h, z = i / (w * h);
  out[i] = a[i] * x + y * 0.5f + z;
}

typedef struct {
  float x, y, z, vx, vy, vz, m, pad;
} particle;

kernel void particles(global particle *p, float dt) {
  size_t i = get_global_id(0);
  p[i].x += p[i].vx * dt;
  p[i].y += p[i].vy * dt;
  p[i].z += p[i].vz * dt;
  p[i].vx *= 0.99f;
}

// A structure is copied, handed to a helper, and some of its fields come back.
typedef struct {
  float4 at;
  float2 speed;
  int kind, age;
} spark;

spark aged(spark s, float dt) {
  s.at.x += s.speed.x * dt;
  s.at.y += s.speed.y * dt;
  s.age++;
  if (s.kind == 1) s.speed.y -= 9.81f * dt;
  return s;
}

kernel void sparks(global spark *all, float dt, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  spark s = aged(all[i], dt);
  if (s.age > 50) s.at.w = 0.0f;
  all[i] = s;
}

kernel void cross_product(global const float *a, global const float *b, global float *out) {
  size_t i = get_global_id(0);
  vstore3(cross(vload3(i, a), vload3(i, b)), i, out);
}

// One wide in x: the work-items of a group stand along y.
kernel void column_sums(global const float *a, global float *out) {
  int y = get_global_id(1), n = get_global_size(1);
  float sum = 0;
  for (int i = 0; i < n; i++) sum += a[i * n + y];
  out[y] = sum;
}

// Elimination: y is the dimension that is consecutive in memory.
kernel void eliminate(global const float *factor, global float *a, int n, int step) {
  int row = get_global_id(0) + step + 1, column = get_global_id(1) + step;
  if (row >= n || column >= n) return;
  a[row * n + column] -= factor[row] * a[step * n + column];
}

kernel void stride_of_all(global const float *x, global float *out, int n) {
  int step = get_global_size(0);
  for (int i = get_global_id(0); i < n; i += step) out[i] = exp(-x[i]) * x[i];
}

// Each group has a row, its work-items go through it side by side.
kernel void stride_of_group(global const float *a, global float *out, int columns) {
  int row = get_group_id(0), l = get_local_id(0), size = get_local_size(0);
  global const float *x = a + row * columns;
  float sum = 0;
  for (int c = l; c < columns; c += size) sum += x[c] * x[c];
  out[row * size + l] = sum;
}

kernel void transpose(global const float *in, global float *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

kernel void transpose_tiles(global const float *in, global float *out, int width, int height) {
  local float tile[16][17];
  int lx = get_local_id(0), ly = get_local_id(1);
  tile[ly][lx] = in[get_global_id(1) * width + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  int x = get_group_id(1) * 16 + lx, y = get_group_id(0) * 16 + ly;
  out[y * height + x] = tile[lx][ly];
}

kernel void gather(global const float *x, global const int *at, global float *out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = x[at[i]] + 1.0f;
}

kernel void reversed(global const float *x, global float *out) {
  int i = get_global_id(0), n = get_global_size(0);
  out[n - 1 - i] = 2.0f * x[i];
}

kernel void mirrored(global const uchar *in, global uchar *out, int width) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < width) out[y * width + width - 1 - x] = in[y * width + x];
}

// Three bytes a pixel to three planes.
kernel void planes(global const uchar *rgb, global float *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[i] = rgb[3 * i] * (1.0f / 255);
  out[n + i] = rgb[3 * i + 1] * (1.0f / 255);
  out[2 * n + i] = rgb[3 * i + 2] * (1.0f / 255);
}

kernel void complex_product(global const float2 *a, global const float2 *b, global float2 *out) {
  size_t i = get_global_id(0);
  float2 x = a[i], y = b[i];
  out[i] = (float2)(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}

kernel void blend(global const uchar4 *a, global const uchar4 *b, global uchar4 *out, int alpha) {
  size_t i = get_global_id(0);
  int4 x = convert_int4(a[i]), y = convert_int4(b[i]);
  out[i] = convert_uchar4_sat((x * alpha + y * (256 - alpha)) / 256 + 3);
}

// The consecutive ids of three dimensions.
kernel void planes_of_cube(global const float *in, global float *out, int n) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int at = (z * n + y) * n + x;
  float below = z > 0 ? in[at - n * n] : 0.0f, above = z < n - 1 ? in[at + n * n] : 0.0f;
  out[at] = in[at] - 0.5f * (below + above);
}
