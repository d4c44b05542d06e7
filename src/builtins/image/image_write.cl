/* Writing (OpenCL C 3.0, 6.15.15.4).  Nothing is written outside of the image. */
#include "image_pixel.h"

MPL_STATIC int inside_1_0(mpl_image_t d, int at) { return mpl_inside(at, d->width); }
MPL_STATIC int inside_2_0(mpl_image_t d, int2 at) {
  return mpl_inside(at.x, d->width) & mpl_inside(at.y, d->height);
}
MPL_STATIC int inside_3_0(mpl_image_t d, int4 at) {
  return inside_2_0(d, at.xy) & mpl_inside(at.z, d->depth);
}
MPL_STATIC int inside_1_1(mpl_image_t d, int2 at) {
  return mpl_inside(at.x, d->width) & mpl_inside(at.y, d->array_size);
}
MPL_STATIC int inside_2_1(mpl_image_t d, int4 at) {
  return inside_2_0(d, at.xy) & mpl_inside(at.z, d->array_size);
}

MPL_STATIC struct mpl_place place_1_0(mpl_image_t d, int at) { return mpl_place_1(d, at); }
MPL_STATIC struct mpl_place place_2_0(mpl_image_t d, int2 at) { return mpl_place_2(d, at.x, at.y); }
MPL_STATIC struct mpl_place place_3_0(mpl_image_t d, int4 at) {
  return mpl_in_slice(d, mpl_place_2(d, at.x, at.y), at.z);
}
MPL_STATIC struct mpl_place place_1_1(mpl_image_t d, int2 at) {
  return mpl_in_slice(d, mpl_place_1(d, at.x), at.y);
}
MPL_STATIC struct mpl_place place_2_1(mpl_image_t d, int4 at) { return place_3_0(d, at); }

#define WRITE_TO(access, image_t, n, dims, layers, function, suffix, T, value4) \
  MPL_WRITES void function(access image_t image, int##n at, T value) { \
    mpl_image_t d = MPL_DESCRIPTOR(image); \
    if (inside_##dims##_##layers(d, at)) mpl_write##suffix(d, place_##dims##_##layers(d, at), value4); \
  }
#define WRITE(...) \
  WRITE_TO(write_only, __VA_ARGS__) \
  WRITE_TO(read_write, __VA_ARGS__)

MPL_COLOUR_IMAGES(WRITE, write_imagef, f, float4, value)
MPL_COLOUR_IMAGES(WRITE, write_imagei, i, int4, value)
MPL_COLOUR_IMAGES(WRITE, write_imageui, ui, uint4, value)
MPL_COLOUR_IMAGES(WRITE, write_imageh, f, half4, MPL_CONVERT(float, 4, value))
MPL_DEPTH_IMAGES(WRITE, write_imagef, f, float, (float4)(value, 0, 0, 0))
