/* One pixel of any format (section 5.3.1.1 of the API; conversions: OpenCL C 3.0, 6.15.15.5) but of
 * the layouts that abi/image.h names; those have all the packed types. */
#include "image.h"

/* --- sRGB (6.15.15.5.5) --- */

MPL_STATIC float linear_of(float c) {
  return c <= 0.04045f ? c / 12.92f : powr((c + 0.055f) / 1.055f, 2.4f);
}
MPL_STATIC float srgb_of(float c) {
  c = mpl_between(c, 0.0f, 1.0f);
  return c < 0.0031308f ? 12.92f * c : 1.055f * powr(c, 1.0f / 2.4f) - 0.055f;
}

/* --- Channels --- */

#define CHANNEL(T) ((const global T *)pixel)[i]
MPL_STATIC float read_channelf(mpl_image_t image, const global uchar *pixel, uint i) {
  switch (image->channel_type) {
  case CLK_UNORM_INT8: {
    float c = (float)CHANNEL(uchar) / 255.0f;
    return image->srgb && image->from[i] < 3 ? linear_of(c) : c;
  }
  case CLK_UNORM_INT16: return (float)CHANNEL(ushort) / 65535.0f;
  case CLK_SNORM_INT8: return fmax((float)CHANNEL(char) / 127.0f, -1.0f);
  case CLK_SNORM_INT16: return fmax((float)CHANNEL(short) / 32767.0f, -1.0f);
  case CLK_HALF_FLOAT: return (float)CHANNEL(half);
  case CLK_FLOAT: return CHANNEL(float);
  default: return 0.0f; /* integers: undefined */
  }
}
MPL_STATIC uint read_channelui(mpl_image_t image, const global uchar *pixel, uint i) {
  switch (image->channel_type) {
  case CLK_SIGNED_INT8: return (uint)CHANNEL(char);
  case CLK_UNSIGNED_INT8: return CHANNEL(uchar);
  case CLK_SIGNED_INT16: return (uint)CHANNEL(short);
  case CLK_UNSIGNED_INT16: return CHANNEL(ushort);
  case CLK_SIGNED_INT32:
  case CLK_UNSIGNED_INT32: return CHANNEL(uint);
  default: return 0;
  }
}

#undef CHANNEL
#define CHANNEL(T) ((global T *)pixel)[i]
MPL_STATIC float normalised(float value, float least, float most) {
  return rint(mpl_between(value * most, least, most));
}
MPL_STATIC void write_channelf(mpl_image_t image, global uchar *pixel, uint i, float value) {
  switch (image->channel_type) {
  case CLK_UNORM_INT8:
    if (image->srgb && image->from[i] < 3) value = srgb_of(value);
    CHANNEL(uchar) = (uchar)normalised(value, 0.0f, 255.0f);
    break;
  case CLK_UNORM_INT16: CHANNEL(ushort) = (ushort)normalised(value, 0.0f, 65535.0f); break;
  case CLK_SNORM_INT8: CHANNEL(char) = (char)normalised(value, -127.0f, 127.0f); break;
  case CLK_SNORM_INT16: CHANNEL(short) = (short)normalised(value, -32767.0f, 32767.0f); break;
  case CLK_HALF_FLOAT: CHANNEL(half) = (half)value; break;
  case CLK_FLOAT: CHANNEL(float) = value; break;
  }
}
MPL_STATIC void write_channeli(mpl_image_t image, global uchar *pixel, uint i, int value) {
  switch (image->channel_type) {
  case CLK_SIGNED_INT8: CHANNEL(char) = convert_char_sat(value); break;
  case CLK_SIGNED_INT16: CHANNEL(short) = convert_short_sat(value); break;
  case CLK_SIGNED_INT32: CHANNEL(int) = value; break;
  }
}
MPL_STATIC void write_channelui(mpl_image_t image, global uchar *pixel, uint i, uint value) {
  switch (image->channel_type) {
  case CLK_UNSIGNED_INT8: CHANNEL(uchar) = convert_uchar_sat(value); break;
  case CLK_UNSIGNED_INT16: CHANNEL(ushort) = convert_ushort_sat(value); break;
  case CLK_UNSIGNED_INT32: CHANNEL(uint) = value; break;
  }
}

/* --- Pixels: the channels in the order of the components --- */

#define COMPONENT(suffix, T, k) \
  (image->source[k] < 4               ? read_channel##suffix(image, pixel, image->source[k]) \
   : image->source[k] == MPL_CHANNEL_ONE ? (T)1 \
                                      : (T)0)
#define READ(suffix, T) \
  T##4 __mpl_read_pixel##suffix(mpl_image_t image, const global uchar *pixel) { \
    return (T##4)(COMPONENT(suffix, T, 0), COMPONENT(suffix, T, 1), COMPONENT(suffix, T, 2), \
                  COMPONENT(suffix, T, 3)); \
  }
READ(f, float)
READ(ui, uint)
int4 __mpl_read_pixeli(mpl_image_t image, const global uchar *pixel) {
  return __builtin_astype(__mpl_read_pixelui(image, pixel), int4);
}

#define WRITE(suffix, T) \
  void __mpl_write_pixel##suffix(mpl_image_t image, global uchar *pixel, T##4 value) { \
    for (uint i = 0; i < image->channels; i++) { \
      uint k = image->from[i]; \
      T component = k == 0 ? value.x : k == 1 ? value.y : k == 2 ? value.z : value.w; \
      if (k < 4) write_channel##suffix(image, pixel, i, component); \
    } \
  }
WRITE(f, float)
WRITE(i, int)
WRITE(ui, uint)
