/* Queues on the device: the calls with what they must refuse, and kernels that enqueue kernels. */
#include "api.h"

#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static const char source[] =
    "#define WAIT CLK_ENQUEUE_FLAGS_WAIT_KERNEL\n"
    "#define NO_WAIT CLK_ENQUEUE_FLAGS_NO_WAIT\n"
    /* Each work-item enqueues one, of its own size, that adds to what it finds. */
    "kernel void each(queue_t q, global int *out) {\n"
    "  int i = get_global_id(0);\n"
    "  out[i] = 0;\n"
    "  if (enqueue_kernel(q, i & 1 ? CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP : WAIT, ndrange_1D(i % 5 + "
    "1),\n"
    "                     ^{ atomic_add(&out[i], (int)get_global_id(0) + 1); }))\n"
    "    out[i] = -1000;\n"
    "}\n"
    "void nest(global int *out, int depth) {\n"
    "  int i = get_global_id(0);\n"
    "  out[i] += depth;\n"
    "  if (i == 0 && depth)\n"
    "    enqueue_kernel(get_default_queue(), WAIT, ndrange_1D(get_global_size(0), "
    "get_local_size(0)),\n"
    "                   ^{ nest(out, depth - 1); });\n"
    "}\n"
    "kernel void nested(global int *out, int depth) { nest(out, depth); }\n"
    /* Local memory, a barrier, collectives, ragged groups, an offset, three dimensions. */
    "kernel void locals(global int *out) {\n"
    "  const size_t offset[] = {1, 2, 3}, whole[] = {9, 4, 3}, group[] = {4, 3, 2};\n"
    "  ndrange_t range = ndrange_3D(offset, whole, group);\n"
    "  float4 v = (float4)(1, 2, 3, 4);\n"
    "  enqueue_kernel(get_default_queue(), WAIT, range, ^(local void *a, local void *b) {\n"
    "    local int *x = a; local float4 *y = b;\n"
    "    size_t i = get_local_linear_id();\n"
    "    x[i] = get_global_id(0) + 10 * get_global_id(1) + 100 * get_global_id(2);\n"
    "    y[i] = v;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    int sum = work_group_reduce_add(x[i]), n = get_local_size(0) * get_local_size(1) * "
    "get_local_size(2), own = 0;\n"
    "    for (int k = 0; k < n; k++) own += x[k];\n"
    "    size_t at = (get_global_id(0) - 1) + 9 * (get_global_id(1) - 2) + 36 * (get_global_id(2) "
    "- 3);\n"
    "    out[at] = own == sum && y[n - 1].w == 4 ? x[i] : -1;\n"
    "  }, 24 * (uint)sizeof(int), 24 * (uint)sizeof(float4));\n"
    "}\n"
    /* b waits for a, c for a marker of both; the user event holds all of them. */
    "kernel void events(global int *out) {\n"
    "  queue_t q = get_default_queue();\n"
    "  clk_event_t user = create_user_event(), a[2], marker, c;\n"
    "  ndrange_t one = ndrange_1D(1);\n"
    "  out[0] = 0;\n"
    "  int bad = enqueue_kernel(q, NO_WAIT, one, 1, &user, &a[0], ^{ out[0] = out[0] * 10 + 1; "
    "});\n"
    "  bad |= enqueue_kernel(q, NO_WAIT, one, 1, &a[0], &a[1], ^{ out[0] = out[0] * 10 + 2; });\n"
    "  bad |= enqueue_marker(q, 2, a, &marker);\n"
    "  bad |= enqueue_kernel(q, NO_WAIT, one, 1, &marker, &c, ^(local void *p) {\n"
    "    *(local int *)p = 3; out[0] = out[0] * 10 + *(local int *)p; }, 4u);\n"
    "  out[1] = bad;\n"
    "  out[2] = is_valid_event(user) && is_valid_event(c) && !is_valid_event(CLK_NULL_EVENT);\n"
    "  retain_event(a[0]); release_event(a[0]);\n"
    "  set_user_event_status(user, CL_COMPLETE);\n"
    "  release_event(user); release_event(a[0]); release_event(a[1]);\n"
    "  release_event(marker); release_event(c);\n"
    "}\n"
    "kernel void failing(global int *out) {\n"
    "  clk_event_t user = create_user_event(), after;\n"
    "  out[0] = 7;\n"
    "  enqueue_kernel(get_default_queue(), NO_WAIT, ndrange_1D(1), 1, &user, &after, ^{ out[0] = "
    "8; });\n"
    "  set_user_event_status(user, -5);\n"
    "  release_event(user); release_event(after);\n"
    "}\n"
    /* What has to fail, and leave nothing enqueued. */
    "kernel void refused(global int *out, queue_t small, int too_many) {\n"
    "  queue_t q = get_default_queue(), none = 0;\n"
    "  clk_event_t e = CLK_NULL_EVENT;\n"
    "  ndrange_t one = ndrange_1D(1), bad = one;\n"
    "  int n = 0;\n"
    "  out[n++] = enqueue_kernel(none, WAIT, one, ^{ out[9] = 1; });\n"
    "  out[n++] = enqueue_kernel(q, WAIT, ndrange_1D(too_many * 2, too_many), ^{ out[9] = 1; });\n"
    "  bad.workDimension = 4;\n"
    "  out[n++] = enqueue_kernel(q, WAIT, bad, ^{ out[9] = 1; });\n"
    "  out[n++] = enqueue_kernel(q, WAIT, one, 1, &e, NULL, ^{ out[9] = 1; });\n"
    "  out[n++] = enqueue_kernel(q, WAIT, one, ^(local void *p) { out[9] = 1; }, 0u);\n"
    "  out[n++] = enqueue_kernel(q, WAIT, one, ^(local void *p) { out[9] = 1; }, 0xfffffff0u);\n"
    "  out[n++] = enqueue_marker(q, 0, NULL, &e);\n"
    "  out[n++] = enqueue_marker(q, 1, &e, NULL);\n" /* nothing at all */
    "  int full = 0;\n"
    "  for (int i = 0; i < 100 && !full; i++) full = enqueue_kernel(small, WAIT, one, ^{ "
    "atomic_inc(&out[8]); }) ? i : 0;\n"
    "  out[n++] = -full; out[n++] = 0;\n"
    "}\n"
    "global ulong times[2];\n"
    "kernel void profile(global int *out) {\n"
    "  queue_t q = get_default_queue();\n"
    "  clk_event_t e;\n"
    "  enqueue_kernel(q, NO_WAIT, ndrange_1D(1000), 0, NULL, &e, ^{ out[get_global_id(0) % 10] = "
    "1; });\n"
    "  capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, times);\n"
    "  enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &e, NULL, ^{ out[0] = times[0] > 0 && times[1] "
    ">= times[0]; });\n"
    "  release_event(e);\n"
    "}\n"
    /* Of what is complete they are there at once. */
    "global ulong late_times[2];\n"
    "kernel void profile_late(global int *out) {\n"
    "  queue_t q = get_default_queue();\n"
    "  clk_event_t e;\n"
    "  enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 0, NULL, &e, ^{ out[1] = 1; });\n"
    "  enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &e, NULL, ^{\n"
    "    capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, late_times);\n"
    "    out[0] = late_times[0] > 0 && late_times[1] >= late_times[0];\n"
    "    release_event(e);\n"
    "  });\n"
    "}\n"
    /* The one that would set the second event does not run. */
    "kernel void failing_chain(global int *out) {\n"
    "  queue_t q = get_default_queue();\n"
    "  clk_event_t first = create_user_event(), second = create_user_event();\n"
    "  out[0] = 7;\n"
    "  enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &first, NULL,\n"
    "                 ^{ set_user_event_status(second, CL_COMPLETE); });\n"
    "  enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &second, NULL, ^{ out[0] = 8; });\n"
    "  set_user_event_status(first, -5);\n"
    "  release_event(first);\n"
    "}\n"
    "kernel void ask(global uint *out) {\n"
    "  void (^block)(void) = ^{ out[9] = sub_group_reduce_add(1); };\n"
    "  void (^with)(local void *) = ^(local void *p) { out[9] = 2; };\n"
    "  block();\n"
    "  out[0] = get_kernel_work_group_size(block); out[1] = get_kernel_work_group_size(with);\n"
    "  out[2] = get_kernel_preferred_work_group_size_multiple(block);\n"
    "  out[3] = get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(200, 50), with);\n"
    "  out[4] = get_kernel_sub_group_count_for_ndrange(ndrange_1D(200, 50), block);\n"
    "  queue_t q = get_default_queue(), none = 0;\n"
    "  out[5] = q == none;\n"
    "}\n"
    /* A user event that another command sets. */
    "kernel void wait_for_other(global int *out, global atomic_int *enqueued) {\n"
    "  clk_event_t e = create_user_event();\n"
    "  *(global clk_event_t *)(out + 2) = e;\n"
    "  enqueue_kernel(get_default_queue(), NO_WAIT, ndrange_1D(1), 1, &e, NULL, ^{ out[0] = 21; "
    "});\n"
    "  atomic_store_explicit(enqueued, 1, memory_order_release, memory_scope_all_svm_devices);\n"
    "}\n"
    "kernel void set_other(global int *out) {\n"
    "  clk_event_t e = *(global clk_event_t *)(out + 2);\n"
    "  set_user_event_status(e, CL_COMPLETE); release_event(e);\n"
    "}\n"
    "kernel void no_blocks(global int *out) { out[0] = 3; }\n"
    "kernel void child_prints(global int *out) {\n"
    "  enqueue_kernel(get_default_queue(), WAIT, ndrange_1D(1), ^{ printf(\"of a child %d\\n\", "
    "out[0] + 5); });\n"
    "}\n";

