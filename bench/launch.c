/* What one launch costs: enqueue an empty kernel of one work-group, wait for it. */
#include "measure.h"
#include "sections.h"

#include <stdio.h>

enum { ROUNDS = 4001 };

void measure_launch(struct device *device) {
  static const char source[] = "kernel void empty(global int *p) { if (!p) p[0] = 1; }\n";
  static const size_t groups[] = {1, 64, 256};
  static double times[ROUNDS];
  cl_program program = device_build(device, source);
  cl_kernel kernel = program ? device_kernel(program, "empty") : NULL;
  cl_mem buffer = device_buffer(device, sizeof(cl_int), NULL);
  if (!kernel || !buffer) {
    row_failed("launch", "one group", "does not build");
    return;
  }
  ARG(kernel, 0, buffer);
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
    char what[64];
    struct launch launch = {kernel, groups[g], groups[g]};
    bool works = device_run(device, &launch, 1);
    for (int i = 0; i < ROUNDS && works; i++) {
      double start = wall_seconds();
      works = device_run(device, &launch, 1);
      times[i] = wall_seconds() - start;
    }
    snprintf(what, sizeof what, "one group of %zu", groups[g]);
    if (works)
      row("launch", what, median(times, ROUNDS) * 1e6, "us", 0);
    else
      row_failed("launch", what, "does not run");
  }
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}
