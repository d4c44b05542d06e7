/* host CASE: a program whose host does with buffers what it must not, or, in the cases whose name
 * begins with "right", what it may.  What is reported stands in CASE.ref. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "kernel void copy(global int *to, global const int *from) {\n"
                           "  size_t i = get_global_id(0);\n"
                           "  to[i] = from[i] + 1;\n"
                           "}\n";

enum { COUNT = 64, BYTES = COUNT * sizeof(int), HALF = COUNT / 2 };

static cl_context context;
static cl_device_id device;
static cl_command_queue queue, second;
static cl_program program;
static cl_kernel kernel;

static void need(cl_int error, const char *what) {
  if (!error) return;
  fprintf(stderr, "%s: %d\n", what, error);
  exit(1);
}

static cl_command_queue new_queue(void) {
  cl_int error;
  cl_command_queue made = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  need(error, "clCreateCommandQueueWithProperties");
  return made;
}

static void start(void) {
  cl_platform_id platform;
  cl_int error;
  const char *source = text;
  need(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  need(error, "clCreateContext");
  queue = new_queue();
  second = new_queue();
  program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  need(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  kernel = clCreateKernel(program, "copy", &error);
  need(error, "clCreateKernel");
}

static cl_mem buffer(cl_mem_flags flags, void *host) {
  static int zeros[COUNT];
  cl_int error;
  if (!host) flags |= CL_MEM_COPY_HOST_PTR;
  cl_mem mem = clCreateBuffer(context, flags, BYTES, host ? host : zeros, &error);
  need(error, "clCreateBuffer");
  return mem;
}

static void launch(cl_command_queue on, cl_mem to, cl_mem from) {
  const size_t count = COUNT;
  need(clSetKernelArg(kernel, 0, sizeof to, &to), "clSetKernelArg");
  need(clSetKernelArg(kernel, 1, sizeof from, &from), "clSetKernelArg");
  need(clEnqueueNDRangeKernel(on, kernel, 1, NULL, &count, &count, 0, NULL, NULL), "launch");
}

/* --- Objects that were released --- */

static void released_kernel(void) {
  cl_mem to = buffer(CL_MEM_READ_WRITE, NULL);
  clReleaseKernel(kernel);
  cl_int error = clSetKernelArg(kernel, 0, sizeof to, &to);
  if (error != CL_INVALID_KERNEL) exit(1);
}

static void released_twice(void) {
  cl_event event = clCreateUserEvent(context, NULL);
  clReleaseEvent(event);
  if (clReleaseEvent(event) != CL_INVALID_EVENT) exit(1);
}

static void released_argument(void) {
  const size_t count = COUNT;
  cl_mem to = buffer(CL_MEM_READ_WRITE, NULL), from = buffer(CL_MEM_READ_WRITE, NULL);
  launch(queue, to, from);
  clFinish(queue);
  clReleaseMemObject(from);
  cl_int error = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, &count, 0, NULL, NULL);
  if (error != CL_INVALID_KERNEL_ARGS) exit(1);
}

static void right_released(void) {
  cl_mem to = buffer(CL_MEM_READ_WRITE, NULL), from = buffer(CL_MEM_READ_WRITE, NULL);
  launch(queue, to, from); /* the command keeps them */
  clReleaseMemObject(to);
  clReleaseMemObject(from);
  clFinish(queue);
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
    {"released_kernel", released_kernel},
    {"released_twice", released_twice},
    {"released_argument", released_argument},
    {"right_released", right_released},
};

int main(int count, char **arguments) {
  start();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (count < 2 || strcmp(cases[i].name, arguments[1]) != 0) continue;
    cases[i].run();
    clFinish(queue);
    clFinish(second);
    return 0;
  }
  return 2;
}
