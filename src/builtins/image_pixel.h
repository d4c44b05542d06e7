/* One pixel at a place that is inside: read as floating-point numbers, integers or unsigned ones, and
 * written (the formats: section 5.3.1.1 of the API, conversions: 4.0 of OpenCL C 3.0's 6.15.15.5). */
#ifndef MPL_BUILTINS_IMAGE_PIXEL_H
#define MPL_BUILTINS_IMAGE_PIXEL_H

#include "image.h"

MPL_STATIC int mpl_is_bits(uint layout) {
  return layout - MPL_PIXEL_BITS_8 <= MPL_PIXEL_BITS_32 - MPL_PIXEL_BITS_8;
}

MPL_STATIC uint mpl_read_number(uint layout, struct mpl_place p) {
  if (layout == MPL_PIXEL_BITS_32) return ((const global uint *)p.row)[p.x];
  if (layout == MPL_PIXEL_BITS_16) return ((const global ushort *)p.row)[p.x];
  return p.row[p.x];
}

MPL_STATIC void mpl_write_number(uint layout, struct mpl_place p, uint number) {
  if (layout == MPL_PIXEL_BITS_32)
    ((global uint *)p.row)[p.x] = number;
  else if (layout == MPL_PIXEL_BITS_16)
    ((global ushort *)p.row)[p.x] = (ushort)number;
  else
    p.row[p.x] = (uchar)number;
}

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

#define MPL_PIXEL(suffix, T)                                                                       \
  MPL_STATIC T##4 mpl_read##suffix(mpl_image_t image, struct mpl_place p) {                        \
    uint layout = image->layout;                                                                   \
    if (mpl_is_bits(layout)) {                                                                     \
      uint number = mpl_read_number(layout, p);                                                    \
      return mpl_components##suffix(image, number);                                                \
    }                                                                                              \
    const global T *words = (const global T *)p.row;                                               \
    if (layout == MPL_PIXEL_1_WORD) return (T##4)(words[p.x], 0, 0, 1);                            \
    if (layout == MPL_PIXEL_4_WORDS) return vload4((size_t)p.x, words);                            \
    return __mpl_read_pixel##suffix(image, mpl_any_pixel(image, p));                               \
  }                                                                                                \
  MPL_STATIC void mpl_write##suffix(mpl_image_t image, struct mpl_place p, T##4 value) {           \
    uint layout = image->layout;                                                                   \
    global T *words = (global T *)p.row;                                                           \
    if (mpl_is_bits(layout))                                                                       \
      mpl_write_number(layout, p,                                                                  \
                       mpl_bits##suffix(image, value.x, 0) | mpl_bits##suffix(image, value.y, 1) | \
                           mpl_bits##suffix(image, value.z, 2) |                                   \
                           mpl_bits##suffix(image, value.w, 3));                                   \
    else if (layout == MPL_PIXEL_1_WORD)                                                           \
      words[p.x] = value.x;                                                                        \
    else if (layout == MPL_PIXEL_4_WORDS)                                                          \
      vstore4(value, (size_t)p.x, words);                                                          \
    else                                                                                           \
      __mpl_write_pixel##suffix(image, mpl_any_pixel(image, p), value);                            \
  }
MPL_PIXEL(f, float)
MPL_PIXEL(i, int)
MPL_PIXEL(ui, uint)

#endif
