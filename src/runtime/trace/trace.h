/* MANIPLE_TRACE: a file of trace events, with times on the clock of all event times (the JSON array
 * that chrome://tracing, Perfetto and `maniple profile` read; docs/profiling.md).
 *
 * Each thread has a buffer of its own, which it fills without a lock.  It is written when the
 * process or the thread ends, or when it has grown large.  A child of fork() has a file of its own,
 * and nothing of its parent's events. */
#ifndef MPL_RUNTIME_TRACE_H
#define MPL_RUNTIME_TRACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/clock.h"

struct mpl_operation; /* device.h */
struct mpl_kernel;

#define MPL_TRACE_UNKNOWN UINT64_MAX

extern atomic_bool mpl_trace_on;

/* One load and one branch where nothing is traced. */
static inline bool mpl_tracing(void) {
  return atomic_load_explicit(&mpl_trace_on, memory_order_relaxed);
}

/* Reads the option and opens the file, once; returns mpl_tracing().  Called before anything that
 * may be traced: when a queue is made, and by builds. */
bool mpl_trace_start(void);

/* The time at which a slice begins; 0 if nothing is traced. */
static inline uint64_t mpl_trace_begin(void) { return mpl_tracing() ? mpl_clock() : 0; }

/* A number that is unique in this process, from 1 on: of a command, or a queue. */
uint64_t mpl_trace_number(void);

/* The calls below record a slice that ends now, unless a time is given, on the calling thread, and
 * need mpl_tracing().  Labels live as long as the process. */

/* A part of a build; `bytes` is the size of its result, or MPL_TRACE_UNKNOWN. */
void mpl_trace_build(const char *label, uint64_t start, uint64_t bytes);
/* `bytes`: of its buffers, or MPL_TRACE_UNKNOWN. */
void mpl_trace_launch(const struct mpl_operation *, uint64_t start, uint64_t end, uint64_t bytes);
/* The work-groups [first, last) of a launch; of `of` cycles, or 0 if they were not counted, `ticks`
 * passed in group operations. */
void mpl_trace_groups(const struct mpl_kernel *, uint64_t start, uint64_t first, uint64_t last,
                      uint64_t ticks, uint64_t of);
void mpl_trace_transfer(const char *label, uint64_t start, uint64_t bytes);

struct mpl_trace_command {
  const char *label;      /* or null */
  uint64_t number, queue; /* of the command, and of its queue */
  uint64_t queued, submitted, started, ended;
  bool here; /* the calling thread did it */
};
void mpl_trace_command(const struct mpl_trace_command *);

/* One copy of a kernel's name, for as long as the process lives. */
const char *mpl_trace_name(const char *);

/* Two ends of an arrow: at the end of a command that another waits for, and at the beginning of
 * that. */
void mpl_trace_let_go(uint64_t number, uint64_t waiter, uint64_t when);
void mpl_trace_waited(uint64_t number, uint64_t waiter, uint64_t when);

#endif
