/* Copies and fills by the processor, in memory that it can reach. */
#ifndef MPL_RUNTIME_TRANSFER_H
#define MPL_RUNTIME_TRANSFER_H

#include <stddef.h>

#include "runtime/device.h"

void mpl_fill(void *target, size_t size, const void *pattern, size_t pattern_size);

/* An MPL_COPY or MPL_FILL.  Linear copies may overlap. */
void mpl_transfer(const struct mpl_operation *);

#endif
