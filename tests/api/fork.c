/* fork(): the child of a process with commands running gets errors and no hang, its own objects
 * work, and the parent does not notice.  The child of a quiet one may use all that it has. */
#include "api.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 1 << 12, LIMIT = 300 /* seconds of a child, on a busy machine */ };

static const char *const source = "kernel void count(global int *x) {\n"
                                  "  int i = get_global_id(0);\n"
                                  "  for (int k = 0; k < TURNS; k++) x[i] += (x[i] ^ k) & 3;\n"
                                  "  x[i] = i + NUMBER;\n"
                                  "}\n";

static cl_program program_of(int number, bool is_built) {
  char options[64];
  snprintf(options, sizeof options, "-DTURNS=100 -DNUMBER=%d", number);
  return is_built ? build(source, options) : source_program(source);
}

static cl_kernel kernel_of(cl_program program) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, "count", &error);
  EXPECT(CL_SUCCESS, error);
  return kernel;
}

static cl_mem new_buffer(cl_context in) {
  cl_int error;
  static cl_int zeros[ITEMS];
  cl_mem buffer = clCreateBuffer(in, CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros, &error);
  EXPECT(CL_SUCCESS, error);
  return buffer;
}

static cl_int run(cl_command_queue on, cl_kernel kernel, cl_mem buffer, cl_event *event) {
  size_t items = ITEMS;
  cl_int error = clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  return error ? error : clEnqueueNDRangeKernel(on, kernel, 1, NULL, &items, NULL, 0, NULL, event);
}

static void check_run(cl_command_queue on, cl_kernel kernel, cl_mem buffer, int number) {
  cl_int values[ITEMS];
  EXPECT(CL_SUCCESS, run(on, kernel, buffer, NULL));
  EXPECT(CL_SUCCESS, clFinish(on)); /* a queue may be out of order */
  EXPECT(CL_SUCCESS,
         clEnqueueReadBuffer(on, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
  for (int i = 0; i < ITEMS; i++)
    if (values[i] != i + number) {
      CHECK(values[i] == i + number);
      break;
    }
}

/* A context, a queue and a program of the child's own. */
static void use_own_objects(void) {
  cl_int error;
  cl_context inherited = context;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  cl_command_queue own = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  cl_program program = program_of(1, true);
  cl_kernel kernel = kernel_of(program);
  cl_mem buffer = new_buffer(context);
  check_run(own, kernel, buffer, 1);
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(own);
  clReleaseContext(context);
  context = inherited;
}

/* Ends well within the limit; the child leaves by exit(). */
static void in_child(void (*function)(void)) {
  int status = 0;
  fflush(NULL);
  pid_t child = fork();
  CHECK(child >= 0);
  if (!child) {
    failures = 0;
    alarm(LIMIT);
    function();
    exit(failures != 0);
  }
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(!WIFSIGNALED(status) || WTERMSIG(status) != SIGALRM); /* it hung */
  CHECK(status == 0);
}

/* --- A command that runs, others that wait --- */

static struct {
  cl_program program;
  cl_kernel kernel;
  cl_mem buffer;
  cl_event running, waiting, user;
  atomic_int called;
} held;

static int gate[2];

static void CL_CALLBACK wait_for_gate(void *unused) {
  char byte;
  CHECK(read(gate[0], &byte, 1) == 1);
}

static void CL_CALLBACK note_call(cl_event event, cl_int status, void *data) {
  atomic_fetch_add(&held.called, status < 0 ? 1 : 100);
}

static void expect_lost_queue(void) {
  cl_int value = 0, error;
  size_t one = 1;
  EXPECT(CL_OUT_OF_RESOURCES, run(queue, held.kernel, held.buffer, NULL));
  EXPECT(CL_OUT_OF_RESOURCES,
         clEnqueueReadBuffer(queue, held.buffer, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
  EXPECT(CL_OUT_OF_RESOURCES, clEnqueueMarkerWithWaitList(queue, 1, &held.user, NULL));
  EXPECT(CL_OUT_OF_RESOURCES, clEnqueueFillBuffer(queue, held.buffer, &value, sizeof value, 0,
                                                  one * sizeof value, 0, NULL, NULL));
  CHECK(!clEnqueueMapBuffer(queue, held.buffer, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &error));
  EXPECT(CL_OUT_OF_RESOURCES, error);
  EXPECT(CL_OUT_OF_RESOURCES, clFlush(queue));
  EXPECT(CL_OUT_OF_RESOURCES, clFinish(queue));
}

static void expect_lost_event(cl_event event) {
  cl_int status = 1;
  atomic_store(&held.called, 0);
  EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  EXPECT(CL_SUCCESS,
         clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  EXPECT(CL_OUT_OF_RESOURCES, status);
  EXPECT(CL_SUCCESS, clSetEventCallback(event, CL_COMPLETE, note_call, NULL));
  CHECK(atomic_load(&held.called) == 1);
}

/* What waits for an inherited event fails, on a queue that is the child's own. */
static void wait_on_new_queue(void) {
  cl_int error;
  cl_event event;
  cl_command_queue own = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(own, 1, &held.waiting, &event));
  EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  EXPECT(CL_SUCCESS, clFinish(own));
  check_run(own, held.kernel, held.buffer, 2);
  clReleaseEvent(event);
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(own));
}

static void use_held(void) {
  expect_lost_queue();
  expect_lost_event(held.running);
  expect_lost_event(held.waiting);
  expect_lost_event(held.user);
  EXPECT(CL_INVALID_OPERATION, clSetUserEventStatus(held.user, CL_COMPLETE));
  wait_on_new_queue();
  use_own_objects();
  clReleaseEvent(held.running);
  clReleaseEvent(held.waiting);
  clReleaseEvent(held.user);
  clReleaseKernel(held.kernel);
  clReleaseProgram(held.program);
  clReleaseMemObject(held.buffer);
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(queue));
  EXPECT(CL_SUCCESS, clReleaseContext(context));
}

static void leave(void) {}

static void hold_commands(cl_command_queue_properties flags) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, flags, 0};
  cl_int error;
  cl_command_queue usual = queue;
  queue = clCreateCommandQueueWithProperties(context, device, list, &error);
  EXPECT(CL_SUCCESS, error);
  CHECK(!pipe(gate));
  held.program = program_of(2, true);
  held.kernel = kernel_of(held.program);
  held.buffer = new_buffer(context);
  held.user = clCreateUserEvent(context, &error);
  EXPECT(CL_SUCCESS, clEnqueueNativeKernel(queue, wait_for_gate, NULL, 0, 0, NULL, NULL, 0, NULL,
                                           &held.running));
  EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(queue, 1, &held.user, &held.waiting));
  EXPECT(CL_SUCCESS, run(queue, held.kernel, held.buffer, NULL));
  EXPECT(CL_SUCCESS, clFlush(queue));
  in_child(use_held);
  in_child(leave);
  CHECK(write(gate[1], "x", 1) == 1);
  EXPECT(CL_SUCCESS, clSetUserEventStatus(held.user, CL_COMPLETE));
  EXPECT(CL_SUCCESS, clFinish(queue));
  check_run(queue, held.kernel, held.buffer, 2);
  clReleaseEvent(held.running);
  clReleaseEvent(held.waiting);
  clReleaseEvent(held.user);
  clReleaseKernel(held.kernel);
  clReleaseProgram(held.program);
  clReleaseMemObject(held.buffer);
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(queue));
  queue = usual;
  close(gate[0]);
  close(gate[1]);
}

