/* One pixel at a place that is inside: read as floating-point numbers, integers or unsigned ones, and
 * written (the formats: section 5.3.1.1 of the API, conversions: 4.0 of OpenCL C 3.0's 6.15.15.5).
 *
 * All of it is arithmetic on numbers of 32 bits, with constants of the descriptor, so that it is
 * vector code in every format. */
#ifndef MPL_BUILTINS_IMAGE_PIXEL_H
#define MPL_BUILTINS_IMAGE_PIXEL_H

#include "image.h"
#include "image_srgb.h"

/* --- Components of a number in which the channels are (MPL_PIXEL_PARTS) --- */

/* A pixel is aligned as its elements are; on a GPU as a whole (opencl/memory/buffer_memory.c), since
 * it is one access there only then. */
#ifdef __NVPTX__
#define MPL_ALIGNED(element, pixel) __attribute__((aligned(pixel)))
#else
#define MPL_ALIGNED(element, pixel) __attribute__((aligned(element)))
#endif

/* The number's two halves. */
typedef uint2 mpl_number;
/* As elements are aligned that have half its size. */
typedef uint2 mpl_numbers MPL_ALIGNED(2, 8);

/* For each component, its bits at the top of 32. */
MPL_STATIC uint mpl_lifted_1(mpl_image_t d, mpl_number n, int k) {
  return (d->upper[k] ? n.y : n.x) << d->up[k];
}
MPL_STATIC uint4 mpl_lifted(mpl_image_t d, mpl_number n) {
  return (uint4)(mpl_lifted_1(d, n, 0), mpl_lifted_1(d, n, 1), mpl_lifted_1(d, n, 2),
                 mpl_lifted_1(d, n, 3));
}
MPL_STATIC uint mpl_unsigned(mpl_image_t d, uint lifted, int k) { return lifted >> d->down[k]; }
MPL_STATIC int mpl_signed(mpl_image_t d, uint lifted, int k) { return (int)lifted >> d->down[k]; }

/* `x` is exact; what is added to it makes a quotient of a power of 2 one of a power of 2 less 1. */
MPL_STATIC float mpl_normalised(mpl_image_t d, int channel, int k) {
#pragma OPENCL FP_CONTRACT ON
  float x = (float)channel * d->step[k] + d->add[k];
  return x * d->scale[k] + x;
}
MPL_STATIC float mpl_unorm(mpl_image_t d, uint lifted, int k) {
  return mpl_normalised(d, (int)mpl_unsigned(d, lifted, k), k);
}
/* There are two least numbers. */
MPL_STATIC float mpl_snorm(mpl_image_t d, uint lifted, int k) {
  float c = mpl_normalised(d, mpl_signed(d, lifted, k), k);
  return c > -1.0f ? c : -1.0f;
}
MPL_STATIC float mpl_srgb(mpl_image_t d, uint lifted, int k) {
  return mpl_linear_of_srgb[mpl_unsigned(d, lifted, k) & 255u];
}
MPL_STATIC uint mpl_bits_or_one(mpl_image_t d, uint lifted, int k) {
  return (mpl_unsigned(d, lifted, k) & d->keep[k]) | d->one_bits[k];
}
MPL_STATIC float mpl_half(mpl_image_t d, uint lifted, int k) {
  return (float)__builtin_astype((ushort)mpl_bits_or_one(d, lifted, k), half);
}
MPL_STATIC float mpl_float(mpl_image_t d, uint lifted, int k) {
  return __builtin_astype(mpl_bits_or_one(d, lifted, k), float);
}
MPL_STATIC int mpl_int(mpl_image_t d, uint lifted, int k) {
  return d->keep[k] ? mpl_signed(d, lifted, k) : (int)d->one[k];
}
MPL_STATIC uint mpl_uint(mpl_image_t d, uint lifted, int k) {
  return (mpl_unsigned(d, lifted, k) & d->keep[k]) + d->one[k];
}

#define MPL_EACH(T, function, ...) \
  ((T)(function(d, (__VA_ARGS__).x, 0), function(d, (__VA_ARGS__).y, 1), \
       function(d, (__VA_ARGS__).z, 2), function(d, (__VA_ARGS__).w, 3)))

