/* The descriptors of images and samplers that compiled code reads.
 *
 * A kernel's image argument lies in the argument block as a struct mpl_image (MPL_ARG_IMAGE, of
 * sizeof(struct mpl_image) bytes); its address is the kernel's image.  So a descriptor lives as
 * long as the launch, and nobody writes it while groups run.  The run time copies the memory
 * object's descriptor there when the kernel is enqueued, and sets `pixels` to their place on the
 * device. On a GPU the block has the address of the descriptor instead, which lives in the device's
 * memory as long as the image: a launch has room for 4 KB of arguments, and a kernel may have 128
 * images. mpl_image_set_format (runtime/memory/image_format.h) fills the fields that follow from
 * the format.
 *
 * A sampler is the 32-bit number that clang makes of a literal one, in OpenCL C's bits below; as an
 * argument (MPL_ARG_SAMPLER) it is a uint64_t in the block. */
#ifndef MPL_ABI_IMAGE_H
#define MPL_ABI_IMAGE_H

#include "kernel.h"

#ifdef __OPENCL_C_VERSION__ /* the built-in library reads it */
#define MPL_PIXELS global uchar *
#else
#define MPL_PIXELS unsigned char *
#endif

/* The layout of a pixel in memory: the commonest formats each have code of their own. */
enum mpl_image_layout {
  MPL_PIXEL_PARTS,   /* a little-endian number of 8, 16, 32 or 64 bits with the channels in it */
  MPL_PIXEL_1_WORD,  /* floating-point numbers or integers of 32 bits, the first one of RGBA */
  MPL_PIXEL_4_WORDS, /* the same for all, in this order */
  MPL_PIXEL_4_BYTES, /* all four in this order, of 8 bits, normalised unsigned, but no sRGB */
};

/* The type of the channels in layout _PARTS. */
enum mpl_image_kind {
  MPL_CHANNEL_UNORM,
  MPL_CHANNEL_SNORM,
  MPL_CHANNEL_HALF,
  MPL_CHANNEL_FLOAT,
  MPL_CHANNEL_SRGB, /* 8 bits; alpha is linear */
  MPL_CHANNEL_SINT,
  MPL_CHANNEL_UINT,
};

/* The source of each component of a result, red first. */
enum { MPL_CHANNEL_ZERO = 4, MPL_CHANNEL_ONE = 5 }; /* beside 0 to 3, the pixel's channel */

struct mpl_image {
  MPL_PIXELS pixels;    /* of the image's first pixel */
  uint64_t row_pitch;   /* bytes from one row to the next */
  uint64_t slice_pitch; /* from one slice to the next; of arrays, 1D ones too, from one layer */
  uint32_t width, height, depth, array_size; /* pixels; 1 where the type has none */
  uint32_t channel_order, channel_type;      /* CL_RGBA ..., CL_UNORM_INT8 ... */
  uint32_t pixel_size, channels;             /* bytes; channels in memory */
  uint32_t layout;                           /* enum mpl_image_layout */
  uint32_t srgb;                             /* 1: red, green and blue of the pixel are sRGB's */
  uint32_t border_alpha; /* 1: the border's alpha is 1, else 0 (4.0 of 6.15.15) */
  uint32_t kind;         /* enum mpl_image_kind */
  uint8_t
      source[4];   /* of red, green, blue, alpha: the pixel's channel, or MPL_CHANNEL_ZERO, _ONE */
  uint8_t from[4]; /* of each of the pixel's channels: the component that is written there */
  /* Of layout _PARTS, for each component: it is in the number's upper 32 bits if `upper`, its bits
   * are (number << up) >> down of that half, and `keep` has as many ones, or is 0 if the pixel has
   * no such channel; then the component is `one` as an integer, `one_bits` as a half or a float, or
   * `add`.  Normalised ones are x * scale + x of x = bits * step + add, rounded as bits / most is
   * (bits * scale is not: (int)(most * it) may be one less), and are written `most` times as large
   * and rounded.  What is written is the bits & put, << at. */
  uint32_t upper[4], up[4], down[4], keep[4], at[4], put[4], one[4], one_bits[4];
  float step[4], scale[4], add[4], most[4]; /* step: a power of 2; scale: 1 / most; or 0 */
};

/* Bits of a sampler: as CLK_* of OpenCL C in clang's headers. */
enum mpl_sampler {
  MPL_SAMPLER_NORMALIZED = 1, /* coordinates of 0 to 1 */
  MPL_SAMPLER_ADDRESS = 0xe,  /* one of: */
  MPL_SAMPLER_NONE = 0,
  MPL_SAMPLER_CLAMP_TO_EDGE = 2,
  MPL_SAMPLER_CLAMP = 4,
  MPL_SAMPLER_REPEAT = 6,
  MPL_SAMPLER_MIRRORED_REPEAT = 8,
  MPL_SAMPLER_NEAREST = 0x10,
  MPL_SAMPLER_LINEAR = 0x20,
};

#endif
