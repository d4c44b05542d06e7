/* What the programs of the random calls are, and what each round begins with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api_calls.h"

const char *const sources[NUM_SOURCES] = {
    "kernel void nothing(void) {}\n"
    "kernel void one(global uchar *p) { if (p && get_global_id(0) == 0) p[0] = 1; }\n"
    "typedef struct { int a[5]; } five;\n"
    "kernel void two(global uchar *p, local uchar *l, int n, five f) {\n"
    "  l[0] = (uchar)(n + f.a[0]); barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (p && get_global_id(0) == 0) p[0] = l[0]; }\n"
    "kernel void picture(read_only image2d_t i, sampler_t s, global uchar *p) {\n"
    "  if (p && get_global_id(0) == 0) p[0] = (uchar)get_image_width(i); }\n"
    "kernel void said(int n) { if (n == 12345) printf(\"%d\\n\", n); }\n",
    ("kernel void nothing(void) {}\n"
     "kernel void one(global uchar *p) { if (p) p[0] = (uchar)work_group_reduce_add(1); }\n"),
    "int outside(int); kernel void nothing(void) { outside(1); }\n",
    "int outside(int x) { return x + 1; }\n",
    "",
    /* OpenCL C 3.0: kernels that enqueue kernels, Intel's blocks of images. */
    "kernel void nothing(void) {}\n"
    "kernel void parent(global uchar *p, int n) {\n"
    "  queue_t q = get_default_queue(); clk_event_t first;\n"
    "  if (get_global_id(0)) return;\n"
    "  if (enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n & 15), 0, 0, &first,\n"
    "      ^{ if (p && get_global_id(0) == 0) p[1] = (uchar)n; })) return;\n"
    "  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4, 4), 1, &first, 0,\n"
    "      ^(local void *l) { *(local int *)l = n; if (p) p[2] = *(local uchar *)l; }, 64u);\n"
    "  release_event(first); }\n"
    "kernel void blocks(read_write image2d_t i, int2 at) {\n"
    "  uint2 v = intel_sub_group_block_read_ui2(i, at);\n"
    "  intel_sub_group_block_write_ui2(i, at, v + 1u); }\n",
    /* OpenCL C++: named barriers. */
    "#include <opencl_memory>\n#include <opencl_synchronization>\n#include <opencl_work_item>\n"
    "kernel void meet(int *p) {\n"
    "  cl::local<cl::work_group_named_barrier> all(cl::get_num_sub_groups());\n"
    "  all.wait(cl::mem_fence::global);\n"
    "  if (p && !cl::get_global_id(0)) p[0] = 1; }\n",
};
const char *const options[NUM_OPTIONS] = {
    NULL,
    "",
    "-cl-std=CL3.0",
    "-cl-kernel-arg-info",
    "-cl-opt-disable",
    "-D N=1 -w",
    "-no-such-option",
    "-create-library",
    "-D",
    "-cl-std=CL3.0 -cl-mad-enable \"",
    "-cl-std=c++",
};
const char *const names[NUM_NAMES] = {"nothing",        "one",    "two",    "picture",
                                      "no_such_kernel", "parent", "blocks", "meet"};

unsigned char host_memory[HOST_SIZE];
void *good_binary;
size_t good_binary_size;

static void must(cl_int error, const char *what) {
  if (!error) return;
  fprintf(stderr, "api_calls: %s: %d\n", what, error);
  abort();
}

static void save_binary(cl_program program) {
  must(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof good_binary_size,
                        &good_binary_size, NULL),
       "size of the binary");
  good_binary = malloc(good_binary_size);
  must(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof good_binary, &good_binary, NULL),
       "the binary");
}

static cl_mem add_buffer(uint64_t *random, cl_context context, size_t size) {
  cl_int error;
  cl_mem buffer = clCreateBuffer(context, 0, size, NULL, &error);
  must(error, "buffer");
  pool_add(random, BUFFERS, buffer);
  return buffer;
}

static cl_kernel add_kernel(uint64_t *random, cl_program program, const char *name) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  must(error, "kernel");
  pool_add(random, KERNELS, kernel);
  return kernel;
}

static cl_program add_program(uint64_t *random, cl_context context, int number, const char *with) {
  cl_int error;
  cl_program program =
      clCreateProgramWithSource(context, 1, (const char **)&sources[number], NULL, &error);
  must(error, "program");
  pool_add(random, PROGRAMS, program);
  must(clBuildProgram(program, 0, NULL, with, NULL, NULL), "build");
  return program;
}