MPL_STATIC float4 mpl_partsf(mpl_image_t d, mpl_number n) {
  uint4 c = mpl_lifted(d, n);
  switch (d->kind) {
  case MPL_CHANNEL_UNORM: return MPL_EACH(float4, mpl_unorm, c);
  case MPL_CHANNEL_SNORM: return MPL_EACH(float4, mpl_snorm, c);
  case MPL_CHANNEL_HALF: return MPL_EACH(float4, mpl_half, c);
  case MPL_CHANNEL_SRGB:
    return (float4)(mpl_srgb(d, c.x, 0), mpl_srgb(d, c.y, 1), mpl_srgb(d, c.z, 2), mpl_unorm(d, c.w, 3));
  default: return MPL_EACH(float4, mpl_float, c);
  }
}
MPL_STATIC int4 mpl_partsi(mpl_image_t d, mpl_number n) {
  return MPL_EACH(int4, mpl_int, mpl_lifted(d, n));
}
MPL_STATIC uint4 mpl_partsui(mpl_image_t d, mpl_number n) {
  return MPL_EACH(uint4, mpl_uint, mpl_lifted(d, n));
}

/* --- The same, written: each component's bits --- */

MPL_STATIC uint mpl_of_unorm(mpl_image_t d, float value, int k) {
  float most = d->most[k];
  return (uint)(int)rint(mpl_between(value * most, 0.0f, most));
}
MPL_STATIC uint mpl_of_snorm(mpl_image_t d, float value, int k) {
  float most = d->most[k];
  return (uint)(int)rint(mpl_between(value * most, -most, most));
}
MPL_STATIC uint mpl_of_half(mpl_image_t d, float value, int k) {
  return __builtin_astype((half)value, ushort);
}
MPL_STATIC uint mpl_of_float(mpl_image_t d, float value, int k) {
  return __builtin_astype(value, uint);
}
MPL_STATIC uint mpl_of_int(mpl_image_t d, int value, int k) {
  int most = (int)(d->keep[k] >> 1);
  value = value > most ? most : value;
  return (uint)(value < ~most ? ~most : value);
}
MPL_STATIC uint mpl_of_uint(mpl_image_t d, uint value, int k) {
  return value < d->keep[k] ? value : d->keep[k];
}

MPL_STATIC uint4 mpl_bitsf(mpl_image_t d, float4 v) {
  switch (d->kind) {
  case MPL_CHANNEL_UNORM: return MPL_EACH(uint4, mpl_of_unorm, v);
  case MPL_CHANNEL_SNORM: return MPL_EACH(uint4, mpl_of_snorm, v);
  case MPL_CHANNEL_HALF: return MPL_EACH(uint4, mpl_of_half, v);
  default: return MPL_EACH(uint4, mpl_of_float, v);
  }
}
MPL_STATIC uint4 mpl_bitsi(mpl_image_t d, int4 v) { return MPL_EACH(uint4, mpl_of_int, v); }
MPL_STATIC uint4 mpl_bitsui(mpl_image_t d, uint4 v) { return MPL_EACH(uint4, mpl_of_uint, v); }

MPL_STATIC uint mpl_put(mpl_image_t d, uint bits, int k) { return (bits & d->put[k]) << d->at[k]; }

/* --- Pixels --- */

/* Four words, aligned as one is. */
typedef float4 mpl_words_float MPL_ALIGNED(4, 16);
typedef int4 mpl_words_int MPL_ALIGNED(4, 16);
typedef uint4 mpl_words_uint MPL_ALIGNED(4, 16);

#define MPL_WORD(T, p) ((global T *)(p).row)[(p).x]
#define MPL_WORDS(T, p) ((global mpl_words_##T *)(p).row)[(p).x]

