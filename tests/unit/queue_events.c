/* Queues and events: queries, user events, callbacks, profiling, markers and barriers. */
#include <stdatomic.h>
#include <unistd.h>

#include "cl_unit.h"

#include <CL/cl_ext.h>

static cl_mem buffer;
static int value;

static cl_event write_value(cl_command_queue on, int *from, cl_uint count, const cl_event *waits) {
  cl_event event;
  OK(clEnqueueWriteBuffer(on, buffer, CL_FALSE, 0, sizeof *from, from, count, waits, &event));
  return event;
}

static cl_int status_of(cl_event event) {
  cl_int status;
  OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  return status;
}

/* cl_khr_priority_hints and cl_khr_throttle_hints: taken with other properties, said back, refused
 * where they are none; what such queues do is what others do. */
static void hints(void) {
  const cl_queue_properties good[] = {CL_QUEUE_PRIORITY_KHR,
                                      CL_QUEUE_PRIORITY_HIGH_KHR,
                                      CL_QUEUE_PROPERTIES,
                                      CL_QUEUE_PROFILING_ENABLE,
                                      CL_QUEUE_THROTTLE_KHR,
                                      CL_QUEUE_THROTTLE_LOW_KHR,
                                      0};
  const cl_queue_properties bad[][5] = {
      {CL_QUEUE_PRIORITY_KHR, 3, 0},
      {CL_QUEUE_PRIORITY_KHR, 0, 0},
      {CL_QUEUE_THROTTLE_KHR, 8, 0},
      {CL_QUEUE_PRIORITY_KHR, 1, CL_QUEUE_PRIORITY_KHR, 1, 0},
  };
  cl_queue_properties list[7];
  cl_int error, x = 1, y = 0;
  size_t size;
  cl_command_queue made = clCreateCommandQueueWithProperties(context, device, good, &error);
  OK(error);
  OK(clGetCommandQueueInfo(made, CL_QUEUE_PROPERTIES_ARRAY, sizeof list, list, &size));
  CHECK(size == sizeof list && !memcmp(list, good, size));
  cl_mem buffer = new_buffer(context, 0, 4);
  OK(clEnqueueFillBuffer(made, buffer, &x, 4, 0, 4, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(made, buffer, CL_TRUE, 0, 4, &y, 0, NULL, NULL));
  CHECK(y == 1);
  OK(clReleaseMemObject(buffer));
  OK(clReleaseCommandQueue(made));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    CHECK(!clCreateCommandQueueWithProperties(context, device, bad[i], &error));
    CHECK(error == CL_INVALID_VALUE);
  }
}

static void queues(void) {
  const cl_queue_properties unknown[] = {0x7777, 1, 0},
                            on_device[] = {
                                CL_QUEUE_PROPERTIES,
                                CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  const cl_queue_properties bits[] = {CL_QUEUE_PROPERTIES, 1 << 20, 0};
  cl_queue_properties list[3];
  cl_int error;
  size_t size;
  cl_uint number;
  CHECK(!clCreateCommandQueueWithProperties(context, device, unknown, &error));
  CHECK(error == CL_INVALID_VALUE);
  CHECK(!clCreateCommandQueueWithProperties(context, device, bits, &error));
  CHECK(error == CL_INVALID_VALUE);
  cl_device_device_enqueue_capabilities can;
  OK(clGetDeviceInfo(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof can, &can, NULL));
  cl_command_queue other = clCreateCommandQueueWithProperties(context, device, on_device, &error);
  CHECK(error == (can ? CL_SUCCESS : CL_INVALID_QUEUE_PROPERTIES));
  if (other) OK(clReleaseCommandQueue(other)); /* api/device_queue.c has more of these */
  CHECK(!clCreateCommandQueueWithProperties(NULL, device, NULL, &error));
  CHECK(error == CL_INVALID_CONTEXT);
  CHECK(!clCreateCommandQueueWithProperties(context, NULL, NULL, &error));
  CHECK(error == CL_INVALID_DEVICE);
  OK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof list, list, &size));
  CHECK(size == sizeof list && list[0] == CL_QUEUE_PROPERTIES && !list[2]);
  EXPECT(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, 4, &number, NULL));
  EXPECT(CL_INVALID_VALUE, clGetCommandQueueInfo(queue, 0x1234, 4, &number, NULL));
  EXPECT(CL_INVALID_COMMAND_QUEUE, clFlush(NULL));
  EXPECT(CL_INVALID_COMMAND_QUEUE, clFinish(NULL));
  OK(clRetainCommandQueue(queue));
  OK(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof number, &number, NULL));
  CHECK(number == 2);
  OK(clReleaseCommandQueue(queue));
}

