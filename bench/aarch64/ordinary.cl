/* Twenty ordinary kernels, each of two inputs and one output: hand_ordinary.c has the same, with the same roundings. */
#define ID get_global_id(0)
#define KERNEL(name, X, Y, R, value)                                                               \
  kernel void name(global const X *x, global const Y *y, global R *out) {                          \
    size_t i = ID;                                                                                 \
    out[i] = value;                                                                                \
  }

KERNEL(saxpy, float, float, float, fma(2.5f, x[i], y[i]))
KERNEL(add_ints, uint, uint, uint, x[i] + y[i])
KERNEL(clamped, float, float, float, clamp(x[i], -1.0f, 1.0f))
KERNEL(threshold, float, float, float, x[i] > y[i] ? x[i] : 0.0f)
KERNEL(brighten, uchar, uchar, uchar, add_sat(x[i], (uchar)40))
KERNEL(abs_difference, uchar, uchar, uchar, abs_diff(x[i], y[i]))
KERNEL(grey, uchar4, uint, uchar, (77 * x[i].x + 150 * x[i].y + 29 * x[i].z) >> 8)
KERNEL(bytes_to_floats, uchar, uint, float, x[i] * 0.25f)
KERNEL(floats_to_ints, float, float, int, convert_int_sat_rte(x[i] * 100.0f))
KERNEL(blur, float, float, float, (fma(2.0f, x[i + 1], x[i]) + x[i + 2]) * 0.25f)
KERNEL(polynomial, float, float, float,
       fma(fma(fma(fma(fma(0.125f, x[i], 0.25f), x[i], 0.5f), x[i], 0.75f), x[i], 1.5f), x[i], 2.0f))
KERNEL(complex_product, float2, float2, float2,
       (float2)(fma(-x[i].y, y[i].y, x[i].x * y[i].x), fma(x[i].x, y[i].y, x[i].y * y[i].x)))
KERNEL(length3, float, float, float, sqrt(fma(x[i + 1], x[i + 1], fma(y[i], y[i], x[i] * x[i]))))
KERNEL(popcounts, uint, uint, uint, popcount(x[i]))
KERNEL(gathered, float, uint, float, fma(x[y[i]], 2.0f, 1.0f))

kernel void hash(global const uint *x, global const uint *y, global uint *out) {
  uint h = x[ID];
  h = (h ^ h >> 16) * 0x7feb352du;
  h = (h ^ h >> 15) * 0x846ca68bu;
  out[ID] = h ^ h >> 16;
}

kernel void reverse_tiles(global const float *x, global const float *y, global float *out) {
  local float tile[256];
  uint l = (uint)get_local_id(0);
  tile[l] = x[ID];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[ID] = tile[255 - l];
}

/* Two dimensions; a row has 1024 elements. */
kernel void jacobi(global const float *x, global const float *y, global float *out) {
  size_t at = ID + get_global_id(1) * 1024;
  out[at] = ((x[at + 1] + x[at + 1024]) + (x[at + 1026] + x[at + 2049])) * 0.25f;
}

kernel void matrix_product(global const float *x, global const float *y, global float *out) {
  float sum = 0;
  for (size_t k = 0; k < 64; k++) sum = fma(x[get_global_id(1) * 64 + k], y[k * 1024 + ID], sum);
  out[get_global_id(1) * 1024 + ID] = sum;
}

kernel void mandelbrot(global const float *x, global const float *y, global int *out) {
  float a = (float)(int)ID * 0.0029296875f - 2.0f, b = (float)(int)get_global_id(1) * 0.0078125f - 1.0f;
  float re = 0, im = 0;
  int n = 0;
  for (; n < 32; n++) {
    float re2 = re * re, im2 = im * im;
    if (!(re2 + im2 < 4.0f)) break;
    im = fma(re + re, im, b);
    re = (re2 - im2) + a;
  }
  out[get_global_id(1) * 1024 + ID] = n;
}
