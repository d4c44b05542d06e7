/* Which devices there are: the one place that names them. */
#ifndef MPL_DEVICES_DEVICES_H
#define MPL_DEVICES_DEVICES_H

#include "runtime/device.h"

/* Devices of a kind are a platform of OpenCL's: starting one kind must not cost programs that use
 * another anything. */
enum mpl_device_kind {
#define MPL_DEVICE_KIND(id, word, name) MPL_KIND_##id,
#include "tables/device_kinds.def"
  MPL_DEVICE_KINDS
};

/* Might there be devices of the kind?  Cheap: starts nothing. */
bool mpl_has_devices(enum mpl_device_kind);

/* The devices of a kind in this process, made at first use, the checking engine around each.  Sets
 * *count. */
struct mpl_device *const *mpl_devices(enum mpl_device_kind, uint32_t *count);

/* What all devices of a kind offer (enum mpl_offer); may make those of the CPU's kind. */
uint32_t mpl_kind_offers(enum mpl_device_kind);

#endif
