/* The pixel of an image that has a colour: the host makes it for a fill. */
#ifndef MPL_RUNTIME_IMAGE_COLOR_H
#define MPL_RUNTIME_IMAGE_COLOR_H

#include "abi/image.h"

enum { MPL_LARGEST_PIXEL = 16 };

/* `color` has red, green, blue, alpha: int32_t or uint32_t for types of integers, else float; of an
 * image with one channel, red, the first alone is read.  Sets image->pixel_size bytes. */
void mpl_image_pixel(const struct mpl_image *image, const void *color,
                     unsigned char pixel[MPL_LARGEST_PIXEL]);

#endif
