/* Command-buffers: what is recorded is done each time, in order, on other queues too; errors. */
#include "command_buffers.h"

static const char *const source =
    "kernel void step(global int *x, int n) { size_t i = get_global_id(0); x[i] = x[i] * 2 + n; }";
enum { COUNT = 1000 };
static cl_kernel step;
static cl_mem x, y;

static void set(int n) {
  EXPECT(CL_SUCCESS, clSetKernelArg(step, 0, sizeof x, &x));
  EXPECT(CL_SUCCESS, clSetKernelArg(step, 1, sizeof n, &n));
}

/* x[i] = (1 * 2 + 3) * 2 + 5 beside a copy between the two. */
static cl_command_buffer_khr record(cl_command_queue on) {
  cl_int error, one = 1;
  size_t global = COUNT;
  cl_sync_point_khr points[4];
  cl_command_buffer_khr buffer = create(1, &on, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, fill(buffer, NULL, NULL, x, &one, 4, 0, 4 * COUNT, 0, NULL, points, NULL));
  set(3);
  EXPECT(CL_SUCCESS,
         launch(buffer, NULL, NULL, step, 1, NULL, &global, NULL, 1, points, points + 1, NULL));
  EXPECT(CL_SUCCESS,
         copy(buffer, NULL, NULL, x, y, 0, 0, 4 * COUNT, 1, points + 1, points + 2, NULL));
  EXPECT(CL_SUCCESS, barrier(buffer, NULL, NULL, 0, NULL, points + 3, NULL));
  set(5);
  EXPECT(CL_SUCCESS,
         launch(buffer, NULL, NULL, step, 1, NULL, &global, NULL, 1, points + 3, NULL, NULL));
  set(1000); /* not of what was recorded */
  EXPECT(CL_SUCCESS, finalize(buffer));
  return buffer;
}

static void check_values(cl_command_queue on) {
  static int first[COUNT], second[COUNT];
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(on, x, CL_TRUE, 0, sizeof first, first, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(on, y, CL_TRUE, 0, sizeof second, second, 0, NULL, NULL));
  for (int i = 0; i < COUNT; i++) CHECK(first[i] == 15 && second[i] == 5);
}

