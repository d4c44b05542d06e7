/* A device beside the host that can do nothing more in this process: a kernel's fault has ended it.
 */
#ifndef MPL_RUNTIME_LOSS_H
#define MPL_RUNTIME_LOSS_H

#include "runtime/device.h"

/* Why nothing more can be done on it, one sentence without an end; or null. */
static inline const char *mpl_device_lost(struct mpl_device *device) {
  const char *why = device->ops->lost ? device->ops->lost(device) : NULL;
  if (!why && device->ops->lost && atomic_load_explicit(&device->told, memory_order_relaxed))
    atomic_store(&device->told, false); /* it is there again: the next time is another */
  return why;
}

/* To be called when a command of the device has failed and is not ended yet, without a lock: tells,
 * once for each time that it is lost, the log and the listener which kernels were at work. */
void mpl_loss_look(struct mpl_device *);

/* Who else is told, on the thread that finds it.  Set once. */
void mpl_loss_listen(void (*listener)(struct mpl_device *, const char *text));

#endif
