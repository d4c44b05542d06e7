/* Jobs over a whole array on a device (jobs.cl): what a program calls. */
#ifndef EXAMPLES_JOBS_H
#define EXAMPLES_JOBS_H

#include "../common/host.h"

/* Work-items of a group (of `sort` 256 at least), and what each takes: int4 (a multiple of 4 of
 * `compact`), keys. */
#define JOB_SIZES(SIZE) /* SIZE(name, macro of jobs.cl, what is good for GPUs) */                  \
  SIZE(sum_group, SUM_GROUP, 256)                                                                  \
  SIZE(scan_group, SCAN_GROUP, 1024)                                                               \
  SIZE(scan_vectors, SCAN_VECTORS, 8)                                                              \
  SIZE(compact_group, COMPACT_GROUP, 512)                                                          \
  SIZE(compact_vectors, COMPACT_VECTORS, 8)                                                        \
  SIZE(count_group, COUNT_GROUP, 512)                                                              \
  SIZE(sort_group, SORT_GROUP, 256)                                                                \
  SIZE(sort_keys, SORT_KEYS, 28)
struct job_sizes {
#define MEMBER(name, macro, usual) unsigned name;
  JOB_SIZES(MEMBER)
#undef MEMBER
};
extern const struct job_sizes usual_sizes;

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
