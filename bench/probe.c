/* The smallest OpenCL programs, for what a process costs:
 *   bench_probe list      lists devices, prints its resident memory in bytes
 *   bench_probe kernel    builds a kernel that never changes and runs it; prints a line when done
 * Nothing but the OpenCL library is linked. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static long resident_bytes(void) {
  long total, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file) {
    if (fscanf(file, "%ld %ld", &total, &resident) != 2) resident = 0;
    fclose(file);
  }
  return resident * sysconf(_SC_PAGESIZE);
}

static int find(cl_device_id *device) {
  cl_platform_id platform;
  return clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS &&
         clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, device, NULL) == CL_SUCCESS;
}

static int list(void) {
  cl_device_id device;
  char name[256];
  if (!find(&device) ||
      clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL) != CL_SUCCESS)
    return 1;
  printf("%ld\n", resident_bytes());
  return 0;
}

static int run_kernel(void) {
  static const char *source =
      "kernel void probe(global int *p) { p[get_global_id(0)] = (int)get_local_id(0) + 42; }\n";
  cl_device_id device;
  cl_int error, answer = 0;
  size_t size = 64;
  if (!find(&device)) return 1;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS) return 1;
  cl_kernel kernel = clCreateKernel(program, "probe", &error);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, size * sizeof answer, NULL, &error);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL) != CL_SUCCESS ||
      clFinish(queue) != CL_SUCCESS)
    return 1;
  if (write(STDOUT_FILENO, "done\n", 5) != 5) return 1;
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof answer, &answer, 0, NULL, NULL);
  return answer != 42;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "list") == 0) return list();
  if (argc == 2 && strcmp(argv[1], "kernel") == 0) return run_kernel();
  fputs("usage: bench_probe list|kernel\n", stderr);
  return 2;
}
