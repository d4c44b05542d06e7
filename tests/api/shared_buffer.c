/* Threads with a queue and a kernel each use one buffer: every launch counts once, and the buffer
 * goes when its handle and the last of their commands have gone, whoever was last. */
#include "api.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MOST = 70, LAUNCHES = 24, LATE = 3, APART = 32 };

static const char *const source =
    "kernel void add(global int *p, int at) { p[at + get_global_id(0)] += 1; }";
static cl_program program;
static cl_mem buffer;
static cl_event start;
static cl_command_queue queues[MOST];
static pthread_barrier_t together;
static atomic_int gone;

static void CL_CALLBACK note_gone(cl_mem mem, void *data) {
  atomic_fetch_add(&gone, 1);
}

static void check_count(cl_command_queue own, int at, int expected) {
  int value = -1;
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(own, buffer, CL_TRUE, sizeof value * (size_t)at,
                                         sizeof value, &value, 0, NULL, NULL));
  CHECK(value == expected);
}

/* Its part of the buffer, now; and once `start` allows it. */
static void *use(void *data) {
  const size_t items = 8;
  int n = (int)(intptr_t)data, at = n * APART, zeros[APART] = {0};
  cl_command_queue own = queues[n];
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, "add", &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof at, &at));
  EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(own, buffer, CL_FALSE, sizeof *zeros * (size_t)at,
                                          sizeof zeros, zeros, 0, NULL, NULL));
  for (int i = 0; i < LAUNCHES; i++) {
    cl_event event = NULL;
    pthread_barrier_wait(&together); /* in turn */
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(own, kernel, 1, NULL, &items, &items, 0, NULL,
                                              i % 3 ? NULL : &event));
    if (event) {
      EXPECT(CL_SUCCESS, clWaitForEvents(1, &event));
      EXPECT(CL_SUCCESS, clReleaseEvent(event));
    } else if (i % 3 == 1) {
      EXPECT(CL_SUCCESS, clFlush(own));
    }
  }
  check_count(own, at + 7, LAUNCHES);
  for (int i = 0; i < LATE; i++)
    EXPECT(CL_SUCCESS,
           clEnqueueNDRangeKernel(own, kernel, 1, NULL, &items, &items, 1, &start, NULL));
  EXPECT(CL_SUCCESS, clReleaseKernel(kernel));
  return NULL;
}

static void *end(void *data) {
  pthread_barrier_wait(&together);
  EXPECT(CL_SUCCESS, clFinish(queues[(intptr_t)data]));
  return NULL;
}

static void run_threads(int count, void *(*function)(void *)) {
  pthread_t threads[MOST];
  pthread_barrier_init(&together, NULL, (unsigned)count);
  for (intptr_t i = 0; i < count; i++) pthread_create(&threads[i], NULL, function, (void *)i);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&together);
}

static void share(int count) {
  cl_int error;
  cl_uint references = 0;
  atomic_store(&gone, 0);
  start = clCreateUserEvent(context, &error);
  buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, (size_t)count * APART * sizeof(cl_int), NULL,
                          &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, clSetMemObjectDestructorCallback(buffer, note_gone, NULL));
  for (int i = 0; i < count; i++)
    queues[i] = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  run_threads(count, use);

  /* The threads have ended, and none of what they enqueued last.  Where many threads count in the
   * buffer's one place, they wait for one another there. */
  EXPECT(CL_SUCCESS,
         clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof references, &references, NULL));
  CHECK(references == 1);
  EXPECT(CL_SUCCESS, clReleaseMemObject(buffer));
  CHECK(!atomic_load(&gone));
  EXPECT(CL_SUCCESS, clSetUserEventStatus(start, CL_COMPLETE));
  run_threads(count, end);
  CHECK(atomic_load(&gone) == 1);
  for (int i = 0; i < count; i++) EXPECT(CL_SUCCESS, clReleaseCommandQueue(queues[i]));
  EXPECT(CL_SUCCESS, clReleaseEvent(start));
}

int main(void) {
  open_device();
  program = build(source, "");
  for (int round = 0; round < 10; round++) share(6);
  share(MOST); /* more than have a place of their own */
  share(2);
  EXPECT(CL_SUCCESS, clReleaseProgram(program));
  return finish();
}
