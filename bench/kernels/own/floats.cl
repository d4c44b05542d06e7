// Functions of the mathematical library, and what finance makes of them.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define OF_ONE(name, expression) \
  kernel void name(global const float *in, global float *out) { \
    size_t i = get_global_id(0); \
    float x = in[i]; \
    out[i] = expression; \
  }
#define OF_TWO(name, expression) \
  kernel void name(global const float *a, global const float *b, global float *out) { \
    size_t i = get_global_id(0); \
    float x = a[i], y = b[i]; \
    out[i] = expression; \
  }

OF_ONE(normal, 0.5f * (1 + erf(x * 0.70710678f)))
OF_ONE(trigonometry, sin(x) * cos(x) + tan(x))
OF_ONE(powers, pow(x, 1.7f) + exp2(x) + log2(x))
OF_TWO(angles, atan2(y, x) + hypot(x, y) + cbrt(x))
OF_TWO(mix, atan2(y, x) * exp(-x * x) + log(1.5f + y) * pow(fabs(x), y))
OF_ONE(logarithms, log(x) + log10(x) + log1p(x) + exp10(-x) + expm1(-x))
OF_ONE(hyperbolic, tanh(x) + sinh(0.1f * x) + cosh(0.1f * x) + asinh(x))
OF_ONE(inverse, asin(x) + acos(x) + atan(x))
OF_ONE(gelu, 0.5f * x * (1 + tanh(0.79788456f * (x + 0.044715f * x * x * x))))
OF_ONE(gamma_of, lgamma(x) + tgamma(0.2f * x))
OF_ONE(rounding, floor(x) + rint(x * 3) - trunc(x) * 0.5f + fmod(x, 0.7f) + (x - floor(x)))
OF_ONE(native, native_exp(-x) + native_sin(x) + native_rsqrt(x + 1) + half_log(x + 1))

kernel void half_storage(global const half *in, global half *out) {
  size_t i = get_global_id(0);
  float v = vload_half(i, in);
  vstore_half(v * v + 0.5f * v, i, out);
}

kernel void polynomial(global const double *in, global double *out) {
  size_t i = get_global_id(0);
  double v = in[i], s = 0;
  for (int k = 0; k < 32; k++) s = s * v + 1.0 / (k + 1);
  out[i] = s + sqrt(v);
}

kernel void doubles(global const double *in, global double *out) {
  size_t i = get_global_id(0);
  double x = in[i];
  out[i] = exp(-x) + log(x) * sin(x) + pow(x, 0.3);
}

kernel void black_scholes(global const float *price, global const float *strike,
                          global const float *years, global float *call, global float *put,
                          float rate, float volatility, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float s = price[i], k = strike[i], t = years[i], root = volatility * sqrt(t);
  float d1 = (log(s / k) + (rate + 0.5f * volatility * volatility) * t) / root, d2 = d1 - root;
  float n1 = 0.5f * erfc(-d1 * 0.70710678f), n2 = 0.5f * erfc(-d2 * 0.70710678f);
  float discount = k * exp(-rate * t);
  call[i] = s * n1 - discount * n2;
  put[i] = discount * (1 - n2) - s * (1 - n1);
}

// An option for each work-item, whose tree is private.
kernel void binomial(global const float *price, global const float *strike, global float *out,
                     float up, float share, float discount) {
  size_t i = get_global_id(0);
  float v[33], s = price[i], k = strike[i], at = s * pown(up, -32);
  for (int j = 0; j <= 32; j++) {
    v[j] = fmax(at - k, 0.0f);
    at *= up * up;
  }
  for (int level = 32; level > 0; level--)
    for (int j = 0; j < level; j++) v[j] = discount * (share * v[j + 1] + (1 - share) * v[j]);
  out[i] = v[0];
}

// An option for each group, whose tree is in local memory.
kernel void binomial_group(global const float *price, global const float *strike,
                           global float *out, float up, float share, float discount) {
  local float v[128];
  int l = get_local_id(0), g = get_group_id(0), n = get_local_size(0) - 1;
  v[l] = fmax(price[g] * pown(up, 2 * l - n) - strike[g], 0.0f);
  for (int level = n; level > 0; level--) {
    barrier(CLK_LOCAL_MEM_FENCE);
    float next = l < level ? v[l + 1] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < level) v[l] = discount * (share * next + (1 - share) * v[l]);
  }
  if (l == 0) out[g] = v[0];
}

kernel void distances(global const float2 *from, global const float2 *to, global float *out) {
  size_t i = get_global_id(0);
  float2 a = from[i], b = to[i];
  float y = sin(0.5f * (b.x - a.x)), x = sin(0.5f * (b.y - a.y));
  out[i] = 12742.0f * asin(sqrt(y * y + cos(a.x) * cos(b.x) * x * x));
}

kernel void rotations(global const float4 *q, global const float4 *v, global float4 *out) {
  size_t i = get_global_id(0);
  float4 a = normalize(q[i]), p = v[i];
  float4 t = 2.0f * cross((float4)(a.xyz, 0.0f), (float4)(p.xyz, 0.0f));
  float3 r = p.xyz + a.w * t.xyz + cross(a.xyz, t.xyz);
  out[i] = (float4)(r, length(r));
}

kernel void waves(global const float *q, global const float *b, global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += cos(q[i] * b[k]);
  out[i] = sum;
}
