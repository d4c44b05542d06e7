/* The sizes of a launch, from those that a program asks for.  All APIs report wrong sizes in the
 * same words.  Functions return the code of the refusal, or 0. */
#ifndef MPL_RUNTIME_NDRANGE_H
#define MPL_RUNTIME_NDRANGE_H

#include <stddef.h>

#include "runtime/device.h"
#include "runtime/errors.h"

/* Sets global sizes and offsets; null: 0. */
int mpl_ndrange_global(uint32_t dims, const size_t *global, const size_t *offset,
                       struct mpl_launch *, struct mpl_refusal *);

/* Then local sizes (null: those that the kernel requires or that suit the device) and the number of
 * groups.  With a global size of 0 there are no groups, and nothing is checked. */
int mpl_ndrange_local(struct mpl_device *, const struct mpl_kernel *, const size_t *local,
                      struct mpl_launch *, struct mpl_refusal *);

/* Whether a group can have that much local memory. */
int mpl_ndrange_memory(const struct mpl_device *, const struct mpl_kernel *, uint64_t size,
                       struct mpl_refusal *);

#endif
