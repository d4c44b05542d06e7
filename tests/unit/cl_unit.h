/* What the tests of queues, events and enqueue functions share: one device, through the loader. */
#ifndef MPL_TESTS_CL_UNIT_H
#define MPL_TESTS_CL_UNIT_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                    \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

#define EXPECT(code, call)                                                                         \
  do {                                                                                             \
    cl_int answer = (call);                                                                        \
    if (answer != (code)) {                                                                        \
      fprintf(stderr, "%s:%d: %s answers %d, not %s\n", __FILE__, __LINE__, #call, answer, #code); \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)
#define OK(call) EXPECT(CL_SUCCESS, call)

static cl_device_id device;
static cl_context context, other_context;
static cl_command_queue queue;

static inline cl_command_queue new_queue(cl_context in, cl_command_queue_properties flags) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, flags, 0};
  cl_int error;
  cl_command_queue made = clCreateCommandQueueWithProperties(in, device, list, &error);
  OK(error);
  return made;
}

static inline cl_mem new_buffer(cl_context in, cl_mem_flags flags, size_t size) {
  cl_int error;
  cl_mem made = clCreateBuffer(in, flags, size, NULL, &error);
  OK(error);
  return made;
}

static inline void set_up(void) {
  cl_platform_id platform;
  cl_int error;
  OK(clGetPlatformIDs(1, &platform, NULL));
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  OK(error);
  other_context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  OK(error);
  queue = new_queue(context, 0);
}

static inline void tear_down(void) {
  OK(clReleaseCommandQueue(queue));
  OK(clReleaseContext(context));
  OK(clReleaseContext(other_context));
}

static inline cl_program new_program(const char *source, const char *options) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  OK(error);
  OK(clBuildProgram(program, 1, &device, options, NULL, NULL));
  return program;
}

static inline cl_kernel new_kernel(cl_program program, const char *name) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  OK(error);
  return kernel;
}

static inline cl_uint references(cl_mem mem) {
  cl_uint count;
  OK(clGetMemObjectInfo(mem, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL));
  return count;
}

#endif
