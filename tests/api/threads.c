/* Many threads on the same objects, in an application with signal handling of its own. */
#include "api.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 6 };

static const char *const source =
    "kernel void k(global int *p) { p[get_global_id(0)] = work_group_reduce_add(1); }";
static cl_program shared;
static pthread_barrier_t together;

static void run_kernel(cl_program program) {
  cl_int error, values[8] = {0};
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  EXPECT(CL_SUCCESS, error);
  if (!kernel) return;
  run_on(kernel, values, 8, 8);
  CHECK(values[7] == 8);
  clReleaseKernel(kernel);
}

/* The same program object: it is built for everyone. */
static void *build_shared(void *unused) {
  pthread_barrier_wait(&together);
  cl_int error = clBuildProgram(shared, 0, NULL, "-cl-std=CL3.0", NULL, NULL);
  EXPECT(CL_SUCCESS, error);
  if (!error) run_kernel(shared);
  return NULL;
}

/* A program of its own with the same source. */
static void *build_own(void *unused) {
  pthread_barrier_wait(&together);
  cl_program program = build(source, "-cl-std=CL3.0");
  run_kernel(program);
  clReleaseProgram(program);
  return NULL;
}

/* A program is compiled again while others link it: these have the one or the other. */
static void *compile_shared(void *unused) {
  pthread_barrier_wait(&together);
  for (int i = 0; i < 3; i++)
    EXPECT(CL_SUCCESS, clCompileProgram(shared, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
  return NULL;
}

static void *link_shared(void *unused) {
  pthread_barrier_wait(&together);
  for (int i = 0; i < 3; i++) {
    cl_int error;
    cl_program linked = clLinkProgram(context, 0, NULL, "", 1, &shared, NULL, NULL, &error);
    EXPECT(CL_SUCCESS, error);
    if (linked) clReleaseProgram(linked);
  }
  return NULL;
}

static void compile_and_link(void) {
  pthread_t threads[THREADS];
  shared = source_program("kernel void k(global int *p) { p[0] = 1; }");
  EXPECT(CL_SUCCESS, clCompileProgram(shared, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, i % 2 ? link_shared : compile_shared, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  clReleaseProgram(shared);
}

static void run_threads(void *(*function)(void *)) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, function, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

static void reap(int signal_number) {
  int before = errno;
  while (waitpid(-1, NULL, WNOHANG) > 0) continue;
  errno = before;
}

int main(void) {
  open_device();
  pthread_barrier_init(&together, NULL, THREADS);
  shared = source_program(source);
  run_threads(build_shared);
  clReleaseProgram(shared);
  run_threads(build_own);
  compile_and_link();

  /* Applications that ignore SIGCHLD, or wait for every child there is. */
  void (*const ways[])(int) = {SIG_IGN, reap};
  for (int i = 0; i < 2; i++) {
    signal(SIGCHLD, ways[i]);
    cl_program program = build(source, "-cl-std=CL3.0");
    run_kernel(program);
    clReleaseProgram(program);
    program = source_program("kernel void k(global int *p) { p[0] = no_such_name; }");
    EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    clReleaseProgram(program);
  }
  signal(SIGCHLD, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  cl_program program = build(source, "-cl-std=CL3.0");
  run_kernel(program);
  clReleaseProgram(program);

  /* Without standard descriptors; no child is left behind. */
  int out = dup(1);
  for (int fd = 0; fd < 3; fd++) close(fd);
  program = build(source, "-cl-std=CL3.0");
  dup2(out, 1);
  run_kernel(program);
  clReleaseProgram(program);
  CHECK(waitpid(-1, NULL, WNOHANG) < 0);
  return finish();
}
