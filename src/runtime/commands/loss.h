/* A device beside the host that a kernel's fault has ended for this process. */
#ifndef MPL_RUNTIME_LOSS_H
#define MPL_RUNTIME_LOSS_H

#include "runtime/device.h"

void mpl_loss_forget(struct mpl_device *);

/* The reason why the device cannot be used, one sentence without a full stop; or null. */
static inline const char *mpl_device_lost(struct mpl_device *device) {
  const char *why = device->ops->lost ? device->ops->lost(device) : NULL;
  if (!why && device->ops->lost && atomic_load_explicit(&device->told, memory_order_relaxed))
    mpl_loss_forget(device); /* it is there again: the next time is another */
  return why;
}

/* To be called without a lock when a command of the device has failed and is not ended yet: tells
 * the log and the listener which kernels were running, once for each loss of the device. */
void mpl_loss_look(struct mpl_device *);

/* given.c: writes which pointer that a launch was given is an address of the host's that the device
 * does not reach; false: none is, as far as is known. */
bool mpl_given_of_host(struct mpl_device *, const struct mpl_operation *, char *text, size_t size);

/* Sets the listener, once; the thread that finds the loss calls it. */
void mpl_loss_listen(void (*listener)(struct mpl_device *, const char *text));

#endif
