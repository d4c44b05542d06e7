/* The bytes of a box: size[0] bytes in size[1] rows of size[2] slices.  Linear: {n, 1, 1}, and no
 * pitches. */
#ifndef MPL_OPENCL_BOX_H
#define MPL_OPENCL_BOX_H

#include <stddef.h>

struct mpl_box {
  size_t start, size[3];
  size_t row, slice; /* from one row or slice to the next; 0 if there is one only */
};

/* The first byte of the box at `at` or behind it; SIZE_MAX: there is none. */
size_t mpl_box_next(const struct mpl_box *, size_t at);
/* The first byte of a row that both have; SIZE_MAX: they have none in common. */
size_t mpl_box_common(const struct mpl_box *, const struct mpl_box *);

#endif
