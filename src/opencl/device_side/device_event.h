/* Events of kernels (clk_event_t): of what they enqueue, and those that they set themselves. */
#ifndef MPL_OPENCL_DEVICE_EVENT_H
#define MPL_OPENCL_DEVICE_EVENT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct mpl_device_event;
struct mpl_device;

/* Where events are that kernels of a device read, which cannot call the host (abi/records.h).  Lives
 * for ever, as its memory does. */
struct mpl_event_pool {
  struct mpl_device *device;
  pthread_mutex_t lock;
  struct mpl_device_event *unused;
};

/* The address is the clk_event_t; one reference for the kernel.  Of a pool, or, without one, in memory
 * of the host alone.  0 if there is no memory. */
uint64_t mpl_device_event_new(struct mpl_event_pool *);
/* Null for a number that is no event. */
struct mpl_device_event *mpl_device_event(uint64_t);
void mpl_device_event_retain(struct mpl_device_event *);
void mpl_device_event_release(struct mpl_device_event *);

/* CL_SUBMITTED, CL_COMPLETE, or an error. */
int mpl_device_event_status(const struct mpl_device_event *);
/* Completes it, once: of a command with its times, in ns. */
void mpl_device_event_finish(struct mpl_device_event *, int status, uint64_t ran, uint64_t took);
/* Where its times go, both at least 1, once it is complete: at once if it is. */
void mpl_device_event_capture(struct mpl_device_event *, struct mpl_device *, uint64_t place);

/* Counts all that become complete; to be read before the statuses, and slept on. */
extern atomic_int mpl_device_events_completed;

#endif
