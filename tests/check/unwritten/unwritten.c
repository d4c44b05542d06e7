/* main CASE: an OpenCL kernel that reads global memory which nobody has written.  What is reported
 * stands in CASE.ref; `legal` does what is right and looks like it. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "typedef struct { char kind; int value; long more; } item;\n"
                           "kernel void used(global int *in, global int *out, int n) {\n"
                           "  size_t i = get_global_id(0);\n"
                           "  out[i] = in[i] + 1;\n"
                           "}\n"
                           "kernel void copied(global int *in, global int *out, int n) {\n"
                           "  size_t i = get_global_id(0);\n"
                           "  out[i] = in[i];\n"
                           "}\n"
                           "kernel void summed(global int *in, global int *out, int n) {\n"
                           "  int sum = 0;\n"
                           "  for (int k = 0; k < n; k++) sum += in[k];\n"
                           "  out[get_global_id(0)] = sum;\n"
                           "}\n"
                           "kernel void count(global int *in, global int *out, int n) {\n"
                           "  atomic_inc(&in[get_global_id(0) % 4]);\n"
                           "}\n"
                           "kernel void branch(global int *in, global int *out, int n) {\n"
                           "  size_t i = get_global_id(0);\n"
                           "  if (in[i] > 3) out[i] = 1;\n"
                           "}\n"
                           "kernel void index(global int *in, global int *out, int n) {\n"
                           "  size_t i = get_global_id(0);\n"
                           "  out[i] = out[in[i] & 31];\n"
                           "}\n"
                           "kernel void reduced(global int *in, global int *out, int n) {\n"
                           "  size_t i = get_global_id(0);\n"
                           "  out[i] = work_group_reduce_add(in[i]);\n"
                           "}\n"
                           "kernel void bytes(global char *in, global int *out, int n) {\n"
                           "  size_t i = get_global_id(0);\n"
                           "  out[i] = in[i] * 2;\n"
                           "}\n"
                           "kernel void masked(global int *in, global int *out, int n) {\n"
                           "  size_t i = get_global_id(0);\n"
                           "  int value = in[i];\n"
                           "  work_group_barrier(CLK_GLOBAL_MEM_FENCE);\n"
                           "  out[i] = (int)i < n ? value * 2 : 0;\n"
                           "}\n"
                           "kernel void vectors(global float4 *in, global float *out, int n) {\n"
                           "  size_t i = get_global_id(0);\n"
                           "  float4 v = in[i % 8];\n"
                           "  out[i] = v.x + v.y;\n"
                           "}\n"
                           "kernel void set_x(global float4 *in, global float *out, int n) {\n"
                           "  size_t i = get_global_id(0);\n"
                           "  if (i < 8) in[i].x = 1;\n"
                           "  if (i < 8) in[i].y = 2;\n"
                           "}\n"
                           "kernel void threes(global float *in, global float *out, int n) {\n"
                           "  float3 v = vload3(0, in);\n"
                           "  out[get_global_id(0)] = v.x + v.y + v.z;\n"
                           "}\n"
                           "kernel void structs(global item *in, global item *out, int n) {\n"
                           "  size_t i = get_global_id(0);\n"
                           "  if (i >= 8) return;\n"
                           "  in[i].value = 3;\n"
                           "  item it = in[i];\n"
                           "  out[i] = it;\n"
                           "}\n"
                           "kernel void set_fields(global uint *in, global int *out, int n) {\n"
                           "  size_t i = get_global_id(0);\n"
                           "  in[i] = (in[i] & ~7u) | 5;\n"
                           "  in[i] = (in[i] & 7u) | 24;\n"
                           "}\n"
                           "kernel void exchange(global int *in, global int *out, int n) {\n"
                           "  atomic_xchg(&in[get_global_id(0)], 1);\n"
                           "}\n";

enum { COUNT = 32, BYTES = COUNT * sizeof(int) };

static cl_context context;
static cl_command_queue queue;
static cl_program program;

static void need(cl_int error, const char *what) {
  if (!error) return;
  fprintf(stderr, "%s: %d\n", what, error);
  exit(1);
}

static cl_mem buffer(cl_mem_flags flags) {
  cl_int error;
  cl_mem mem = clCreateBuffer(context, flags, BYTES, NULL, &error);
  need(error, "clCreateBuffer");
  return mem;
}

static cl_kernel kernel(const char *name) {
  cl_int error, n = COUNT / 2;
  cl_kernel k = clCreateKernel(program, name, &error);
  need(error, "clCreateKernel");
  need(clSetKernelArg(k, 2, sizeof n, &n), "clSetKernelArg");
  return k;
}

static void launch(cl_kernel k) {
  size_t items = COUNT;
  need(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, &items, 0, NULL, NULL), "enqueue");
  need(clFinish(queue), "clFinish");
}

static void run(const char *name, cl_mem in, cl_mem out) {
  cl_kernel k = kernel(name);
  need(clSetKernelArg(k, 0, sizeof in, &in), "clSetKernelArg");
  need(clSetKernelArg(k, 1, sizeof out, &out), "clSetKernelArg");
  launch(k);
}

static void run_svm(const char *name, void *in, cl_mem out) {
  cl_kernel k = kernel(name);
  need(clSetKernelArgSVMPointer(k, 0, in), "clSetKernelArgSVMPointer");
  need(clSetKernelArg(k, 1, sizeof out, &out), "clSetKernelArg");
  launch(k);
}

static void fill(cl_mem mem, size_t offset, size_t size) {
  const int zero = 0;
  need(clEnqueueFillBuffer(queue, mem, &zero, sizeof zero, offset, size, 0, NULL, NULL), "fill");
}

/* Half of it is written. */
static cl_mem half(void) {
  cl_mem mem = buffer(0);
  fill(mem, 0, BYTES / 2);
  return mem;
}

