/* What the API tests share: a context with a queue, and checks that count and go on. */
#ifndef MPL_TESTS_API_H
#define MPL_TESTS_API_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#define CL_ENABLE_BETA_EXTENSIONS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      failures++;                                                                                  \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                       \
    }                                                                                              \
  } while (0)

/* That a call answers a code. */
#define EXPECT(code, call)                                                                         \
  do {                                                                                             \
    cl_int got_ = (call);                                                                          \
    if (got_ != (code)) {                                                                          \
      failures++;                                                                                  \
      printf("%s:%d: %s: %d, not %s\n", __FILE__, __LINE__, #call, got_, #code);                   \
    }                                                                                              \
  } while (0)

/* That a creating call answers null and the code through `error`. */
#define EXPECT_NULL(code, call)                                                                    \
  do {                                                                                             \
    cl_int error = 12345;                                                                          \
    const void *got_ = (const void *)(call);                                                       \
    if (got_ || error != (code)) {                                                                 \
      failures++;                                                                                  \
      printf("%s:%d: %s: %p and %d, not %s\n", __FILE__, __LINE__, #call, got_, error, #code);     \
    }                                                                                              \
  } while (0)

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static inline void open_device(void) {
  cl_int error;
  if (clGetPlatformIDs(1, &platform, NULL) ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) {
    printf("no device\n");
    exit(1);
  }
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  if (!context || !queue) {
    printf("no context or queue\n");
    exit(1);
  }
}

/* One context of up to `most` devices; returns how many, without a queue. */
static inline cl_uint open_devices(cl_device_id *devices, cl_uint most) {
  cl_uint count = 0;
  cl_int error;
  EXPECT(CL_SUCCESS, clGetPlatformIDs(1, &platform, NULL));
  EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, most, devices, &count));
  if (count > most) count = most;
  context = clCreateContext(NULL, count, devices, NULL, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  device = devices[0];
  return count;
}

static inline bool has_images(void) {
  cl_bool images = CL_FALSE;
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
  return images;
}

static inline int finish(void) {
  if (queue) EXPECT(CL_SUCCESS, clReleaseCommandQueue(queue));
  if (context) EXPECT(CL_SUCCESS, clReleaseContext(context));
  if (failures) printf("%d failures\n", failures);
  return failures ? 1 : 0;
}

static inline cl_program source_program(const char *source) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  CHECK(program && !error);
  return program;
}

static inline void print_log(cl_program program) {
  static char log[65536];
  if (!clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL))
    printf("%s\n", log);
}

static inline cl_program build(const char *source, const char *options) {
  cl_program program = source_program(source);
  cl_int error = clBuildProgram(program, 0, NULL, options, NULL, NULL);
  CHECK(!error);
  if (error) print_log(program);
  return program;
}

/* Runs a kernel (global int *) over `count` ints in place; a failure leaves them as they are. */
static inline void run_on(cl_kernel kernel, cl_int *values, size_t count, size_t local) {
  cl_int error;
  cl_mem buffer =
      clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, count * sizeof *values, values, &error);
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, local ? &local : NULL,
                                            0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof *values, values,
                                         0, NULL, NULL));
  EXPECT(CL_SUCCESS, clReleaseMemObject(buffer));
}

/* Something that is no OpenCL object, but readable. */
static __attribute__((unused)) uint64_t not_an_object[16];
#define WRONG(type) ((type)(void *)not_an_object)

#endif
