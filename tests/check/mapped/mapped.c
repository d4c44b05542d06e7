/* mapped CASE: commands and kernels that use what the host has mapped (OpenCL 3.0 API, 5.4.3), in
 * the cases whose name begins with "right" as they may.  What is reported stands in CASE.ref. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "kernel void copy(global int *to, global const int *from) {\n"
    "  size_t i = get_global_id(0);\n"
    "  to[i] = from[i] + 1;\n"
    "}\n"
    "kernel void paint(write_only image2d_t to) {\n"
    "  write_imagei(to, (int2)(get_global_id(0) % 8, get_global_id(0) / 8), (int4)(1));\n"
    "}\n"
    "kernel void look(global int *to, read_only image2d_t from) {\n"
    "  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
    "  size_t i = get_global_id(0);\n"
    "  to[i] = read_imagei(from, s, (int2)(i % 8, i / 8)).x;\n"
    "}\n";

enum { COUNT = 64, BYTES = COUNT * sizeof(int), HALF = BYTES / 2, SIDE = 8 };

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static int memory[COUNT];

static void need(cl_int error, const char *what) {
  if (!error) return;
  fprintf(stderr, "%s: %d\n", what, error);
  exit(1);
}
#define DO(call) need(call, #call)

static void open_device(void) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  const char *source = text;
  DO(clGetPlatformIDs(1, &platform, NULL));
  DO(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  need(error, "clCreateContext");
  queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  need(error, "clCreateCommandQueueWithProperties");
  program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  DO(clBuildProgram(program, 1, &device, "", NULL, NULL));
}

static cl_mem buffer(void) {
  cl_int error;
  cl_mem mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, BYTES, memory, &error);
  need(error, "clCreateBuffer");
  return mem;
}

static cl_mem image(void) {
  const cl_image_format format = {CL_R, CL_SIGNED_INT32};
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
  cl_int error;
  cl_mem mem = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &desc, memory, &error);
  need(error, "clCreateImage");
  return mem;
}

static cl_mem part(cl_mem whole, size_t origin) {
  const cl_buffer_region region = {origin, HALF};
  cl_int error;
  cl_mem mem = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  need(error, "clCreateSubBuffer");
  return mem;
}

static int *map(cl_mem mem, cl_map_flags flags, size_t offset, size_t size) {
  cl_int error;
  int *p = clEnqueueMapBuffer(queue, mem, CL_TRUE, flags, offset, size, 0, NULL, NULL, &error);
  need(error, "clEnqueueMapBuffer");
  return p;
}

static int *map_columns(cl_mem mem, cl_map_flags flags, size_t first, size_t count) {
  const size_t origin[] = {first, 0, 0}, region[] = {count, SIDE, 1};
  size_t pitch;
  cl_int error;
  int *p = clEnqueueMapImage(queue, mem, CL_TRUE, flags, origin, region, &pitch, NULL, 0, NULL,
                             NULL, &error);
  need(error, "clEnqueueMapImage");
  return p;
}

static void unmap(cl_mem mem, void *p) {
  DO(clEnqueueUnmapMemObject(queue, mem, p, 0, NULL, NULL));
}

static void launch(const char *name, cl_mem first, cl_mem second) {
  const size_t count = COUNT;
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  need(error, "clCreateKernel");
  DO(clSetKernelArg(kernel, 0, sizeof first, &first));
  if (second) DO(clSetKernelArg(kernel, 1, sizeof second, &second));
  DO(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, &count, 0, NULL, NULL));
}

/* --- Buffers --- */

static void write_to_read_map(void) {
  cl_mem mem = buffer();
  map(mem, CL_MAP_READ, 0, BYTES);
  DO(clEnqueueWriteBuffer(queue, mem, CL_TRUE, HALF, HALF, memory, 0, NULL, NULL));
}

static void fill_in_part(void) {
  const int zero = 0;
  cl_mem whole = buffer(), mem = part(whole, HALF);
  map(whole, CL_MAP_READ, 0, HALF + 16);
  DO(clEnqueueFillBuffer(queue, mem, &zero, sizeof zero, 0, HALF, 0, NULL, NULL));
}