enum { ITEMS = 300 };
static cl_program program;
static cl_command_queue device_queue;
static cl_mem out;
static int got[4096];

static cl_command_queue make(cl_command_queue_properties flags, cl_uint size, cl_int *error) {
  const cl_queue_properties sized[] = {CL_QUEUE_PROPERTIES, flags, CL_QUEUE_SIZE, size, 0},
                            plain[] = {CL_QUEUE_PROPERTIES, flags, 0};
  return clCreateCommandQueueWithProperties(context, device, size ? sized : plain, error);
}

static const cl_command_queue_properties on_device =
    CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

static void check_refused_queues(cl_uint most) {
  EXPECT_NULL(CL_INVALID_VALUE, make(CL_QUEUE_ON_DEVICE, 0, &error));
  EXPECT_NULL(CL_INVALID_VALUE,
              make(CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0, &error));
  EXPECT_NULL(CL_INVALID_VALUE, make(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 1024, &error));
  EXPECT_NULL(CL_INVALID_VALUE, make(on_device | 1 << 20, 0, &error));
  EXPECT_NULL(CL_INVALID_QUEUE_PROPERTIES, make(on_device, most + 1, &error));
  EXPECT_NULL(CL_INVALID_VALUE, clCreateCommandQueue(context, device, on_device, &error));
  EXPECT_NULL(CL_INVALID_VALUE,
              clCreateCommandQueue(context, device, CL_QUEUE_ON_DEVICE_DEFAULT, &error));
  EXPECT_NULL(CL_INVALID_CONTEXT, clCreateCommandQueue(NULL, device, on_device, &error));
  EXPECT_NULL(CL_INVALID_DEVICE, clCreateCommandQueue(context, NULL, on_device, &error));
  const cl_queue_properties hints[] = {CL_QUEUE_PRIORITY_KHR, CL_QUEUE_THROTTLE_KHR};
  for (int i = 0; i < 2; i++)
    EXPECT_NULL(CL_INVALID_QUEUE_PROPERTIES,
                clCreateCommandQueueWithProperties(
                    context, device,
                    (cl_queue_properties[]){CL_QUEUE_PROPERTIES, on_device, hints[i], 2, 0},
                    &error));
  EXPECT_NULL(CL_INVALID_VALUE,
              clCreateCommandQueueWithProperties(
                  context, device,
                  (cl_queue_properties[]){CL_QUEUE_PROPERTIES, on_device, CL_QUEUE_SIZE, 4096,
                                          CL_QUEUE_SIZE, 4096, 0},
                  &error));
}

