/* Events of kernels (clk_event_t): those of the kernels that they enqueue, and user events. */
#ifndef MPL_OPENCL_DEVICE_EVENT_H
#define MPL_OPENCL_DEVICE_EVENT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct mpl_device_event;
struct mpl_device;

/* A pool of events for kernels of a device that cannot call the host (abi/records.h).  It is never
 * freed, like its memory. */
struct mpl_event_pool {
  struct mpl_device *device;
  pthread_mutex_t lock;
  struct mpl_device_event *unused;
};

/* Makes an event with one reference for the kernel; its address is the clk_event_t.  It comes from
 * the pool, or, without one, from memory of the host alone.  0 if there is no memory. */
uint64_t mpl_device_event_new(struct mpl_event_pool *);
/* Null for a number that is not an event. */
struct mpl_device_event *mpl_device_event(uint64_t);
void mpl_device_event_retain(struct mpl_device_event *);
void mpl_device_event_release(struct mpl_device_event *);

/* CL_SUBMITTED, CL_COMPLETE, or an error. */
int mpl_device_event_status(const struct mpl_device_event *);
/* Completes it, once; the event of a command gets its times, in ns. */
void mpl_device_event_finish(struct mpl_device_event *, int status, uint64_t ran, uint64_t took);
/* Sets the place for its times, both at least 1, which are written once it is complete. */
void mpl_device_event_capture(struct mpl_device_event *, struct mpl_device *, uint64_t place);

/* Counts events that complete; a thread reads it before the statuses, and sleeps on it. */
extern atomic_int mpl_device_events_completed;

#endif
