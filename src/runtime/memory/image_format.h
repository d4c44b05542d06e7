/* The layout of a pixel by its channel order and channel data type (tables/image_orders.def and
 * image_types.def). */
#ifndef MPL_RUNTIME_IMAGE_FORMAT_H
#define MPL_RUNTIME_IMAGE_FORMAT_H

#include <stdbool.h>

#include "abi/image.h"

/* Sets all fields of the descriptor from `channel_order` on; false if the tables lack one of the
 * two, which are CL_RGBA ... and CL_UNORM_INT8 ...  It is not checked whether they go together. */
bool mpl_image_set_format(struct mpl_image *, uint32_t order, uint32_t type);

#endif
