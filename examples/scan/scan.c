/* Example 1: the specification's own example of scans, then the same two kernels on a large array.
 */
#include "../common/host.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plain_job {
  const int *values;
  int *sums;
  size_t count, group;
  bool inclusive;
};

/* The plain C answer: each group of the array is scanned for itself. */
static void plain_scan(void *context) {
  const struct plain_job *job = context;
  for (size_t begin = 0; begin < job->count; begin += job->group) {
    uint32_t sum = 0; /* unsigned: OpenCL's integer add wraps */
    for (size_t i = begin; i < begin + job->group; i++) {
      uint32_t value = (uint32_t)job->values[i];
      job->sums[i] = (int)(job->inclusive ? sum + value : sum);
      sum += value;
    }
  }
}

static size_t first_difference(const int *a, const int *b, size_t count) {
  size_t i = 0;
  while (i < count && a[i] == b[i]) i++;
  return i;
}

static void print_row(const char *label, const int *values, size_t count) {
  printf("   %-30s", label);
  for (size_t i = 0; i < count; i++) printf(" %2d", values[i]);
  putchar('\n');
}

/* Scans `values` with one kernel and with plain C; seconds of both in times[2]. */
static void scan(struct host *host, const char *name, const int *values, size_t count, size_t group,
                 int runs, int *sums, double times[2]) {
  struct plain_job job = {values, malloc(count * sizeof(int)), count, group, name[0] == 'i'};
  if (!job.sums) host_fail("out of memory");
  cl_mem in = host_buffer(host, count * sizeof(int), values);
  cl_mem out = host_buffer(host, count * sizeof(int), NULL);
  cl_kernel kernel = host_kernel(host, name);
  ARG(kernel, 0, in);
  ARG(kernel, 1, out);
  struct step step = {kernel, count, group};
  times[0] = host_time(host, &step, 1, runs);
  times[1] = plain_time(plain_scan, &job, runs);
  host_read(host, out, sums, count * sizeof(int));

  size_t wrong = first_difference(sums, job.sums, count);
  if (wrong != count) report_check(name, false, wrong);
  clReleaseKernel(kernel);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  free(job.sums);
}

static void small_example(struct host *host) {
  static const int values[8] = {3, 1, 7, 0, 4, 1, 6, 3};
  static const char *const names[2] = {"inclusive", "exclusive"};
  static const int expected[2][8] = {{3, 4, 11, 11, 15, 16, 22, 25}, {0, 3, 4, 11, 11, 15, 16, 22}};
  print_row("values", values, 8);
  for (int i = 0; i < 2; i++) {
    char label[64];
    int sums[8];
    double times[2];
    scan(host, names[i], values, 8, 8, 1, sums, times);
    size_t wrong = first_difference(sums, expected[i], 8);
    snprintf(label, sizeof label, "work_group_scan_%s_add", names[i]);
    print_row(label, sums, 8);
    if (wrong != 8) report_check(label, false, wrong);
  }
  report_check("as the specification prints them, and as plain C does", true, 0);
}

static void large_example(struct host *host, size_t count) {
  static const char *const names[2] = {"inclusive", "exclusive"};
  int *values = malloc(count * sizeof(int)), *sums = malloc(count * sizeof(int));
  if (!values || !sums) host_fail("out of memory");
  uint32_t random = 1;
  for (size_t i = 0; i < count; i++) {
    random = random * 1664525u + 1013904223u;
    values[i] = (int)(random >> 8) - (1 << 23);
  }
  for (int i = 0; i < 2; i++) {
    double times[2];
    scan(host, names[i], values, count, 1024, 7, sums, times);
    printf("\n   %s, %s ints in work-groups of 1024: all equal to plain C's\n", names[i],
           with_commas(count));
    report_times(host, times[0], times[1], 2.0 * (double)count * sizeof(int));
  }
  free(values);
  free(sums);
}

int main(int argc, char **argv) {
  struct host host;
  size_t count = (argc > 1 ? strtoull(argv[1], NULL, 0) : 32768) * 1024;
  if (count == 0) host_fail("usage: example_scan [thousands (1024) of ints, 1 or more]");
  host_open(&host, EXAMPLE_DIR "/scan", "scan.cl");
  small_example(&host);
  large_example(&host, count);
  host_close(&host);
  return 0;
}
