/* A program given as text, whose file nobody has: the message shows the line all the same, also
 * when the program comes back from its own binary. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char text[] = "kernel void k(global int *out) {\n"
                           "\tif (get_local_id(0) < 4)\n"
                           "\t\tout[0] = work_group_reduce_add(1);\n"
                           "}\n";

static void need(cl_int error, const char *what) {
  if (!error) return;
  fprintf(stderr, "%s: %d\n", what, error);
  exit(1);
}

static void run(cl_context context, cl_device_id device, cl_program program) {
  cl_int error;
  need(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL), "clBuildProgram");
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, &error);
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  need(error, "clCreateKernel");
  need(clSetKernelArg(kernel, 0, sizeof out, &out), "clSetKernelArg");
  size_t size = 8;
  need(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL), "enqueue");
  need(clFinish(queue), "clFinish");
  clReleaseKernel(kernel);
  clReleaseMemObject(out);
  clReleaseCommandQueue(queue);
}

int main(int argc, char **argv) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int error = clGetPlatformIDs(1, &platform, NULL);
  need(error, "clGetPlatformIDs");
  need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  const char *source = text;
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  if (argc < 2) {
    run(context, device, program);
  } else {
    need(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL), "clBuildProgram");
    size_t size;
    clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
    unsigned char *bytes = malloc(size);
    clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL);
    cl_program again = clCreateProgramWithBinary(context, 1, &device, &size,
                                                 (const unsigned char **)&bytes, NULL, &error);
    need(error, "clCreateProgramWithBinary");
    run(context, device, again);
    clReleaseProgram(again);
    free(bytes);
  }
  clReleaseProgram(program);
  clReleaseContext(context);
  return 0;
}
