/* Times of kernels behind copies, of their own queue and of others: they begin when the GPU has
 * turned from the one to the other.  The twin's clock goes on by TURN seconds then. */
#include "api/api.h"

enum { COUNT = 64 };
static const cl_ulong half_a_turn = 500ull * 1000000000;
static cl_int values[COUNT];
static cl_command_queue plain, timed, loose;
static cl_mem buffers[2];
static cl_kernel kernel;

static cl_command_queue new_queue(cl_command_queue_properties flags) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, flags, 0};
  cl_int error;
  cl_command_queue made = clCreateCommandQueueWithProperties(context, device, list, &error);
  EXPECT(CL_SUCCESS, error);
  return made;
}

static cl_event copy(cl_command_queue on, cl_event after) {
  cl_event event = NULL;
  EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(on, buffers[1], CL_FALSE, 0, sizeof values, values,
                                          after ? 1 : 0, after ? &after : NULL, &event));
  return event;
}

static cl_event launch(cl_command_queue on, cl_event after) {
  size_t size = COUNT;
  cl_event event = NULL;
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(on, kernel, 1, NULL, &size, NULL, after ? 1 : 0,
                                            after ? &after : NULL, &event));
  return event;
}

/* Takes all of them. */
static void is_short(const char *what, cl_event event, cl_event before, cl_event first) {
  cl_ulong started = 0, ended = 0;
  EXPECT(CL_SUCCESS, clWaitForEvents(1, &event));
  EXPECT(CL_SUCCESS, clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof started,
                                             &started, NULL));
  EXPECT(CL_SUCCESS,
         clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ended, &ended, NULL));
  if (ended - started >= half_a_turn) {
    failures++;
    printf("%s: the kernel's time has the turn in it\n", what);
  }
  EXPECT(CL_SUCCESS, clReleaseEvent(event));
  if (before) EXPECT(CL_SUCCESS, clReleaseEvent(before));
  if (first) EXPECT(CL_SUCCESS, clReleaseEvent(first));
}

int main(void) {
  cl_int error;
  open_device();
  plain = new_queue(0);
  timed = new_queue(CL_QUEUE_PROFILING_ENABLE);
  loose = new_queue(CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (int i = 0; i < 2; i++) buffers[i] = clCreateBuffer(context, 0, sizeof values, NULL, &error);
  cl_program program = build("kernel void k(global int *p) { p[get_global_id(0)]++; }", "");
  kernel = clCreateKernel(program, "k", &error);
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof buffers[0], &buffers[0]));
  is_short("the first", launch(timed, NULL), NULL, NULL);

  cl_event first = copy(timed, NULL);
  is_short("its own queue's", launch(timed, NULL), first, NULL);
  first = copy(plain, NULL);
  is_short("another queue's", launch(timed, first), first, NULL);
  first = copy(loose, NULL);
  is_short("one out of order", launch(loose, first), first, NULL);
  first = copy(plain, NULL);
  cl_event next, marker;
  EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(loose, 1, &first, &marker));
  is_short("behind a marker", launch(timed, marker), marker, first);
  first = copy(plain, NULL);
  next = launch(timed, first);
  is_short("behind a kernel behind it", launch(loose, next), next, first);
  first = copy(plain, NULL);
  EXPECT(CL_SUCCESS, clEnqueueBarrierWithWaitList(timed, 1, &first, &marker));
  is_short("behind a barrier", launch(timed, NULL), marker, first);

  EXPECT(CL_SUCCESS, clReleaseKernel(kernel));
  EXPECT(CL_SUCCESS, clReleaseProgram(program));
  for (int i = 0; i < 2; i++) EXPECT(CL_SUCCESS, clReleaseMemObject(buffers[i]));
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(plain));
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(timed));
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(loose));
  return finish();
}
