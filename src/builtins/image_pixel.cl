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

/* --- The bytes --- */

typedef ushort unaligned_ushort __attribute__((aligned(1)));
typedef uint unaligned_uint __attribute__((aligned(1)));
typedef ulong unaligned_ulong __attribute__((aligned(1)));
typedef ulong2 unaligned_ulong2 __attribute__((aligned(1)));

MPL_STATIC ulong2 bytes_at(const global uchar *pixel, uint size) {
  switch (size) {
  case 1: return (ulong2)(*pixel, 0);
  case 2: return (ulong2)(*(const global unaligned_ushort *)pixel, 0);
  case 4: return (ulong2)(*(const global unaligned_uint *)pixel, 0);
  case 8: return (ulong2)(*(const global unaligned_ulong *)pixel, 0);
  case 16: return *(const global unaligned_ulong2 *)pixel;
  }
  ulong2 bytes = 0; /* three channels */
  for (uint i = 0; i < size; i++) {
    ulong byte = (ulong)pixel[i] << (i % 8 * 8);
    bytes |= i < 8 ? (ulong2)(byte, 0) : (ulong2)(0, byte);
  }
  return bytes;
}

MPL_STATIC void put_bytes(global uchar *pixel, uint size, ulong2 bytes) {
  switch (size) {
  case 1: *pixel = (uchar)bytes.x; return;
  case 2: *(global unaligned_ushort *)pixel = (ushort)bytes.x; return;
  case 4: *(global unaligned_uint *)pixel = (uint)bytes.x; return;
  case 8: *(global unaligned_ulong *)pixel = bytes.x; return;
  case 16: *(global unaligned_ulong2 *)pixel = bytes; return;
  }
  for (uint i = 0; i < size; i++) pixel[i] = (uchar)((i < 8 ? bytes.x : bytes.y) >> (i % 8 * 8));
}

#define FLOATS(v) __builtin_convertvector(v, float4)
#define BYTES(T) __builtin_astype(bytes, T).s0123

MPL_STATIC float4 channelsf(mpl_image_t image, ulong2 bytes) {
  switch (image->channel_type) {
  case CLK_UNORM_INT8: return FLOATS(BYTES(uchar16)) / 255.0f;
  case CLK_UNORM_INT16: return FLOATS(BYTES(ushort8)) / 65535.0f;
  case CLK_SNORM_INT8: return max(FLOATS(BYTES(char16)) / 127.0f, -1.0f);
  case CLK_SNORM_INT16: return max(FLOATS(BYTES(short8)) / 32767.0f, -1.0f);
  case CLK_HALF_FLOAT: return FLOATS(BYTES(half8));
  case CLK_FLOAT: return __builtin_astype(bytes, float4);
  default: return 0.0f; /* integers: undefined */
  }
}
MPL_STATIC uint4 channelsui(mpl_image_t image, ulong2 bytes) {
  switch (image->channel_type) {
  case CLK_SIGNED_INT8: return __builtin_convertvector(BYTES(char16), uint4);
  case CLK_UNSIGNED_INT8: return __builtin_convertvector(BYTES(uchar16), uint4);
  case CLK_SIGNED_INT16: return __builtin_convertvector(BYTES(short8), uint4);
  case CLK_UNSIGNED_INT16: return __builtin_convertvector(BYTES(ushort8), uint4);
  case CLK_SIGNED_INT32:
  case CLK_UNSIGNED_INT32: return __builtin_astype(bytes, uint4);
  default: return 0;
  }
}

/* Numbers of 8 or 16 bits, one after another. */
MPL_STATIC ulong2 bytes_of_8(uint4 c) {
  return (ulong2)((c.x & 255u) | (c.y & 255u) << 8 | (c.z & 255u) << 16 | c.w << 24, 0);
}
MPL_STATIC ulong2 bytes_of_16(uint4 c) {
  uint2 bits = (c.xz & 0xffffu) | c.yw << 16;
  return (ulong2)(__builtin_astype(bits, ulong), 0);
}
#define SIGNED(c, least, most) __builtin_astype(clamp(c, (int4)(least), (int4)(most)), uint4)
#define NORMALISED(c, least, most) \
  __builtin_astype(__builtin_convertvector(rint(bounded((c) * most, least, most)), int4), uint4)

