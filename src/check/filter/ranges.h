/* Looks at accesses whose size is large, or unknown before the launch, for one work-item;
 * compiler/filter/look_stamps.c makes those at other accesses. */
#ifndef MPL_CHECK_FILTER_RANGES_H
#define MPL_CHECK_FILTER_RANGES_H

#include <stdbool.h>

#include "abi/filter.h"

/* False: the filter has to stop. */
bool mpl_filter_look_at_range(struct mpl_filter_group *, const char *at, uint64_t size,
                              uint32_t item, const struct mpl_filter_range *);

#endif
