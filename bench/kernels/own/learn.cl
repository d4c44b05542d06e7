// Distances, neighbours, layers of networks.

kernel void nearest_centre(global const float *features, global const float *centres,
                           global int *out, int points, int clusters, int dimensions) {
  int i = get_global_id(0);
  if (i >= points) return;
  float least = FLT_MAX;
  int best = 0;
  for (int c = 0; c < clusters; c++) {
    float d = 0;
    for (int k = 0; k < dimensions; k++) {
      float t = features[k * points + i] - centres[c * dimensions + k];
      d += t * t;
    }
    if (d < least) {
      least = d;
      best = c;
    }
  }
  out[i] = best;
}

// The four nearest of all, kept in order privately.
kernel void nearest_four(global const float2 *queries, global const float2 *points, int n,
                         global float *out) {
  int i = get_global_id(0);
  float best[4] = {FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX};
  for (int k = 0; k < n; k++) {
    float2 d = points[k] - queries[i];
    float now = d.x * d.x + d.y * d.y;
    if (now >= best[3]) continue;
    int at = 3;
    while (at > 0 && best[at - 1] > now) {
      best[at] = best[at - 1];
      at--;
    }
    best[at] = now;
  }
  for (int k = 0; k < 4; k++) out[i * 4 + k] = best[k];
}

kernel void bodies(global const float4 *p, global float4 *out, int n) {
  int i = get_global_id(0);
  float4 me = p[i], acceleration = (float4)(0.0f);
  for (int j = 0; j < n; j++) {
    float4 d = p[j] - me;
    float r = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + 0.01f);
    acceleration += d * (p[j].w * r * r * r);
  }
  out[i] = acceleration;
}

kernel void bodies_local(global const float4 *p, global float4 *out, int n) {
  local float4 near[64];
  int i = get_global_id(0), l = get_local_id(0);
  float4 me = p[i], acceleration = (float4)(0.0f);
  for (int from = 0; from < n; from += 64) {
    near[l] = p[from + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 64; j++) {
      float4 d = near[j] - me;
      float r = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + 0.01f);
      acceleration += d * (near[j].w * r * r * r);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = acceleration;
}

kernel void layer(global const float *x, global const float *weights, global const float *bias,
                  global float *out, int n) {
  int o = get_global_id(0), sample = get_global_id(1), outputs = get_global_size(0);
  float sum = bias[o];
  for (int k = 0; k < n; k++) sum += x[sample * n + k] * weights[k * outputs + o];
  out[sample * outputs + o] = sum > 0.0f ? sum : 0.01f * sum;
}

kernel void convolution(global const float *in, global const float *weights, global float *out,
                        int channels, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1), o = get_global_id(2);
  if (x >= width - 2 || y >= height - 2) return;
  float sum = 0;
  for (int c = 0; c < channels; c++)
    for (int dy = 0; dy < 3; dy++)
      for (int dx = 0; dx < 3; dx++)
        sum += in[(c * height + y + dy) * width + x + dx] *
               weights[((o * channels + c) * 3 + dy) * 3 + dx];
  out[(o * (height - 2) + y) * (width - 2) + x] = fmax(sum, 0.0f);
}

// Weights of four bits, in blocks of 32 with a scale in half precision.
typedef struct {
  ushort scale;
  uchar values[16];
} block;

kernel void four_bits(global const block *rows, global const float *x, global float *out,
                      int blocks) {
  int row = get_global_id(0);
  float sum = 0;
  for (int b = 0; b < blocks; b++) {
    global const block *w = rows + row * blocks + b;
    float part = 0;
    for (int k = 0; k < 16; k++) {
      part += ((w->values[k] & 15) - 8) * x[b * 32 + k];
      part += ((w->values[k] >> 4) - 8) * x[b * 32 + 16 + k];
    }
    sum += part * vload_half(0, (global const half *)&w->scale);
  }
  out[row] = sum;
}

kernel void normalise(global const float *in, global float *out, int n) {
  int row = get_global_id(0);
  float sum = 0, squares = 0;
  for (int k = 0; k < n; k++) {
    float v = in[row * n + k];
    sum += v;
    squares += v * v;
  }
  float mean = sum / n, scale = rsqrt(squares / n - mean * mean + 1e-5f);
  for (int k = 0; k < n; k++) out[row * n + k] = (in[row * n + k] - mean) * scale;
}

kernel void pooling(global const float *in, global float *out, int width) {
  int x = get_global_id(0), y = get_global_id(1);
  global const float *p = in + 2 * y * width + 2 * x;
  out[y * get_global_size(0) + x] = fmax(fmax(p[0], p[1]), fmax(p[width], p[width + 1]));
}
