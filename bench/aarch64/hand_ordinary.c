/* hand_ordinary NAME ELEMENTS X Y OUT: a kernel of ordinary.cl in NEON intrinsics, with data of the files X and
 * Y.  Elements are work-items; in two dimensions, of rows of 1024.
 * hand_ordinary inputs COUNT FLOATS NUMBERS INDICES: writes such files. */
#include <arm_neon.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

enum { WIDTH = 1024 };
#define OWN __attribute__((noinline)) static
#define UNROLLED _Pragma("clang loop unroll(full)")

/* Four vectors of `lanes` elements at a time. */
#define STREAM(name, X, Y, R, lanes, code)                                                         \
  OWN void name(const X *restrict x, const Y *restrict y, R *restrict out, int count) {            \
    (void)y;                                                                                       \
    for (int i = 0; i < count; i += 4 * (lanes)) UNROLLED for (int j = 0; j < 4; j++) {            \
        int at = i + (lanes) * j;                                                                    \
        code;                                                                                      \
      }                                                                                            \
  }
#define FLOATS(name, value) STREAM(name, float, float, float, 4, vst1q_f32(out + at, value))
#define NUMBERS(name, value) STREAM(name, uint32_t, uint32_t, uint32_t, 4, vst1q_u32(out + at, value))
#define BYTES(name, value) STREAM(name, uint8_t, uint8_t, uint8_t, 16, vst1q_u8(out + at, value))
#define F(from) vld1q_f32(from + at)
#define ALL vdupq_n_f32

FLOATS(saxpy, vfmaq_f32(F(y), F(x), ALL(2.5f)))
NUMBERS(add_ints, vaddq_u32(vld1q_u32(x + at), vld1q_u32(y + at)))
FLOATS(clamped, vminnmq_f32(vmaxnmq_f32(F(x), ALL(-1)), ALL(1)))
FLOATS(threshold,
       vreinterpretq_f32_u32(vandq_u32(vcgtq_f32(F(x), F(y)), vreinterpretq_u32_f32(F(x)))))
BYTES(brighten, vqaddq_u8(vld1q_u8(x + at), vdupq_n_u8(40)))
BYTES(abs_difference, vabdq_u8(vld1q_u8(x + at), vld1q_u8(y + at)))
STREAM(floats_to_ints, float, float, int32_t, 4, vst1q_s32(out + at, vcvtnq_s32_f32(vmulq_f32(F(x), ALL(100)))))
FLOATS(blur, vmulq_f32(vaddq_f32(vfmaq_f32(F(x), F(1 + x), ALL(2)), F(2 + x)), ALL(0.25f)))
NUMBERS(popcounts, vpaddlq_u16(vpaddlq_u8(vcntq_u8(vreinterpretq_u8_u32(vld1q_u32(x + at))))))
FLOATS(length3, vsqrtq_f32(vfmaq_f32(vfmaq_f32(vmulq_f32(F(x), F(x)), F(y), F(y)), F(1 + x), F(1 + x))))

static inline float32x4_t horner(float32x4_t x) {
  static const float factors[] = {0.25f, 0.5f, 0.75f, 1.5f, 2.0f};
  float32x4_t sum = ALL(0.125f);
  UNROLLED for (int k = 0; k < 5; k++) sum = vfmaq_f32(ALL(factors[k]), sum, x);
  return sum;
}
FLOATS(polynomial, horner(F(x)))

static inline uint32x4_t mixed(uint32x4_t h) {
  h = vmulq_u32(veorq_u32(h, vshrq_n_u32(h, 16)), vdupq_n_u32(0x7feb352du));
  h = vmulq_u32(veorq_u32(h, vshrq_n_u32(h, 15)), vdupq_n_u32(0x846ca68bu));
  return veorq_u32(h, vshrq_n_u32(h, 16));
}
NUMBERS(hash, mixed(vld1q_u32(x + at)))

OWN void gathered(const float *restrict x, const uint32_t *restrict y, float *restrict out, int count) {
  for (int i = 0; i < count; i += 4) {
    float32x4_t v = vld1q_dup_f32(x + y[i]);
    v = vld1q_lane_f32(x + y[i + 1], v, 1);
    v = vld1q_lane_f32(x + y[i + 2], v, 2);
    v = vld1q_lane_f32(x + y[i + 3], v, 3);
    vst1q_f32(out + i, vfmaq_f32(ALL(1), v, ALL(2)));
  }
}

