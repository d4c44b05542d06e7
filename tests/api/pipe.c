/* Pipes: the calls with what they must refuse, and kernels that hand packets over. */
#include "api.h"

static const char source[] =
    "typedef struct { char c; int3 v; } odd;\n"
    "kernel void put(write_only pipe int p, global const int *in, global int *bad) {\n"
    "  if (write_pipe(p, &in[get_global_id(0)])) atomic_inc(bad);\n"
    "}\n"
    "kernel void get(read_only pipe int p, global int *out, global int *bad) {\n"
    "  int v = -1;\n"
    "  if (read_pipe(p, &v)) atomic_inc(bad);\n"
    "  out[get_global_id(0)] = v;\n"
    "}\n"
    /* Two packets each, in the order of the indices. */
    "kernel void put2(write_only pipe int p, global const int *in, global int *bad) {\n"
    "  size_t i = get_global_id(0);\n"
    "  reserve_id_t r = reserve_write_pipe(p, 2);\n"
    "  if (!is_valid_reserve_id(r)) { atomic_inc(bad); return; }\n"
    "  bool b = write_pipe(p, r, 1, &in[2 * i + 1]) | write_pipe(p, r, 0, &in[2 * i]);\n"
    "  commit_write_pipe(p, r);\n"
    "  if (b) atomic_inc(bad);\n"
    "}\n"
    "kernel void get2(read_only pipe int p, global int *out, global int *bad) {\n"
    "  size_t i = get_global_id(0);\n"
    "  reserve_id_t r = reserve_read_pipe(p, 2);\n"
    "  if (!is_valid_reserve_id(r)) { atomic_inc(bad); return; }\n"
    "  bool b = read_pipe(p, r, 1, &out[2 * i + 1]) | read_pipe(p, r, 0, &out[2 * i]);\n"
    "  commit_read_pipe(p, r);\n"
    "  if (b) atomic_inc(bad);\n"
    "}\n"
    "#define GROUPS(group, id, size)\\\n"
    "kernel void put_##group(write_only pipe int p, global const int *in, global int *bad) {\\\n"
    "  reserve_id_t r = group##_reserve_write_pipe(p, size);\\\n"
    "  if (is_valid_reserve_id(r)) {\\\n"
    "    if (write_pipe(p, r, id, &in[get_global_id(0)])) atomic_inc(bad);\\\n"
    "    group##_commit_write_pipe(p, r);\\\n"
    "  } else atomic_inc(bad);\\\n"
    "}\\\n"
    "kernel void get_##group(read_only pipe int p, global int *out, global int *bad) {\\\n"
    "  reserve_id_t r = group##_reserve_read_pipe(p, size);\\\n"
    "  if (is_valid_reserve_id(r)) {\\\n"
    "    if (read_pipe(p, r, id, &out[get_global_id(0)])) atomic_inc(bad);\\\n"
    "    group##_commit_read_pipe(p, r);\\\n"
    "  } else atomic_inc(bad);\\\n"
    "}\n"
    "GROUPS(work_group, get_local_id(0), get_local_size(0))\n"
    "GROUPS(sub_group, get_sub_group_local_id(), get_sub_group_size())\n"
    /* One work-item: what is open, full, empty, none at all. */
    "kernel void limits(write_only pipe int p, global int *out) {\n"
    "  int v = 7, n = 0;\n"
    "  out[n++] = get_pipe_max_packets(p); out[n++] = get_pipe_num_packets(p);\n"
    "  reserve_id_t a = reserve_write_pipe(p, 3), b = reserve_write_pipe(p, 1);\n"
    "  out[n++] = is_valid_reserve_id(a); out[n++] = is_valid_reserve_id(b);\n"
    "  out[n++] = is_valid_reserve_id(reserve_write_pipe(p, 1));\n"
    "  out[n++] = is_valid_reserve_id(CLK_NULL_RESERVE_ID);\n"
    "  out[n++] = write_pipe(p, &v) < 0;\n"
    "  v = 13; write_pipe(p, b, 0, &v); commit_write_pipe(p, b);\n"
    "  out[n++] = get_pipe_num_packets(p);\n"
    "  for (v = 10; v < 13; v++) write_pipe(p, a, v - 10, &v);\n"
    "  commit_write_pipe(p, a);\n"
    "  out[n++] = get_pipe_num_packets(p);\n"
    "}\n"
    "kernel void drain(read_only pipe int p, global int *out) {\n"
    "  int v, n = 0;\n"
    "  out[n++] = is_valid_reserve_id(reserve_read_pipe(p, 5));\n"
    "  out[n++] = is_valid_reserve_id(reserve_read_pipe(p, 0));\n"
    "  while (!read_pipe(p, &v)) out[n++] = v;\n"
    "  out[n++] = get_pipe_num_packets(p);\n"
    "}\n"
    "kernel void put_odd(pipe write_only odd p) {\n"
    "  odd o = {(char)get_global_id(0), (int3)((int)get_global_id(0), -1, 5)};\n"
    "  write_pipe(p, &o);\n"
    "}\n"
    "kernel void get_odd(pipe odd p, global int *out) {\n"
    "  odd o;\n"
    "  if (!read_pipe(p, &o)) out[get_global_id(0)] = o.v.x == o.c && o.v.y == -1 && o.v.z == 5;\n"
    "}\n"
    /* Waits for its partner on another queue. */
    "kernel void send(write_only pipe int p, int n) {\n"
    "  for (int i = 0; i < n; i++) while (write_pipe(p, &i)) ;\n"
    "}\n"
    "kernel void receive(read_only pipe int p, int n, global int *out) {\n"
    "  int v, bad = 0;\n"
    "  for (int i = 0; i < n; i++) { while (read_pipe(p, &v)) ; bad += v != i; }\n"
    "  *out = bad;\n"
    "}\n";

