/* Kernels are compiled again for a local size only when the driver may load them: while kernels of
 * two queues run, never, since they may wait for one another and the driver's load for them (the
 * twin ends the process); once nothing runs, and with one queue, it is done.  In a context that is
 * lost nobody waits for that. */
#include <sched.h>
#include <time.h>

#include "api/api.h"
#include "cuda/open_twin.h"

static const char source[] =
    "kernel void k(global int *p, local int *l) {\n"
    "  l[get_local_id(0)] = p[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  p[get_global_id(0)] = l[get_local_size(0) - 1 - get_local_id(0)] + 1;\n"
    "}\n";
enum { ITEMS = 256, LOCAL = 32, TURNS = 40 };

static const struct twin_control *control;

static void launch(cl_command_queue q, cl_kernel kernel, size_t local) {
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, local * sizeof(int), NULL));
  EXPECT(CL_SUCCESS,
         clEnqueueNDRangeKernel(q, kernel, 1, NULL, &(size_t){ITEMS}, &local, 0, NULL, NULL));
}

/* Within ten seconds. */
static bool comes(long modules) {
  const struct timespec a_while = {.tv_nsec = 1000000};
  for (int i = 0; i < 10000; i++) {
    if (__atomic_load_n(&control->left->modules, __ATOMIC_RELAXED) == modules) return true;
    nanosleep(&a_while, NULL);
  }
  return false;
}

/* Until nobody has asked for a while whether a stream is busy; false after ten seconds. */
static bool falls_silent(void) {
  const struct timespec a_while = {.tv_nsec = 50000000};
  unsigned long before = control->count("cuStreamQuery") + 1;
  for (int i = 0; i < 200; i++) {
    nanosleep(&a_while, NULL);
    unsigned long now = control->count("cuStreamQuery");
    if (now == before) return true;
    before = now;
  }
  return false;
}

static void lose_context(cl_kernel kernel) {
  enum { LAUNCH_FAILED = 700 };
  cl_command_queue other = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
  cl_command_queue queues[] = {queue, other};
  unsigned long before = control->count("cuStreamQuery");
  for (int i = 0; i < TURNS; i++) {
    launch(queues[i % 2], kernel, LOCAL * 4);
    clFlush(queues[i % 2]);
  }
  while (control->count("cuStreamQuery") == before) sched_yield();
  control->fault("cuLaunchKernel", 1, LAUNCH_FAILED);
  launch(queue, kernel, LOCAL * 4);
  CHECK(falls_silent());
  clFinish(queue);
  clFinish(other);
  control->mend();
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(other));
}

int main(void) {
  open_device();
  control = open_twin();
  CHECK(control);
  if (!control) return finish();
  cl_program program = clCreateProgramWithSource(context, 1, &(const char *){source}, NULL, NULL);
  EXPECT(CL_SUCCESS, clBuildProgram(program, 0, NULL, "", NULL, NULL));
  cl_command_queue other = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
  cl_command_queue queues[] = {queue, other};
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  cl_mem mem[2];
  for (int i = 0; i < 2; i++) mem[i] = clCreateBuffer(context, 0, ITEMS * sizeof(int), NULL, NULL);
  long modules = control->left->modules;
  for (int i = 0; i < TURNS; i++) {
    EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof(cl_mem), &mem[i % 2]));
    launch(queues[i % 2], kernel, LOCAL);
    clFlush(queues[i % 2]);
  }
  EXPECT(CL_SUCCESS, clFinish(queue));
  EXPECT(CL_SUCCESS, clFinish(other));
  CHECK(comes(modules + 1));
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(other));
  for (int i = 0; i < TURNS; i++) launch(queue, kernel, LOCAL * 2);
  CHECK(comes(modules + 2));
  EXPECT(CL_SUCCESS, clFinish(queue));
  lose_context(kernel);
  for (int i = 0; i < 2; i++) clReleaseMemObject(mem[i]);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  return finish();
}