static void check_queues(void) {
  cl_uint most, size;
  cl_command_queue known = NULL;
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, sizeof most, &most, NULL));
  check_refused_queues(most);
  EXPECT(CL_SUCCESS,
         clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof known, &known, NULL));
  CHECK(!known);
  EXPECT(CL_INVALID_COMMAND_QUEUE,
         clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, sizeof size, &size, NULL));

  cl_int error;
  cl_command_queue first = make(on_device | CL_QUEUE_ON_DEVICE_DEFAULT, 0, &error);
  CHECK(first && !error);
  cl_command_queue again = make(on_device | CL_QUEUE_ON_DEVICE_DEFAULT, 4096, &error);
  CHECK(again == first && !error); /* there is one default queue */
  cl_command_queue other = make(on_device | CL_QUEUE_PROFILING_ENABLE, most, &error);
  CHECK(other && other != first && !error);
  EXPECT(CL_SUCCESS, clGetCommandQueueInfo(other, CL_QUEUE_SIZE, sizeof size, &size, NULL));
  CHECK(size == most);
  EXPECT(CL_SUCCESS,
         clGetCommandQueueInfo(other, CL_QUEUE_DEVICE_DEFAULT, sizeof known, &known, NULL));
  CHECK(known == first);
  EXPECT(CL_INVALID_CONTEXT, clSetDefaultDeviceCommandQueue(NULL, device, other));
  EXPECT(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(context, NULL, other));
  EXPECT(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(context, device, NULL));
  EXPECT(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(context, device, queue));
  EXPECT(CL_SUCCESS, clSetDefaultDeviceCommandQueue(context, device, other));
  EXPECT(CL_SUCCESS,
         clGetCommandQueueInfo(first, CL_QUEUE_DEVICE_DEFAULT, sizeof known, &known, NULL));
  CHECK(known == other);
  /* Nothing of the host's goes there. */
  EXPECT(CL_INVALID_COMMAND_QUEUE, clFlush(other));
  EXPECT(CL_INVALID_COMMAND_QUEUE, clFinish(other));
  EXPECT(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(other, 0, NULL, NULL));
  EXPECT(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrierWithWaitList(other, 0, NULL, NULL));
  EXPECT(CL_INVALID_COMMAND_QUEUE,
         clEnqueueReadBuffer(other, out, CL_TRUE, 0, 4, got, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(first));
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(again));
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(other));
  EXPECT(CL_SUCCESS,
         clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof known, &known, NULL));
  CHECK(!known);
}

