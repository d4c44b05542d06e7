/* Functions of the application's that go on once a thread has waited for another command: native
 * kernels, callbacks of events, functions that free SVM.  If the thread that waits ran one of them
 * itself, both would wait for ever. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "cl_unit.h"

enum { MEET = 5 };

static atomic_int go, over;

static void wait_for_host(void) {
  while (!atomic_load(&go)) usleep(100);
  atomic_fetch_add(&over, 1);
}

static void CL_CALLBACK native(void *args) {
  wait_for_host();
}
static void CL_CALLBACK on_event(cl_event event, cl_int status, void *data) {
  wait_for_host();
}
static void CL_CALLBACK free_svm(cl_command_queue queue, cl_uint count, void **pointers,
                                 void *data) {
  wait_for_host();
  for (cl_uint i = 0; i < count; i++) clSVMFree(context, pointers[i]);
}

static cl_event add_native(cl_command_queue q, cl_uint num_waits, const cl_event *waits) {
  cl_event event;
  OK(clEnqueueNativeKernel(q, native, NULL, 0, 0, NULL, NULL, num_waits, waits, &event));
  return event;
}
static cl_event add_call(cl_command_queue q, cl_uint num_waits, const cl_event *waits) {
  cl_event event;
  OK(clEnqueueMarkerWithWaitList(q, num_waits, waits, &event));
  OK(clSetEventCallback(event, CL_COMPLETE, on_event, NULL));
  return event;
}
static cl_event add_early_call(cl_command_queue q, cl_uint num_waits, const cl_event *waits) {
  cl_event event;
  OK(clEnqueueMarkerWithWaitList(q, num_waits, waits, &event));
  OK(clSetEventCallback(event, CL_RUNNING, on_event, NULL));
  return event;
}
static cl_event add_free(cl_command_queue q, cl_uint num_waits, const cl_event *waits) {
  cl_event event;
  void *memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
  CHECK(memory);
  OK(clEnqueueSVMFree(q, 1, &memory, free_svm, NULL, num_waits, waits, &event));
  return event;
}

typedef cl_event add_function(cl_command_queue, cl_uint num_waits, const cl_event *waits);

/* The thread waits for a command that does not wait for what hangs on the thread. */
static void beside(add_function *add, int waits_for_gate) {
  int one = 1;
  cl_event gate = clCreateUserEvent(context, NULL), fill;
  cl_command_queue q = new_queue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_mem buffer = new_buffer(context, CL_MEM_READ_WRITE, 256);
  atomic_store(&go, 0);
  atomic_store(&over, 0);
  cl_event held = add(q, waits_for_gate, waits_for_gate ? &gate : NULL);
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clEnqueueFillBuffer(q, buffer, &one, sizeof one, 0, 256, 0, NULL, &fill));
  OK(clWaitForEvents(1, &fill));
  atomic_store(&go, 1);
  OK(clFinish(q));
  CHECK(atomic_load(&over) == 1);
  OK(clReleaseEvent(held));
  OK(clReleaseEvent(fill));
  OK(clReleaseEvent(gate));
  OK(clReleaseMemObject(buffer));
  OK(clReleaseCommandQueue(q));
}

/* The same with a callback of the command in front, of a queue in order. */
static void in_front(void) {
  int one = 1;
  cl_event first, second;
  cl_mem buffer = new_buffer(context, CL_MEM_READ_WRITE, 256);
  atomic_store(&go, 0);
  atomic_store(&over, 0);
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof one, 0, 256, 0, NULL, &first));
  OK(clSetEventCallback(first, CL_COMPLETE, on_event, NULL));
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof one, 0, 256, 0, NULL, &second));
  OK(clWaitForEvents(1, &second));
  atomic_store(&go, 1);
  OK(clFinish(queue)); /* and for the callback */
  CHECK(atomic_load(&over) == 1);
  OK(clReleaseEvent(first));
  OK(clReleaseEvent(second));
  OK(clReleaseMemObject(buffer));
}

/* Who waits for a command waits for its callbacks. */
static void of_its_own(void) {
  atomic_store(&go, 1);
  for (int i = 0; i < 50; i++) {
    atomic_store(&over, 0);
    cl_event event = add_call(queue, 0, NULL);
    OK(clWaitForEvents(1, &event));
    CHECK(atomic_load(&over) == 1);
    OK(clReleaseEvent(event));
  }
}

static pthread_barrier_t all;
static void CL_CALLBACK meet(void *args) {
  pthread_barrier_wait(&all);
}

/* More of them at once than the device has threads, which wait for each other. */
static void together(void) {
  cl_command_queue q = new_queue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  CHECK(!pthread_barrier_init(&all, NULL, MEET));
  for (int i = 0; i < MEET; i++)
    OK(clEnqueueNativeKernel(q, meet, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
  OK(clFinish(q));
  pthread_barrier_destroy(&all);
  OK(clReleaseCommandQueue(q));
}

/* A native kernel that waits for a command, and may not run one meanwhile that waits for it. */
static cl_command_queue inner;
static void CL_CALLBACK wait_inside(void *args) {
  cl_event held = add_native(inner, 0, NULL), marker;
  OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker));
  OK(clFlush(inner));
  OK(clWaitForEvents(1, &marker));
  atomic_store(&go, 1);
  OK(clWaitForEvents(1, &held));
  OK(clReleaseEvent(marker));
  OK(clReleaseEvent(held));
}

static void from_inside(void) {
  cl_command_queue q = new_queue(context, 0);
  inner = new_queue(context, 0);
  atomic_store(&go, 0);
  OK(clEnqueueNativeKernel(q, wait_inside, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
  OK(clFinish(q));
  OK(clReleaseCommandQueue(q));
  OK(clReleaseCommandQueue(inner));
}

static bool offers_native(void) {
  cl_device_exec_capabilities offered;
  OK(clGetDeviceInfo(device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof offered, &offered, NULL));
  return offered & CL_EXEC_NATIVE_KERNEL;
}
static bool offers_svm(void) {
  cl_device_svm_capabilities offered;
  OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof offered, &offered, NULL));
  return offered;
}

int main(void) {
  set_up();
  bool native = offers_native(), svm = offers_svm();
  for (int gate = 0; gate < 2; gate++) {
    beside(add_call, gate);
    beside(add_early_call, gate);
    if (native) beside(add_native, gate);
    if (svm) beside(add_free, gate);
  }
  in_front();
  of_its_own();
  if (native) together();
  if (native) from_inside();
  tear_down();
  return 0;
}
