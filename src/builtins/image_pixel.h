/* One pixel at a place that is inside: read as floating-point numbers, integers or unsigned ones, and
 * written (the formats: section 5.3.1.1 of the API, conversions: 4.0 of OpenCL C 3.0's 6.15.15.5). */
#ifndef MPL_BUILTINS_IMAGE_PIXEL_H
#define MPL_BUILTINS_IMAGE_PIXEL_H

#include "image.h"

/* --- Components of a number whose bits are the channels --- */

MPL_STATIC float mpl_channel(mpl_image_t image, uint number, int k) {
  return (float)(int)((number << image->up[k]) >> image->down[k]);
}
/* Either `scale` or `add` is 0, so one rounding gives what two do. */
MPL_STATIC float mpl_componentf(mpl_image_t image, float channel, int k) {
#pragma OPENCL FP_CONTRACT ON
  return channel * image->scale[k] + image->add[k];
}
MPL_STATIC float4 mpl_channels(mpl_image_t image, uint number) {
  return (float4)(mpl_channel(image, number, 0), mpl_channel(image, number, 1),
                  mpl_channel(image, number, 2), mpl_channel(image, number, 3));
}
MPL_STATIC float4 mpl_scaled(mpl_image_t image, float4 c) {
  return (float4)(mpl_componentf(image, c.x, 0), mpl_componentf(image, c.y, 1),
                  mpl_componentf(image, c.z, 2), mpl_componentf(image, c.w, 3));
}
MPL_STATIC float4 mpl_componentsf(mpl_image_t d, uint number) {
  return mpl_scaled(d, mpl_channels(d, number));
}
MPL_STATIC int mpl_componenti(mpl_image_t image, uint number, int k) {
  return image->keep[k] ? (int)(number << image->up[k]) >> image->down[k] : (int)image->one[k];
}
MPL_STATIC uint mpl_componentui(mpl_image_t image, uint number, int k) {
  return (((number << image->up[k]) >> image->down[k]) & image->keep[k]) + image->one[k];
}

#define MPL_COMPONENTS(suffix, T) \
  MPL_STATIC T##4 mpl_components##suffix(mpl_image_t image, uint number) { \
    return (T##4)(mpl_component##suffix(image, number, 0), mpl_component##suffix(image, number, 1), \
                  mpl_component##suffix(image, number, 2), mpl_component##suffix(image, number, 3)); \
  }
MPL_COMPONENTS(i, int)
MPL_COMPONENTS(ui, uint)

MPL_STATIC uint mpl_bitsf(mpl_image_t image, float value, int k) {
  float most = image->most[k];
  return (uint)(int)rint(mpl_between(value * most, 0.0f, most)) << image->at[k];
}
MPL_STATIC uint mpl_bitsi(mpl_image_t image, int value, int k) {
  int most = (int)(image->keep[k] >> 1);
  value = value > most ? most : value;
  value = value < ~most ? ~most : value;
  return ((uint)value & image->keep[k]) << image->at[k];
}
MPL_STATIC uint mpl_bitsui(mpl_image_t image, uint value, int k) {
  return (value < image->keep[k] ? value : image->keep[k]) << image->at[k];
}

/* --- Pixels --- */

/* Four words, aligned as one is. */
typedef float4 mpl_words_float __attribute__((aligned(4)));
typedef int4 mpl_words_int __attribute__((aligned(4)));
typedef uint4 mpl_words_uint __attribute__((aligned(4)));

#define MPL_WORD(T, p) ((global T *)(p).row)[(p).x]
#define MPL_WORDS(T, p) ((global mpl_words_##T *)(p).row)[(p).x]

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

/* `reads`, `writes`: the cases that only numbers of this type have. */
#define MPL_PIXEL(suffix, T, reads, writes) \
  MPL_STATIC T##4 mpl_read##suffix(mpl_image_t image, struct mpl_place p) { \
    switch (image->layout) { \
    case MPL_PIXEL_BITS_8: return mpl_components##suffix(image, MPL_WORD(uchar, p)); \
    case MPL_PIXEL_BITS_16: return mpl_components##suffix(image, MPL_WORD(ushort, p)); \
    case MPL_PIXEL_BITS_32: return mpl_components##suffix(image, MPL_WORD(uint, p)); \
    case MPL_PIXEL_1_WORD: return (T##4)(MPL_WORD(T, p), 0, 0, 1); \
    case MPL_PIXEL_4_WORDS: return MPL_WORDS(T, p); \
    reads \
    default: return __mpl_read_pixel##suffix(image, mpl_any_pixel(image, p)); \
    } \
  } \
  MPL_STATIC uint mpl_number##suffix(mpl_image_t image, T##4 value) { \
    return mpl_bits##suffix(image, value.x, 0) | mpl_bits##suffix(image, value.y, 1) | \
           mpl_bits##suffix(image, value.z, 2) | mpl_bits##suffix(image, value.w, 3); \
  } \
  MPL_STATIC void mpl_write##suffix(mpl_image_t image, struct mpl_place p, T##4 value) { \
    switch (image->layout) { \
    case MPL_PIXEL_BITS_8: MPL_WORD(uchar, p) = (uchar)mpl_number##suffix(image, value); break; \
    case MPL_PIXEL_BITS_16: MPL_WORD(ushort, p) = (ushort)mpl_number##suffix(image, value); break; \
    case MPL_PIXEL_BITS_32: MPL_WORD(uint, p) = mpl_number##suffix(image, value); break; \
    case MPL_PIXEL_1_WORD: MPL_WORD(T, p) = value.x; break; \
    case MPL_PIXEL_4_WORDS: MPL_WORDS(T, p) = value; break; \
    writes \
    default: __mpl_write_pixel##suffix(image, mpl_any_pixel(image, p), value); \
    } \
  }
MPL_PIXEL(f, float,
          case MPL_PIXEL_4_BYTES: return mpl_floats_of_bytes(MPL_WORD(uint, p)) * (1.0f / 255.0f);,
          case MPL_PIXEL_4_BYTES: MPL_WORD(uint, p) = mpl_bytes_of(value); break;)
MPL_PIXEL(i, int, , )
MPL_PIXEL(ui, uint, , )

#endif
