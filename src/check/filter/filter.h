/* Filters: before the engine runs a launch, the kernel runs as vector code with a look at each
 * access (abi/filter.h).  If it stops, its writes are undone. */
#ifndef MPL_CHECK_FILTER_H
#define MPL_CHECK_FILTER_H

#include "abi/items.h"
#include "check/engine/engine.h"
#include "runtime/device.h"

/* True if the launch is done and nothing was suspicious; *error is its result.  Otherwise all is as
 * before.  `perform` is that of the device that runs the groups. */
bool mpl_filter_launch(struct mpl_device *, const struct mpl_device_ops *inner,
                       const struct mpl_operation *, struct mpl_check_launch *, int *error);

/* As mpl_item_host.filter. */
void mpl_filter_group(const struct mpl_launch *, const struct mpl_group *, mpl_group_fn *,
                      const struct mpl_filter_use *);

/* In a signal handler: does not return if the thread runs a filter. */
void mpl_filter_fault(void);
void mpl_filter_after_fork(void);

#endif
