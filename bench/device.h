/* The one OpenCL device of a measuring process: OCL_ICD_VENDORS names its driver. */
#ifndef BENCH_DEVICE_H
#define BENCH_DEVICE_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

struct device {
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
  bool has_collectives, has_double;
  size_t max_work_group_size;
};

/* One launch, one-dimensional. */
struct launch {
  cl_kernel kernel;
  size_t global, local;
};

#define ARG(kernel, index, value) clSetKernelArg(kernel, index, sizeof(value), &(value))

bool device_open(struct device *); /* false: no platform, no device */
void device_close(struct device *);

/* Null if it fails; the log goes to stderr. */
cl_program device_build(struct device *, const char *source);
cl_kernel device_kernel(cl_program, const char *name);

cl_mem device_buffer(struct device *, size_t size, const void *data); /* data may be null */
bool device_read(struct device *, cl_mem, void *data, size_t size);

/* Enqueues all, then waits for all; false if anything fails. */
bool device_run(struct device *, const struct launch *, int count);

#endif
