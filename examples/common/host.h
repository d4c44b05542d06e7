/* What the examples share: an OpenCL device with collectives, kernels from a file, times, and the
 * two lines that compare them with plain C.  Every error ends the program with one sentence. */
#ifndef EXAMPLES_HOST_H
#define EXAMPLES_HOST_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

struct host {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_uint threads; /* compute units */
};

/* One kernel of a job, arguments set; one-dimensional. */
struct step {
  cl_kernel kernel;
  size_t global, local;
};

#define CL(call)                  host_expect((call), #call)
#define ARG(kernel, index, value) CL(clSetKernelArg(kernel, index, sizeof(value), &(value)))

void host_expect(cl_int error, const char *call);
_Noreturn void host_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The first device of the first platform that has the work-group collective functions, and the
 * program of file `name` in the folder of the example: OpenCL C 3.0, or OpenCL C++ if its name ends
 * in .clcpp. */
void host_open(struct host *, const char *folder, const char *name);
/* The same with options for the compiler: of OpenCL C 3.0, and sizes that the kernels are made for. */
void host_open_with(struct host *, const char *folder, const char *name, const char *options);
void host_close(struct host *);
cl_kernel host_kernel(struct host *, const char *name);

/* A buffer of `size` bytes; filled from `data` unless that is null. */
cl_mem host_buffer(struct host *, size_t size, const void *data);
void host_read(struct host *, cl_mem, void *data, size_t size);

/* Runs the steps in order `runs` times; seconds that the kernels took in the best run, from their
 * events' start and end times. */
double host_time(struct host *, const struct step *, int num_steps, int runs);

double wall_seconds(void);

/* Best of `runs` calls of plain C code. */
double plain_time(void (*code)(void *), void *context, int runs);

/* Two lines: time and GB/s of both, and the ratio. */
void report_times(struct host *, double ours, double plain, double bytes);

/* "1,234,567"; valid until the fourth call after this one. */
const char *with_commas(unsigned long long number);

/* Prints "label: ok" or ends the program with status 1, naming the first wrong index. */
void report_check(const char *label, bool right, size_t first_wrong);

#endif
