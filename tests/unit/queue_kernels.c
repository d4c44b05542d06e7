/* Kernel enqueues: sizes, arguments, and the code that the specification names for each mistake. */
#include "cl_unit.h"

static const char source[] =
    "kernel void ids(global uint *out, uint add) {"
    "  size_t i = get_global_linear_id();"
    "  out[i] = (uint)(get_global_id(0) + 1000 * get_global_id(1) + 100000 * get_global_id(2)) + "
    "add;"
    "}"
    "kernel void locals(global uint *out, local uint *a, local uchar *b, uint n) {"
    "  local uint c[16];"
    "  size_t l = get_local_id(0);"
    "  a[l] = (uint)l; b[l] = (uchar)(l * 3); if (l < 16) c[l] = 7;"
    "  barrier(CLK_LOCAL_MEM_FENCE);"
    "  size_t r = get_local_size(0) - 1 - l;"
    "  out[get_global_id(0)] = a[r] * 1000 + b[r] + c[l & 15 & n];"
    "}"
    "kernel __attribute__((reqd_work_group_size(8, 2, 1))) void fixed_size(global uint *out) {"
    "  out[get_global_linear_id()] = (uint)get_local_size(0) * 10 + (uint)get_local_size(1);"
    "}"
    "kernel void divide(global int *out, global const int *a, global const int *b) {"
    "  size_t i = get_global_id(0);"
    "  out[i] = a[i] / b[i] + a[i] % b[i];"
    "  out[i + 64] = (int)((uint)a[i] / (uint)b[i] + (uint)a[i] % (uint)b[i]);"
    "  long2 q = (long2)(a[i], 7) / (long2)(b[i], b[i]);"
    "  out[i + 128] = (int)q.x;"
    "}"
    "kernel void sizes(global uint *out) { out[get_global_id(0)] = (uint)get_local_size(0); }";

static cl_program modern, uniform;
static cl_mem out;
enum { ROOM = 1 << 16 };
static cl_uint back[ROOM];

static cl_int run(cl_kernel kernel, cl_uint dims, const size_t *global, const size_t *local) {
  return clEnqueueNDRangeKernel(queue, kernel, dims, NULL, global, local, 0, NULL, NULL);
}

static void read_back(void) {
  OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL));
}

static void ranges(void) {
  const size_t globals[][3] = {{1, 1, 1}, {100, 1, 1}, {30, 20, 10}, {257, 3, 1}, {17, 19, 23}};
  const size_t locals[][3] = {{1, 1, 1}, {7, 1, 1}, {8, 8, 8}, {256, 1, 1}, {5, 4, 3}};
  const size_t offset[3] = {3, 2, 1};
  const cl_uint add = 11;
  cl_kernel kernel = new_kernel(modern, "ids");
  OK(clSetKernelArg(kernel, 0, sizeof out, &out));
  OK(clSetKernelArg(kernel, 1, sizeof add, &add));
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 6; j++) {
      const size_t *g = globals[i];
      OK(clEnqueueNDRangeKernel(queue, kernel, 3, offset, g, j < 5 ? locals[j] : NULL, 0, NULL,
                                NULL));
      read_back();
      for (size_t z = 0; z < g[2]; z++)
        for (size_t y = 0; y < g[1]; y++)
          for (size_t x = 0; x < g[0]; x++)
            CHECK(back[(z * g[1] + y) * g[0] + x] ==
                  x + 3 + 1000 * (y + 2) + 100000 * (z + 1) + add);
    }
  OK(clReleaseKernel(kernel));
}

static void local_arguments(void) {
  cl_kernel kernel = new_kernel(modern, "locals");
  const cl_uint n = 15;
  const size_t global = 640, local = 64;
  OK(clSetKernelArg(kernel, 0, sizeof out, &out));
  OK(clSetKernelArg(kernel, 1, local * 4, NULL));
  OK(clSetKernelArg(kernel, 2, local, NULL));
  EXPECT(CL_INVALID_KERNEL_ARGS, run(kernel, 1, &global, &local));
  OK(clSetKernelArg(kernel, 3, sizeof n, &n));
  OK(run(kernel, 1, &global, &local));
  read_back();
  for (size_t i = 0; i < global; i++) {
    size_t r = 63 - i % 64;
    CHECK(back[i] == r * 1000 + (r * 3 & 255) + 7);
  }
  cl_ulong most;
  OK(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof most, &most, NULL));
  if (clSetKernelArg(kernel, 1, most, NULL) == CL_SUCCESS)
    EXPECT(CL_OUT_OF_RESOURCES, run(kernel, 1, &global, &local));
  OK(clReleaseKernel(kernel));
}

