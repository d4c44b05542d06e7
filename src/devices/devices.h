/* The list of devices: the only place that names them. */
#ifndef MPL_DEVICES_DEVICES_H
#define MPL_DEVICES_DEVICES_H

#include "runtime/device.h"

/* Devices of one kind are an OpenCL platform: starting one kind must cost nothing to programs that
 * use another. */
enum mpl_device_kind {
#define MPL_DEVICE_KIND(id, word, name) MPL_KIND_##id,
#include "tables/device_kinds.def"
  MPL_DEVICE_KINDS
};

/* Whether there may be devices of the kind.  Cheap: starts nothing. */
bool mpl_has_devices(enum mpl_device_kind);

/* The devices of a kind in this process, made at first use, the checking engine around each.  Sets
 * *count. */
struct mpl_device *const *mpl_devices(enum mpl_device_kind, uint32_t *count);

/* The offers that all devices of a kind have (enum mpl_offer); may make the devices of the CPU. */
uint32_t mpl_kind_offers(enum mpl_device_kind);

#endif