/* Kernels whose arguments are set: random ones seldom come together. */
static void add_kernels(uint64_t *random, cl_context context, cl_mem buffer, cl_mem image) {
  const int number = 7, five[5] = {0};
  const cl_int2 at = {{0, 0}};
  cl_program program = add_program(random, context, 0, "");
  if (!good_binary) save_binary(program);
  add_kernel(random, program, "nothing");
  cl_kernel one = add_kernel(random, program, "one"), two = add_kernel(random, program, "two");
  must(clSetKernelArg(one, 0, sizeof buffer, &buffer), "argument");
  must(clSetKernelArg(two, 0, sizeof buffer, &buffer), "argument");
  must(clSetKernelArg(two, 1, 64, NULL), "argument");
  must(clSetKernelArg(two, 2, sizeof number, &number), "argument");
  must(clSetKernelArg(two, 3, sizeof five, five), "argument");
  add_kernel(random, program, "picture");
  program = add_program(random, context, OPENCL_C_3, "-cl-std=CL3.0");
  cl_kernel parent = add_kernel(random, program, "parent");
  must(clSetKernelArg(parent, 0, sizeof buffer, &buffer), "argument");
  must(clSetKernelArg(parent, 1, sizeof number, &number), "argument");
  cl_kernel blocks = add_kernel(random, program, "blocks");
  must(clSetKernelArg(blocks, 0, sizeof image, &image), "argument");
  must(clSetKernelArg(blocks, 1, sizeof at, &at), "argument");
  program = add_program(random, context, OPENCL_CPP, "-cl-std=c++");
  cl_kernel meet = add_kernel(random, program, "meet");
  must(clSetKernelArg(meet, 0, sizeof buffer, &buffer), "argument");
  pool_keep(BUFFERS, buffer);
  pool_keep(IMAGES, image);
}

static void add_command_buffers(uint64_t *random, cl_command_queue queue) {
  const cl_command_buffer_properties_khr flags[] = {
      CL_COMMAND_BUFFER_FLAGS_KHR,
      CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR, 0};
  for (int i = 0; i < 4; i++) {
    cl_int error = 1;
    uint64_t args[MOST_ARGS] = {1, (uintptr_t)&queue, i % 2 ? (uintptr_t)flags : 0,
                                (uintptr_t)&error};
    void *made = (void *)call_function(function_named("clCreateCommandBufferKHR"), args);
    must(error, "command-buffer");
    pool_add(random, COMMAND_BUFFERS, made);
  }
}

static void add_semaphore(uint64_t *random, cl_context context) {
  const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                0};
  cl_int error = 1;
  uint64_t args[MOST_ARGS] = {(uintptr_t)context, (uintptr_t)binary, (uintptr_t)&error};
  void *create = function_named("clCreateSemaphoreWithPropertiesKHR");
  void *made = (void *)call_function(create, args);
  must(error, "semaphore");
  pool_add(random, SEMAPHORES, made);
}

void round_begin(uint64_t *random) {
  cl_int error;
  const cl_queue_properties timed[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  const cl_queue_properties inner[] = {
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 4};
  must(clRetainDevice(the_device), "device");
  pool_add(random, DEVICES, the_device);
  cl_context context = clCreateContext(NULL, 1, &the_device, NULL, NULL, &error);
  must(error, "context");
  context_made(context);
  pool_add(random, CONTEXTS, context);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, the_device, NULL, &error);
  must(error, "queue");
  pool_add(random, QUEUES, queue);
  add_command_buffers(random, queue);
  for (int i = 0; i < 3; i++) add_semaphore(random, context);
  for (int i = 0; i < 3; i++) pool_add(random, USER_EVENTS, clCreateUserEvent(context, &error));
  pool_add(random, QUEUES, clCreateCommandQueueWithProperties(context, the_device, timed, &error));
  pool_add(random, QUEUES, clCreateCommandQueueWithProperties(context, the_device, inner, &error));
  must(error, "queue on the device");
  add_buffer(random, context, 4096);
  cl_mem buffer = add_buffer(random, context, 256);
  cl_mem image = clCreateImage(context, 0, &format, &desc, NULL, &error);
  must(error, "image");
  pool_add(random, IMAGES, image);
  pool_add(random, SAMPLERS, clCreateSamplerWithProperties(context, NULL, &error));
  add_kernels(random, context, buffer, image);
}
