/* Reading by integer coordinates, with a sampler and without (OpenCL C 3.0, 6.15.15.2 and 3).  A
 * sampler's filter is `nearest` and its coordinates are not normalised there, or what is read is
 * undefined; the same of a place outside but with CLK_ADDRESS_CLAMP and _CLAMP_TO_EDGE. */
#include "image_pixel.h"

/* The place of the pixel, and whether the coordinates are inside. */
struct found {
  struct mpl_place place;
  int inside;
};

MPL_STATIC struct found find_1_0(mpl_image_t image, int x) {
  return (struct found){mpl_place_1(image, mpl_nearest_inside(x, image->width)),
                        mpl_inside(x, image->width)};
}
MPL_STATIC struct found find_2_0(mpl_image_t image, int2 at) {
  int x = mpl_nearest_inside(at.x, image->width), y = mpl_nearest_inside(at.y, image->height);
  return (struct found){mpl_place_2(image, x, y),
                        mpl_inside(at.x, image->width) & mpl_inside(at.y, image->height)};
}
MPL_STATIC struct found find_3_0(mpl_image_t image, int4 at) {
  struct found found = find_2_0(image, at.xy);
  found.place = mpl_in_slice(image, found.place, mpl_nearest_inside(at.z, image->depth));
  found.inside &= mpl_inside(at.z, image->depth);
  return found;
}
/* A layer that there is not is the nearest there is, whatever the sampler says. */
MPL_STATIC struct found find_1_1(mpl_image_t image, int2 at) {
  struct found found = find_1_0(image, at.x);
  found.place = mpl_in_slice(image, found.place, mpl_nearest_inside(at.y, image->array_size));
  return found;
}
MPL_STATIC struct found find_2_1(mpl_image_t image, int4 at) {
  struct found found = find_2_0(image, at.xy);
  found.place = mpl_in_slice(image, found.place, mpl_nearest_inside(at.z, image->array_size));
  return found;
}

/* --- Colours --- */

#define WITHOUT(access, image_t, n, dims, layers, suffix, T) \
  MPL_READS T##4 read_image##suffix(access image_t image, int##n at) { \
    mpl_image_t d = MPL_DESCRIPTOR(image); \
    return mpl_read##suffix(d, find_##dims##_##layers(d, at).place); \
  }
#define WITH(image_t, n, dims, layers, suffix, T) \
  MPL_READS T##4 read_image##suffix(read_only image_t image, sampler_t sampler, int##n at) { \
    mpl_image_t d = MPL_DESCRIPTOR(image); \
    struct found found = find_##dims##_##layers(d, at); \
    T##4 read = mpl_read##suffix(d, found.place); \
    if ((MPL_SAMPLER_BITS(sampler) & MPL_SAMPLER_ADDRESS) != MPL_SAMPLER_CLAMP) return read; \
    return found.inside ? read : (T##4)(0, 0, 0, (T)d->border_alpha); \
  }
#define READ_WITHOUT(image_t, n, dims, layers, ...) \
  WITHOUT(read_only, image_t, n, dims, layers, __VA_ARGS__) \
  WITHOUT(read_write, image_t, n, dims, layers, __VA_ARGS__)
#define COLOUR(suffix, T) \
  MPL_COLOUR_IMAGES(READ_WITHOUT, suffix, T) \
  MPL_SAMPLED_IMAGES(WITH, suffix, T)
COLOUR(f, float)
COLOUR(i, int)
COLOUR(ui, uint)

/* --- Halves: what the float is rounded to (6.15.15.2, cl_khr_fp16) --- */

#define HALF_WITHOUT(access, image_t, n) \
  MPL_READS half4 read_imageh(access image_t image, int##n at) { \
    return MPL_CONVERT(half, 4, read_imagef(image, at)); \
  }
#define HALF(image_t, n, ...) \
  HALF_WITHOUT(read_only, image_t, n) \
  HALF_WITHOUT(read_write, image_t, n)
#define HALF_WITH(image_t, n, ...) \
  MPL_READS half4 read_imageh(read_only image_t image, sampler_t sampler, int##n at) { \
    return MPL_CONVERT(half, 4, read_imagef(image, sampler, at)); \
  }
MPL_COLOUR_IMAGES(HALF)
MPL_SAMPLED_IMAGES(HALF_WITH)

/* --- Depth: its one channel --- */

#define DEPTH_WITHOUT(access, image_t, n, dims, layers) \
  MPL_READS float read_imagef(access image_t image, int##n at) { \
    mpl_image_t d = MPL_DESCRIPTOR(image); \
    return mpl_readf(d, find_##dims##_##layers(d, at).place).x; \
  }
#define DEPTH(image_t, n, dims, layers, ...) \
  DEPTH_WITHOUT(read_only, image_t, n, dims, layers) \
  DEPTH_WITHOUT(read_write, image_t, n, dims, layers) \
  MPL_READS float read_imagef(read_only image_t image, sampler_t sampler, int##n at) { \
    mpl_image_t d = MPL_DESCRIPTOR(image); \
    struct found found = find_##dims##_##layers(d, at); \
    float read = mpl_readf(d, found.place).x; \
    if ((MPL_SAMPLER_BITS(sampler) & MPL_SAMPLER_ADDRESS) != MPL_SAMPLER_CLAMP) return read; \
    return found.inside ? read : 0.0f; \
  }
MPL_DEPTH_IMAGES(DEPTH)
