/* Something of everything that is traced: threads with queues of their own, each with more launches
 * than a buffer of events holds; commands that wait for others; transfers; a child of fork().
 *   many THREADS LAUNCHES IN_CHILD */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/cl_unit.h"

static const char *const source =
    "kernel void count(global int *p) { p[get_global_id(0)] += work_group_reduce_add(1); }";
static cl_program program;
static int num_launches;

static void launch_all(const char *name, int launches) {
  size_t size = 4096, local = 64;
  int result[4096], zero = 0;
  cl_int error;
  cl_command_queue own = new_queue(context, 0);
  cl_mem buffer = new_buffer(context, CL_MEM_READ_WRITE, sizeof result);
  cl_kernel kernel = clCreateKernel(program, name, &error);
  OK(error);
  OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  OK(clEnqueueFillBuffer(own, buffer, &zero, sizeof zero, 0, sizeof result, 0, NULL, NULL));
  for (int i = 0; i < launches; i++)
    OK(clEnqueueNDRangeKernel(own, kernel, 1, NULL, &size, &local, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(own, buffer, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL));
  for (size_t i = 0; i < size; i++) CHECK(result[i] == 64 * launches);
  OK(clReleaseKernel(kernel));
  OK(clReleaseMemObject(buffer));
  OK(clReleaseCommandQueue(own));
}

static void *run_thread(void *unused) {
  launch_all("count", num_launches);
  return NULL;
}

/* A write that waits for the user, and a copy in another queue that waits for it. */
static void wait_for_one_another(void) {
  int value = 7, result = 0;
  cl_int error;
  cl_event gate = clCreateUserEvent(context, &error), written;
  cl_command_queue other = new_queue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_mem from = new_buffer(context, CL_MEM_READ_WRITE, 4), to = new_buffer(context, 0, 4);
  OK(error);
  OK(clEnqueueWriteBuffer(queue, from, CL_FALSE, 0, 4, &value, 1, &gate, &written));
  OK(clEnqueueCopyBuffer(other, from, to, 0, 0, 4, 1, &written, NULL));
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(other));
  OK(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, 4, &result, 0, NULL, NULL));
  CHECK(result == 7);
}

int main(int argc, char **argv) {
  CHECK(argc == 4);
  int num_threads = atoi(argv[1]), in_child = atoi(argv[3]), status;
  pthread_t threads[16];
  cl_int error;
  num_launches = atoi(argv[2]);
  CHECK(num_threads <= 16);
  set_up();
  program = clCreateProgramWithSource(context, 1, (const char *[]){source}, NULL, &error);
  OK(error);
  OK(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
  for (int i = 0; i < num_threads; i++)
    CHECK(!pthread_create(&threads[i], NULL, run_thread, NULL));
  for (int i = 0; i < num_threads; i++) CHECK(!pthread_join(threads[i], NULL));
  wait_for_one_another();
  fflush(NULL);
  pid_t child = fork();
  CHECK(child >= 0);
  if (!child) {
    alarm(60);
    if (in_child) launch_all("count", in_child);
    exit(0);
  }
  CHECK(waitpid(child, &status, 0) == child && !status);
  printf("%d %d\n", (int)getpid(), (int)child);
  return 0;
}