enum { ITEMS = 1024 };
static cl_program program;
static cl_mem in, out, bad;

static cl_mem pipe_of(cl_uint size, cl_uint count) {
  cl_int error;
  cl_mem made = clCreatePipe(context, 0, size, count, NULL, &error);
  CHECK(made && !error);
  return made;
}

static cl_kernel kernel_of(const char *name) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  if (!kernel) printf("no kernel %s\n", name), exit(1);
  return kernel;
}

static void check_create(void) {
  cl_uint number;
  size_t size = 99;
  EXPECT_NULL(CL_INVALID_CONTEXT, clCreatePipe(NULL, 0, 4, 4, NULL, &error));
  EXPECT_NULL(CL_INVALID_CONTEXT, clCreatePipe((cl_context)queue, 0, 4, 4, NULL, &error));
  EXPECT_NULL(CL_INVALID_VALUE, clCreatePipe(context, CL_MEM_READ_ONLY, 4, 4, NULL, &error));
  EXPECT_NULL(CL_INVALID_VALUE, clCreatePipe(context, CL_MEM_HOST_READ_ONLY, 4, 4, NULL, &error));
  EXPECT_NULL(CL_INVALID_VALUE, clCreatePipe(context, 0, 4, 4, (cl_pipe_properties[]){0}, &error));
  EXPECT_NULL(CL_INVALID_PIPE_SIZE, clCreatePipe(context, 0, 0, 4, NULL, &error));
  EXPECT_NULL(CL_INVALID_PIPE_SIZE, clCreatePipe(context, 0, 4, 0, NULL, &error));
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof number, &number, NULL));
  EXPECT_NULL(CL_INVALID_PIPE_SIZE, clCreatePipe(context, 0, number + 1, 1, NULL, &error));
  EXPECT_NULL(CL_MEM_OBJECT_ALLOCATION_FAILURE,
              clCreatePipe(context, 0, number, UINT32_MAX, NULL, &error));
  EXPECT(CL_SUCCESS, clReleaseMemObject(pipe_of(number, 1)));
  CHECK(!clCreatePipe(context, 0, 0, 4, NULL, NULL));

  cl_mem p = clCreatePipe(context, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, 12, 5, NULL, NULL);
  EXPECT(CL_SUCCESS, clGetPipeInfo(p, CL_PIPE_PACKET_SIZE, sizeof number, &number, &size));
  CHECK(number == 12 && size == 4);
  EXPECT(CL_SUCCESS, clGetPipeInfo(p, CL_PIPE_MAX_PACKETS, sizeof number, &number, NULL));
  CHECK(number == 5);
  EXPECT(CL_SUCCESS, clGetPipeInfo(p, CL_PIPE_PROPERTIES, 0, NULL, &size));
  CHECK(size == 0);
  EXPECT(CL_INVALID_VALUE, clGetPipeInfo(p, CL_PIPE_PACKET_SIZE, 3, &number, NULL));
  EXPECT(CL_INVALID_VALUE, clGetPipeInfo(p, CL_MEM_SIZE, sizeof number, &number, NULL));
  EXPECT(CL_INVALID_MEM_OBJECT, clGetPipeInfo(NULL, CL_PIPE_PACKET_SIZE, 0, NULL, NULL));
  EXPECT(CL_INVALID_MEM_OBJECT, clGetPipeInfo(in, CL_PIPE_PACKET_SIZE, 0, NULL, NULL));
  cl_mem_object_type type;
  cl_mem_flags flags;
  EXPECT(CL_SUCCESS, clGetMemObjectInfo(p, CL_MEM_TYPE, sizeof type, &type, NULL));
  CHECK(type == CL_MEM_OBJECT_PIPE);
  EXPECT(CL_SUCCESS, clGetMemObjectInfo(p, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
  CHECK(flags == (CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS));
  /* Nothing that the host does with memory works on it. */
  EXPECT(CL_INVALID_MEM_OBJECT,
         clEnqueueReadBuffer(queue, p, CL_TRUE, 0, 4, &number, 0, NULL, NULL));
  EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueFillBuffer(queue, p, &number, 4, 0, 4, 0, NULL, NULL));
  EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer(queue, p, in, 0, 0, 4, 0, NULL, NULL));
  EXPECT_NULL(CL_INVALID_MEM_OBJECT,
              clEnqueueMapBuffer(queue, p, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &error));
  EXPECT_NULL(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(p, 0, CL_BUFFER_CREATE_TYPE_REGION,
                                                       &(cl_buffer_region){0, 4}, &error));
  EXPECT(CL_SUCCESS, clRetainMemObject(p));
  EXPECT(CL_SUCCESS, clReleaseMemObject(p));
  EXPECT(CL_SUCCESS, clReleaseMemObject(p));
}

