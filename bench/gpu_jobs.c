/* Jobs over a whole array (examples/jobs), by the times of events, on any OpenCL driver that has
 * the functions:
 *
 *   bench_gpu_jobs FOLDER [NAME=NUMBER...]
 *
 * FOLDER has jobs.cl.  Names are those of struct job_sizes.  Rows `job  elements  median ms  best
 * ms  GB/s Gelem/s`: of 2^28 numbers, the sort of 2^26.  Two launches come before those that are
 * timed, with which the driver may compile for their local sizes.  With EACH=1 also the time of
 * each command of the last. */
#include "../examples/jobs/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WARM = 2, TIMED = 11, LOG_ALL = 28, LOG_KEYS = 26 };

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static cl_uint number(size_t i) {
  cl_uint h = (cl_uint)i * 2654435761u;
  h ^= h >> 15;
  h *= 2246822519u;
  return h ^ h >> 13;
}

/* Of each command, in us. */
static void say_each(const cl_event *events, int count) {
  for (int i = 0; i < count; i++) {
    cl_ulong begin, end;
    CL(clWaitForEvents(1, &events[i]));
    CL(clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL));
    CL(clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    printf("%s%.1f", i ? " + " : "", (double)(end - begin) * 1e-3);
  }
  printf(" us\n");
}

static void measure(struct jobs *jobs, const char *name, job *run, double bytes) {
  double times[TIMED];
  for (int round = -WARM; round < TIMED; round++) {
    cl_event events[JOB_EVENTS];
    int count = run(jobs, events);
    if (round == TIMED - 1 && getenv("EACH")) say_each(events, count);
    double seconds = jobs_seconds(events, count);
    if (round == -1) usleep(300000); /* for a compilation beside the program */
    if (round >= 0) times[round] = seconds;
  }
  qsort(times, TIMED, sizeof *times, by_value);
  double median = times[TIMED / 2], count = (double)jobs->count;
  printf("%s\t%zu\t%.3f ms\tbest %.3f ms\t%.0f GB/s\t%.2f Gelem/s\n", name, jobs->count,
         median * 1e3, times[0] * 1e3, bytes * count / median * 1e-9, count / median * 1e-9);
  fflush(stdout);
}

/* Nothing may be timed that is wrong. */
static void expect(bool right, const char *name) {
  if (!right) host_fail("%s: WRONG", name);
}

static void check_scan(const struct jobs *jobs, const cl_uint *in, const cl_uint *out) {
  cl_uint sum = 0;
  for (size_t i = 0; i < jobs->count; i++) expect(out[i] == (sum += in[i]), "scan");
}

static void check_compact(const struct jobs *jobs, const cl_uint *in, const cl_uint *out,
                          cl_uint kept) {
  size_t at = 0;
  for (size_t i = 0; i < jobs->count; i++)
    if (in[i] & 1) expect(out[at++] == in[i], "compact");
  expect(at == kept, "compact");
}

/* In order, and the same keys by their sum and that of their products. */
static void check_sort(const struct jobs *jobs, const cl_uint *in, const cl_uint *out) {
  cl_ulong before[2] = {0}, after[2] = {0};
  for (size_t i = 0; i < jobs->count; i++) {
    expect(!i || out[i - 1] <= out[i], "sort");
    before[0] += in[i], before[1] += (cl_ulong)in[i] * (in[i] ^ 0x55555555);
    after[0] += out[i], after[1] += (cl_ulong)out[i] * (out[i] ^ 0x55555555);
  }
  expect(before[0] == after[0] && before[1] == after[1], "sort");
}

static void set_size(struct job_sizes *sizes, const char *setting) {
  size_t length = strcspn(setting, "=");
  unsigned *size = NULL;
#define FIND(name, macro, usual)                                                                   \
  if (strlen(#name) == length && !strncmp(setting, #name, length)) size = &sizes->name;
  JOB_SIZES(FIND)
#undef FIND
  if (!size || !setting[length]) host_fail("a setting is NAME=NUMBER, of struct job_sizes");
  *size = (unsigned)atoi(&setting[length + 1]);
}

static void fill(struct jobs *jobs, cl_uint *in) {
  for (size_t i = 0; i < jobs->count; i++) in[i] = number(i);
  CL(clEnqueueWriteBuffer(jobs->host.queue, jobs->in, CL_TRUE, 0, jobs->count * sizeof *in, in, 0,
                          NULL, NULL));
}

static cl_uint first_count(struct jobs *jobs) {
  cl_uint first;
  host_read(&jobs->host, jobs->counts, &first, sizeof first);
  return first;
}

static void passes_over_all(struct jobs *jobs, cl_uint *in, cl_uint *out) {
  cl_uint sum = 0;
  for (size_t i = 0; i < jobs->count; i++) sum += in[i];
  measure(jobs, "sum", jobs_sum, 4);
  expect(first_count(jobs) == sum, "sum");
  measure(jobs, "scan", jobs_scan, 8);
  host_read(&jobs->host, jobs->out, out, jobs->count * sizeof *out);
  check_scan(jobs, in, out);
  measure(jobs, "compact", jobs_compact, 6);
  host_read(&jobs->host, jobs->out, out, jobs->count * sizeof *out);
  check_compact(jobs, in, out, first_count(jobs));
}

int main(int argc, char **argv) {
  if (argc < 2) host_fail("usage: bench_gpu_jobs FOLDER [NAME=NUMBER...]");
  struct job_sizes sizes = usual_sizes;
  struct jobs jobs;
  cl_uint *in = malloc(sizeof *in << LOG_ALL), *out = malloc(sizeof *out << LOG_ALL);
  bool only_sort = argc > 2 && !strncmp(argv[2], "sort_", 5);
  if (!in || !out) host_fail("out of memory");
  for (int i = 2; i < argc; i++) set_size(&sizes, argv[i]);
  if (!only_sort) {
    jobs_open(&jobs, argv[1], &sizes, (size_t)1 << LOG_ALL);
    fill(&jobs, in);
    passes_over_all(&jobs, in, out);
    jobs_close(&jobs);
  }
  jobs_open(&jobs, argv[1], &sizes, (size_t)1 << LOG_KEYS);
  fill(&jobs, in);
  measure(&jobs, "sort", jobs_sort, 8);
  host_read(&jobs.host, jobs.out, out, jobs.count * sizeof *out);
  check_sort(&jobs, in, out);
  jobs_close(&jobs);
  free(in);
  free(out);
  return 0;
}