static void copies(void) {
  cl_mem mem = buffer(), other = buffer();
  map(mem, CL_MAP_WRITE_INVALIDATE_REGION, 0, BYTES);
  DO(clEnqueueCopyBuffer(queue, mem, other, 0, 0, BYTES, 0, NULL, NULL));
  DO(clEnqueueCopyBuffer(queue, other, mem, 0, 0, BYTES, 0, NULL, NULL));
}

static void read_of_write_map(void) {
  const size_t at[] = {4, 0, 0}, to[] = {0, 0, 0}, region[] = {4, 8, 1};
  cl_mem mem = buffer();
  map(mem, CL_MAP_WRITE, 32, 8);
  DO(clEnqueueReadBufferRect(queue, mem, CL_TRUE, at, to, region, 32, 0, 4, 0, memory, 0, NULL,
                             NULL));
}

static void right_buffers(void) {
  const size_t at[] = {4, 0, 0}, to[] = {0, 0, 0}, region[] = {4, 8, 1};
  cl_mem mem = buffer(), other = buffer();
  void *p = map(mem, CL_MAP_READ, 0, BYTES), *q = map(other, CL_MAP_WRITE, 0, HALF);
  DO(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, BYTES, memory, 0, NULL, NULL)); /* both read */
  DO(clEnqueueCopyBuffer(queue, mem, other, 0, HALF, HALF, 0, NULL, NULL)); /* the other half */
  launch("copy", buffer(), mem);
  unmap(mem, p);
  unmap(other, q);
  DO(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, BYTES, memory, 0, NULL, NULL)); /* behind them */
  DO(clEnqueueCopyBuffer(queue, mem, other, 0, 0, BYTES, 0, NULL, NULL));
  p = map(mem, CL_MAP_WRITE, 32, 4); /* beside the columns that are read */
  DO(clEnqueueReadBufferRect(queue, mem, CL_TRUE, at, to, region, 32, 0, 4, 0, memory, 0, NULL,
                             NULL));
  unmap(mem, p);
}

/* --- Images --- */

static void write_to_image(void) {
  const size_t origin[] = {2, 3, 0}, region[] = {2, 1, 1};
  cl_mem mem = image();
  map_columns(mem, CL_MAP_READ, 3, 2);
  DO(clEnqueueWriteImage(queue, mem, CL_TRUE, origin, region, 0, 0, memory, 0, NULL, NULL));
}

static void kernel_writes_to_image(void) {
  cl_mem mem = image();
  map_columns(mem, CL_MAP_READ, 3, 2);
  launch("paint", mem, NULL);
}

static void kernel_reads_image(void) {
  cl_mem mem = image();
  map_columns(mem, CL_MAP_WRITE, 3, 2);
  launch("look", buffer(), mem);
}

static void right_images(void) {
  const size_t origin[] = {1, 3, 0}, region[] = {2, 2, 1};
  cl_mem mem = image(), to = buffer();
  int *p = map_columns(mem, CL_MAP_WRITE, 3, 2);
  DO(clEnqueueWriteImage(queue, mem, CL_TRUE, origin, region, 0, 0, memory, 0, NULL, NULL));
  unmap(mem, p);
  p = map_columns(mem, CL_MAP_READ, 0, SIDE);
  launch("look", to, mem);
  DO(clEnqueueReadImage(queue, mem, CL_TRUE, origin, region, 0, 0, memory, 0, NULL, NULL));
  unmap(mem, p);
  launch("paint", mem, NULL);
}

/* --- SVM --- */

static void launch_svm(int *to, const int *from) {
  const size_t count = COUNT;
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, "copy", &error);
  need(error, "clCreateKernel");
  DO(clSetKernelArgSVMPointer(kernel, 0, to));
  DO(clSetKernelArgSVMPointer(kernel, 1, from));
  DO(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, &count, 0, NULL, NULL));
}

static int *allocate(cl_svm_mem_flags flags) {
  const int zero = 0;
  int *p = clSVMAlloc(context, flags, 2 * BYTES, 0);
  if (!p) exit(1);
  DO(clEnqueueSVMMemFill(queue, p, &zero, sizeof zero, 2 * BYTES, 0, NULL, NULL));
  return p;
}