static void user_events(void) {
  int first = 1;
  cl_event gate = clCreateUserEvent(context, NULL), write = write_value(queue, &first, 1, &gate);
  CHECK(status_of(gate) == CL_SUBMITTED && status_of(write) >= CL_SUBMITTED);
  EXPECT(CL_INVALID_VALUE, clSetUserEventStatus(gate, CL_RUNNING));
  EXPECT(CL_INVALID_EVENT, clSetUserEventStatus(write, CL_COMPLETE));
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT(CL_INVALID_OPERATION, clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clWaitForEvents(1, &write));
  CHECK(status_of(write) == CL_COMPLETE && status_of(gate) == CL_COMPLETE);
  OK(clReleaseEvent(gate));
  OK(clReleaseEvent(write));
}

static void failures(void) {
  int first = 41, second = 42;
  cl_event gate = clCreateUserEvent(context, NULL), write = write_value(queue, &first, 1, &gate);
  cl_event next = write_value(queue, &second, 1, &write);
  OK(clSetUserEventStatus(gate, -77));
  EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &next));
  CHECK(status_of(write) < 0 && status_of(next) < 0);
  EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
         clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &value, 1, &next, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
  CHECK(value != 41 && value != 42);
  OK(clReleaseEvent(gate));
  OK(clReleaseEvent(write));
  OK(clReleaseEvent(next));
  /* a user event that nobody can set any more */
  gate = clCreateUserEvent(context, NULL);
  write = write_value(queue, &first, 1, &gate);
  OK(clReleaseEvent(gate));
  EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &write));
  OK(clReleaseEvent(write));
}

static void waiting_mistakes(void) {
  cl_event here = clCreateUserEvent(context, NULL), there = clCreateUserEvent(other_context, NULL);
  cl_event mixed[] = {here, there}, none = NULL;
  EXPECT(CL_INVALID_VALUE, clWaitForEvents(0, NULL));
  EXPECT(CL_INVALID_VALUE, clWaitForEvents(1, NULL));
  EXPECT(CL_INVALID_EVENT, clWaitForEvents(1, &none));
  EXPECT(CL_INVALID_CONTEXT, clWaitForEvents(2, mixed));
  EXPECT(CL_INVALID_EVENT, clRetainEvent(NULL));
  EXPECT(CL_INVALID_EVENT, clReleaseEvent((cl_event)queue));
  CHECK(!clCreateUserEvent(NULL, NULL));
  OK(clReleaseEvent(here));
  OK(clReleaseEvent(there));
}

static atomic_int seen[4];
static void CL_CALLBACK see(cl_event event, cl_int status, void *data) {
  CHECK(status == *(cl_int *)data);
  atomic_fetch_add(&seen[status < 0 ? 3 : status], 1);
}

static void callbacks(void) {
  static cl_int when[] = {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED}, failed = -5;
  int first = 1;
  cl_event gate = clCreateUserEvent(context, NULL), write = write_value(queue, &first, 1, &gate);
  EXPECT(CL_INVALID_VALUE, clSetEventCallback(write, CL_COMPLETE, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, clSetEventCallback(write, CL_QUEUED, see, NULL));
  EXPECT(CL_INVALID_EVENT, clSetEventCallback(NULL, CL_COMPLETE, see, NULL));
  for (int i = 0; i < 3; i++) OK(clSetEventCallback(write, when[i], see, &when[i]));
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clWaitForEvents(1, &write));
  for (int i = 0; i < 3; i++) CHECK(seen[i] == 1);
  cl_event other = clCreateUserEvent(context, NULL);
  OK(clSetEventCallback(other, CL_COMPLETE, see, &failed));
  OK(clSetUserEventStatus(other, failed));
  CHECK(seen[3] == 1);
  OK(clReleaseEvent(other));
  OK(clReleaseEvent(gate));
  OK(clReleaseEvent(write));
}

static cl_ulong profiled(cl_event event, cl_profiling_info what) {
  cl_ulong time;
  OK(clGetEventProfilingInfo(event, what, sizeof time, &time, NULL));
  return time;
}

