// Fourier transforms: passes over global memory, and a small one in private memory.

float2 times(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

float2 turn(float part) {
  float c, s = sincos(-6.2831853f * part, &c);
  return (float2)(c, s);
}

// Stockham's order: passes with p = 1, 2, 4 ... make the transform.
kernel void radix2(global const float2 *in, global float2 *out, int p) {
  int i = get_global_id(0), n = get_global_size(0), k = i & (p - 1);
  float2 a = in[i], b = times(in[i + n], turn((float)k / (2 * p)));
  int at = ((i - k) << 1) + k;
  out[at] = a + b;
  out[at + p] = a - b;
}

kernel void radix4(global const float2 *in, global float2 *out, int p) {
  int i = get_global_id(0), n = get_global_size(0), k = i & (p - 1);
  float part = (float)k / (4 * p);
  float2 a = in[i], b = times(in[i + n], turn(part)), c = times(in[i + 2 * n], turn(2 * part)),
         d = times(in[i + 3 * n], turn(3 * part));
  float2 ac = a + c, a_c = a - c, bd = b + d, b_d = (float2)(b.y - d.y, d.x - b.x);
  int at = ((i - k) << 2) + k;
  out[at] = ac + bd;
  out[at + p] = a_c + b_d;
  out[at + 2 * p] = ac - bd;
  out[at + 3 * p] = a_c - b_d;
}

// Sixteen numbers a work-item; the elements of all transforms are side by side.
kernel void of16(global const float2 *in, global float2 *out) {
  int i = get_global_id(0), n = get_global_size(0);
  float2 v[16];
  for (int k = 0; k < 16; k++)
    v[((k & 1) << 3) | ((k & 2) << 1) | ((k & 4) >> 1) | k >> 3] = in[k * n + i];
  for (int half_of = 1; half_of < 16; half_of *= 2)
    for (int from = 0; from < 16; from += 2 * half_of)
      for (int k = 0; k < half_of; k++) {
        float2 a = v[from + k], b = times(v[from + k + half_of], turn((float)k / (2 * half_of)));
        v[from + k] = a + b;
        v[from + k + half_of] = a - b;
      }
  for (int k = 0; k < 16; k++) out[k * n + i] = v[k];
}

kernel void fourier_sum(global const float *in, global float2 *out, int n) {
  int i = get_global_id(0);
  float2 sum = (float2)(0.0f);
  for (int k = 0; k < n; k++) {
    float angle = -6.2831853f * ((i * k) & (n - 1)) / n;
    sum += in[k] * (float2)(cos(angle), sin(angle));
  }
  out[i] = sum;
}
