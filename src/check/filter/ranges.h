/* Looks at accesses of a size that is not known before, or large: as compiler/filter/look_stamps.c
 * makes them of others, for one work-item. */
#ifndef MPL_CHECK_FILTER_RANGES_H
#define MPL_CHECK_FILTER_RANGES_H

#include <stdbool.h>

#include "abi/filter.h"

/* False: the filter has to stop. */
bool mpl_filter_look_at_range(struct mpl_filter_group *, const char *at, uint64_t size,
                              uint32_t item, const struct mpl_filter_range *);

#endif