static void profiling(void) {
  int first = 1;
  cl_ulong time, now, host;
  cl_command_queue timed = new_queue(context, CL_QUEUE_PROFILING_ENABLE);
  cl_event gate = clCreateUserEvent(context, NULL), plain = write_value(queue, &first, 0, NULL);
  cl_event write = write_value(timed, &first, 1, &gate);
  EXPECT(CL_PROFILING_INFO_NOT_AVAILABLE,
         clGetEventProfilingInfo(write, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
  OK(clFinish(queue)); /* both write the same buffer */
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(timed));
  EXPECT(CL_PROFILING_INFO_NOT_AVAILABLE,
         clGetEventProfilingInfo(plain, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
  EXPECT(CL_PROFILING_INFO_NOT_AVAILABLE,
         clGetEventProfilingInfo(gate, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
  EXPECT(CL_INVALID_VALUE, clGetEventProfilingInfo(write, 0x1234, sizeof time, &time, NULL));
  cl_ulong queued = profiled(write, CL_PROFILING_COMMAND_QUEUED);
  cl_ulong submitted = profiled(write, CL_PROFILING_COMMAND_SUBMIT);
  cl_ulong started = profiled(write, CL_PROFILING_COMMAND_START);
  cl_ulong ended = profiled(write, CL_PROFILING_COMMAND_END);
  CHECK(queued && queued <= submitted && submitted <= started && started <= ended);
  CHECK(profiled(write, CL_PROFILING_COMMAND_COMPLETE) >= ended);
  OK(clGetDeviceAndHostTimer(device, &now, &host));
  CHECK(now >= ended); /* the one clock */
  OK(clReleaseEvent(gate));
  OK(clReleaseEvent(plain));
  OK(clReleaseEvent(write));
  OK(clReleaseCommandQueue(timed));
}

static void out_of_order(void) {
  cl_command_queue loose = new_queue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_event gate = clCreateUserEvent(context, NULL), marker, barrier, listed;
  int first = 1, second = 2, third = 3;
  cl_event blocked = write_value(loose, &first, 1, &gate);
  cl_event free_one = write_value(loose, &second, 0, NULL);
  OK(clWaitForEvents(1, &free_one));
  CHECK(status_of(blocked) > CL_COMPLETE);
  OK(clEnqueueMarkerWithWaitList(loose, 0, NULL, &marker));
  OK(clEnqueueMarkerWithWaitList(loose, 1, &free_one, &listed));
  OK(clWaitForEvents(1, &listed));
  OK(clEnqueueBarrierWithWaitList(loose, 0, NULL, &barrier));
  cl_event last = write_value(loose, &third, 0, NULL);
  OK(clFlush(loose));
  usleep(2000);
  CHECK(status_of(marker) > CL_COMPLETE && status_of(barrier) > CL_COMPLETE);
  CHECK(status_of(last) > CL_COMPLETE);
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(loose));
  OK(clEnqueueReadBuffer(loose, buffer, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
  CHECK(value == 3);
  OK(clEnqueueBarrier(loose));
  EXPECT(CL_INVALID_VALUE, clEnqueueMarker(loose, NULL));
  EXPECT(CL_INVALID_VALUE, clEnqueueWaitForEvents(loose, 0, NULL));
  EXPECT(CL_INVALID_EVENT, clEnqueueWaitForEvents(loose, 1, &(cl_event){NULL}));
  OK(clEnqueueWaitForEvents(loose, 1, &last));
  cl_event all[] = {gate, blocked, free_one, marker, listed, barrier, last};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) OK(clReleaseEvent(all[i]));
  OK(clReleaseCommandQueue(loose));
}

/* A released queue's commands still run (an implicit flush). */
static void released_queue(void) {
  int first = 77;
  cl_command_queue gone = new_queue(context, 0);
  cl_event write = write_value(gone, &first, 0, NULL);
  OK(clReleaseCommandQueue(gone));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &value, 1, &write, NULL));
  CHECK(value == 77);
  OK(clReleaseEvent(write));
}

int main(void) {
  set_up();
  buffer = new_buffer(context, CL_MEM_READ_WRITE, 64);
  queues();
  hints();
  user_events();
  failures();
  waiting_mistakes();
  callbacks();
  profiling();
  out_of_order();
  released_queue();
  OK(clReleaseMemObject(buffer));
  tear_down();
  return 0;
}