static void check_arguments(void) {
  cl_kernel kernel = kernel_of("put");
  cl_mem p = pipe_of(4, 4), none = NULL;
  cl_kernel_arg_type_qualifier qualifier;
  cl_kernel_arg_access_qualifier access;
  cl_kernel_arg_address_qualifier space;
  char type[16];
  EXPECT(CL_SUCCESS, clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier,
                                        &qualifier, NULL));
  CHECK(qualifier == CL_KERNEL_ARG_TYPE_PIPE);
  EXPECT(CL_SUCCESS, clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access,
                                        &access, NULL));
  CHECK(access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
  EXPECT(CL_SUCCESS, clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space,
                                        &space, NULL));
  CHECK(space == CL_KERNEL_ARG_ADDRESS_GLOBAL);
  EXPECT(CL_SUCCESS,
         clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL));
  CHECK(!strcmp(type, "int"));
  EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &p));
  EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof p, NULL));
  EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof p, &none));
  EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof p, &in));
  EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 1, sizeof p, &p));
  EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(kernel, 0, NULL));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof p, &p));
  clReleaseKernel(kernel);
  clReleaseMemObject(p);
}

static void run(const char *name, cl_mem p, cl_mem buffer, size_t items, size_t local) {
  cl_kernel kernel = kernel_of(name);
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof p, &p));
  if (buffer) EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof buffer, &buffer));
  cl_uint args;
  EXPECT(CL_SUCCESS, clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof args, &args, NULL));
  if (args > 2) EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 2, sizeof bad, &bad));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, local ? &local : NULL,
                                            0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(queue));
  clReleaseKernel(kernel);
}