static cl_kernel kernel_of(const char *name) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  if (!kernel) printf("no kernel %s\n", name), exit(1);
  return kernel;
}

/* Only what the program names is its kernels. */
static void check_program(void) {
  size_t count;
  char names[256];
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
  CHECK(count == 14);
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
  CHECK(!strstr(names, "block_invoke"));
  EXPECT_NULL(CL_INVALID_KERNEL_NAME,
              clCreateKernel(program, "__each_block_invoke_kernel", &error));
  cl_kernel kernel = kernel_of("each");
  cl_command_queue none = NULL;
  char type[16];
  EXPECT(CL_SUCCESS,
         clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL));
  CHECK(!strcmp(type, "queue_t"));
  EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &device_queue));
  EXPECT(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(kernel, 0, sizeof none, NULL));
  EXPECT(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(kernel, 0, sizeof none, &none));
  EXPECT(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(kernel, 0, sizeof queue, &queue));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof device_queue, &device_queue));
  clReleaseKernel(kernel);
}

/* Runs it and reads what it left; the command's status. */
static cl_int run(const char *name, size_t items, size_t local, int number) {
  cl_event event;
  cl_int status = CL_QUEUED;
  cl_kernel kernel = kernel_of(name);
  bool takes_queue = !strcmp(name, "each");
  if (takes_queue)
    EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof device_queue, &device_queue));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, takes_queue, sizeof out, &out));
  if (!strcmp(name, "nested"))
    EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof number, &number));
  EXPECT(CL_SUCCESS, clEnqueueFillBuffer(queue, out, &(int){0}, 4, 0, sizeof got, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, local ? &local : NULL,
                                            0, NULL, &event));
  clWaitForEvents(1, &event);
  EXPECT(CL_SUCCESS,
         clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  clReleaseEvent(event);
  clReleaseKernel(kernel);
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  return status;
}

static void check_refused(void) {
  size_t most;
  cl_int error;
  const size_t one = 1;
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL));
  int too_many = (int)most + 1;
  cl_command_queue small = make(on_device, 4096, &error);
  cl_kernel kernel = kernel_of("refused");
  for (int round = 0; round < 3; round++) { /* what was enqueued gives its room back */
    EXPECT(CL_SUCCESS, clEnqueueFillBuffer(queue, out, &(int){0}, 4, 0, sizeof got, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof out, &out));
    EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof small, &small));
    EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 2, sizeof too_many, &too_many));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i < 7; i++) CHECK(got[i] == -101);
    CHECK(got[7] == 0);
    CHECK(got[8] == 0); /* as many ran as were taken: -full, and one for each */
    CHECK(got[9] == 0);
  }
  clReleaseKernel(kernel);
  clReleaseCommandQueue(small);
}