static void map_svm(int *p, cl_map_flags flags, size_t size) {
  DO(clEnqueueSVMMap(queue, CL_TRUE, flags, p, size, 0, NULL, NULL));
}

static void kernel_writes_to_svm(void) {
  int *to = allocate(CL_MEM_READ_WRITE), *from = allocate(CL_MEM_READ_WRITE);
  map_svm(to + COUNT, CL_MAP_READ, BYTES);
  launch_svm(to + COUNT / 2, from); /* of which half is mapped */
}

static void kernel_reads_svm(void) {
  int *to = allocate(CL_MEM_READ_WRITE), *from = allocate(CL_MEM_READ_WRITE);
  map_svm(from, CL_MAP_WRITE, BYTES);
  launch_svm(to, from);
}

static void fill_of_svm(void) {
  const int one = 1;
  int *p = allocate(CL_MEM_READ_WRITE);
  map_svm(p + 2, CL_MAP_READ, 8);
  DO(clEnqueueSVMMemFill(queue, p, &one, sizeof one, BYTES, 0, NULL, NULL));
}

/* A buffer over SVM of which a part is mapped; the first command reads columns beside it. */
static void buffer_of_svm(void) {
  const size_t beside[] = {4, 0, 0}, to[] = {0, 0, 0}, region[] = {4, 8, 1};
  int *p = allocate(CL_MEM_READ_WRITE);
  cl_int error;
  cl_mem mem = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, BYTES, p, &error);
  need(error, "clCreateBuffer");
  map_svm(p + 4, CL_MAP_WRITE, 4);
  DO(clEnqueueReadBufferRect(queue, mem, CL_TRUE, beside, to, region, 8, 0, 4, 0, memory, 0, NULL,
                             NULL));
  DO(clEnqueueReadBuffer(queue, mem, CL_TRUE, 8, 32, memory, 0, NULL, NULL));
  launch("copy", buffer(), mem);
  DO(clFinish(queue));
  clReleaseMemObject(mem);
}

static void right_svm(void) {
  int *to = allocate(CL_MEM_READ_WRITE), *from = allocate(CL_MEM_READ_WRITE),
      *fine = allocate(CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER);
  map_svm(from, CL_MAP_READ, BYTES);        /* both read */
  map_svm(to + COUNT, CL_MAP_WRITE, BYTES); /* the other half */
  map_svm(fine, CL_MAP_WRITE, BYTES);       /* which says nothing */
  launch_svm(to, from);
  launch_svm(fine, from);
  DO(clEnqueueSVMMemcpy(queue, CL_TRUE, to, fine, BYTES, 0, NULL, NULL));
  DO(clEnqueueSVMUnmap(queue, from, 0, NULL, NULL));
  DO(clEnqueueSVMUnmap(queue, to + COUNT, 0, NULL, NULL));
  launch_svm(from, to + COUNT);
  DO(clFinish(queue));
  map_svm(to, CL_MAP_WRITE, BYTES);
  clSVMFree(context, to); /* with what is mapped */
  to = allocate(CL_MEM_READ_WRITE);
  launch_svm(to, from);
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
    {"write_to_read_map", write_to_read_map},
    {"fill_in_part", fill_in_part},
    {"copies", copies},
    {"read_of_write_map", read_of_write_map},
    {"right_buffers", right_buffers},
    {"write_to_image", write_to_image},
    {"kernel_writes_to_image", kernel_writes_to_image},
    {"kernel_reads_image", kernel_reads_image},
    {"right_images", right_images},
    {"kernel_writes_to_svm", kernel_writes_to_svm},
    {"kernel_reads_svm", kernel_reads_svm},
    {"fill_of_svm", fill_of_svm},
    {"buffer_of_svm", buffer_of_svm},
    {"right_svm", right_svm},
};

int main(int count, char **arguments) {
  open_device();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (count < 2 || strcmp(cases[i].name, arguments[1]) != 0) continue;
    cases[i].run();
    DO(clFinish(queue));
    return 0;
  }
  return 2;
}
