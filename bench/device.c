#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool device_open(struct device *device) {
  cl_platform_id platform;
  cl_int error;
  cl_bool collectives = CL_FALSE;
  cl_device_fp_config doubles = 0;

  memset(device, 0, sizeof *device);
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device->id, NULL) != CL_SUCCESS)
    return false;
  clGetDeviceInfo(device->id, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof collectives,
                  &collectives, NULL);
  clGetDeviceInfo(device->id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL);
  clGetDeviceInfo(device->id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof device->max_work_group_size,
                  &device->max_work_group_size, NULL);
  device->has_collectives = collectives == CL_TRUE;
  device->has_double = doubles != 0;
  device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &error);
  if (error != CL_SUCCESS) return false;
  device->queue = clCreateCommandQueueWithProperties(device->context, device->id, NULL, &error);
  return error == CL_SUCCESS;
}

void device_close(struct device *device) {
  clReleaseCommandQueue(device->queue);
  clReleaseContext(device->context);
}

static void print_log(struct device *device, cl_program program) {
  size_t size = 0;
  clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  char *log = calloc(1, size + 1);
  if (!log) return;
  clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  fprintf(stderr, "bench: build failed:\n%s\n", log);
  free(log);
}

cl_program device_build(struct device *device, const char *source) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(device->context, 1, &source, NULL, &error);
  if (error != CL_SUCCESS) return NULL;
  if (clBuildProgram(program, 1, &device->id, "-cl-std=CL3.0", NULL, NULL) == CL_SUCCESS)
    return program;
  print_log(device, program);
  clReleaseProgram(program);
  return NULL;
}

cl_kernel device_kernel(cl_program program, const char *name) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  return error == CL_SUCCESS ? kernel : NULL;
}

cl_mem device_buffer(struct device *device, size_t size, const void *data) {
  cl_int error;
  cl_mem_flags copy = data ? CL_MEM_COPY_HOST_PTR : 0;
  cl_mem buffer =
      clCreateBuffer(device->context, CL_MEM_READ_WRITE | copy, size, (void *)data, &error);
  return error == CL_SUCCESS ? buffer : NULL;
}

bool device_read(struct device *device, cl_mem buffer, void *data, size_t size) {
  return clEnqueueReadBuffer(device->queue, buffer, CL_TRUE, 0, size, data, 0, NULL, NULL) ==
         CL_SUCCESS;
}

bool device_run(struct device *device, const struct launch *launches, int count) {
  for (int i = 0; i < count; i++)
    if (clEnqueueNDRangeKernel(device->queue, launches[i].kernel, 1, NULL, &launches[i].global,
                               &launches[i].local, 0, NULL, NULL) != CL_SUCCESS)
      return false;
  return clFinish(device->queue) == CL_SUCCESS;
}
