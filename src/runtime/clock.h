/* The one clock of all event times and timer queries, in ns. */
#ifndef MPL_RUNTIME_CLOCK_H
#define MPL_RUNTIME_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t mpl_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif
