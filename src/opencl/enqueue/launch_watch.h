/* Watches the memory of a checked launch's arguments for writes of the host meanwhile, for accesses
 * to mapped memory, and for commands that are in no order with the launch. */
#ifndef MPL_OPENCL_LAUNCH_WATCH_H
#define MPL_OPENCL_LAUNCH_WATCH_H

#include "opencl/objects.h"
#include "runtime/device.h"

struct mpl_launch_watch;

/* Before the launch, whose arguments have the memory of `mems`, null where they have none.  Null:
 * there is nothing to watch; otherwise mpl_launch_watch_operation is to be performed in its place.
 * `shares`: the launch may communicate with running commands and with the host. */
struct mpl_launch_watch *mpl_launch_watch_begin(const struct mpl_operation *, cl_context,
                                                const cl_mem *mems, bool shares);
const struct mpl_operation *mpl_launch_watch_operation(const struct mpl_launch_watch *);
void mpl_launch_watch_end(struct mpl_launch_watch *); /* or null */

#endif
