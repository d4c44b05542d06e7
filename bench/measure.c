#define _GNU_SOURCE
#include "measure.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds_of(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double wall_seconds(void) {
  return seconds_of(CLOCK_MONOTONIC);
}
double cpu_seconds(void) {
  return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

double smallest(const double *values, int count) {
  double best = values[0];
  for (int i = 1; i < count; i++)
    if (values[i] < best) best = values[i];
  return best;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

void *page_aligned(size_t size) {
  void *memory = aligned_alloc(4096, (size + 4095) / 4096 * 4096 + 4096);
  if (!memory) {
    fputs("bench: out of memory\n", stderr);
    exit(1);
  }
  return memory;
}

void use_cpus(int count) {
  cpu_set_t allowed, chosen;
  CPU_ZERO(&chosen);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&chosen) < count; cpu++)
    if (CPU_ISSET(cpu, &allowed)) CPU_SET(cpu, &chosen);
  sched_setaffinity(0, sizeof chosen, &chosen);
}

void row(const char *bar, const char *what, double value, const char *unit, double yardstick) {
  printf("%s\t%s\t%.6g\t%s\t%.6g\tok\n", bar, what, value, unit, yardstick);
  fflush(stdout);
}

void row_failed(const char *bar, const char *what, const char *status) {
  printf("%s\t%s\t0\t-\t0\t%s\n", bar, what, status);
  fflush(stdout);
}
