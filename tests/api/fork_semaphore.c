/* Semaphores (cl_khr_semaphore) in the child of a fork(). */
#include "semaphores.h"

#include <sys/wait.h>
#include <unistd.h>

/* In the child of a fork() the parent's signal has failed, and its wait gets no signal of the
 * child's; what is signalled anew works. */
static void check_fork(void) {
  cl_semaphore_khr quiet = made_in(context), held = made_in(context), awaited = made_in(context);
  cl_command_queue busy = queue_of(context, device, 0);
  cl_event start = user_event();
  int status = 0;
  EXPECT(CL_SUCCESS, signal_to(queue, 1, &quiet, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(queue));
  EXPECT(CL_SUCCESS, signal_to(busy, 1, &held, NULL, 1, &start, NULL));
  EXPECT(CL_SUCCESS, wait_for(busy, 1, &awaited, NULL, 0, NULL, NULL));
  fflush(NULL);
  pid_t child = fork();
  if (!child) {
    cl_event waited;
    failures = 0;
    alarm(300); /* on a busy machine, too */
    CHECK(payload(quiet) == 1 && payload(held) == 0);
    EXPECT(CL_SUCCESS, wait_for(queue, 1, &quiet, NULL, 0, NULL, &waited));
    EXPECT(CL_SUCCESS, clWaitForEvents(1, &waited));
    CHECK(payload(quiet) == 0);
    EXPECT(CL_SUCCESS, wait_for(queue, 1, &held, NULL, 0, NULL, &waited));
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &waited));
    EXPECT(CL_OUT_OF_RESOURCES, signal_to(busy, 1, &held, NULL, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, signal_to(queue, 1, &awaited, NULL, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, wait_for(queue, 1, &awaited, NULL, 0, NULL, &waited));
    EXPECT(CL_SUCCESS, clWaitForEvents(1, &waited));
    fflush(NULL);
    _exit(failures != 0);
  }
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  EXPECT(CL_SUCCESS, clSetUserEventStatus(start, CL_COMPLETE));
  EXPECT(CL_SUCCESS, signal_to(queue, 1, &awaited, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, wait_for(queue, 1, &held, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(queue));
  EXPECT(CL_SUCCESS, clFinish(busy));
  CHECK(payload(held) == 0 && payload(quiet) == 1 && payload(awaited) == 0);
  EXPECT(CL_SUCCESS, let(awaited));
  EXPECT(CL_SUCCESS, let(quiet));
  EXPECT(CL_SUCCESS, let(held));
  clReleaseEvent(start);
  clReleaseCommandQueue(busy);
}

int main(void) {
  open_semaphores();
  check_fork();
  return finish();
}
