/* What launches and small copies cost, by the host's clock, on any OpenCL driver:
 *
 *   bench_gpu_launch
 *
 * Rows `what  value  unit`, medians.  A warm-up of each comes before it.  The
 * yardstick is NVIDIA's own OpenCL, for which OCL_ICD_VENDORS names another folder. */
#include "device.h"
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM = 50, LAUNCHES = 2001, COPIES = 501, LARGE_COPIES = 7, GROUP = 256 };
enum { SMALL = 4 << 10, LARGE = 256 << 20 };

struct bench {
  struct device *device;
  cl_command_queue timed; /* with profiling */
  cl_kernel kernel;
  cl_mem buffer;
  char *memory;
  size_t size; /* of a copy, bytes */
};

static void check(cl_int code, const char *what) {
  if (!code) return;
  fprintf(stderr, "bench_gpu_launch: %s answers %d\n", what, code);
  exit(1);
}
#define CL(call) check((call), #call)

/* --- What is timed --- */

static void launch(struct bench *b, cl_command_queue queue, cl_event *event) {
  size_t size = GROUP;
  CL(clEnqueueNDRangeKernel(queue, b->kernel, 1, NULL, &size, &size, 0, NULL, event));
}
static void launch_and_wait(struct bench *b) {
  launch(b, b->device->queue, NULL);
  CL(clFinish(b->device->queue));
}
static void launch_and_wait_for_event(struct bench *b) {
  cl_event event;
  launch(b, b->device->queue, &event);
  CL(clWaitForEvents(1, &event));
  CL(clReleaseEvent(event));
}
static void launch_with_times(struct bench *b) {
  cl_event event;
  cl_ulong end;
  launch(b, b->timed, &event);
  CL(clWaitForEvents(1, &event));
  CL(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
  CL(clReleaseEvent(event));
}
static void ten_launches(struct bench *b) {
  for (int i = 0; i < 10; i++) launch(b, b->device->queue, NULL);
  CL(clFinish(b->device->queue));
}
static void write_buffer(struct bench *b) {
  CL(clEnqueueWriteBuffer(b->device->queue, b->buffer, CL_TRUE, 0, b->size, b->memory, 0, NULL,
                          NULL));
}
static void read_buffer(struct bench *b) {
  CL(clEnqueueReadBuffer(b->device->queue, b->buffer, CL_TRUE, 0, b->size, b->memory, 0, NULL,
                         NULL));
}

static const struct {
  const char *what;
  void (*run)(struct bench *);
  int count;
  size_t size; /* of a copy: its rate is printed if it is large */
} rows[] = {
    {"launch, clFinish", launch_and_wait, LAUNCHES, 0},
    {"launch, clWaitForEvents", launch_and_wait_for_event, LAUNCHES, 0},
    {"launch with times, clWaitForEvents", launch_with_times, LAUNCHES, 0},
    {"ten launches, clFinish", ten_launches, COPIES, 0},
    {"write of 4 KB", write_buffer, COPIES, SMALL},
    {"read of 4 KB", read_buffer, COPIES, SMALL},
    {"write of 256 MB", write_buffer, LARGE_COPIES, LARGE},
    {"read of 256 MB", read_buffer, LARGE_COPIES, LARGE},
};

static void measure(struct bench *b, size_t r) {
  static double times[LAUNCHES];
  b->size = rows[r].size;
  for (int i = 0; i < (rows[r].size == LARGE ? 2 : WARM); i++) rows[r].run(b);
  for (int i = 0; i < rows[r].count; i++) {
    double start = wall_seconds();
    rows[r].run(b);
    times[i] = wall_seconds() - start;
  }
  double time = median(times, rows[r].count);
  if (b->size == LARGE)
    printf("%-36s %8.1f GB/s\n", rows[r].what, LARGE / time * 1e-9);
  else
    printf("%-36s %8.2f us\n", rows[r].what, time * 1e6);
}

int main(void) {
  static const char source[] = "kernel void empty(global int *p) { if (!p) p[0] = 1; }\n";
  static const cl_queue_properties times[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  struct device device;
  struct bench b = {.device = &device, .memory = page_aligned(LARGE)};
  cl_int code;
  if (!device_open(&device)) {
    fprintf(stderr, "bench_gpu_launch: no OpenCL device\n");
    return 1;
  }
  memset(b.memory, 1, LARGE); /* pages of its own, not the one of zeros */
  b.timed = clCreateCommandQueueWithProperties(device.context, device.id, times, &code);
  CL(code);
  cl_program program = device_build(&device, source);
  b.kernel = program ? device_kernel(program, "empty") : NULL;
  b.buffer = device_buffer(&device, LARGE, NULL);
  if (!b.kernel || !b.buffer) return 1;
  CL(ARG(b.kernel, 0, b.buffer));
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) measure(&b, r);
  clReleaseMemObject(b.buffer);
  clReleaseKernel(b.kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(b.timed);
  device_close(&device);
  return 0;
}