MPL_STATIC float4 bounded(float4 c, float least, float most) { /* a NaN: least */
  return (float4)(mpl_between(c.x, least, most), mpl_between(c.y, least, most),
                  mpl_between(c.z, least, most), mpl_between(c.w, least, most));
}

MPL_STATIC ulong2 bytes_off(mpl_image_t image, float4 c) {
  switch (image->channel_type) {
  case CLK_UNORM_INT8: return bytes_of_8(NORMALISED(c, 0.0f, 255.0f));
  case CLK_UNORM_INT16: return bytes_of_16(NORMALISED(c, 0.0f, 65535.0f));
  case CLK_SNORM_INT8: return bytes_of_8(NORMALISED(c, -127.0f, 127.0f));
  case CLK_SNORM_INT16: return bytes_of_16(NORMALISED(c, -32767.0f, 32767.0f));
  case CLK_HALF_FLOAT: {
    ushort4 bits = __builtin_astype(__builtin_convertvector(c, half4), ushort4);
    return (ulong2)(__builtin_astype(bits, ulong), 0);
  }
  default: return __builtin_astype(c, ulong2);
  }
}
MPL_STATIC ulong2 bytes_ofi(mpl_image_t image, int4 c) {
  switch (image->channel_type) {
  case CLK_SIGNED_INT8: return bytes_of_8(SIGNED(c, CHAR_MIN, CHAR_MAX));
  case CLK_SIGNED_INT16: return bytes_of_16(SIGNED(c, SHRT_MIN, SHRT_MAX));
  default: return __builtin_astype(c, ulong2);
  }
}
MPL_STATIC ulong2 bytes_ofui(mpl_image_t image, uint4 c) {
  switch (image->channel_type) {
  case CLK_UNSIGNED_INT8: return bytes_of_8(min(c, (uint4)UCHAR_MAX));
  case CLK_UNSIGNED_INT16: return bytes_of_16(min(c, (uint4)USHRT_MAX));
  default: return __builtin_astype(c, ulong2);
  }
}

/* --- Pixels: the channels in the order of the components --- */

#define ONE_OF(c, k) ((k) == 0 ? c.x : (k) == 1 ? c.y : (k) == 2 ? c.z : c.w)
#define COMPONENT(T, c, k) \
  ((k) < 4 ? ONE_OF(c, k) : (k) == MPL_CHANNEL_ONE ? (T)1 : (T)0)
#define ORDERED(suffix, T) \
  MPL_STATIC T##4 ordered##suffix(T##4 c, const global uint8_t *k) { \
    if (k[0] == 0 && k[1] == 1 && k[2] == 2 && k[3] == 3) return c; \
    return (T##4)(COMPONENT(T, c, k[0]), COMPONENT(T, c, k[1]), COMPONENT(T, c, k[2]), \
                  COMPONENT(T, c, k[3])); \
  }
ORDERED(f, float)
ORDERED(i, int)
ORDERED(ui, uint)

float4 __mpl_read_pixelf(mpl_image_t image, const global uchar *pixel) {
  float4 c = channelsf(image, bytes_at(pixel, image->pixel_size));
  c = orderedf(c, image->source);
  return image->srgb ? (float4)(linear_of(c.x), linear_of(c.y), linear_of(c.z), c.w) : c;
}
uint4 __mpl_read_pixelui(mpl_image_t image, const global uchar *pixel) {
  return orderedui(channelsui(image, bytes_at(pixel, image->pixel_size)), image->source);
}
int4 __mpl_read_pixeli(mpl_image_t image, const global uchar *pixel) {
  return __builtin_astype(__mpl_read_pixelui(image, pixel), int4);
}

void __mpl_write_pixelf(mpl_image_t image, global uchar *pixel, float4 c) {
  if (image->srgb) c = (float4)(srgb_of(c.x), srgb_of(c.y), srgb_of(c.z), c.w);
  put_bytes(pixel, image->pixel_size, bytes_off(image, orderedf(c, image->from)));
}
void __mpl_write_pixeli(mpl_image_t image, global uchar *pixel, int4 c) {
  put_bytes(pixel, image->pixel_size, bytes_ofi(image, orderedi(c, image->from)));
}
void __mpl_write_pixelui(mpl_image_t image, global uchar *pixel, uint4 c) {
  put_bytes(pixel, image->pixel_size, bytes_ofui(image, orderedui(c, image->from)));
}