static void copied_half(void) {
  cl_mem from = half(), to = buffer(0);
  need(clEnqueueCopyBuffer(queue, from, to, 0, 0, BYTES, 0, NULL, NULL), "copy");
  run("used", to, buffer(0));
}

static void svm(void) {
  run_svm("used", clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0), buffer(0));
}

static void mapped(void) {
  cl_int error;
  cl_mem mem = buffer(CL_MEM_ALLOC_HOST_PTR);
  int *p = clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &error);
  need(error, "map");
  memset(p, 0, BYTES / 4);
  need(clEnqueueUnmapMemObject(queue, mem, p, 0, NULL, NULL), "unmap");
  run("used", mem, buffer(0));
}

static void legal_memory(void) {
  cl_int error;
  cl_mem mem = buffer(CL_MEM_ALLOC_HOST_PTR), copy = buffer(0);
  int *p = clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, BYTES, 0,
                              NULL, NULL, &error);
  need(error, "map");
  memset(p, 0, BYTES);
  need(clEnqueueUnmapMemObject(queue, mem, p, 0, NULL, NULL), "unmap");
  run("used", mem, buffer(0));
  need(clEnqueueCopyBuffer(queue, mem, copy, 0, 0, BYTES, 0, NULL, NULL), "copy");
  run("summed", copy, buffer(0));
  int *shared = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, BYTES, 0);
  for (int i = 0; i < COUNT; i++) shared[i] = i;
  run_svm("count", shared, buffer(0));
}

/* Each kernel on its memory. */
static void legal(void) {
  cl_mem vectors = buffer(0), out = buffer(0), numbers = buffer(0);
  run("masked", half(), buffer(0));
  run("copied", half(), out); /* and what nobody has written is not looked at */
  run("summed", out, buffer(0));
  run("set_x", vectors, out);
  run("vectors", vectors, out);
  fill(numbers, 0, 12);
  run("threes", numbers, out);
  run("structs", buffer(0), buffer(0));
  run("set_fields", buffer(0), buffer(0));
  run("exchange", buffer(0), buffer(0));
  legal_memory();
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
    {"copied_half", copied_half},
    {"svm", svm},
    {"mapped", mapped},
    {"legal", legal},
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
  if (argc < 2) return 1;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (strcmp(cases[i].name, argv[1])) continue;
    cases[i].run();
    return 0;
  }
  run(argv[1], buffer(0), buffer(0));
  return 0;
}
