/* fork() while a kernel of a program with blocks runs: it waits for nobody.  The kernel ends when
 * the host, which forks first, tells it to.  The child may release what it has inherited. */
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/api.h"

static const char source[] =
    "kernel void held(global atomic_int *state) {\n"
    "  atomic_store_explicit(state, 1, memory_order_release, memory_scope_all_svm_devices);\n"
    "  while (atomic_load_explicit(state, memory_order_acquire, memory_scope_all_svm_devices) == "
    "1);\n"
    "  global int *after = (global int *)state + 1;\n"
    "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),\n"
    "                 ^{ *after = 7; });\n"
    "}\n";

int main(void) {
  const cl_queue_properties on_device[] = {
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int error;
  open_device();
  cl_command_queue children =
      clCreateCommandQueueWithProperties(context, device, on_device, &error);
  EXPECT(CL_SUCCESS, error);
  atomic_int *state = clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 2 * sizeof *state, 0);
  CHECK(state);
  if (!state) return finish();
  atomic_store(&state[0], 0);
  atomic_store(&state[1], 0);
  cl_program program = build(source, "-cl-std=CL3.0");
  cl_kernel kernel = clCreateKernel(program, "held", &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(kernel, 0, state));
  EXPECT(CL_SUCCESS,
         clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &(size_t){1}, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFlush(queue));
  while (!atomic_load(&state[0])) sched_yield();
  pid_t child = fork();
  if (!child) {
    clReleaseCommandQueue(queue);
    _exit(0);
  }
  int status = 0;
  CHECK(child > 0 && waitpid(child, &status, 0) == child && !status);
  atomic_store(&state[0], 2);
  EXPECT(CL_SUCCESS, clFinish(queue));
  CHECK(atomic_load(&state[1]) == 7);
  clSVMFree(context, state);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(children);
  return finish();
}