static void required_size(void) {
  cl_kernel kernel = new_kernel(modern, "fixed_size");
  OK(clSetKernelArg(kernel, 0, sizeof out, &out));
  const size_t global[2] = {16, 4}, good[2] = {8, 2}, bad[2] = {4, 4}, odd[2] = {12, 4};
  OK(run(kernel, 2, global, good));
  OK(run(kernel, 2, global, NULL));
  read_back();
  for (int i = 0; i < 64; i++) CHECK(back[i] == 82);
  EXPECT(CL_INVALID_WORK_GROUP_SIZE, run(kernel, 2, global, bad));
  OK(run(kernel, 2, odd, good)); /* ragged groups are allowed here */
  EXPECT(CL_INVALID_WORK_GROUP_SIZE, run(kernel, 1, global, good));
  OK(clFinish(queue));
  OK(clReleaseKernel(kernel));
}

static void uneven_groups(void) {
  const size_t global = 100, local = 32;
  cl_kernel kernel = new_kernel(modern, "sizes"), strict = new_kernel(uniform, "sizes");
  OK(clSetKernelArg(kernel, 0, sizeof out, &out));
  OK(clSetKernelArg(strict, 0, sizeof out, &out));
  OK(run(kernel, 1, &global, &local));
  read_back();
  for (int i = 0; i < 100; i++) CHECK(back[i] == (i < 96 ? 32 : 4));
  EXPECT(CL_INVALID_WORK_GROUP_SIZE, run(strict, 1, &global, &local));
  OK(run(strict, 1, &global, NULL));
  read_back();
  for (int i = 1; i < 100; i++) CHECK(back[i] == back[0] && 100 % back[i] == 0);
  OK(clReleaseKernel(kernel));
  OK(clReleaseKernel(strict));
}

static void mistakes(void) {
  const size_t one[3] = {1, 1, 1}, zero[3] = {4, 0, 1}, huge[3] = {(size_t)1 << 40, 1, 1};
  const size_t too_many[3] = {(size_t)1 << 62, 8, 1}, all_offset[1] = {(size_t)-1};
  cl_kernel kernel = new_kernel(modern, "sizes");
  cl_command_queue foreign = new_queue(other_context, 0);
  EXPECT(CL_INVALID_KERNEL_ARGS, run(kernel, 1, one, one));
  OK(clSetKernelArg(kernel, 0, sizeof out, &out));
  EXPECT(CL_INVALID_COMMAND_QUEUE,
         clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, one, one, 0, NULL, NULL));
  EXPECT(CL_INVALID_KERNEL, clEnqueueNDRangeKernel(queue, NULL, 1, NULL, one, one, 0, NULL, NULL));
  EXPECT(CL_INVALID_CONTEXT, clEnqueueNDRangeKernel(foreign, kernel, 1, NULL, one, one, 0, 0, 0));
  EXPECT(CL_INVALID_WORK_DIMENSION, run(kernel, 0, one, one));
  EXPECT(CL_INVALID_WORK_DIMENSION, run(kernel, 4, one, one));
  EXPECT(CL_INVALID_WORK_GROUP_SIZE, run(kernel, 3, one, zero));
  EXPECT(CL_INVALID_WORK_ITEM_SIZE, run(kernel, 1, huge, huge));
  EXPECT(CL_INVALID_GLOBAL_WORK_SIZE, run(kernel, 2, too_many, NULL));
  EXPECT(CL_INVALID_GLOBAL_OFFSET,
         clEnqueueNDRangeKernel(queue, kernel, 1, all_offset, one, one, 0, NULL, NULL));
  OK(clEnqueueTask(queue, kernel, 0, NULL, NULL));
  /* nothing to do is no mistake (OpenCL 2.1) */
  cl_event event;
  OK(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, zero, NULL, 0, NULL, &event));
  OK(clWaitForEvents(1, &event));
  OK(clReleaseEvent(event));
  OK(run(kernel, 1, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseCommandQueue(foreign));
  OK(clReleaseKernel(kernel));
}

/* What an enqueued kernel uses stays, and its arguments are those of the time of the call. */
static void lifetimes(void) {
  cl_event gate = clCreateUserEvent(context, NULL), done[2];
  cl_kernel kernel = new_kernel(modern, "ids");
  cl_mem mem = new_buffer(context, CL_MEM_READ_WRITE, 64);
  const size_t global = 16;
  cl_uint add = 5, values[16];
  OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
  OK(clSetKernelArg(kernel, 1, sizeof add, &add));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 1, &gate, &done[0]));
  add = 500;
  OK(clSetKernelArg(kernel, 1, sizeof add, &add));
  OK(clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, 64, values, 1, &done[0], &done[1]));
  OK(clReleaseKernel(kernel));
  OK(clReleaseMemObject(mem));
  OK(clReleaseProgram(modern));
  OK(clFlush(queue));
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clWaitForEvents(2, done));
  for (cl_uint i = 0; i < 16; i++) CHECK(values[i] == i + 5);
  OK(clReleaseEvent(gate));
  OK(clReleaseEvent(done[0]));
  OK(clReleaseEvent(done[1]));
}

