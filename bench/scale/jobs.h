/* What the two programs have in common: sizes.h, and the rows that run.py reads. */
#ifndef BENCH_SCALE_JOBS_H
#define BENCH_SCALE_JOBS_H

#include <stdio.h>
#include <time.h>

#include "sizes.h"

static inline double scale_microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

/* The answer is one number of the result, or its sum: the same in both programs. */
static inline void scale_row(const char *job, double microseconds, double answer) {
  printf("%s\t%.3f\t%.9g\n", job, microseconds, answer);
  fflush(stdout);
}

#endif
