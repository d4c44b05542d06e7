/* Launches one after another, and what memory they get: each has to end as it does without filters,
 * and the numbers printed are what the kernels left. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char source[] =
    "kernel void add(global const int *a, global int *b, int by) {\n"
    "  int i = get_global_id(0);\n"
    "  b[i] += a[i] + by;\n"
    "}\n"
    "kernel void unused(global const int *a, global int *b, int by) {\n"
    "  if (by == 3) b[0] = a[0];\n"
    "  b[get_global_id(0)] += by;\n"
    "}\n"
    "kernel void late(global const int *a, global int *b, int by) {\n"
    "  int i = get_global_id(0);\n"
    "  b[i] += a[i];\n"
    "  if (i == 200) b[i] += a[i + by];\n"
    "}\n"
    "kernel void tell(global const int *a, global int *b, int by) {\n"
    "  int i = get_global_id(0);\n"
    "  b[i] += a[i];\n"
    "  if (i == 70) printf(\"%d and %s, %v2d\\n\", b[i], \"so on\", (int2)(i, by));\n"
    "  if (i == 200) b[i] += a[i + by];\n"
    "}\n"
    "constant int table[4] = {1, 2, 3, 4};\n"
    "kernel void wild(global const int *a, global int *b, int by) {\n"
    "  int i = get_global_id(0);\n"
    "  b[i] = table[i % 4] + 1;\n"
    "  if (i == 100) b[i] = table[a[i] + (long)by * 1000];\n"
    "}\n";

enum { COUNT = 256, BYTES = COUNT * sizeof(int), GROUP = 64 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

static void need(cl_int error, const char *what) {
  if (!error) return;
  fprintf(stderr, "%s: %d\n", what, error);
  exit(1);
}

static cl_int try_to_run(const char *name, cl_mem a, cl_mem b, cl_int by, size_t items) {
  size_t group = GROUP;
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  if (error) return error;
  need(clSetKernelArg(kernel, 0, sizeof a, &a), "clSetKernelArg");
  need(clSetKernelArg(kernel, 1, sizeof b, &b), "clSetKernelArg");
  need(clSetKernelArg(kernel, 2, sizeof by, &by), "clSetKernelArg");
  error = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
  if (!error) error = clFinish(queue);
  clReleaseKernel(kernel);
  return error;
}

static void run(const char *name, cl_mem a, cl_mem b, cl_int by, size_t items) {
  need(try_to_run(name, a, b, by, items), name);
}

static void print(cl_mem b, unsigned count) {
  long numbers[2] = {0, 0};
  cl_int *all = malloc(count * sizeof *all);
  need(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, count * sizeof *all, all, 0, NULL, NULL), "read");
  for (unsigned i = 0; i < count; i++) numbers[0] += all[i], numbers[1] += (long)all[i] * (i % 7);
  fprintf(stderr, "%ld %ld\n", numbers[0], numbers[1]);
  free(all);
}

static cl_mem buffer(cl_mem_flags flags, void *numbers) {
  cl_int error;
  cl_mem b = clCreateBuffer(context, flags, BYTES, numbers, &error);
  need(error, "clCreateBuffer");
  return b;
}

static cl_mem part(cl_mem of, size_t first) {
  cl_int error;
  cl_buffer_region region = {first * sizeof(int), BYTES / 2};
  cl_mem b = clCreateSubBuffer(of, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  need(error, "clCreateSubBuffer");
  return b;
}

/* Two halves of one buffer; then one half twice, of which one is written. */
static void sub_buffers(cl_mem a, cl_mem b) {
  cl_mem halves[] = {part(b, 0), part(b, COUNT / 2)};
  run("add", halves[0], halves[1], 1, COUNT / 2);
  run("add", halves[1], halves[0], 2, COUNT / 2);
  run("add", halves[0], halves[0], 3, COUNT / 2);
  clReleaseMemObject(halves[0]);
  clReleaseMemObject(halves[1]);
}