MPL_STATIC mpl_number mpl_number_at(mpl_image_t d, struct mpl_place p) {
  switch (d->pixel_size) {
  case 1: return (mpl_number)(MPL_WORD(uchar, p), 0);
  case 2: return (mpl_number)(MPL_WORD(ushort, p), 0);
  case 4: return (mpl_number)(MPL_WORD(uint, p), 0);
  default: return MPL_WORD(mpl_numbers, p);
  }
}
MPL_STATIC void mpl_put_number(mpl_image_t d, struct mpl_place p, uint4 bits) {
  uint4 part = MPL_EACH(uint4, mpl_put, bits);
  uint all = part.x | part.y | part.z | part.w;
  switch (d->pixel_size) {
  case 1: MPL_WORD(uchar, p) = (uchar)all; break;
  case 2: MPL_WORD(ushort, p) = (ushort)all; break;
  case 4: MPL_WORD(uint, p) = all; break;
  default: {
    uint upper = (d->upper[0] ? part.x : 0) | (d->upper[1] ? part.y : 0) | (d->upper[2] ? part.z : 0) |
                 (d->upper[3] ? part.w : 0);
    uint lower = (d->upper[0] ? 0 : part.x) | (d->upper[1] ? 0 : part.y) | (d->upper[2] ? 0 : part.z) |
                 (d->upper[3] ? 0 : part.w);
    MPL_WORD(mpl_numbers, p) = (mpl_number)(lower, upper);
  }
  }
}

/* Four bytes, as their number: what is read of some of them is one access all the same. */
MPL_STATIC float mpl_float_of_byte(uint number, int k) { return (float)(int)(number >> 8 * k & 255u); }
MPL_STATIC float4 mpl_floats_of_bytes(uint n) {
  return (float4)(mpl_float_of_byte(n, 0), mpl_float_of_byte(n, 1), mpl_float_of_byte(n, 2),
                  mpl_float_of_byte(n, 3));
}
MPL_STATIC uint mpl_byte_of(float value, int k) {
  return (uint)(int)rint(mpl_between(value * 255.0f, 0.0f, 255.0f)) << 8 * k;
}
MPL_STATIC uint mpl_bytes_of(float4 c) {
  return mpl_byte_of(c.x, 0) | mpl_byte_of(c.y, 1) | mpl_byte_of(c.z, 2) | mpl_byte_of(c.w, 3);
}

/* Go into kernels only where there are few of them, as the names say (compiler/source/inline.c): first
 * what is rare, then all of an access. */
#define RARELY static __attribute__((cold, noinline, unused))
#define CALLED static __attribute__((noinline, unused))

/* What vector code calls in place of the functions whose last operand they are, once for the lanes of
 * a chunk: bit i of `active` is set for each that takes part, and component c of lane i stands at
 * values[c * lanes + i] (compiler/vector/emit/pixel_calls.c).  Pixels of a row side by side are loops
 * that LLVM makes vector code of. */
#define LANES \
  mpl_image_t d, global uchar *private const *restrict rows, private const int *restrict x, \
      ulong active, int lanes
#define MPL_AS_VECTORS _Pragma("clang loop unroll(disable)")
MPL_STATIC bool mpl_side_by_side(LANES) {
  uint apart = active != ~0ul >> (64 - lanes);
  MPL_AS_VECTORS for (int i = 0; i < lanes; i++)
    apart |= (uint)(x[i] - x[0] - i) | (rows[i] != rows[0]);
  return !apart;
}
#define EACH(...) \
  for (ulong left = active; left; left &= left - 1) { \
    int i = (int)__builtin_ctzl(left); \
    struct mpl_place p = {rows[i], x[i]}; \
    __VA_ARGS__; \
  } \
  break
#define IN_ROW(...) \
  if (beside) { \
    struct mpl_place first = {rows[0], x[0]}; \
    MPL_AS_VECTORS for (int i = 0; i < lanes; i++) { \
      struct mpl_place p = {first.row, first.x + i}; \
      __VA_ARGS__; \
    } \
    break; \
  } \
  EACH(__VA_ARGS__)
#define OF_LANE (values[i], values[lanes + i], values[2 * lanes + i], values[3 * lanes + i])
#define TAKE(a, b, c, d) \
  values[i] = a; \
  values[lanes + i] = b; \
  values[2 * lanes + i] = c; \
  values[3 * lanes + i] = d
/* Of a pixel of four: numbers by themselves, since no loop over vectors becomes one of wider ones. */
#define WORD_OF(T, k) ((global T *)p.row)[4L * p.x + k]
#define BYTE(k) mpl_float_of_byte(MPL_WORD(uint, p), k) * (1.0f / 255.0f)

