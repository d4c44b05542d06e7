/* Clocks and result rows, shared by all measuring programs. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stddef.h>

double wall_seconds(void);
double cpu_seconds(void); /* of all threads of the process */

double smallest(const double *values, int count);
double median(double *values, int count); /* sorts them */

void *page_aligned(size_t size); /* or ends the program */

/* Binds the process to the first `count` CPUs that it may use, before any thread is made. */
void use_cpus(int count);

/* Prints one row: bar id, what was measured, value, unit, yardstick (0: none), status ("ok", or
 * why there is no value). */
void row(const char *bar, const char *what, double value, const char *unit, double yardstick);
void row_failed(const char *bar, const char *what, const char *status);

#endif
