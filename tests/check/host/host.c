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
                           "}\n"
                           "kernel void wait(global int *to, global const int *from, int turns) {\n"
                           "  size_t i = get_global_id(0);\n"
                           "  int sum = from[i];\n"
                           "  for (int k = 0; k < turns; k++) sum = sum * (sum | 5) + k;\n"
                           "  if (i) to[i] = sum;\n"
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

static void open_device(void) {
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

/* --- Maps --- */

static int *map(cl_mem mem, cl_map_flags flags) {
  cl_int error;
  int *p = clEnqueueMapBuffer(queue, mem, CL_TRUE, flags, 0, BYTES, 0, NULL, NULL, &error);
  need(error, "clEnqueueMapBuffer");
  return p;
}

static void unmap(cl_mem mem, void *p) {
  need(clEnqueueUnmapMemObject(queue, mem, p, 0, NULL, NULL), "clEnqueueUnmapMemObject");
}

static void written_by_read_map(void) {
  cl_mem mem = buffer(CL_MEM_READ_WRITE, NULL);
  int *p = map(mem, CL_MAP_READ);
  p[3] = 7;
  unmap(mem, p);
}

static void written_after_unmap(void) {
  cl_mem to = buffer(CL_MEM_READ_WRITE, NULL), from = buffer(CL_MEM_READ_WRITE, NULL);
  int *p = map(from, CL_MAP_WRITE);
  p[0] = 1;
  unmap(from, p);
  clFinish(queue);
  p[5] = 2;
  launch(queue, to, from);
}

static void right_maps(void) {
  static int memory[COUNT];
  cl_mem to = buffer(CL_MEM_READ_WRITE, NULL), from = buffer(CL_MEM_READ_WRITE, NULL),
         over = buffer(CL_MEM_USE_HOST_PTR, memory), same = buffer(CL_MEM_USE_HOST_PTR, memory);
  int *written = map(from, CL_MAP_WRITE), *read = map(from, CL_MAP_READ);
  written[1] = read[1] + 1; /* two maps, of which one is for writing */
  unmap(from, written);
  unmap(from, read);
  launch(queue, to, from);
  read = map(to, CL_MAP_READ);
  if (read[1] != 2) exit(1);
  unmap(to, read);
  read = map(over, CL_MAP_READ); /* the same memory by another buffer */
  written = map(same, CL_MAP_WRITE);
  written[2] = 3;
  unmap(same, written);
  unmap(over, read);
  clFinish(queue);
  memory[4] = 5; /* nothing uses it */
  launch(queue, to, over);
}

static void kernel_writes_to_mapped(void) {
  cl_mem to = buffer(CL_MEM_READ_WRITE, NULL), from = buffer(CL_MEM_READ_WRITE, NULL);
  int *p = map(to, CL_MAP_READ);
  launch(queue, to, from);
  unmap(to, p);
}

static void kernel_reads_mapped(void) {
  cl_mem to = buffer(CL_MEM_READ_WRITE, NULL), from = buffer(CL_MEM_READ_WRITE, NULL);
  int *p = map(from, CL_MAP_WRITE);
  launch(queue, to, from);
  unmap(from, p);
}

/* The first half is the host's, the second the kernel's. */
static void right_half_mapped(void) {
  cl_mem to = buffer(CL_MEM_READ_WRITE, NULL), from = buffer(CL_MEM_READ_WRITE, NULL);
  const size_t first = HALF, count = HALF;
  cl_int error;
  int *p =
      clEnqueueMapBuffer(queue, to, CL_TRUE, CL_MAP_WRITE, 0, BYTES / 2, 0, NULL, NULL, &error);
  int *q = map(from, CL_MAP_READ);
  need(clSetKernelArg(kernel, 0, sizeof to, &to), "clSetKernelArg");
  need(clSetKernelArg(kernel, 1, sizeof from, &from), "clSetKernelArg");
  need(clEnqueueNDRangeKernel(queue, kernel, 1, &first, &count, NULL, 0, NULL, NULL), "launch");
  p[0] = q[0] + 1;
  unmap(to, p);
  unmap(from, q);
  clFinish(queue);
}

/* --- Memory of the host's that a kernel uses --- */

static int memory[COUNT], results[COUNT];

/* A tenth of a second as vector code, so that the host comes to write in any case. */
enum { LONG = 1 << 22, SHORT = 1 << 10 };

static void start(cl_mem to, cl_mem from, int turns, cl_event *event) {
  const size_t count = COUNT;
  cl_int error;
  cl_kernel k = clCreateKernel(program, "wait", &error);
  need(error, "clCreateKernel");
  need(clSetKernelArg(k, 0, sizeof to, &to), "clSetKernelArg");
  need(clSetKernelArg(k, 1, sizeof from, &from), "clSetKernelArg");
  need(clSetKernelArg(k, 2, sizeof turns, &turns), "clSetKernelArg");
  need(clEnqueueNDRangeKernel(queue, k, 1, NULL, &count, &count, 0, NULL, event), "launch");
  need(clFlush(queue), "clFlush");
}

/* Until the launch has ended, so surely while it runs. */
static void write_during(cl_event event, volatile int *p) {
  for (cl_int status = CL_QUEUED; status != CL_COMPLETE;) {
    for (int i = 0; i < 1000; i++) ++*p;
    need(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL),
         "clGetEventInfo");
  }
}

static void written_while_read(void) {
  cl_event event;
  start(buffer(CL_MEM_READ_WRITE, NULL), buffer(CL_MEM_USE_HOST_PTR, memory), LONG, &event);
  write_during(event, &memory[9]);
}