/* --- Nothing runs --- */

static void use_quiet(void) {
  EXPECT(CL_SUCCESS, clFinish(queue));
  check_run(queue, held.kernel, held.buffer, 3);
  use_own_objects();
}

static void leave_quiet(void) {
  held.program = program_of(3, true);
  held.kernel = kernel_of(held.program);
  held.buffer = new_buffer(context);
  check_run(queue, held.kernel, held.buffer, 3);
  in_child(use_quiet);
  in_child(use_quiet);
  check_run(queue, held.kernel, held.buffer, 3);
  clReleaseKernel(held.kernel);
  clReleaseProgram(held.program);
  clReleaseMemObject(held.buffer);
}

/* --- Threads in all kinds of calls --- */

#ifndef FORKS
#define FORKS 300
#endif

enum { THREADS = 5 };

static struct busy {
  pthread_t thread;
  int number;
  cl_command_queue queue;
  cl_program program; /* which is built again and again, by one of them */
  cl_kernel kernel;
  cl_mem buffer;
  cl_event user;          /* never set */
  _Atomic(cl_event) last; /* whoever takes it releases it */
} busy[THREADS];

static atomic_bool is_over;

static void publish(struct busy *b, cl_event event) {
  cl_event before = atomic_exchange(&b->last, event);
  if (before) clReleaseEvent(before);
}

