#include "host.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Noreturn void host_fail(const char *format, ...) {
  va_list args;
  fputs("example: ", stderr);
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  exit(1);
}

void host_expect(cl_int error, const char *call) {
  if (error != CL_SUCCESS) host_fail("error %d from %s", error, call);
}

static bool has_collectives(cl_device_id device) {
  cl_bool answer = CL_FALSE;
  clGetDeviceInfo(device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof answer, &answer,
                  NULL);
  return answer == CL_TRUE;
}

static cl_device_id find_device(void) {
  cl_platform_id platforms[16];
  cl_uint num_platforms = 0;
  clGetPlatformIDs(16, platforms, &num_platforms);
  for (cl_uint i = 0; i < num_platforms && i < 16; i++) {
    cl_device_id device;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS &&
        has_collectives(device))
      return device;
  }
  host_fail("none of the %u OpenCL platforms has the work-group collective functions; "
            "is OCL_ICD_VENDORS set to maniple.icd?",
            num_platforms);
}

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) host_fail("cannot open %s", path);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = size < 0 ? NULL : malloc((size_t)size + 1);
  if (!text || fread(text, 1, (size_t)size, file) != (size_t)size)
    host_fail("cannot read %s", path);
  text[size] = '\0';
  fclose(file);
  return text;
}

static void build(struct host *host, const char *source, const char *options) {
  cl_int error;
  host->program = clCreateProgramWithSource(host->context, 1, &source, NULL, &error);
  CL(error);
  error = clBuildProgram(host->program, 1, &host->device, options, NULL, NULL);
  if (error == CL_SUCCESS) return;
  size_t size = 0;
  clGetProgramBuildInfo(host->program, host->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  char *log = calloc(1, size + 1);
  if (log)
    clGetProgramBuildInfo(host->program, host->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  host_fail("the kernels do not build (error %d):\n%s", error, log ? log : "");
}

void host_open(struct host *host, const char *folder, const char *name) {
  host_open_with(host, folder, name, strstr(name, ".clcpp") ? "-cl-std=c++" : "-cl-std=CL3.0");
}

void host_open_with(struct host *host, const char *folder, const char *name, const char *options) {
  cl_int error;
  char path[4096];
  const cl_queue_properties profiling[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};

  host->device = find_device();
  CL(clGetDeviceInfo(host->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof host->threads,
                     &host->threads, NULL));
  host->context = clCreateContext(NULL, 1, &host->device, NULL, NULL, &error);
  CL(error);
  host->queue = clCreateCommandQueueWithProperties(host->context, host->device, profiling, &error);
  CL(error);
  snprintf(path, sizeof path, "%s/%s", folder, name);
  char *source = read_file(path);
  build(host, source, options);
  free(source);
}

void host_close(struct host *host) {
  clReleaseProgram(host->program);
  clReleaseCommandQueue(host->queue);
  clReleaseContext(host->context);
}

cl_kernel host_kernel(struct host *host, const char *name) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(host->program, name, &error);
  if (error != CL_SUCCESS) host_fail("no kernel %s (error %d)", name, error);
  return kernel;
}

cl_mem host_buffer(struct host *host, size_t size, const void *data) {
  cl_int error;
  cl_mem_flags copy = data ? CL_MEM_COPY_HOST_PTR : 0;
  cl_mem buffer =
      clCreateBuffer(host->context, CL_MEM_READ_WRITE | copy, size, (void *)data, &error);
  if (error != CL_SUCCESS) host_fail("no buffer of %zu bytes (error %d)", size, error);
  return buffer;
}

void host_read(struct host *host, cl_mem buffer, void *data, size_t size) {
  CL(clEnqueueReadBuffer(host->queue, buffer, CL_TRUE, 0, size, data, 0, NULL, NULL));
}

static double event_seconds(cl_event event) {
  cl_ulong start, end;
  CL(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
  CL(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
  return 1e-9 * (double)(end - start);
}

double host_time(struct host *host, const struct step *steps, int num_steps, int runs) {
  double best = 1e30;
  for (int run = 0; run < runs; run++) {
    cl_event events[8];
    if (num_steps > 8) host_fail("a job of more than 8 kernels");
    for (int i = 0; i < num_steps; i++)
      CL(clEnqueueNDRangeKernel(host->queue, steps[i].kernel, 1, NULL, &steps[i].global,
                                &steps[i].local, 0, NULL, &events[i]));
    CL(clFinish(host->queue));
    double seconds = 0;
    for (int i = 0; i < num_steps; i++) {
      seconds += event_seconds(events[i]);
      clReleaseEvent(events[i]);
    }
    if (seconds < best) best = seconds;
  }
  return best;
}

double wall_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double plain_time(void (*code)(void *), void *context, int runs) {
  double best = 1e30;
  for (int run = 0; run < runs; run++) {
    double start = wall_seconds();
    code(context);
    double seconds = wall_seconds() - start;
    if (seconds < best) best = seconds;
  }
  return best;
}

void report_times(struct host *host, double ours, double plain, double bytes) {
  printf("   kernels   %8.2f ms  %6.1f GB/s   %u thread%s\n", ours * 1e3, bytes / ours * 1e-9,
         host->threads, host->threads == 1 ? "" : "s");
  printf("   plain C   %8.2f ms  %6.1f GB/s   1 thread      kernels / plain C: %.2fx as fast\n",
         plain * 1e3, bytes / plain * 1e-9, plain / ours);
}

const char *with_commas(unsigned long long number) {
  static char texts[4][32];
  static int next;
  char digits[24], *text = texts[next++ % 4], *out = text;
  int length = snprintf(digits, sizeof digits, "%llu", number);
  for (int i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0) *out++ = ',';
    *out++ = digits[i];
  }
  *out = '\0';
  return text;
}

void report_check(const char *label, bool right, size_t first_wrong) {
  if (!right) {
    printf("   %s: WRONG, first at index %zu\n", label, first_wrong);
    exit(1);
  }
  printf("   %s: ok\n", label);
}