/* The kernel writes to all but the first. */
static void written_beside(void) {
  cl_event event;
  start(buffer(CL_MEM_USE_HOST_PTR, memory), buffer(CL_MEM_READ_WRITE, NULL), LONG, &event);
  write_during(event, &memory[0]);
}

static void right_host_memory(void) {
  cl_mem from = buffer(CL_MEM_USE_HOST_PTR, memory), to = buffer(CL_MEM_USE_HOST_PTR, results);
  cl_event event;
  for (int i = 0; i < 3; i++) {
    int *p = map(from, CL_MAP_WRITE);
    p[7] = i;
    unmap(from, p);
    start(to, from, SHORT, &event);
    launch(queue, from, to);
  }
  clFinish(queue);
}

/* --- Two queues --- */

static void unordered_read(void) {
  cl_mem to = buffer(CL_MEM_READ_WRITE, NULL), from = buffer(CL_MEM_READ_WRITE, NULL);
  launch(queue, to, from);
  clEnqueueReadBuffer(second, to, CL_TRUE, 0, BYTES, results, 0, NULL, NULL);
}

static void unordered_write(void) {
  cl_mem to = buffer(CL_MEM_READ_WRITE, NULL), from = buffer(CL_MEM_READ_WRITE, NULL);
  clEnqueueWriteBuffer(second, from, CL_FALSE, 0, BYTES, memory, 0, NULL, NULL);
  clFlush(second);
  launch(queue, to, from);
}

static void unordered_kernels(void) {
  cl_mem first = buffer(CL_MEM_READ_WRITE, NULL), last = buffer(CL_MEM_READ_WRITE, NULL),
         from = buffer(CL_MEM_READ_WRITE, NULL);
  launch(queue, first, from);
  clFlush(queue);
  launch(second, last, first);
}

static void CL_CALLBACK go_on(cl_event event, cl_int status, void *gate) {
  clSetUserEventStatus(gate, CL_COMPLETE);
}

/* One command after the other, by each of the ways that there are. */
static void right_order(void) {
  cl_mem to = buffer(CL_MEM_READ_WRITE, NULL), from = buffer(CL_MEM_READ_WRITE, NULL);
  cl_event event, gate = clCreateUserEvent(context, NULL);
  clEnqueueWriteBuffer(second, from, CL_FALSE, 0, BYTES, memory, 0, NULL, &event);
  clEnqueueBarrierWithWaitList(queue, 1, &event, NULL); /* an event */
  launch(queue, to, from);
  clEnqueueMarkerWithWaitList(queue, 0, NULL, &event);
  clWaitForEvents(1, &event); /* the host */
  clEnqueueReadBuffer(second, to, CL_TRUE, 0, BYTES, results, 0, NULL, NULL);
  launch(queue, to, from); /* behind a blocking command */
  clFinish(queue);
  clEnqueueReadBuffer(second, to, CL_TRUE, 0, BYTES, results, 0, NULL, NULL);
  launch(queue, to, from);
  clEnqueueMarkerWithWaitList(queue, 0, NULL, &event);
  clSetEventCallback(event, CL_COMPLETE, go_on, gate); /* a callback */
  clEnqueueReadBuffer(second, to, CL_TRUE, 0, BYTES, results, 1, &gate, NULL);
  cl_command_queue third = new_queue();
  launch(third, to, from);
  clEnqueueMarkerWithWaitList(third, 0, NULL, &event);
  clFlush(third);
  cl_int status = CL_QUEUED; /* a question */
  while (status != CL_COMPLETE)
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  launch(second, to, from);
  clFinish(second);
  clReleaseCommandQueue(third);
}

/* Both only read, or have halves of their own. */
static void right_beside(void) {
  cl_mem to = buffer(CL_MEM_READ_WRITE, NULL), from = buffer(CL_MEM_READ_WRITE, NULL),
         other = buffer(CL_MEM_READ_WRITE, NULL);
  const size_t first = 0, last = HALF, count = HALF;
  launch(queue, to, from);
  launch(second, other, from);
  clFinish(queue);
  clFinish(second);
  need(clSetKernelArg(kernel, 0, sizeof to, &to), "clSetKernelArg");
  need(clEnqueueNDRangeKernel(queue, kernel, 1, &first, &count, NULL, 0, NULL, NULL), "launch");
  need(clEnqueueNDRangeKernel(second, kernel, 1, &last, &count, NULL, 0, NULL, NULL), "launch");
  clEnqueueReadBuffer(second, to, CL_TRUE, BYTES / 2, BYTES / 2, results, 0, NULL, NULL);
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
    {"released_kernel", released_kernel},
    {"released_twice", released_twice},
    {"released_argument", released_argument},
    {"right_released", right_released},
    {"written_by_read_map", written_by_read_map},
    {"written_after_unmap", written_after_unmap},
    {"right_maps", right_maps},
    {"kernel_writes_to_mapped", kernel_writes_to_mapped},
    {"kernel_reads_mapped", kernel_reads_mapped},
    {"right_half_mapped", right_half_mapped},
    {"written_while_read", written_while_read},
    {"written_beside", written_beside},
    {"right_host_memory", right_host_memory},
    {"unordered_read", unordered_read},
    {"unordered_write", unordered_write},
    {"unordered_kernels", unordered_kernels},
    {"right_order", right_order},
    {"right_beside", right_beside},
};

int main(int count, char **arguments) {
  open_device();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (count < 2 || strcmp(cases[i].name, arguments[1]) != 0) continue;
    cases[i].run();
    clFinish(queue);
    clFinish(second);
    return 0;
  }
  return 2;
}
