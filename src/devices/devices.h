/* Which devices there are: the one place that names them. */
#ifndef MPL_DEVICES_DEVICES_H
#define MPL_DEVICES_DEVICES_H

#include "runtime/device.h"

/* The devices of this process, made at first use, the checking engine around each.  Sets *count; the
 * CPU is first. */
struct mpl_device *const *mpl_devices(uint32_t *count);

#endif