static void *use(void *data) {
  struct busy *b = data;
  for (int turn = 0; !atomic_load(&is_over); turn++) {
    cl_event event = NULL;
    EXPECT(CL_SUCCESS, run(b->queue, b->kernel, b->buffer, turn % 3 ? &event : NULL));
    if (event) EXPECT(CL_SUCCESS, clFlush(b->queue));
    if (event && turn % 2) EXPECT(CL_SUCCESS, clWaitForEvents(1, &event));
    if (turn % 5 == 0) check_run(b->queue, b->kernel, b->buffer, b->number);
    if (turn % 7 == 0) EXPECT(CL_SUCCESS, clFinish(b->queue));
    if (turn % 11 == 0) clReleaseMemObject(new_buffer(context));
    if (event) publish(b, event);
  }
  EXPECT(CL_SUCCESS, clFinish(b->queue));
  return NULL;
}

static void *build_again(void *data) {
  struct busy *b = data;
  for (int turn = 0; !atomic_load(&is_over); turn++) {
    char options[64]; /* most of them are in the cache */
    snprintf(options, sizeof options, "-DTURNS=3 -DNUMBER=%d", turn % 8 ? turn % 7 : turn);
    EXPECT(CL_SUCCESS, clBuildProgram(b->program, 0, NULL, options, NULL, NULL));
  }
  return NULL;
}

static int num_children;

/* Any answer will do. */
static void use_all(void) {
  cl_int values[ITEMS], status;
  for (int i = 0; i < THREADS; i++) {
    struct busy *b = &busy[i];
    cl_event event = atomic_exchange(&b->last, NULL);
    if (event) {
      clWaitForEvents(1, &event);
      clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
      clReleaseEvent(event);
    }
    CHECK(clWaitForEvents(1, &b->user) < 0);
    clEnqueueReadBuffer(b->queue, b->buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL);
    if (b->kernel) run(b->queue, b->kernel, b->buffer, NULL);
    clFinish(b->queue);
  }
  if (num_children % 16 == 0) {
    cl_program program = busy[0].program;
    EXPECT(CL_SUCCESS, clBuildProgram(program, 0, NULL, "-DTURNS=3 -DNUMBER=0", NULL, NULL));
    clReleaseKernel(kernel_of(program));
    use_own_objects();
  }
  for (int i = 0; i < THREADS; i++) {
    if (busy[i].kernel) clReleaseKernel(busy[i].kernel);
    clReleaseMemObject(busy[i].buffer);
    clReleaseEvent(busy[i].user);
    clReleaseProgram(busy[i].program);
    clReleaseCommandQueue(busy[i].queue);
  }
}

static void make_busy(struct busy *b, int number) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                      number % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, 0};
  cl_int error;
  b->number = number;
  b->queue = clCreateCommandQueueWithProperties(context, device, list, &error);
  EXPECT(CL_SUCCESS, error);
  b->program = program_of(number, number);
  b->kernel = number ? kernel_of(b->program) : NULL;
  b->buffer = new_buffer(context);
  b->user = clCreateUserEvent(context, &error);
}

static void fork_often(int forks) {
  for (int i = 0; i < THREADS; i++) make_busy(&busy[i], i);
  for (int i = 0; i < THREADS; i++)
    CHECK(!pthread_create(&busy[i].thread, NULL, i ? use : build_again, &busy[i]));
  for (; num_children < forks && !failures; num_children++) in_child(use_all);
  atomic_store(&is_over, true);
  for (int i = 0; i < THREADS; i++) {
    struct busy *b = &busy[i];
    pthread_join(b->thread, NULL);
    publish(b, NULL);
    if (b->kernel) clReleaseKernel(b->kernel);
    clReleaseMemObject(b->buffer);
    clReleaseEvent(b->user);
    clReleaseProgram(b->program);
    clReleaseCommandQueue(b->queue);
  }
}

/* --- A thread that makes contexts --- */

static void make_context(void) {
  cl_int error;
  cl_context made = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, clReleaseContext(made));
}

static void *make_contexts(void *data) {
  while (!atomic_load((atomic_bool *)data)) make_context();
  return NULL;
}

static void fork_among_contexts(int forks) {
  pthread_t thread;
  atomic_bool is_over = false;
  CHECK(!pthread_create(&thread, NULL, make_contexts, &is_over));
  for (int i = 0; i < forks && !failures; i++) in_child(make_context);
  atomic_store(&is_over, true);
  pthread_join(thread, NULL);
}

/* fork [FORKS] */
int main(int argc, char **argv) {
  int forks = argc > 1 && atoi(argv[1]) < FORKS ? atoi(argv[1]) : FORKS;
  open_device();
  use_own_objects();
  leave_quiet();
  hold_commands(0);
  hold_commands(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  fork_among_contexts(FORKS < 300 ? forks : 10 * forks); /* a second */
  fork_often(forks);
  return finish();
}
