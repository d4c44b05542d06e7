/* What a kernel may ask of an image (OpenCL C 3.0, 6.15.15.6); and a sampler of the program. */
#include "image.h"

/* Called by what clang makes of a literal sampler, whose type functions cannot return. */
__attribute__((const, always_inline)) constant void *__translate_sampler_initializer(int bits) {
  return (constant void *)(ulong)(uint)bits;
}

#define GET(access, image_t, T, name, ...) \
  MPL_VALUE T name(access image_t image) { \
    mpl_image_t d = MPL_DESCRIPTOR(image); \
    return __VA_ARGS__; \
  }
#define QUERY(image_t, ...) \
  GET(read_only, image_t, __VA_ARGS__) \
  GET(write_only, image_t, __VA_ARGS__) \
  GET(read_write, image_t, __VA_ARGS__)

#define OF_ALL(image_t, ...) \
  QUERY(image_t, int, get_image_width, (int)d->width) \
  QUERY(image_t, int, get_image_channel_data_type, (int)d->channel_type) \
  QUERY(image_t, int, get_image_channel_order, (int)d->channel_order)
MPL_ALL_IMAGES(OF_ALL)

#define OF_ROWS(image_t) \
  QUERY(image_t, int, get_image_height, (int)d->height)
#define OF_PLANE(image_t) \
  OF_ROWS(image_t) \
  QUERY(image_t, int2, get_image_dim, (int2)((int)d->width, (int)d->height))
OF_PLANE(image2d_t) OF_PLANE(image2d_array_t)
OF_PLANE(image2d_depth_t) OF_PLANE(image2d_array_depth_t)

OF_ROWS(image3d_t)
QUERY(image3d_t, int, get_image_depth, (int)d->depth)
QUERY(image3d_t, int4, get_image_dim, (int4)((int)d->width, (int)d->height, (int)d->depth, 0))

#define OF_LAYERS(image_t) QUERY(image_t, size_t, get_image_array_size, d->array_size)
OF_LAYERS(image1d_array_t) OF_LAYERS(image2d_array_t) OF_LAYERS(image2d_array_depth_t)
