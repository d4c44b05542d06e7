/* main CASE: an OpenCL kernel that accesses memory as it must not.  What is reported stands in
 * opencl/CASE.ref. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "kernel void add(global int *out, global const int *in, int offset) {\n"
                           "  size_t i = get_global_id(0);\n"
                           "  out[i] = in[(int)i + offset] + 1;\n"
                           "}\n"
                           "kernel void tiled(global int *out, local int *tile, int at) {\n"
                           "  size_t i = get_local_id(0);\n"
                           "  tile[i] = (int)i;\n"
                           "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                           "  if (i == 3) tile[at] = 1;\n"
                           "  out[get_global_id(0)] = tile[31 - i];\n"
                           "}\n"
                           "kernel void mark(global int *out, int at) {\n"
                           "  out[get_local_id(0) + at] = 1;\n"
                           "}\n";

enum { COUNT = 32, BYTES = COUNT * sizeof(int), ORIGIN = 128 };

static cl_context context;
static cl_command_queue queue;
static cl_program program;

static void need(cl_int error, const char *what) {
  if (!error) return;
  fprintf(stderr, "%s: %d\n", what, error);
  exit(1);
}

static cl_mem buffer(size_t size) {
  cl_int error;
  cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, &error);
  need(error, "clCreateBuffer");
  const int zero = 0;
  need(clEnqueueFillBuffer(queue, mem, &zero, sizeof zero, 0, size, 0, NULL, NULL), "fill");
  return mem;
}

static cl_kernel kernel(const char *name) {
  cl_int error;
  cl_kernel k = clCreateKernel(program, name, &error);
  need(error, "clCreateKernel");
  return k;
}

static void run(cl_kernel k, size_t global) {
  size_t local = COUNT;
  need(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL), "enqueue");
  need(clFinish(queue), "clFinish");
}

static void set(cl_kernel k, cl_uint index, cl_mem mem) {
  need(clSetKernelArg(k, index, sizeof mem, &mem), "clSetKernelArg");
}

static void add(cl_mem out, cl_mem in, cl_int offset, size_t global) {
  cl_kernel k = kernel("add");
  set(k, 0, out);
  set(k, 1, in);
  need(clSetKernelArg(k, 2, sizeof offset, &offset), "clSetKernelArg");
  run(k, global);
}

static void behind(void) {
  add(buffer(BYTES), buffer(BYTES), 1, COUNT);
}
static void before(void) {
  add(buffer(BYTES), buffer(BYTES), -5000, COUNT);
}
static void threads(void) {
  add(buffer(BYTES), buffer(BYTES), COUNT, COUNT * 64);
}
static void threads_write(void) {
  cl_kernel k = kernel("mark");
  cl_int at = 1;
  set(k, 0, buffer(BYTES));
  need(clSetKernelArg(k, 1, sizeof at, &at), "clSetKernelArg");
  run(k, COUNT * 64);
}
static void null(void) {
  add(buffer(BYTES), NULL, 0, COUNT);
}
static void sub_buffer(void) {
  cl_int error;
  cl_buffer_region region = {ORIGIN, BYTES};
  cl_mem part = clCreateSubBuffer(buffer(ORIGIN + BYTES), CL_MEM_READ_ONLY,
                                  CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  need(error, "clCreateSubBuffer");
  add(buffer(BYTES), part, 2, COUNT);
}
/* What lies behind the buffer is the host's too. */
static void host_ptr(void) {
  static int all[4 * COUNT];
  cl_int error;
  cl_mem in =
      clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, BYTES, all + COUNT, &error);
  need(error, "clCreateBuffer");
  add(buffer(BYTES), in, 1, COUNT);
}
static void read_only(void) {
  cl_int error;
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_ONLY, BYTES, NULL, &error);
  need(error, "clCreateBuffer");
  add(out, buffer(BYTES), 0, COUNT);
}
static void write_only(void) {
  cl_int error;
  cl_mem in = clCreateBuffer(context, CL_MEM_WRITE_ONLY, BYTES, NULL, &error);
  need(error, "clCreateBuffer");
  int zero = 0;
  need(clEnqueueFillBuffer(queue, in, &zero, sizeof zero, 0, BYTES, 0, NULL, NULL),
       "clEnqueueFillBuffer");
  add(buffer(BYTES), in, 0, COUNT);
}
static void slack(void) {
  add(buffer(BYTES - 12), buffer(BYTES), 0, COUNT);
}
static void slack_read(void) {
  add(buffer(BYTES), buffer(BYTES - 12), 0, COUNT);
}
static void svm(int freed) {
  int *memory = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);
  cl_kernel k = kernel("add");
  cl_int offset = freed ? 0 : 4, zero = 0;
  need(clEnqueueSVMMemFill(queue, memory, &zero, sizeof zero, BYTES, 0, NULL, NULL), "fill");
  need(clFinish(queue), "clFinish");
  set(k, 0, buffer(BYTES));
  need(clSetKernelArgSVMPointer(k, 1, memory), "clSetKernelArgSVMPointer");
  need(clSetKernelArg(k, 2, sizeof offset, &offset), "clSetKernelArg");
  if (freed) clSVMFree(context, memory);
  run(k, COUNT);
}
static void svm_behind(void) {
  svm(0);
}
static void svm_freed(void) {
  svm(1);
}
static void local(void) {
  cl_kernel k = kernel("tiled");
  cl_int at = COUNT;
  set(k, 0, buffer(BYTES));
  need(clSetKernelArg(k, 1, BYTES, NULL), "clSetKernelArg");
  need(clSetKernelArg(k, 2, sizeof at, &at), "clSetKernelArg");
  run(k, COUNT);
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
    {"behind", behind},
    {"before", before},
    {"threads", threads},
    {"threads_write", threads_write},
    {"null", null},
    {"sub_buffer", sub_buffer},
    {"host_ptr", host_ptr},
    {"read_only", read_only},
    {"write_only", write_only},
    {"slack", slack},
    {"slack_read", slack_read},
    {"local", local},
    {"svm_behind", svm_behind},
    {"svm_freed", svm_freed},
};

int main(int argc, char **argv) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int error = clGetPlatformIDs(1, &platform, NULL);
  need(error, "clGetPlatformIDs");
  need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  const char *source = text;
  program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  need(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL), "clBuildProgram");
  for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
    if (!strcmp(cases[i].name, argv[1])) cases[i].run();
  return 0;
}