OWN void complex_product(const float *restrict x, const float *restrict y, float *restrict out, int count) {
  for (int i = 0; i < 2 * count; i += 8) {
    float32x4x2_t a = vld2q_f32(x + i), b = vld2q_f32(y + i), product;
    product.val[0] = vfmsq_f32(vmulq_f32(a.val[0], b.val[0]), a.val[1], b.val[1]);
    product.val[1] = vfmaq_f32(vmulq_f32(a.val[1], b.val[0]), a.val[0], b.val[1]);
    vst2q_f32(out + i, product);
  }
}

static inline uint8x8_t grey_of(uint8x8_t r, uint8x8_t g, uint8x8_t b) {
  uint16x8_t sum = vmull_u8(r, vdup_n_u8(77));
  sum = vmlal_u8(vmlal_u8(sum, g, vdup_n_u8(150)), b, vdup_n_u8(29));
  return vshrn_n_u16(sum, 8);
}
OWN void grey(const uint8_t *restrict x, const void *y, uint8_t *restrict out, int count) {
  (void)y;
  for (int i = 0; i < count; i += 16) {
    uint8x16x4_t p = vld4q_u8(x + 4 * i);
    uint8x8_t low = grey_of(vget_low_u8(p.val[0]), vget_low_u8(p.val[1]), vget_low_u8(p.val[2])),
              high = grey_of(vget_high_u8(p.val[0]), vget_high_u8(p.val[1]), vget_high_u8(p.val[2]));
    vst1q_u8(out + i, vcombine_u8(low, high));
  }
}

OWN void bytes_to_floats(const uint8_t *restrict x, const void *y, float *restrict out, int count) {
  (void)y;
  for (int i = 0; i < count; i += 16) {
    uint8x16_t bytes = vld1q_u8(x + i);
    uint16x8_t half[] = {vmovl_u8(vget_low_u8(bytes)), vmovl_u8(vget_high_u8(bytes))};
    UNROLLED for (int j = 0; j < 4; j++) {
      uint16x4_t part = j & 1 ? vget_high_u16(half[j / 2]) : vget_low_u16(half[j / 2]);
      vst1q_f32(out + i + 4 * j, vmulq_f32(vcvtq_f32_u32(vmovl_u16(part)), ALL(0.25f)));
    }
  }
}

OWN void reverse_tiles(const float *restrict x, const void *y, float *restrict out, int count) {
  float tile[256];
  (void)y;
  for (int i = 0; i < count; i += 256) {
    for (int l = 0; l < 256; l += 16)
      UNROLLED for (int j = 0; j < 16; j += 4) vst1q_f32(tile + l + j, vld1q_f32(x + i + l + j));
    __asm__ volatile("" ::: "memory"); /* the same algorithm, with the tile */
    for (int l = 0; l < 256; l += 16) UNROLLED for (int j = 0; j < 16; j += 4) {
        float32x4_t pairs = vrev64q_f32(vld1q_f32(tile + 252 - l - j));
        vst1q_f32(out + i + l + j, vextq_f32(pairs, pairs, 2));
      }
  }
}

/* --- Two dimensions --- */

OWN void jacobi(const float *restrict x, const void *y, float *restrict out, int count) {
  (void)y;
  for (int i = 0; i < count; i += 16) UNROLLED for (int j = 0; j < 4; j++) {
      int at = i + 4 * j;
      float32x4_t low = vaddq_f32(F(1 + x), F(WIDTH + x)), high = vaddq_f32(F(1026 + x), F(2049 + x));
      vst1q_f32(out + at, vmulq_f32(vaddq_f32(low, high), ALL(0.25f)));
    }
}

