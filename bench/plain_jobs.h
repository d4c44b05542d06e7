/* The whole jobs in plain C, on one thread or several: what the kernels are held against. */
#ifndef BENCH_PLAIN_JOBS_H
#define BENCH_PLAIN_JOBS_H

#include <stddef.h>
#include <stdint.h>

enum job { JOB_REDUCE, JOB_SCAN, JOB_COMPACT };

struct plain_answer {
  uint64_t sum; /* of a reduction, modulo 2^32 */
  size_t kept;  /* elements left by a compaction */
};

/* The threads start and wait for work here, so that a run pays for no thread creation. */
struct plain_pool *plain_pool(int threads);
void plain_pool_free(struct plain_pool *);

/* Elements below `threshold` are kept by a compaction.  `out` holds `count` elements. */
struct plain_answer plain_run(struct plain_pool *, enum job, const uint32_t *in, uint32_t *out,
                              size_t count, uint32_t threshold);

#endif
