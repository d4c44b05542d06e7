/* Mistakes of the host's program that the layer above a device finds and the check reports. */
#ifndef MPL_RUNTIME_HOST_MISTAKE_H
#define MPL_RUNTIME_HOST_MISTAKE_H

#include <stdatomic.h>

#include "runtime/mistakes/locate.h"

enum mpl_host_mistake_kind {
  MPL_HOST_RELEASED,  /* it uses an object that it has released */
  MPL_HOST_ACCESS,    /* it, or a kernel, accesses memory of a buffer when it must not */
  MPL_HOST_UNORDERED, /* commands of two queues use the same bytes, and nothing orders them */
};

struct mpl_host_note {
  const char *text;           /* null: no more notes */
  const struct mpl_trace *at; /* where; null: nowhere; without a line there is no note */
};

struct mpl_host_mistake {
  enum mpl_host_mistake_kind kind;
  const char *text;
  const struct mpl_trace *at; /* null: the place is unknown */
  struct mpl_host_note notes[2];
};

/* Reports it; null as long as no device checks kernels. */
typedef void mpl_tell_host(const struct mpl_host_mistake *);
extern _Atomic(mpl_tell_host *) mpl_host_teller;

static inline bool mpl_host_is_checked(void) {
  return atomic_load_explicit(&mpl_host_teller, memory_order_acquire);
}

/* Does nothing where nothing is checked. */
static inline void mpl_host_tell(const struct mpl_host_mistake *mistake) {
  mpl_tell_host *tell = atomic_load_explicit(&mpl_host_teller, memory_order_acquire);
  if (tell) tell(mistake);
}

#endif
