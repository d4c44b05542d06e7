/* Example 4: a kernel in OpenCL C++.  The host program is as for any other. */
#include "../common/host.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 256 };

static const float limit = 900.0f;

struct job {
  const float *values;
  float *out;
  unsigned *counts;
  size_t groups;
};

/* The plain C answer.  Values are small whole numbers, so that no sum is rounded. */
static void plain_outliers(void *context) {
  const struct job *job = context;
  for (size_t g = 0; g < job->groups; g++) {
    const float *x = job->values + g * GROUP;
    float sum = 0;
    unsigned count = 0;
    for (int i = 0; i < GROUP; i++) sum += x[i];
    for (int i = 0; i < GROUP; i++)
      if (fabsf(x[i] - sum / GROUP) > limit) job->out[g * GROUP + count++] = x[i];
    job->counts[g] = count;
  }
}

static void compare(const struct job *job, const float *out, const unsigned *counts) {
  size_t total = 0;
  for (size_t g = 0; g < job->groups; total += counts[g++]) {
    if (counts[g] != job->counts[g]) report_check("number of outliers", false, g);
    for (unsigned i = 0; i < counts[g]; i++)
      if (out[g * GROUP + i] != job->out[g * GROUP + i])
        report_check("outliers", false, g * GROUP + i);
  }
  printf("   %s of %s values are outliers of their block\n", with_commas(total),
         with_commas(job->groups * GROUP));
  report_check("as plain C finds them", true, 0);
}

static void run(struct host *host, struct job *job) {
  size_t items = job->groups * GROUP, size = items * sizeof(float);
  unsigned *counts = malloc(job->groups * sizeof *counts);
  float *out = malloc(size);
  if (!counts || !out) host_fail("out of memory");
  cl_mem values = host_buffer(host, size, job->values), kept = host_buffer(host, size, NULL);
  cl_mem numbers = host_buffer(host, job->groups * sizeof *counts, NULL);
  cl_kernel kernel = host_kernel(host, "outliers");
  ARG(kernel, 0, values);
  ARG(kernel, 1, kept);
  ARG(kernel, 2, numbers);
  ARG(kernel, 3, limit);
  struct step step = {kernel, items, GROUP};
  double ours = host_time(host, &step, 1, 5), plain = plain_time(plain_outliers, job, 5);
  host_read(host, kept, out, size);
  host_read(host, numbers, counts, job->groups * sizeof *counts);
  compare(job, out, counts);
  report_times(host, ours, plain, (double)size);
  clReleaseKernel(kernel);
  clReleaseMemObject(values);
  clReleaseMemObject(kept);
  clReleaseMemObject(numbers);
  free(counts);
  free(out);
}

int main(int argc, char **argv) {
  struct host host;
  size_t groups = argc > 1 ? strtoull(argv[1], NULL, 0) : 65536;
  if (!groups || groups > 1 << 22) host_fail("usage: example_outliers [blocks of 256 values]");
  float *values = malloc(groups * GROUP * sizeof *values);
  struct job job = {values, malloc(groups * GROUP * sizeof(float)),
                    malloc(groups * sizeof(unsigned)), groups};
  if (!values || !job.out || !job.counts) host_fail("out of memory");
  uint32_t random = 1;
  for (size_t i = 0; i < groups * GROUP; i++) {
    random = random * 1664525u + 1013904223u;
    values[i] = (float)(random >> 21); /* 0 to 2047 */
  }
  host_open(&host, EXAMPLE_DIR "/opencl_cpp", "outliers.clcpp");
  run(&host, &job);
  host_close(&host);
  free(values);
  free(job.out);
  free(job.counts);
  return 0;
}
