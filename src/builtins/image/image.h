/* What the built-in functions of images share (OpenCL C 3.0, 6.15.15).
 *
 * Format, sizes and pitches are read of the descriptor, which is in the argument block, so what is
 * decided by them is decided by the same for all work-items: such branches stay branches when loops
 * are widened, and what is loaded stands in front of the loops. */
#ifndef MPL_BUILTINS_IMAGE_H
#define MPL_BUILTINS_IMAGE_H

#include "abi/image.h"
#include "value.h"

#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
#pragma OPENCL EXTENSION cl_khr_depth_images : enable

#ifdef __NVPTX__ /* nobody writes descriptors there, and loads of them may say so */
typedef const constant struct mpl_image *mpl_image_t;
#else
typedef const global struct mpl_image *mpl_image_t;
#endif

/* X(type, coordinate, dimensions, layers, result of reads): of `dimensions` coordinates the
 * last is the layer if there are layers; the result is a vector of 4, or of depth images a number. */
#define MPL_SAMPLED_IMAGES(X, ...)                                                                 \
  X(image1d_t, , 1, 0, __VA_ARGS__)                                                                \
  X(image1d_array_t, 2, 1, 1, __VA_ARGS__)                                                         \
  X(image2d_t, 2, 2, 0, __VA_ARGS__)                                                               \
  X(image2d_array_t, 4, 2, 1, __VA_ARGS__)                                                         \
  X(image3d_t, 4, 3, 0, __VA_ARGS__)
#define MPL_COLOUR_IMAGES(X, ...)                                                                  \
  X(image1d_buffer_t, , 1, 0, __VA_ARGS__)                                                         \
  MPL_SAMPLED_IMAGES(X, __VA_ARGS__)
#define MPL_DEPTH_IMAGES(X, ...)                                                                   \
  X(image2d_depth_t, 2, 2, 0, __VA_ARGS__)                                                         \
  X(image2d_array_depth_t, 4, 2, 1, __VA_ARGS__)
#define MPL_ALL_IMAGES(X, ...)                                                                     \
  MPL_COLOUR_IMAGES(X, __VA_ARGS__) MPL_DEPTH_IMAGES(X, __VA_ARGS__)

#define MPL_DESCRIPTOR(image) __builtin_astype(image, mpl_image_t)
#define MPL_SAMPLER_BITS(sampler) ((uint)__builtin_astype(sampler, ulong))

#define MPL_STATIC static __attribute__((always_inline, unused))

/* From least to most; of a NaN, least.  One instruction each. */
MPL_STATIC float mpl_between(float value, float least, float most) {
  value = value > least ? value : least;
  return value < most ? value : most;
}

/* --- Places --- */

/* A pixel: its row's first pixel, and its number there. */
struct mpl_place {
  global uchar *row;
  int x;
};

MPL_STATIC int mpl_inside(int i, uint size) {
  return (uint)i < size;
}
/* Memory outside of the image is never read.  A minimum and a maximum, which neighbouring work-items
 * are hoped to be inside of (compiler/vector/lanes/contiguous.c). */
MPL_STATIC int mpl_nearest_inside(int i, uint size) {
  int last = (int)size - 1;
  i = i > 0 ? i : 0;
  return i < last ? i : last;
}
MPL_STATIC struct mpl_place mpl_place_1(mpl_image_t image, int x) {
  return (struct mpl_place){image->pixels, x};
}
MPL_STATIC struct mpl_place mpl_place_2(mpl_image_t image, int x, int y) {
  return (struct mpl_place){image->pixels + (long)y * (long)image->row_pitch, x};
}
MPL_STATIC struct mpl_place mpl_in_slice(mpl_image_t image, struct mpl_place place, int z) {
  place.row += (long)z * (long)image->slice_pitch;
  return place;
}

#endif