/* A child waits for what another command sets; meanwhile the program gives its queue away. */
static void check_other_command(void) {
  cl_uint units;
  cl_int error;
  const size_t one = 1;
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
  if (units < 2) return;
  cl_command_queue second = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  cl_kernel first = kernel_of("wait_for_other"), then = kernel_of("set_other");
  cl_command_queue own = make(on_device | CL_QUEUE_ON_DEVICE_DEFAULT, 0, &error), known = NULL;
  cl_device_svm_capabilities svm = 0;
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
  bool atomics = svm & CL_DEVICE_SVM_ATOMICS;
  atomic_int *enqueued =
      clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER | (atomics ? CL_MEM_SVM_ATOMICS : 0),
                 sizeof *enqueued, 0);
  CHECK(own && enqueued);
  atomic_init(enqueued, 0);
  EXPECT(CL_SUCCESS, clEnqueueFillBuffer(queue, out, &(int){0}, 4, 0, sizeof got, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(queue));
  memset(got, 0, sizeof got);
  EXPECT(CL_SUCCESS, clSetKernelArg(first, 0, sizeof out, &out));
  EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(first, 1, enqueued));
  EXPECT(CL_SUCCESS, clSetKernelArg(then, 0, sizeof out, &out));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, first, 1, NULL, &one, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFlush(queue));
  while (atomics && !atomic_load(enqueued)) sched_yield();
  while (!atomics && !got[2] && !got[3]) /* else the event tells that it runs */
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(second, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(own));
  EXPECT(CL_SUCCESS,
         clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof known, &known, NULL));
  CHECK(known == own); /* the child has it */
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(second, then, 1, NULL, &one, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(second));
  EXPECT(CL_SUCCESS, clFinish(queue));
  EXPECT(CL_SUCCESS,
         clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof known, &known, NULL));
  CHECK(!known);
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  CHECK(got[0] == 21);
  clSVMFree(context, enqueued);
  clReleaseKernel(first);
  clReleaseKernel(then);
  clReleaseCommandQueue(second);
}

/* What only a child prints has left the process when the command is complete. */
static void check_print(void) {
  char text[32] = "";
  FILE *file = tmpfile();
  fflush(stdout);
  int own = dup(1);
  CHECK(file && own >= 0 && dup2(fileno(file), 1) == 1);
  EXPECT(CL_SUCCESS, run("child_prints", 1, 1, 0));
  ssize_t size = pread(fileno(file), text, sizeof text - 1, 0);
  CHECK(dup2(own, 1) == 1);
  CHECK(size > 0 && !strcmp(text, "of a child 5\n"));
  close(own);
  fclose(file);
}

static void check_kernels(const char *options) {
  cl_int error;
  static const size_t locals[] = {0, 1, 20, 100};
  program = build(source, options);
  /* Without a default queue nothing can be enqueued. */
  EXPECT(CL_SUCCESS, run("ask", 1, 1, 0));
  CHECK(got[5] == 1);
  device_queue = make(on_device | CL_QUEUE_ON_DEVICE_DEFAULT, 0, &error);
  CHECK(device_queue && !error);
  check_program();
  EXPECT(CL_SUCCESS, run("no_blocks", 1, 1, 0));
  CHECK(got[0] == 3);
  check_print();
  for (size_t l = 0; l < sizeof locals / sizeof *locals; l++) {
    EXPECT(CL_SUCCESS, run("each", ITEMS, locals[l], 0));
    for (int i = 0; i < ITEMS; i++) CHECK(got[i] == (i % 5 + 1) * (i % 5 + 2) / 2);
    EXPECT(CL_SUCCESS, run("nested", 100, locals[l], 12));
    for (int i = 0; i < 100; i++) CHECK(got[i] == 12 * 13 / 2);
  }
  EXPECT(CL_SUCCESS, run("locals", 1, 1, 0));
  for (int z = 0; z < 3; z++)
    for (int y = 0; y < 4; y++)
      for (int x = 0; x < 9; x++)
        CHECK(got[x + 9 * y + 36 * z] == x + 1 + 10 * (y + 2) + 100 * (z + 3));
  EXPECT(CL_SUCCESS, run("events", 1, 1, 0));
  CHECK(got[0] == 123 && got[1] == 0 && got[2] == 1);
  EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, run("failing", 1, 1, 0));
  CHECK(got[0] == 7);
  EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, run("failing_chain", 1, 1, 0));
  CHECK(got[0] == 7);
  check_refused();
  EXPECT(CL_SUCCESS, run("profile", 1, 1, 0));
  CHECK(got[0] == 1);
  EXPECT(CL_SUCCESS, run("profile_late", 1, 1, 0));
  CHECK(got[0] == 1 && got[1] == 1);
  EXPECT(CL_SUCCESS, run("ask", 1, 1, 0));
  size_t most;
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL));
  CHECK(got[0] == (int)most && got[1] == (int)most && got[2] > 0 && got[3] > 0 && got[9] == 1);
  CHECK(got[4] == (50 + got[3] - 1) / got[3] && got[5] == 0);
  clReleaseCommandQueue(device_queue);
  check_other_command();
  clReleaseProgram(program);
}

