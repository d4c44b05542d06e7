/* Jobs over a whole array on a device (jobs.cl): what a program calls. */
#ifndef EXAMPLES_JOBS_H
#define EXAMPLES_JOBS_H

#include "../common/host.h"

/* Work-items of a group, and what each takes: int4 (a multiple of 4 of `compact`), keys. */
struct job_sizes {
  unsigned sum_group, scan_group, scan_vectors, compact_group, compact_vectors, count_group,
      sort_group, sort_keys;
};
extern const struct job_sizes usual_sizes; /* good ones for GPUs */

struct jobs {
  struct host host;
  struct job_sizes sizes;
  size_t count; /* of elements, at most 2^29; a multiple of 4 */
  cl_mem in, out, other, states, counts, next,
      shared; /* `other` is the sort's, made when it is wanted */
  cl_kernel sum, scan, compact, count_digits, begin_digits, sort_digit;
};

/* With kernels from jobs.cl in `folder`, for that many elements. */
void jobs_open(struct jobs *, const char *folder, const struct job_sizes *, size_t count);
void jobs_close(struct jobs *);

/* Enqueue a job on `in`, and begin its events with one that comes first of all; returns how many.
 * The first int of `counts` is then the sum, or how many are kept; `out` has the prefix sums, what
 * is kept, or the keys in their order. */
enum { JOB_EVENTS = 16 };
typedef int job(struct jobs *, cl_event events[JOB_EVENTS]);
job jobs_sum, jobs_scan, jobs_compact, jobs_sort;

/* From the beginning of the first command to the end of the last; frees the events. */
double jobs_seconds(cl_event *events, int count);

#endif
