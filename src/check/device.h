/* Checking as a device around a device. */
#ifndef MPL_CHECK_DEVICE_H
#define MPL_CHECK_DEVICE_H

#include "runtime/device.h"

/* Puts operations of the checking engine around the device's own, for it and for its partitions: it
 * runs kernels by work-item, and with MANIPLE_CHECK its memory is guarded and uses of memory by
 * commands are noted.  Other operations stay the device's own.  False if out of memory. */
bool mpl_check_device(struct mpl_device *);

#endif
