/* Faults of work-items: accesses that the processor refuses. */
#ifndef MPL_CHECK_FAULT_H
#define MPL_CHECK_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/mistakes/locate.h"

enum mpl_fault_kind {
  MPL_FAULT_ACCESS,
  MPL_FAULT_READ,
  MPL_FAULT_WRITE,
  MPL_FAULT_CALL,
  MPL_FAULT_TRAP /* no access: an instruction */
};

struct mpl_fault {
  enum mpl_fault_kind kind; /* ACCESS: a read or a write */
  size_t size;              /* 0: not known */
  const void *address;      /* unless `is_no_address` */
  bool is_no_address;       /* one that cannot be, or is not aligned as the instruction asks */
  int number;               /* the signal's; 0: none has come */
  struct mpl_trace callers; /* the instruction, then those who have called */
};

/* Directs this thread's faults to the function below.  Cheap after its first call. */
void mpl_faults_watch(void);
/* Again, where the application may have set its own handler since, which comes after ours. */
void mpl_faults_catch(void);

/* engine.c, in the signal handler and on its stack: returns for faults of other code, which go to
 * the application's handler. */
void mpl_check_fault(struct mpl_fault *, void *context);

/* Finds the callers, for a fault that is to be reported.  May fault itself. */
void mpl_fault_trace(struct mpl_fault *, void *context);

/* Whether a fault can be the work-item's own mistake, after which its group is given up.  A fault
 * inside the engine or the C library, where a lock may be held, cannot. */
bool mpl_fault_is_own(const struct mpl_fault *);

/* In a signal handler: a work-item was running, and the process has to end. */
void mpl_fault_tell_lost(const char *kernel, uint32_t linear);

#endif