static void read_out(int *to, size_t count) {
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, out, CL_TRUE, 0, count * 4, to, 0, NULL, NULL));
}

static int failures_counted(void) {
  int count;
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, bad, CL_TRUE, 0, 4, &count, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueFillBuffer(queue, bad, &(int){0}, 4, 0, 4, 0, NULL, NULL));
  return count;
}

/* What was written comes out, each once; with `pairs`, both of a pair, in their order. */
static void check_pair(const char *put, const char *get, size_t local, int packets, bool pairs) {
  static int got[2 * ITEMS], seen[2 * ITEMS];
  cl_mem p = pipe_of(4, 2 * ITEMS + 17); /* later rounds go over the end */
  for (int round = 0; round < 5; round++) {
    int count = packets * ITEMS, wrong = 0;
    EXPECT(CL_SUCCESS,
           clEnqueueFillBuffer(queue, out, &(int){-1}, 4, 0, sizeof got, 0, NULL, NULL));
    run(put, p, in, ITEMS, local);
    run(get, p, out, ITEMS, local);
    read_out(got, (size_t)count);
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < count; i++)
      if (got[i] < 0 || got[i] >= count || seen[got[i]]++) wrong++;
    for (int i = 0; pairs && i < count; i += 2) wrong += got[i] % 2 || got[i + 1] != got[i] + 1;
    int refused = failures_counted();
    if (wrong || refused) {
      printf("%s, %s, local size %zu: %d wrong, %d refused\n", put, get, local, wrong, refused);
      failures++;
    }
  }
  clReleaseMemObject(p);
}

static void check_limits(void) {
  static const int wanted[] = {4, 0, 1, 1, 0, 0, 1, 0, 4}, drained[] = {0, 0, 10, 11, 12, 13, 0};
  int got[16];
  cl_mem p = pipe_of(4, 4);
  for (int round = 0; round < 3; round++) {
    run("limits", p, out, 1, 1);
    read_out(got, 9);
    CHECK(!memcmp(got, wanted, sizeof wanted));
    run("drain", p, out, 1, 1);
    read_out(got, 7);
    CHECK(!memcmp(got, drained, sizeof drained));
  }
  clReleaseMemObject(p);
}

static void check_structures(void) {
  static int got[100];
  cl_mem p = pipe_of(32, 100);
  run("put_odd", p, NULL, 100, 0);
  run("get_odd", p, out, 100, 0);
  read_out(got, 100);
  for (int i = 0; i < 100; i++) CHECK(got[i] == 1);
  clReleaseMemObject(p);
}

static void start(cl_command_queue on, cl_kernel kernel, cl_int n) {
  const size_t one = 1;
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof n, &n));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(on, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFlush(on));
}

/* At once, through a pipe that is smaller than what goes through it: needs two threads.  A GPU's
 * driver may wait for all that runs when it loads a kernel, so these are run before, and the twin
 * of such a driver runs one kernel after another. */