static void check_execution(void) {
  cl_int error, zero = 0;
  const cl_queue_properties properties[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, 0};
  cl_command_queue other = clCreateCommandQueueWithProperties(context, device, properties, &error);
  for (int way = 0; way < 2; way++) {
    cl_command_buffer_khr buffer = record(way ? other : queue);
    for (int round = 0; round < 3; round++) {
      cl_event filled, done;
      EXPECT(CL_SUCCESS, clEnqueueFillBuffer(other, x, &zero, 4, 0, 4 * COUNT, 0, NULL, &filled));
      EXPECT(CL_SUCCESS, enqueue(way, way ? &other : NULL, buffer, 1, &filled, &done));
      EXPECT(CL_SUCCESS, clWaitForEvents(1, &done));
      cl_command_type type;
      EXPECT(CL_SUCCESS, clGetEventInfo(done, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
      CHECK(type == CL_COMMAND_COMMAND_BUFFER_KHR);
      check_values(queue);
      clReleaseEvent(filled);
      clReleaseEvent(done);
    }
    /* It goes on without its handle. */
    cl_event user = clCreateUserEvent(context, &error);
    EXPECT(CL_SUCCESS, enqueue(0, NULL, buffer, 1, &user, NULL));
    EXPECT(CL_SUCCESS, release(buffer));
    EXPECT(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
    EXPECT(CL_SUCCESS, clFinish(way ? other : queue));
    check_values(queue);
    clReleaseEvent(user);
  }
  clReleaseCommandQueue(other);
}

/* A recorded kernel may enqueue others: each execution is with all of them. */
static void check_children(void) {
  static const char *const text = "kernel void parent(global int *x) {\n"
                                  "  int i = get_global_id(0);\n"
                                  "  x[i] = 100;\n"
                                  "  if (enqueue_kernel(get_default_queue(), "
                                  "CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(i + 1),\n"
                                  "                     ^{ atomic_inc(&x[i]); }))\n"
                                  "    x[i] = -1000;\n"
                                  "}\n";
  const cl_queue_properties on_device[] = {
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
  enum { PARENTS = 8 };
  size_t global = PARENTS;
  cl_int error, values[PARENTS];
  cl_device_command_buffer_capabilities_khr can = 0;
  cl_device_device_enqueue_capabilities enqueues = 0;
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, sizeof can,
                                     &can, NULL));
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof enqueues,
                                     &enqueues, NULL));
  CHECK(!enqueues == !(can & CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR));
  if (!enqueues) return;
  cl_command_queue children =
      clCreateCommandQueueWithProperties(context, device, on_device, &error);
  cl_program program = build(text, "-cl-std=CL3.0");
  cl_kernel parent = clCreateKernel(program, "parent", &error);
  cl_command_buffer_khr buffer = create(1, &queue, NULL, &error);
  EXPECT(CL_SUCCESS, clSetKernelArg(parent, 0, sizeof x, &x));
  for (int i = 0; i < 2; i++) /* the second begins when the first's children have ended */
    EXPECT(CL_SUCCESS,
           launch(buffer, NULL, NULL, parent, 1, NULL, &global, NULL, 0, NULL, NULL, NULL));
  EXPECT(CL_SUCCESS, copy(buffer, NULL, NULL, x, y, 0, 0, sizeof values, 0, NULL, NULL, NULL));
  EXPECT(CL_SUCCESS, finalize(buffer));
  for (int round = 0; round < 3; round++) {
    EXPECT(CL_SUCCESS, enqueue(0, NULL, buffer, 0, NULL, NULL));
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(queue, y, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    for (int i = 0; i < PARENTS; i++) CHECK(values[i] == 101 + i);
  }
  EXPECT(CL_SUCCESS, release(buffer));
  clReleaseKernel(parent);
  clReleaseProgram(program);
  clReleaseCommandQueue(children);
}

static void check_svm(void) {
  cl_int error, *a = clSVMAlloc(context, 0, 64, 0), *b = clSVMAlloc(context, 0, 64, 0);
  if (!a) return; /* not every device has it */
  cl_command_buffer_khr buffer = create(1, &queue, NULL, &error);
  EXPECT(CL_SUCCESS, svm_copy(buffer, NULL, NULL, b, a, 64, 0, NULL, NULL, NULL));
  EXPECT(CL_SUCCESS, finalize(buffer));
  for (int i = 0; i < 16; i++) a[i] = i * i, b[i] = 0;
  EXPECT(CL_SUCCESS, enqueue(0, NULL, buffer, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(queue));
  CHECK(!memcmp(a, b, 64) && b[15] == 225);
  EXPECT(CL_SUCCESS, release(buffer));
  clSVMFree(context, a);
  clSVMFree(context, b);
}

static void check_wrong_handles(void) {
  cl_int error;
  cl_command_queue two[2] = {queue, queue}, wrong_queue = WRONG(cl_command_queue);
  cl_command_buffer_khr wrong = WRONG(cl_command_buffer_khr);
  const cl_command_buffer_properties_khr unknown[] = {1, 1, 0},
                                         bits[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 1 << 20, 0};
  CHECK(!create(0, NULL, NULL, &error) && error == CL_INVALID_VALUE);
  CHECK(!create(2, two, NULL, &error) && error == CL_INVALID_VALUE);
  CHECK(!create(1, &wrong_queue, NULL, &error) && error == CL_INVALID_COMMAND_QUEUE);
  CHECK(!create(1, &queue, unknown, &error) && error == CL_INVALID_VALUE);
  CHECK(!create(1, &queue, bits, &error) && error == CL_INVALID_VALUE);
  EXPECT(CL_INVALID_COMMAND_BUFFER_KHR, finalize(NULL));
  EXPECT(CL_INVALID_COMMAND_BUFFER_KHR, retain(wrong));
  EXPECT(CL_INVALID_COMMAND_BUFFER_KHR, release(wrong));
  EXPECT(CL_INVALID_COMMAND_BUFFER_KHR, enqueue(0, NULL, NULL, 0, NULL, NULL));
  EXPECT(CL_INVALID_COMMAND_BUFFER_KHR, barrier(wrong, NULL, NULL, 0, NULL, NULL, NULL));
}

static void check_recording(cl_command_buffer_khr buffer) {
  const cl_int one = 1;
  const size_t global = COUNT;
  cl_sync_point_khr point = 1;
  EXPECT(CL_INVALID_OPERATION, enqueue(0, NULL, buffer, 0, NULL, NULL)); /* not finalized */
  EXPECT(CL_INVALID_COMMAND_QUEUE, barrier(buffer, queue, NULL, 0, NULL, NULL, NULL));
  EXPECT(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, barrier(buffer, NULL, NULL, 1, NULL, NULL, NULL));
  EXPECT(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, barrier(buffer, NULL, NULL, 0, &point, NULL, NULL));
  EXPECT(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, barrier(buffer, NULL, NULL, 1, &point, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, fill(buffer, NULL, NULL, x, &one, 3, 0, 4, 0, NULL, NULL, NULL));
  EXPECT(CL_INVALID_VALUE,
         fill(buffer, NULL, NULL, x, &one, 4, SIZE_MAX - 3, 4, 0, NULL, NULL, NULL));
  EXPECT(CL_INVALID_MEM_OBJECT, copy(buffer, NULL, NULL, x, NULL, 0, 0, 4, 0, NULL, NULL, NULL));
  EXPECT(CL_MEM_COPY_OVERLAP, copy(buffer, NULL, NULL, x, x, 0, 2, 4, 0, NULL, NULL, NULL));
  EXPECT(CL_INVALID_KERNEL,
         launch(buffer, NULL, NULL, NULL, 1, NULL, &global, NULL, 0, NULL, NULL, NULL));
  EXPECT(CL_INVALID_WORK_DIMENSION,
         launch(buffer, NULL, NULL, step, 4, NULL, &global, NULL, 0, NULL, NULL, NULL));
}

static void check_info(cl_command_buffer_khr buffer) {
  cl_uint number;
  EXPECT(CL_SUCCESS, info(buffer, CL_COMMAND_BUFFER_STATE_KHR, sizeof number, &number, NULL));
  CHECK(number == CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
  EXPECT(CL_INVALID_VALUE, info(buffer, CL_COMMAND_BUFFER_STATE_KHR, 1, &number, NULL));
  EXPECT(CL_INVALID_VALUE, info(buffer, 1, sizeof number, &number, NULL));
}

static void check_finalized(cl_command_buffer_khr buffer) {
  cl_command_queue two[2] = {queue, queue}, wrong_queue = WRONG(cl_command_queue);
  cl_uint number;
  EXPECT(CL_SUCCESS, finalize(buffer));
  EXPECT(CL_INVALID_OPERATION, finalize(buffer));
  EXPECT(CL_INVALID_OPERATION, barrier(buffer, NULL, NULL, 0, NULL, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, enqueue(1, NULL, buffer, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, enqueue(0, two, buffer, 0, NULL, NULL));
  EXPECT(CL_INVALID_COMMAND_QUEUE, enqueue(1, &wrong_queue, buffer, 0, NULL, NULL));
  EXPECT(CL_INVALID_EVENT_WAIT_LIST, enqueue(0, NULL, buffer, 1, NULL, NULL));
  EXPECT(CL_SUCCESS, enqueue(0, NULL, buffer, 0, NULL, NULL)); /* of nothing */
  EXPECT(CL_SUCCESS, clFinish(queue));
  EXPECT(CL_SUCCESS, retain(buffer));
  EXPECT(CL_SUCCESS, info(buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, 4, &number, NULL));
  CHECK(number == 2);
  EXPECT(CL_SUCCESS, release(buffer));
}

static void check_errors(void) {
  cl_int error;
  cl_command_buffer_khr buffer = create(1, &queue, NULL, &error);
  check_wrong_handles();
  check_recording(buffer);
  check_info(buffer);
  check_finalized(buffer);
  EXPECT(CL_SUCCESS, release(buffer));
}

int main(void) {
  cl_int error;
  open_command_buffers();
  cl_program program = build(source, "-cl-std=CL3.0");
  step = clCreateKernel(program, "step", &error);
  x = clCreateBuffer(context, 0, 4 * COUNT, NULL, &error);
  y = clCreateBuffer(context, 0, 4 * COUNT, NULL, &error);
  check_execution();
  check_children();
  check_svm();
  check_errors();
  clReleaseMemObject(x);
  clReleaseMemObject(y);
  clReleaseKernel(step);
  clReleaseProgram(program);
  return finish();
}