static void host_memory(cl_mem a) {
  static cl_int numbers[COUNT];
  for (int i = 0; i < COUNT; i++) numbers[i] = 3 * i;
  cl_mem b = buffer(CL_MEM_USE_HOST_PTR, numbers);
  run("add", a, b, 1, COUNT);
  cl_int error, *there = clEnqueueMapBuffer(queue, b, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, BYTES,
                                            0, NULL, NULL, &error);
  need(error, "clEnqueueMapBuffer");
  fprintf(stderr, "%d %d %d\n", there == numbers, there[0], there[COUNT - 1]);
  there[5] = 1000;
  need(clEnqueueUnmapMemObject(queue, b, there, 0, NULL, NULL), "unmap");
  run("late", a, b, 1, COUNT);
  print(b, COUNT);
  clReleaseMemObject(b);
}

static void run_svm(const char *name, const cl_int *a, cl_int *b, cl_int by) {
  size_t items = COUNT / 2, group = GROUP;
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  need(error, "clCreateKernel");
  need(clSetKernelArgSVMPointer(kernel, 0, a), "clSetKernelArgSVMPointer");
  need(clSetKernelArgSVMPointer(kernel, 1, b), "clSetKernelArgSVMPointer");
  need(clSetKernelArg(kernel, 2, sizeof by, &by), "clSetKernelArg");
  need(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL), name);
  need(clFinish(queue), "clFinish");
  clReleaseKernel(kernel);
}

/* Two allocations; two halves of one; beside the end of it; and none. */
static void svm(void) {
  cl_int *a = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0),
         *b = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);
  need(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, a, BYTES, 0, NULL, NULL), "map");
  need(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, b, BYTES, 0, NULL, NULL), "map");
  for (int i = 0; i < COUNT; i++) a[i] = i, b[i] = 2 * i;
  need(clEnqueueSVMUnmap(queue, a, 0, NULL, NULL), "unmap");
  need(clEnqueueSVMUnmap(queue, b, 0, NULL, NULL), "unmap");
  run_svm("add", a, b, 1);
  run_svm("add", b, b + COUNT / 2, 2);
  run_svm("add", a + COUNT / 2 + 1, b, 3);
  run_svm("unused", NULL, b, 4);
  need(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, b, BYTES, 0, NULL, NULL), "map");
  fprintf(stderr, "%d %d %d\n", b[0], b[COUNT / 2 - 2], b[COUNT - 1]);
  need(clEnqueueSVMUnmap(queue, b, 0, NULL, NULL), "unmap");
  need(clFinish(queue), "clFinish");
  clSVMFree(context, a);
  clSVMFree(context, b);
}

/* Both go on, each with what is its own. */
static void forked(cl_mem a, cl_mem b) {
  int status = 1;
  run("add", a, b, 1, COUNT);
  fflush(NULL);
  pid_t child = fork();
  if (!child) _exit(try_to_run("add", a, b, 1, COUNT) != CL_SUCCESS);
  waitpid(child, &status, 0);
  fprintf(stderr, "the child ended with %d\n", status);
  run("add", a, b, 1, COUNT);
}

/* --- Images --- */

static const char image_source[] =
    "kernel void copy(read_only image2d_t a, write_only image2d_t b, int by) {\n"
    "  int i = get_global_id(0);\n"
    "  write_imagei(b, (int2)(i % 16 / by, i / 16), read_imagei(a, (int2)(i % 16, i / 16)) + by);\n"
    "}\n"
    "kernel void sum(read_only image2d_t a, write_only image2d_t b, int by) {\n" /* many accesses */
    "  int2 p = (int2)(get_global_id(0) % 16, get_global_id(0) / 16);\n"
    "  int4 n = read_imagei(a, p), e = read_imagei(a, p ^ 1), s = read_imagei(a, p ^ 2);\n"
    "  int4 w = read_imagei(a, p ^ 3), x = read_imagei(a, p ^ 4), y = read_imagei(a, p ^ 5);\n"
    "  n += e + s + w + x + y + read_imagei(a, p ^ 6);\n"
    "  write_imagei(b, by && get_global_id(0) == 1 ? p ^ 1 : p, n);\n"
    "}\n";
enum { SIDE = 16 };

static cl_mem image(cl_channel_type type, cl_mem buffer, cl_int *numbers) {
  cl_image_format format = {CL_R, type};
  cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
  cl_mem_flags flags = numbers ? CL_MEM_COPY_HOST_PTR : 0;
  cl_int error;
  desc.mem_object = buffer;
  cl_mem made = clCreateImage(context, flags, &format, &desc, numbers, &error);
  need(error, "clCreateImage");
  return made;
}

