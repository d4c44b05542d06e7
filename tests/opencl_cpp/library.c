/* Runs the kernels of kernels/NAME.cl, built as OpenCL C++: each is given a place for every
 * work-item's failure, the numbers 0, 1, 2 ... and, for local pointers, memory.  Groups are of 8,
 * unless the kernel requires another size.  A comment `options: ...` adds to the build's options.
 *
 *   library FILE.cl ... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/host.h"

enum { ITEMS = 128, LOCAL = 8, NUMBERS = 128 };

static cl_mem buffer(const void *data, size_t size) {
  cl_int code;
  cl_mem mem =
      clCreateBuffer(host_open()->context, CL_MEM_COPY_HOST_PTR, size, (void *)data, &code);
  CL(code);
  return mem;
}

static void set_args(cl_kernel kernel, cl_mem failed, cl_mem numbers) {
  cl_uint count;
  CL(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
  CL(clSetKernelArg(kernel, 0, sizeof failed, &failed));
  for (cl_uint i = 1; i < count; i++) {
    cl_kernel_arg_address_qualifier space;
    CL(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL));
    if (space == CL_KERNEL_ARG_ADDRESS_LOCAL)
      CL(clSetKernelArg(kernel, i, LOCAL * sizeof(int), NULL));
    else
      CL(clSetKernelArg(kernel, i, sizeof numbers, &numbers));
  }
}

static int run(const char *file, cl_kernel kernel) {
  cl_uint failed[ITEMS] = {0};
  cl_int numbers[NUMBERS];
  char name[64];
  size_t global = ITEMS, local = LOCAL;
  cl_command_queue queue = host_open()->queue;
  size_t required[3];
  CL(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
  CL(clGetKernelWorkGroupInfo(kernel, host_open()->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                              sizeof required, required, NULL));
  if (required[0]) local = required[0];
  for (int i = 0; i < NUMBERS; i++) numbers[i] = i;
  cl_mem failures = buffer(failed, sizeof failed), data = buffer(numbers, sizeof numbers);
  set_args(kernel, failures, data);
  CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
  CL(clEnqueueReadBuffer(queue, failures, CL_TRUE, 0, sizeof failed, failed, 0, NULL, NULL));
  CL(clReleaseMemObject(failures));
  CL(clReleaseMemObject(data));
  for (int i = 0; i < ITEMS; i++)
    if (failed[i]) {
      printf("FAILED %s:%u: in kernel %s, work-item %d\n", file, failed[i], name, i);
      return 1;
    }
  printf("ok %s\n", name);
  return 0;
}

static int run_file(const char *file) {
  char options[4200];
  cl_kernel kernels[16];
  cl_uint count;
  int failed = 0;
  char *source = read_file(file), *more = strstr(source, "options: ");
  int length = more ? (int)strcspn(more += strlen("options: "), "*\n") : 0;
  snprintf(options, sizeof options, "-cl-std=c++ -cl-kernel-arg-info -I%.*s %.*s",
           (int)(strrchr(file, '/') - file), file, length, more ? more : "");
  cl_program program = host_build(source, options);
  CL(clCreateKernelsInProgram(program, 16, kernels, &count));
  for (cl_uint i = 0; i < count; i++) {
    failed |= run(file, kernels[i]);
    CL(clReleaseKernel(kernels[i]));
  }
  CL(clReleaseProgram(program));
  free(source);
  return failed || !count;
}

int main(int argc, char **argv) {
  int failed = 0;
  for (int i = 1; i < argc; i++) failed |= run_file(argv[i]);
  return failed;
}