OWN void matrix_product(const float *restrict x, const float *restrict y, float *restrict out, int count) {
  for (int row = 0; row < count / WIDTH; row++)
    for (int i = 0; i < WIDTH; i += 16) {
      float32x4_t sum[4] = {ALL(0), ALL(0), ALL(0), ALL(0)};
      for (int k = 0; k < 64; k++)
        UNROLLED for (int j = 0; j < 4; j++)
            sum[j] = vfmaq_n_f32(sum[j], vld1q_f32(y + k * WIDTH + i + 4 * j), x[row * 64 + k]);
      UNROLLED for (int j = 0; j < 4; j++) vst1q_f32(out + row * WIDTH + i + 4 * j, sum[j]);
    }
}

OWN void mandelbrot(const void *x, const void *y, int32_t *restrict out, int count) {
  static const int32_t first[] = {0, 1, 2, 3};
  (void)x, (void)y;
  for (int i = 0; i < count; i += 4) {
    int32x4_t column = vaddq_s32(vld1q_s32(first), vdupq_n_s32(i % WIDTH));
    float32x4_t a = vsubq_f32(vmulq_f32(vcvtq_f32_s32(column), ALL(0.0029296875f)), ALL(2));
    float32x4_t b = ALL((float)(i / WIDTH) * 0.0078125f - 1), re = ALL(0), im = ALL(0);
    uint32x4_t inside = vdupq_n_u32(~0u);
    int32x4_t n = vdupq_n_s32(0);
    for (int k = 0; k < 32; k++) {
      float32x4_t re2 = vmulq_f32(re, re), im2 = vmulq_f32(im, im);
      inside = vandq_u32(inside, vcltq_f32(vaddq_f32(re2, im2), ALL(4)));
      if (!vmaxvq_u32(inside)) break;
      n = vsubq_s32(n, vreinterpretq_s32_u32(inside));
      im = vfmaq_f32(b, vaddq_f32(re, re), im);
      re = vaddq_f32(vsubq_f32(re2, im2), a);
    }
    vst1q_s32(out + i, n);
  }
}

/* --- Files --- */

static void write_file(const char *path, const void *data, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(data, 1, size, file) != size || fclose(file)) exit(2);
}

static void *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) exit(2);
  size_t size = (size_t)ftell(file);
  void *data = malloc(size);
  rewind(file);
  if (!data || fread(data, 1, size, file) != size) exit(2);
  fclose(file);
  return data;
}

static int make_inputs(uint32_t count, char **paths) {
  uint32_t *numbers = malloc(count * sizeof *numbers), *indices = malloc(count * sizeof *indices), state = 1;
  float *floats = malloc(count * sizeof *floats);
  if (!numbers || !indices || !floats) return 2;
  for (uint32_t i = 0; i < count; i++) {
    state = state * 1664525u + 1013904223u;
    numbers[i] = state ^ state >> 13;
    floats[i] = (float)(int32_t)numbers[i] * 0x1p-28f;
    indices[i] = numbers[i] % count;
  }
  write_file(paths[0], floats, count * sizeof *floats);
  write_file(paths[1], numbers, count * sizeof *numbers);
  write_file(paths[2], indices, count * sizeof *indices);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  int count = atoi(argv[2]);
  if (!strcmp(argv[1], "inputs")) return make_inputs((uint32_t)count, argv + 3);
  const void *x = read_file(argv[3]), *y = read_file(argv[4]);
  void *out = calloc((size_t)count, 8);
  size_t size = 0;
  if (!out) return 2;
#define KERNEL(name, bytes) \
  if (!strcmp(argv[1], #name)) name(x, y, out, count), size = (bytes) * (size_t)count;
  KERNEL(saxpy, 4)
  KERNEL(add_ints, 4)
  KERNEL(clamped, 4)
  KERNEL(threshold, 4)
  KERNEL(brighten, 1)
  KERNEL(abs_difference, 1)
  KERNEL(grey, 1)
  KERNEL(bytes_to_floats, 4)
  KERNEL(floats_to_ints, 4)
  KERNEL(blur, 4)
  KERNEL(polynomial, 4)
  KERNEL(complex_product, 8)
  KERNEL(length3, 4)
  KERNEL(popcounts, 4)
  KERNEL(gathered, 4)
  KERNEL(hash, 4)
  KERNEL(reverse_tiles, 4)
  KERNEL(jacobi, 4)
  KERNEL(matrix_product, 4)
  KERNEL(mandelbrot, 4)
  if (!size) return 2;
  write_file(argv[5], out, size);
  return 0;
}
