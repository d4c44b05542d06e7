/* A kernel's fault is told to a program that has no events: by all calls that follow it, and once
 * by the context's callback, which has the kernel's name. */
#include <stdatomic.h>
#include <unistd.h>

#include "api/api.h"
#include "cuda/open_twin.h"

enum { COUNT = 64, ILLEGAL_ADDRESS = 700 };

static atomic_int calls, other_calls;
static char said[1024];

static void CL_CALLBACK note(const char *text, const void *data, size_t size, void *count) {
  if (count == &calls) snprintf(said, sizeof said, "%s", text);
  atomic_fetch_add((atomic_int *)count, 1);
}

static cl_kernel kernel_of(cl_program program, const char *name, cl_mem buffer) {
  cl_int error;
  cl_kernel made = clCreateKernel(program, name, &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, clSetKernelArg(made, 0, sizeof buffer, &buffer));
  return made;
}

static cl_int launch(cl_command_queue on, cl_kernel of, cl_event *event) {
  const size_t size = COUNT;
  return clEnqueueNDRangeKernel(on, of, 1, NULL, &size, NULL, 0, NULL, event);
}

/* What the next calls answer; `bystander` is a queue on which nothing has failed. */
static void check_calls(cl_command_queue bystander, cl_kernel good, cl_mem buffer) {
  cl_int values[COUNT], error;
  cl_bool available = CL_TRUE;
  CHECK(clFinish(queue) == CL_OUT_OF_RESOURCES);
  CHECK(clFinish(bystander) == CL_OUT_OF_RESOURCES);
  CHECK(clFlush(queue) == CL_OUT_OF_RESOURCES);
  CHECK(launch(queue, good, NULL) == CL_OUT_OF_RESOURCES);
  CHECK(launch(bystander, good, NULL) == CL_OUT_OF_RESOURCES);
  CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
  CHECK(!clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, sizeof values, 0, NULL, NULL,
                            &error) &&
        error);
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL));
  CHECK(!available);
  CHECK(!clCreateContext(NULL, 1, &device, NULL, NULL, &error));
  EXPECT(CL_DEVICE_NOT_AVAILABLE, error);
  CHECK(!clCreateCommandQueueWithProperties(context, device, NULL, &error));
  EXPECT(CL_OUT_OF_RESOURCES, error);
}

/* `waits`: by an event; else nothing is waited for but by clFinish. */
static void fail(const struct twin_control *control, bool waits) {
  static const char source[] = "kernel void faulty(global int *p) { p[get_global_id(0)] = 1; }"
                               "kernel void good(global int *p) { p[get_global_id(0)] = 5; }";
  const char *text = source;
  cl_int error, status = 0;
  cl_event event = NULL;
  atomic_store(&calls, 0);
  atomic_store(&other_calls, 0);
  context = clCreateContext(NULL, 1, &device, note, &calls, &error);
  EXPECT(CL_SUCCESS, error);
  cl_context other = clCreateContext(NULL, 1, &device, note, &other_calls, &error);
  queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  cl_command_queue bystander = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  EXPECT(CL_SUCCESS, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  cl_mem buffer = clCreateBuffer(context, 0, COUNT * sizeof(cl_int), NULL, &error);
  cl_kernel faulty = kernel_of(program, "faulty", buffer),
            good = kernel_of(program, "good", buffer);
  EXPECT(CL_SUCCESS, launch(queue, good, NULL));
  EXPECT(CL_SUCCESS, clFinish(queue));

  control->fault("kernel", 1, ILLEGAL_ADDRESS);
  EXPECT(CL_SUCCESS, launch(queue, faulty, waits ? &event : NULL));
  if (waits) {
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    EXPECT(CL_SUCCESS,
           clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK(status == CL_OUT_OF_RESOURCES);
    EXPECT(CL_SUCCESS, clReleaseEvent(event));
  }
  check_calls(bystander, good, buffer);
  /* another thread may have found it, and be about to call */
  for (int i = 0; i < 10000 && !(atomic_load(&calls) && atomic_load(&other_calls)); i++)
    usleep(1000);
  CHECK(atomic_load(&calls) == 1 && atomic_load(&other_calls) == 1);
  CHECK(strstr(said, "kernel faulty:") && strstr(said, "(700)"));

  EXPECT(CL_SUCCESS, clReleaseKernel(faulty));
  EXPECT(CL_SUCCESS, clReleaseKernel(good));
  EXPECT(CL_SUCCESS, clReleaseProgram(program));
  EXPECT(CL_SUCCESS, clReleaseMemObject(buffer));
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(bystander));
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(queue));
  EXPECT(CL_SUCCESS, clReleaseContext(context));
  EXPECT(CL_SUCCESS, clReleaseContext(other));
  queue = NULL;
  context = NULL;
}

int main(void) {
  alarm(300);
  EXPECT(CL_SUCCESS, clGetPlatformIDs(1, &platform, NULL));
  EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  const struct twin_control *control = open_twin();
  CHECK(control);
  for (int i = 0; i < 4; i++) {
    fail(control, i % 2);
    control->mend(); /* and a driver that works again is used again */
  }
  return finish();
}
