/* Callbacks of events that wait for other commands, many at a time on several queues: by
 * clWaitForEvents, clFinish and a blocking read, and for what another callback does.  OpenCL leaves
 * open what becomes of such calls; here they return, but for one that waits for who waits for it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "cl_unit.h"

enum { QUEUES = 5, ROUNDS = 8, ITEMS = 256, SIZE = ITEMS * sizeof(cl_int) };

static atomic_int returned, wrong;

struct call {
  cl_command_queue queue; /* another one than that of the event */
  cl_event other;         /* of a command of that queue, which writes `value` */
  cl_mem buffer;
  cl_int value;
  enum { BY_EVENT, BY_FINISH, BY_READ, BY_COMMAND, WAYS } way;
};

static void read_all(cl_command_queue q, cl_mem buffer, cl_int value, cl_event written) {
  cl_int data[ITEMS];
  OK(clEnqueueReadBuffer(q, buffer, CL_TRUE, 0, SIZE, data, 1, &written, NULL));
  for (int i = 0; i < ITEMS; i++)
    if (data[i] != value) atomic_fetch_add(&wrong, 1);
}

static void CL_CALLBACK waits(cl_event event, cl_int status, void *data) {
  struct call *call = data;
  cl_int fresh = call->value + 1;
  cl_event filled;
  if (call->way == BY_EVENT) OK(clWaitForEvents(1, &call->other));
  if (call->way == BY_FINISH) OK(clFinish(call->queue));
  if (call->way == BY_COMMAND) { /* one that is new, behind what is there */
    OK(clEnqueueFillBuffer(call->queue, call->buffer, &fresh, sizeof fresh, 0, SIZE, 1,
                           &call->other, &filled));
    OK(clWaitForEvents(1, &filled));
    OK(clReleaseEvent(filled));
    call->value = fresh;
  }
  read_all(call->queue, call->buffer, call->value, call->other);
  atomic_fetch_add(&returned, 1);
}

static void add(struct call *call, cl_command_queue from, cl_event gate, int when) {
  cl_event event;
  OK(clEnqueueMarkerWithWaitList(from, 1, &gate, &event));
  OK(clSetEventCallback(event, when, waits, call));
  OK(clEnqueueFillBuffer(call->queue, call->buffer, &call->value, sizeof call->value, 0, SIZE, 1,
                         &gate, &call->other));
  OK(clReleaseEvent(event));
}

/* All begin at once by an event of the host's.  Each queue has callbacks that wait for the next. */
static void round_of(cl_command_queue *queues, int when) {
  struct call calls[QUEUES][ROUNDS];
  cl_event gate = clCreateUserEvent(context, NULL);
  atomic_store(&returned, 0);
  for (int i = 0; i < ROUNDS; i++) {
    for (int q = 0; q < QUEUES; q++) {
      struct call *call = &calls[q][i];
      *call = (struct call){.queue = queues[(q + 1 + i) % QUEUES],
                            .buffer = new_buffer(context, CL_MEM_READ_WRITE, SIZE),
                            .value = 100 * i + 2 * q,
                            .way = (i + q) % WAYS};
      add(call, queues[q], gate, when);
    }
  }
  for (int q = 0; q < QUEUES; q++) OK(clFlush(queues[q]));
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  while (atomic_load(&returned) < QUEUES * ROUNDS) usleep(100);
  CHECK(!atomic_load(&wrong));
  for (int i = 0; i < ROUNDS; i++) {
    for (int q = 0; q < QUEUES; q++) {
      OK(clReleaseEvent(calls[q][i].other));
      OK(clReleaseMemObject(calls[q][i].buffer));
    }
  }
  OK(clReleaseEvent(gate));
}

static void many(cl_command_queue_properties kind) {
  static const int whens[] = {CL_COMPLETE, CL_RUNNING};
  cl_command_queue queues[QUEUES];
  for (int q = 0; q < QUEUES; q++) queues[q] = new_queue(context, kind);
  for (int turn = 0; turn < 4; turn++) round_of(queues, whens[turn % 2]);
  for (int q = 0; q < QUEUES; q++) OK(clReleaseCommandQueue(queues[q]));
}

/* --- Callbacks of one queue that wait for the last of them --- */

static pthread_barrier_t all;
static void CL_CALLBACK meet(cl_event event, cl_int status, void *data) {
  pthread_barrier_wait(&all);
  atomic_fetch_add(&returned, 1);
}

static void together(cl_command_queue_properties kind) {
  cl_command_queue q = new_queue(context, kind);
  cl_mem buffer = new_buffer(context, CL_MEM_READ_WRITE, ROUNDS * SIZE);
  atomic_store(&returned, 0);
  CHECK(!pthread_barrier_init(&all, NULL, ROUNDS));
  for (cl_int i = 0; i < ROUNDS; i++) {
    cl_event event;
    OK(clEnqueueFillBuffer(q, buffer, &i, sizeof i, (size_t)i * SIZE, SIZE, 0, NULL, &event));
    OK(clSetEventCallback(event, CL_COMPLETE, meet, NULL));
    OK(clReleaseEvent(event));
  }
  OK(clFinish(q)); /* and for the callbacks */
  CHECK(atomic_load(&returned) == ROUNDS);
  pthread_barrier_destroy(&all);
  OK(clReleaseMemObject(buffer));
  OK(clReleaseCommandQueue(q));
}

/* --- One that waits for what the thread does which asks for the status --- */

static atomic_int go;
static void CL_CALLBACK wait_for_host(cl_event event, cl_int status, void *data) {
  while (!atomic_load(&go)) usleep(100);
  atomic_fetch_add(&returned, 1);
}

static void by_asking(cl_command_queue_properties kind) {
  cl_command_queue q = new_queue(context, kind);
  cl_mem buffer = new_buffer(context, CL_MEM_READ_WRITE, SIZE);
  cl_event event;
  cl_int one = 1, status = CL_QUEUED;
  atomic_store(&go, 0);
  atomic_store(&returned, 0);
  OK(clEnqueueFillBuffer(q, buffer, &one, sizeof one, 0, SIZE, 0, NULL, &event));
  OK(clSetEventCallback(event, CL_COMPLETE, wait_for_host, NULL));
  while (status > CL_COMPLETE)
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  OK(clSetEventCallback(event, CL_COMPLETE, wait_for_host, NULL)); /* at once, as it is over */
  atomic_store(&go, 1);
  OK(clFinish(q));
  while (atomic_load(&returned) < 2) usleep(100);
  OK(clReleaseEvent(event));
  OK(clReleaseMemObject(buffer));
  OK(clReleaseCommandQueue(q));
}

int main(void) {
  static const cl_command_queue_properties kinds[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};
  set_up();
  for (int k = 0; k < 2; k++) {
    many(kinds[k]);
    together(kinds[k]);
    by_asking(kinds[k]);
  }
  tear_down();
  return 0;
}
