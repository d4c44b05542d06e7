/* What a checked launch does to the memory of its arguments beside what the host does: writes of
 * the host's meanwhile, accesses to what is mapped, and commands that are in no order with it. */
#ifndef MPL_OPENCL_LAUNCH_WATCH_H
#define MPL_OPENCL_LAUNCH_WATCH_H

#include "opencl/objects.h"
#include "runtime/device.h"

struct mpl_launch_watch;

/* Before the launch, whose arguments have the memory of `mems`, null where they have none.  Null:
 * nothing is to be looked at; else mpl_launch_watch_operation is to be performed in its place.
 * `shares`: it may have to do with other commands, and the host, while they run. */
struct mpl_launch_watch *mpl_launch_watch_begin(const struct mpl_operation *, const cl_mem *mems,
                                                bool shares);
const struct mpl_operation *mpl_launch_watch_operation(const struct mpl_launch_watch *);
void mpl_launch_watch_end(struct mpl_launch_watch *); /* or null */

#endif