static void check_both_at_once(void) {
  cl_uint units;
  cl_int error, got;
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
  if (units < 2 || getenv("MANIPLE_CHECK") || getenv("MANIPLE_CUDA_LIBRARY")) return;
  cl_mem p = pipe_of(4, 3);
  cl_command_queue other = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  cl_kernel send = kernel_of("send"), receive = kernel_of("receive");
  clSetKernelArg(send, 0, sizeof p, &p);
  clSetKernelArg(receive, 0, sizeof p, &p);
  clSetKernelArg(receive, 2, sizeof out, &out);
  for (int k = 0; k < 5; k++) {
    start(queue, receive, k < 4 ? 0 : 20000);
    if (k < 4) EXPECT(CL_SUCCESS, clFinish(queue));
    start(other, send, k < 4 ? 0 : 20000);
    EXPECT(CL_SUCCESS, clFinish(other));
    EXPECT(CL_SUCCESS, clFinish(queue));
  }
  read_out(&got, 1);
  CHECK(got == 0);
  clReleaseKernel(send);
  clReleaseKernel(receive);
  clReleaseCommandQueue(other);
  clReleaseMemObject(p);
}

static void check_kernels(const char *options) {
  static const size_t locals[] = {1, 16, 64, 128, 1024};
  program = build(source, options);
  check_limits();
  check_structures();
  for (size_t i = 0; i < sizeof locals / sizeof *locals; i++) {
    check_pair("put", "get", locals[i], 1, false);
    check_pair("put2", "get2", locals[i], 2, true);
    check_pair("put_work_group", "get_work_group", locals[i], 1, false);
    check_pair("put_sub_group", "get_sub_group", locals[i], 1, false);
  }
  check_both_at_once();
  clReleaseProgram(program);
}

/* Written on each device in turn, and read on the next. */
static void check_devices(void) {
  enum { MOST = 16 };
  static int numbers[ITEMS], seen[ITEMS];
  cl_device_id devices[MOST];
  cl_command_queue queues[MOST], own_queue = queue;
  cl_context own = context;
  cl_mem own_out = out, own_bad = bad;
  cl_uint count;
  EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST, devices, &count));
  context = clCreateContext(NULL, count, devices, NULL, NULL, NULL);
  for (cl_uint d = 0; d < count; d++)
    queues[d] = clCreateCommandQueueWithProperties(context, devices[d], NULL, NULL);
  program = build(source, "-cl-std=CL3.0");
  for (int i = 0; i < ITEMS; i++) numbers[i] = i;
  cl_mem p = pipe_of(4, ITEMS),
         from = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, NULL);
  out = clCreateBuffer(context, 0, sizeof numbers, NULL, NULL);
  bad = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, &(int){0}, NULL);
  for (cl_uint d = 0; d < 2 * count; d++) {
    queue = queues[d % count];
    run("put", p, from, ITEMS, 64);
    queue = queues[(d + 1) % count];
    run("get", p, out, ITEMS, 64);
    read_out(numbers, ITEMS);
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < ITEMS; i++)
      CHECK(numbers[i] >= 0 && numbers[i] < ITEMS && !seen[numbers[i]]++);
  }
  clReleaseMemObject(p);
  clReleaseMemObject(from);
  CHECK(!failures_counted());
  clReleaseMemObject(out);
  clReleaseMemObject(bad);
  clReleaseProgram(program);
  for (cl_uint d = 0; d < count; d++) clReleaseCommandQueue(queues[d]);
  clReleaseContext(context);
  context = own;
  queue = own_queue;
  out = own_out;
  bad = own_bad;
}

int main(void) {
  static int numbers[2 * ITEMS];
  cl_bool offered = CL_FALSE;
  open_device();
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_PIPE_SUPPORT, sizeof offered, &offered, NULL));
  if (!offered) {
    EXPECT_NULL(CL_INVALID_OPERATION, clCreatePipe(context, 0, 4, 4, NULL, &error));
    return finish();
  }
  for (int i = 0; i < 2 * ITEMS; i++) numbers[i] = i;
  in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, NULL);
  out = clCreateBuffer(context, 0, sizeof numbers, NULL, NULL);
  bad = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, &(int){0}, NULL);
  check_create();
  program = build(source, "-cl-std=CL3.0");
  check_arguments();
  clReleaseProgram(program);
  check_kernels("-cl-std=CL3.0");
  check_kernels("-cl-std=CL2.0 -cl-opt-disable");
  check_devices();
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseMemObject(bad);
  return finish();
}