/* Division by zero, and of the smallest value by -1, does not trap; other quotients are right. */
static void divisions(void) {
  const int values[] = {0, 1, -1, 2, 7, -13, INT32_MAX, INT32_MIN};
  int a[64], b[64];
  for (int i = 0; i < 64; i++) a[i] = values[i / 8], b[i] = values[i % 8];
  cl_mem inputs[2] = {clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof a, a, NULL),
                      clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof b, b, NULL)};
  cl_kernel kernel = new_kernel(modern, "divide");
  const size_t global = 64;
  OK(clSetKernelArg(kernel, 0, sizeof out, &out));
  OK(clSetKernelArg(kernel, 1, sizeof *inputs, &inputs[0]));
  OK(clSetKernelArg(kernel, 2, sizeof *inputs, &inputs[1]));
  OK(run(kernel, 1, &global, NULL));
  read_back();
  for (int i = 0; i < 64; i++) {
    unsigned x = (unsigned)a[i], y = (unsigned)b[i];
    if (!y) continue;
    CHECK(back[i + 64] == x / y + x % y);
    if (b[i] == -1 && a[i] == INT32_MIN) continue;
    CHECK((int)back[i] == a[i] / b[i] + a[i] % b[i] && (int)back[i + 128] == a[i] / b[i]);
  }
  OK(clReleaseKernel(kernel));
  OK(clReleaseMemObject(inputs[0]));
  OK(clReleaseMemObject(inputs[1]));
}

struct native {
  cl_uint *data;
  int value;
};
static void CL_CALLBACK native_function(void *args) {
  struct native *native = args;
  for (int i = 0; i < 10; i++) native->data[i] = (cl_uint)native->value;
}

static void native_kernels(void) {
  struct native native = {NULL, 99};
  const void *place = &native.data, *outside = &native + 1;
  cl_device_exec_capabilities offered;
  OK(clGetDeviceInfo(device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof offered, &offered, NULL));
  if (!(offered & CL_EXEC_NATIVE_KERNEL)) {
    EXPECT(CL_INVALID_OPERATION, clEnqueueNativeKernel(queue, native_function, &native,
                                                       sizeof native, 1, &out, &place, 0, 0, 0));
    return;
  }
  OK(clEnqueueNativeKernel(queue, native_function, &native, sizeof native, 1, &out, &place, 0, 0,
                           0));
  native.value = 1;
  read_back();
  for (int i = 0; i < 10; i++) CHECK(back[i] == 99);
  EXPECT(CL_INVALID_VALUE,
         clEnqueueNativeKernel(queue, NULL, &native, sizeof native, 1, &out, &place, 0, 0, 0));
  EXPECT(CL_INVALID_VALUE,
         clEnqueueNativeKernel(queue, native_function, NULL, 8, 0, NULL, NULL, 0, 0, 0));
  EXPECT(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, native_function, &native, sizeof native, 1,
                                                 &out, &outside, 0, 0, 0));
  EXPECT(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, native_function, &native, sizeof native, 0,
                                                 &out, &place, 0, 0, 0));
}

static void times(void) {
  cl_kernel kernel = clCreateKernel(modern, "sizes", NULL);
  cl_command_queue timed = new_queue(context, CL_QUEUE_PROFILING_ENABLE);
  cl_event event;
  cl_ulong began, ended;
  OK(clSetKernelArg(kernel, 0, sizeof out, &out));
  for (int k = 0; k < 3; k++) {
    OK(clEnqueueNDRangeKernel(timed, kernel, 1, NULL, (size_t[]){4096}, NULL, 0, NULL, &event));
    OK(clFinish(timed));
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof began, &began, NULL));
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ended, &ended, NULL));
    CHECK(began < ended);
    OK(clReleaseEvent(event));
  }
  OK(clReleaseCommandQueue(timed));
  OK(clReleaseKernel(kernel));
}

int main(void) {
  set_up();
  modern = new_program(source, "-cl-std=CL3.0");
  uniform = new_program(source, "-cl-std=CL3.0 -cl-uniform-work-group-size");
  out = new_buffer(context, CL_MEM_READ_WRITE, sizeof back);
  ranges();
  local_arguments();
  required_size();
  uneven_groups();
  mistakes();
  divisions();
  native_kernels();
  times();
  lifetimes();
  OK(clReleaseProgram(uniform));
  OK(clReleaseMemObject(out));
  tear_down();
  return 0;
}
