/* The kernels of gpu_sycl.cpp in OpenCL C, with the same rows; a driver without the work-group
 * functions has only the first two. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "measure.h"

enum { GROUP = 256, SIDE = 4096, COUNT = 1 << 26, MOST_GROUPS = 1024, SERIES = 5, LAUNCHES = 30 };

static const char source[] =
    "kernel void saxpy(global const float *x, global float *y) {\n"
    "  size_t i = get_global_id(0);\n"
    "  y[i] = 0.5f * x[i] + y[i];\n"
    "}\n"
    "kernel void stencil(global const float *x, global float *y) {\n"
    "  const size_t side = 4096, i = get_global_id(1), j = get_global_id(0);\n"
    "  if (i == 0 || j == 0 || i == side - 1 || j == side - 1) return;\n"
    "  size_t at = i * side + j;\n"
    "  y[at] = 0.5f * x[at] + 0.125f * (x[at - 1] + x[at + 1] + x[at - side] + x[at + side]);\n"
    "}\n"
    "#ifdef __opencl_c_work_group_collective_functions\n"
    "kernel void scans(global const float *x, global float *y) {\n"
    "  size_t i = get_global_id(0);\n"
    "  y[i] = work_group_scan_inclusive_add(x[i]);\n"
    "}\n"
    "kernel void sums(global const float *x, global float *y) {\n"
    "  float all = work_group_reduce_add(x[get_global_id(0)]);\n"
    "  if (get_local_id(0) == 0) y[get_group_id(0)] = all;\n"
    "}\n"
    "kernel void reduction(global const float *x, global float *y) {\n"
    "  float sum = 0;\n"
    "  for (size_t i = get_global_id(0); i < 1 << 26; i += get_global_size(0)) sum += x[i];\n"
    "  sum = work_group_reduce_add(sum);\n"
    "  if (get_local_id(0) == 0) y[1 + get_group_id(0)] = sum;\n"
    "}\n"
    "kernel void reduction_end(global float *y, uint groups) {\n"
    "  float sum = 0;\n"
    "  for (size_t i = get_local_id(0); i < groups; i += get_local_size(0)) sum += y[1 + i];\n"
    "  sum = work_group_reduce_add(sum);\n"
    "  if (get_local_id(0) == 0) y[0] = sum;\n"
    "}\n"
    "#endif\n";

static struct device device;
static cl_program program;
static cl_mem x, y;

struct row {
  const char *name, *kernel, *end; /* end: a second kernel, of one group; or null */
  cl_uint dims;
  size_t global[2], local[2], answer;
};

static void check(cl_int code, const char *what) {
  if (!code) return;
  fprintf(stderr, "bench_gpu_sycl_beside: %s answers %d\n", what, code);
  exit(1);
}

static cl_kernel kernel_of(const char *name, cl_mem first, const void *second, size_t size) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  if (error) return NULL;
  check(ARG(kernel, 0, first), name);
  check(clSetKernelArg(kernel, 1, size, second), name);
  return kernel;
}

static void launch(const struct row *row, cl_kernel kernel, cl_kernel end) {
  const size_t group = GROUP;
  check(clEnqueueNDRangeKernel(device.queue, kernel, row->dims, NULL, row->global, row->local, 0,
                               NULL, NULL),
        row->kernel);
  if (end)
    check(clEnqueueNDRangeKernel(device.queue, end, 1, NULL, &group, &group, 0, NULL, NULL),
          row->end);
}

static void measure(const struct row *row) {
  const cl_uint groups = (cl_uint)(row->global[0] / row->local[0]);
  cl_kernel kernel = kernel_of(row->kernel, x, &y, sizeof y), end = NULL;
  double times[SERIES];
  float value;
  if (!kernel) return;
  if (row->end) end = kernel_of(row->end, y, &groups, sizeof groups);
  for (int s = -1; s < SERIES; s++) {
    double start = wall_seconds();
    for (int i = 0; i < LAUNCHES; i++) launch(row, kernel, end);
    check(clFinish(device.queue), row->kernel);
    if (s >= 0) times[s] = (wall_seconds() - start) / LAUNCHES;
  }
  check(clEnqueueReadBuffer(device.queue, y, CL_TRUE, row->answer * sizeof value, sizeof value,
                            &value, 0, NULL, NULL),
        "the read");
  printf("%-24s %9.1f us  %g\n", row->name, smallest(times, SERIES) * 1e6, (double)value);
  clReleaseKernel(kernel);
  if (end) clReleaseKernel(end);
}

int main(void) {
  static const struct row rows[] = {
      {"saxpy", "saxpy", NULL, 1, {COUNT, 1}, {GROUP, 1}, 5},
      {"stencil", "stencil", NULL, 2, {SIDE, SIDE}, {32, 8}, SIDE + 5},
      {"scans of groups", "scans", NULL, 1, {COUNT, 1}, {GROUP, 1}, 5},
      {"sums of groups", "sums", NULL, 1, {COUNT, 1}, {GROUP, 1}, 5},
      {"reduction", "reduction", "reduction_end", 1, {GROUP * MOST_GROUPS, 1}, {GROUP, 1}, 0},
  };
  const size_t size = (size_t)COUNT * sizeof(float);
  float *host = malloc(size);
  if (!host || !device_open(&device)) check(CL_DEVICE_NOT_FOUND, "the platform");
  for (size_t i = 0; i < COUNT; i++) host[i] = (float)(i % 1024) / 1024;
  program = device_build(&device, source);
  x = device_buffer(&device, size, host);
  memset(host, 0, size);
  y = device_buffer(&device, size, host);
  if (!program || !x || !y) check(CL_OUT_OF_RESOURCES, "the program");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) measure(&rows[i]);
  clReleaseMemObject(x);
  clReleaseMemObject(y);
  clReleaseProgram(program);
  device_close(&device);
  free(host);
  return 0;
}