/* `reads`, `writes`: FOUR_BYTES, or NO_BYTES of numbers that pixels of four bytes are not read as. */
#define MPL_PIXEL(suffix, T, reads, writes) \
  RARELY __attribute__((pure)) T##4 mpl_rare_pixel_read##suffix(mpl_image_t d, global uchar *row, int x) { \
    return mpl_parts##suffix(d, mpl_number_at(d, (struct mpl_place){row, x})); \
  } \
  RARELY void mpl_rare_pixel_write##suffix(mpl_image_t d, global uchar *row, int x, T##4 value) { \
    mpl_put_number(d, (struct mpl_place){row, x}, mpl_bits##suffix(d, value)); \
  } \
  CALLED void mpl_lanes_pixel_read##suffix(LANES, private T *restrict values) { \
    bool beside = mpl_side_by_side(d, rows, x, active, lanes); \
    switch (d->layout) { \
    case MPL_PIXEL_1_WORD: IN_ROW(TAKE(MPL_WORD(T, p), 0, 0, 1)); \
    case MPL_PIXEL_4_WORDS: IN_ROW(TAKE(WORD_OF(T, 0), WORD_OF(T, 1), WORD_OF(T, 2), WORD_OF(T, 3))); \
    reads(IN_ROW(TAKE(BYTE(0), BYTE(1), BYTE(2), BYTE(3)))) \
    default: EACH(T##4 v = mpl_rare_pixel_read##suffix(d, p.row, p.x); TAKE(v.x, v.y, v.z, v.w)); \
    } \
  } \
  CALLED void mpl_lanes_pixel_write##suffix(LANES, private const T *restrict values) { \
    bool beside = mpl_side_by_side(d, rows, x, active, lanes); \
    switch (d->layout) { \
    case MPL_PIXEL_1_WORD: IN_ROW(MPL_WORD(T, p) = values[i]); \
    case MPL_PIXEL_4_WORDS: IN_ROW(WORD_OF(T, 0) = values[i]; WORD_OF(T, 1) = values[lanes + i]; \
                                   WORD_OF(T, 2) = values[2 * lanes + i]; WORD_OF(T, 3) = values[3 * lanes + i]); \
    writes(IN_ROW(MPL_WORD(uint, p) = mpl_bytes_of((T##4)OF_LANE))) \
    default: EACH(mpl_rare_pixel_write##suffix(d, p.row, p.x, (T##4)OF_LANE)); \
    } \
  } \
  CALLED __attribute__((pure)) T##4 mpl_called_pixel_read##suffix( \
      mpl_image_t d, global uchar *row, int x, void (*lanes)(LANES, private T *)) { \
    struct mpl_place p = {row, x}; \
    switch (d->layout) { \
    case MPL_PIXEL_1_WORD: return (T##4)(MPL_WORD(T, p), 0, 0, 1); \
    case MPL_PIXEL_4_WORDS: return MPL_WORDS(T, p); \
    reads(return mpl_floats_of_bytes(MPL_WORD(uint, p)) * (1.0f / 255.0f)) \
    default: return mpl_rare_pixel_read##suffix(d, row, x); \
    } \
  } \
  CALLED void mpl_called_pixel_write##suffix(mpl_image_t d, global uchar *row, int x, T##4 value, \
                                             void (*lanes)(LANES, private const T *)) { \
    struct mpl_place p = {row, x}; \
    switch (d->layout) { \
    case MPL_PIXEL_1_WORD: MPL_WORD(T, p) = value.x; break; \
    case MPL_PIXEL_4_WORDS: MPL_WORDS(T, p) = value; break; \
    writes(MPL_WORD(uint, p) = mpl_bytes_of(value); break) \
    default: mpl_rare_pixel_write##suffix(d, row, x, value); \
    } \
  } \
  MPL_STATIC T##4 mpl_read##suffix(mpl_image_t d, struct mpl_place p) { \
    return mpl_called_pixel_read##suffix(d, p.row, p.x, mpl_lanes_pixel_read##suffix); \
  } \
  MPL_STATIC void mpl_write##suffix(mpl_image_t d, struct mpl_place p, T##4 value) { \
    mpl_called_pixel_write##suffix(d, p.row, p.x, value, mpl_lanes_pixel_write##suffix); \
  }
#define FOUR_BYTES(...) \
  case MPL_PIXEL_4_BYTES: __VA_ARGS__;
#define NO_BYTES(...)
MPL_PIXEL(f, float, FOUR_BYTES, FOUR_BYTES)
MPL_PIXEL(i, int, NO_BYTES, NO_BYTES)
MPL_PIXEL(ui, uint, NO_BYTES, NO_BYTES)

#endif
