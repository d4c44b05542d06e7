/* Reservations of a work-group are collectives: half of it makes one, and the other half commits.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char text[] = "kernel void k(write_only pipe int p) {\n"
                           "\tint v = 1;\n"
                           "\tif (get_local_id(0) < 4) {\n"
                           "\t\treserve_id_t r = work_group_reserve_write_pipe(p, 8);\n"
                           "\t\twork_group_commit_write_pipe(p, r);\n"
                           "\t}\n"
                           "}\n";

static void need(cl_int error, const char *what) {
  if (!error) return;
  fprintf(stderr, "%s: %d\n", what, error);
  exit(1);
}

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int error = clGetPlatformIDs(1, &platform, NULL);
  need(error, "clGetPlatformIDs");
  need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  const char *source = text;
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  need(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL), "clBuildProgram");
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  cl_mem pipe = clCreatePipe(context, 0, sizeof(cl_int), 64, NULL, &error);
  need(error, "clCreatePipe");
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  need(error, "clCreateKernel");
  need(clSetKernelArg(kernel, 0, sizeof pipe, &pipe), "clSetKernelArg");
  const size_t size = 8;
  need(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL), "enqueue");
  need(clFinish(queue), "clFinish");
  clReleaseKernel(kernel);
  clReleaseMemObject(pipe);
  clReleaseCommandQueue(queue);
  clReleaseProgram(program);
  clReleaseContext(context);
  return 0;
}
