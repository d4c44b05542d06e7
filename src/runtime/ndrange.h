/* The sizes of a launch, from what a program asks for.  What is wrong with them is told in the same
 * words whichever API the launch comes from.  Functions return the refusal's code, or 0. */
#ifndef MPL_RUNTIME_NDRANGE_H
#define MPL_RUNTIME_NDRANGE_H

#include <stddef.h>

#include "runtime/device.h"
#include "runtime/errors.h"

/* Sets global sizes and offsets; null: 0. */
int mpl_ndrange_global(uint32_t dims, const size_t *global, const size_t *offset,
                       struct mpl_launch *, struct mpl_refusal *);

/* Then local sizes (null: what the kernel requires, or what suits the device) and the number of
 * groups.  With a global size of 0 nothing is looked at, and there are none. */
int mpl_ndrange_local(struct mpl_device *, const struct mpl_kernel *, const size_t *local,
                      struct mpl_launch *, struct mpl_refusal *);

/* Whether a group can have that much local memory. */
int mpl_ndrange_memory(const struct mpl_device *, const struct mpl_kernel *, uint64_t size,
                       struct mpl_refusal *);

#endif
