/* One memory behind several arguments: what is read by one of them and written by another is a
 * race, whether or not a third reads it too. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char source[] =
    "kernel void add(global const int *a, global const int *b, global int *c) {\n"
    "  int i = get_global_id(0), other = b[(i + 1) % 8];\n"
    "  c[i] = a[i] + other;\n"
    "}\n";

enum { COUNT = 32, BYTES = COUNT * sizeof(int) };

static void need(cl_int error, const char *what) {
  if (!error) return;
  fprintf(stderr, "%s: %d\n", what, error);
  exit(1);
}

/* overlap same: all three are one buffer; overlap part: the second is a part of it; overlap apart:
 * it is another one, and nothing is wrong. */
int main(int argc, char **argv) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int error, numbers[COUNT] = {0};
  const char *text = source;
  const char *which = argc > 1 ? argv[1] : "apart";
  size_t items = COUNT;
  const cl_buffer_region half = {0, BYTES / 2};
  need(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  need(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "add", NULL);
  cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, BYTES, numbers, NULL), b = a;
  if (!strcmp(which, "part"))
    b = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &error);
  else if (!strcmp(which, "apart"))
    b = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, BYTES, numbers, &error);
  need(clSetKernelArg(kernel, 0, sizeof a, &a), "clSetKernelArg");
  need(clSetKernelArg(kernel, 1, sizeof b, &b), "clSetKernelArg");
  need(clSetKernelArg(kernel, 2, sizeof a, &a), "clSetKernelArg");
  need(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL), "enqueue");
  need(clFinish(queue), "clFinish");
  if (b != a) clReleaseMemObject(b);
  clReleaseMemObject(a);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