/* Two programs with static functions of one name, whose blocks are enqueued. */
static void check_linked(void) {
  cl_int error;
  cl_program parts[2];
  for (int i = 0; i < 2; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "static void set(global int *out) {\n"
             "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),\n"
             "                 ^{ out[%d] = %d; });\n"
             "}\n"
             "kernel void part%d(global int *out) { set(out); }\n",
             i, i + 5, i);
    parts[i] = source_program(text);
    EXPECT(CL_SUCCESS,
           clCompileProgram(parts[i], 1, &device, "-cl-std=CL2.0", 0, NULL, NULL, NULL, NULL));
  }
  program = clLinkProgram(context, 1, &device, NULL, 2, parts, NULL, NULL, &error);
  CHECK(!error);
  if (error) return;
  device_queue = make(on_device | CL_QUEUE_ON_DEVICE_DEFAULT, 0, &error);
  EXPECT(CL_SUCCESS, run("part0", 1, 1, 0));
  CHECK(got[0] == 5);
  EXPECT(CL_SUCCESS, run("part1", 1, 1, 0));
  CHECK(got[1] == 6);
  clReleaseCommandQueue(device_queue);
  clReleaseProgram(program);
  for (int i = 0; i < 2; i++) clReleaseProgram(parts[i]);
}

/* Only kernels that are made of blocks are kept apart, not those whose names look so. */
static void check_names(void) {
  cl_int error;
  cl_program parts[2];
  const char *text = "kernel void my_block_invoke(global int *out) { out[0] = 4; }\n";
  for (int i = 0; i < 2; i++) {
    parts[i] = source_program(text);
    EXPECT(CL_SUCCESS,
           clCompileProgram(parts[i], 1, &device, "-cl-std=CL2.0", 0, NULL, NULL, NULL, NULL));
  }
  cl_program both = clLinkProgram(context, 1, &device, NULL, 2, parts, NULL, NULL, &error);
  CHECK(error == CL_LINK_PROGRAM_FAILURE);
  if (both) clReleaseProgram(both);
  for (int i = 0; i < 2; i++) clReleaseProgram(parts[i]);
  program = build(text, "-cl-std=CL2.0");
  EXPECT(CL_SUCCESS, run("my_block_invoke", 1, 1, 0));
  CHECK(got[0] == 4);
  clReleaseProgram(program);
}

int main(void) {
  cl_device_device_enqueue_capabilities can = 0;
  open_device();
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof can, &can, NULL));
  if (!can) {
    EXPECT_NULL(CL_INVALID_QUEUE_PROPERTIES, make(on_device, 0, &error));
    EXPECT_NULL(CL_INVALID_QUEUE_PROPERTIES, make(on_device, 1024, &error));
    EXPECT(CL_INVALID_OPERATION, clSetDefaultDeviceCommandQueue(context, device, queue));
    return finish();
  }
  CHECK(can == (CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT));
  out = clCreateBuffer(context, 0, sizeof got, NULL, NULL);
  check_queues();
  check_kernels("-cl-std=CL3.0");
  check_kernels("-cl-std=CL2.0 -cl-opt-disable");
  check_linked();
  check_names();
  clReleaseMemObject(out);
  return finish();
}