/* One to another and back; two pixels to one; from one that nobody has written; within one memory;
 * and of a format whose pixels are accessed by calls: the first two, and two to one. */
static void images(cl_mem buffer) {
  enum { WORD = CL_SIGNED_INT32, BYTE = CL_SIGNED_INT8 };
  const char *text = image_source;
  cl_int numbers[COUNT], error;
  for (int i = 0; i < COUNT; i++) numbers[i] = 5 * i;
  program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  need(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  cl_mem a = image(WORD, NULL, numbers), b = image(WORD, NULL, numbers),
         none = image(WORD, NULL, NULL), one = image(WORD, buffer, NULL),
         same = image(WORD, buffer, NULL), c = image(BYTE, NULL, numbers),
         d = image(BYTE, NULL, numbers);
  run("copy", a, b, 1, COUNT);
  run("copy", b, a, 1, COUNT);
  run("copy", a, b, 2, COUNT);
  run("copy", none, b, 1, COUNT);
  run("copy", one, same, 1, COUNT);
  run("copy", c, d, 1, COUNT);
  run("sum", d, c, 0, COUNT);
  run("sum", d, c, 1, COUNT);
  need(clEnqueueReadImage(queue, a, CL_TRUE, (size_t[3]){0}, (size_t[3]){SIDE, SIDE, 1}, 0, 0,
                          numbers, 0, NULL, NULL),
       "clEnqueueReadImage");
  fprintf(stderr, "%d %d\n", numbers[0], numbers[COUNT - 1]);
  cl_mem all[] = {a, b, none, one, same, c, d};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) clReleaseMemObject(all[i]);
}

/* Of a format whose pixels are accessed by calls: one race of many pixels is one mistake. */
static void rare_image(void) {
  const char *text = image_source;
  cl_int numbers[COUNT], error;
  for (int i = 0; i < COUNT; i++) numbers[i] = 5 * i;
  program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  need(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  cl_mem a = image(CL_SIGNED_INT8, NULL, numbers), b = image(CL_SIGNED_INT8, NULL, numbers);
  run("copy", a, b, 1, COUNT);
  run("copy", a, b, 2, COUNT);
  clReleaseMemObject(a);
  clReleaseMemObject(b);
}

int main(int argc, char **argv) {
  cl_platform_id platform;
  cl_int error, numbers[COUNT];
  const char *text = source, *which = argc > 1 ? argv[1] : "again";
  for (int i = 0; i < COUNT; i++) numbers[i] = i;
  need(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
  program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  need(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  cl_mem a = buffer(CL_MEM_COPY_HOST_PTR, numbers), b = buffer(CL_MEM_COPY_HOST_PTR, numbers);
  if (!strcmp(which, "again")) {
    for (int k = 0; k < 20; k++) run("add", k % 3 ? a : b, k % 3 ? b : a, k, COUNT);
  } else if (!strcmp(which, "stopped")) { /* in the last of four groups, when three have written */
    for (int k = 0; k < 3; k++) run("late", a, b, k == 1 ? 100 : 1, COUNT);
  } else if (!strcmp(which, "fault")) {
    for (int k = 0; k < 3; k++) run("wild", a, b, k == 1 ? 1 << 30 : 0, k == 1 ? COUNT : GROUP);
  } else if (!strcmp(which, "printed")) { /* once, also where the filter stops behind it */
    need(dup2(STDERR_FILENO, STDOUT_FILENO) < 0, "dup2");
    for (int k = 0; k < 3; k++) run("tell", a, b, k == 1 ? 100 : 1, COUNT);
  } else if (!strcmp(which, "svm")) {
    svm();
  } else if (!strcmp(which, "sub_buffers")) {
    sub_buffers(a, b);
  } else if (!strcmp(which, "host_memory")) {
    host_memory(a);
  } else if (!strcmp(which, "images")) {
    clReleaseProgram(program);
    images(b);
  } else if (!strcmp(which, "rare_image")) {
    clReleaseProgram(program);
    rare_image();
  } else {
    forked(a, b);
  }
  print(b, COUNT);
  clReleaseMemObject(a);
  clReleaseMemObject(b);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
