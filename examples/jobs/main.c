/* Example: a sum, prefix sums, a compaction and a sort of a large array on any device with group
 * functions, each beside plain C. */
#include "jobs.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arrays {
  size_t count, kept; /* `kept`: of what is odd */
  uint32_t *in, *plain, *other, *out;
  uint32_t sum;
};

static void plain_sum(void *context) {
  struct arrays *a = context;
  uint32_t sum = 0;
  for (size_t i = 0; i < a->count; i++) sum += a->in[i];
  a->sum = sum;
}

static void plain_scan(void *context) {
  struct arrays *a = context;
  uint32_t sum = 0;
  for (size_t i = 0; i < a->count; i++) a->plain[i] = sum += a->in[i];
}

static void plain_compact(void *context) {
  struct arrays *a = context;
  size_t kept = 0;
  for (size_t i = 0; i < a->count; i++) {
    a->plain[kept] = a->in[i];
    kept += a->in[i] & 1;
  }
  a->kept = kept;
}

/* By digits of 16 bits. */
static void plain_sort(void *context) {
  struct arrays *a = context;
  const uint32_t *from = a->in;
  for (int pass = 0; pass < 2; pass++) {
    static size_t at[1 << 16];
    uint32_t *to = pass ? a->plain : a->other;
    memset(at, 0, sizeof at);
    for (size_t i = 0; i < a->count; i++) at[from[i] >> 16 * pass & 0xffff]++;
    for (size_t d = 0, sum = 0; d < 1 << 16; d++) {
      size_t own = at[d];
      at[d] = sum;
      sum += own;
    }
    for (size_t i = 0; i < a->count; i++) to[at[from[i] >> 16 * pass & 0xffff]++] = from[i];
    from = to;
  }
}

static const struct {
  const char *name;
  job *run;
  void (*plain)(void *);
  double bytes; /* of an element, read and written */
} list[] = {
    {"sum", jobs_sum, plain_sum, 4},
    {"prefix sums", jobs_scan, plain_scan, 8},
    {"odd numbers", jobs_compact, plain_compact, 6},
    {"sort", jobs_sort, plain_sort, 8},
};

static void check(struct jobs *jobs, const struct arrays *a, job *run, const char *name) {
  uint32_t first;
  size_t count = a->count, i = 0;
  if (run == jobs_sum || run == jobs_compact) {
    host_read(&jobs->host, jobs->counts, &first, sizeof first);
    report_check(name, first == (run == jobs_sum ? a->sum : (uint32_t)a->kept), 0);
    count = run == jobs_sum ? 0 : a->kept;
  }
  if (count) host_read(&jobs->host, jobs->out, a->out, count * sizeof *a->out);
  while (i < count && a->out[i] == a->plain[i]) i++;
  report_check("as plain C's", i == count, i);
}

int main(int argc, char **argv) {
  enum { RUNS = 3 };
  size_t count = (argc > 1 ? strtoull(argv[1], NULL, 0) : 16384) * 1024;
  if (count == 0) host_fail("usage: example_jobs [thousands (1024) of numbers, 1 or more]");
  struct arrays a = {.count = count,
                     .in = malloc(count * 4),
                     .plain = malloc((count + 1) * 4),
                     .other = malloc(count * 4),
                     .out = malloc(count * 4)};
  if (!a.in || !a.plain || !a.other || !a.out) host_fail("out of memory");
  struct jobs jobs;
  uint32_t random = 1;
  for (size_t i = 0; i < count; i++) {
    random = random * 1664525u + 1013904223u;
    a.in[i] = random ^ random >> 15;
  }
  jobs_open(&jobs, EXAMPLE_DIR "/jobs", &usual_sizes, count);
  CL(clEnqueueWriteBuffer(jobs.host.queue, jobs.in, CL_TRUE, 0, count * 4, a.in, 0, NULL, NULL));
  for (size_t j = 0; j < sizeof list / sizeof *list; j++) {
    double best = 1e30;
    for (int run = 0; run < RUNS; run++) {
      cl_event events[JOB_EVENTS];
      double seconds = jobs_seconds(events, list[j].run(&jobs, events));
      if (seconds < best) best = seconds;
    }
    printf("\n   %s of %s ints\n", list[j].name, with_commas(count));
    report_times(&jobs.host, best, plain_time(list[j].plain, &a, RUNS),
                 list[j].bytes * (double)count);
    check(&jobs, &a, list[j].run, list[j].name);
  }
  jobs_close(&jobs);
  free(a.in);
  free(a.plain);
  free(a.other);
  free(a.out);
  return 0;
}
