/* MANIPLE_FAULTS: a fault in a kernel ends its command (report), or the process as without maniple
 * (die); what the application does with these signals itself goes on. */
#include "api.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const source =
    "kernel void null_store(global int *p, int n) { p[get_global_id(0)] = n; }\n"
    "kernel void wild_store(global int *p, int n) {\n"
    "  if (get_group_id(0) == 5 && get_group_id(1) == 2) *(global int *)(n + 0x5000000000000000ul) "
    "= 1;\n"
    "}\n"
    "#ifdef __x86_64__\n"
    "#define TRAP \"ud2\"\n"
    "#else\n"
    "#define TRAP \"udf #0\"\n"
    "#endif\n"
    "kernel void trap(global int *p, int n) { if (get_global_id(0) == n) __asm__ volatile(TRAP); "
    "}\n"
    "kernel void varying_trap(global int *p, int n) {\n"
    "  int v = p[get_global_id(0)];\n"
    "  if (v == n) __builtin_trap();\n"
    "  p[get_global_id(0)] = v + 1;\n"
    "}\n"
    "int checked(int v, int n) {\n"
    "  if (v == n || v == n + 1) {\n"
    "    v++;\n"
    "    __builtin_trap();\n"
    "  }\n"
    "  return v > 1000 ? (__builtin_trap(), 0) : v;\n"
    "}\n"
    "kernel void trap_in_loop(global int *p, int n) {\n"
    "  int v = p[get_global_id(0)];\n"
    "  for (int i = 0; i < 10; i++) v = checked(v + i, n);\n"
    "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "  p[get_global_id(0)] = v;\n"
    "}\n"
    "kernel void always(global int *p, int n) { p[0] = n; __builtin_trap(); }\n"
    "kernel void by_switch(global int *p, int n) {\n"
    "  switch (p[get_global_id(0)] - n) {\n"
    "  case 0: __builtin_trap(); __builtin_unreachable();\n"
    "  case 1: p[get_global_id(0)] = 5; break;\n"
    "  default: p[get_global_id(0)]--;\n"
    "  }\n"
    "}\n"
    "kernel void fill(global int *p, int n) { p[get_global_id(0)] = n; }\n";

static cl_int run_rows(cl_program program, const char *name, cl_mem buffer, cl_int n, size_t rows) {
  cl_int error, status = 1;
  cl_event event;
  size_t items[2] = {64 * 8, rows}, local[2] = {64, 1};
  cl_kernel kernel = clCreateKernel(program, name, &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof buffer, buffer ? &buffer : NULL));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof n, &n));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, local, 0, NULL, &event));
  clFinish(queue);
  EXPECT(CL_SUCCESS,
         clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  clReleaseEvent(event);
  clReleaseKernel(kernel);
  return status;
}

static cl_int run(cl_program program, const char *name, cl_mem buffer, cl_int n) {
  return run_rows(program, name, buffer, n, 8);
}

/* Traps that the optimiser may think are never reached: they are, or are not. */
static void check_traps(const char *options) {
  static const struct {
    const char *name;
    cl_int values, n; /* all values, and what it traps for */
    bool traps;
    cl_int after;
  } cases[] = {
      {"varying_trap", 7, 7, true, 0},     {"varying_trap", 7, 6, false, 8},
      {"trap_in_loop", 7, 100, false, 52}, {"trap_in_loop", 7, 27, true, 0},
      {"trap_in_loop", 990, 1, true, 0},   {"always", 1, 1, true, 0},
      {"by_switch", 7, 7, true, 0},        {"by_switch", 8, 7, false, 5},
      {"by_switch", 10, 7, false, 9},
  };
  cl_program program = build(source, options);
  for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
    cl_int values[64 * 8], error;
    for (int i = 0; i < 64 * 8; i++) values[i] = cases[k].values;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &error);
    cl_int status = run_rows(program, cases[k].name, buffer, cases[k].n, 1);
    CHECK((status < 0) == cases[k].traps);
    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL);
    for (int i = 0; i < 64 * 8 && !cases[k].traps; i++) CHECK(values[i] == cases[k].after);
    clReleaseMemObject(buffer);
  }
  clReleaseProgram(program);
}

static sigjmp_buf own_place;
static void own_handler(int number) {
  siglongjmp(own_place, number);
}

/* A handler from before and a fault of the application's own code, which is no finding of UBSan. */
#ifdef __clang__
__attribute__((no_sanitize("null")))
#endif
static void
check_own_handler(void) {
  int *volatile nowhere = NULL;
  int number = sigsetjmp(own_place, 1);
  if (!number) *nowhere = 1;
  CHECK(number == SIGSEGV);
}

/* With -g the report says where. */
static void check_lines(cl_mem buffer) {
  cl_int values[64 * 8];
  cl_program program = build(source, "-g");
  for (int i = 0; i < 64 * 8; i++) values[i] = i;
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL);
  CHECK(run_rows(program, "varying_trap", buffer, 77, 1) < 0);
  for (int round = 0; round < 4; round++) CHECK(run_rows(program, "null_store", NULL, 1, 1) < 0);
  clReleaseProgram(program);
}

/* What a debugger is to see: other groups' work, and the next command, are done. */
static void check_items(cl_mem buffer) {
  cl_program program = build(source, "-g -cl-opt-disable");
  CHECK(run(program, "null_store", NULL, 1) < 0);
  CHECK(run(program, "wild_store", buffer, 16) < 0);
  CHECK(run(program, "trap", buffer, 70) < 0);
  check_own_handler();
  CHECK(run(program, "fill", buffer, 3) == CL_COMPLETE);
  clReleaseProgram(program);
}

static int report(const char *log) {
  static char text[1 << 16];
  signal(SIGSEGV, own_handler);
  open_device();
  cl_program program = build(source, "");
  int values[64 * 8] = {0};
  cl_int error;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &error);
  for (int round = 0; round < 3; round++) {
    CHECK(run(program, "null_store", NULL, 1) < 0);
    CHECK(run(program, "fill", buffer, round) == CL_COMPLETE); /* the queue goes on */
    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL);
    CHECK(values[0] == round && values[64 * 8 - 1] == round);
  }
  check_own_handler();
  CHECK(run(program, "wild_store", buffer, 16) < 0);
  CHECK(run(program, "trap", buffer, 70) < 0);
  check_own_handler();
  check_traps("");
  check_traps("-cl-opt-disable");
  check_traps("-g -cl-opt-disable"); /* by the engine that runs work-items one by one */
  check_items(buffer);
  check_lines(buffer);
  clReleaseMemObject(buffer);
  clReleaseProgram(program);
  FILE *file = fopen(log, "r");
  CHECK(file != NULL);
  if (file) {
    CHECK(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
  }
  CHECK(strstr(text, "the kernel 'null_store' failed in work-group (") != NULL);
  CHECK(strstr(text, "): an access to ") != NULL);
  CHECK(strstr(text, "the kernel 'wild_store' failed in work-group (5, 2, 0)") != NULL);
  CHECK(strstr(text, "the kernel 'trap' failed in work-group (1, ") != NULL);
  CHECK(strstr(text,
               "the kernel 'varying_trap' failed in work-group (1, 0, 0): <source>:13: a trap") !=
        NULL);
  CHECK(strstr(text,
               "the kernel 'null_store' failed in work-group (0, 0, 0): <source>:1: an access") !=
        NULL);
  CHECK(strstr(text, "): a trap at ") != NULL && strstr(text, "(SIGILL)") != NULL);
  int status = finish();
  fflush(NULL);
  _exit(status); /* exit() says that mistakes were found */
}

static int die(void) {
  open_device();
  cl_program program = build(source, "");
  run(program, "null_store", NULL, 1);
  return 0;
}

/* A signal that a process sends is no fault of a kernel: it is ignored, or ends the process. */
static int be_sent(const char *what) {
  if (!strcmp(what, "ignored")) signal(SIGSEGV, SIG_IGN);
  open_device();
  cl_program program = build(source, "");
  CHECK(run(program, "null_store", NULL, 1) < 0);
  raise(SIGSEGV);
  CHECK(run(program, "null_store", NULL, 1) < 0);
  clReleaseProgram(program);
  return finish();
}

static int status_of(const char *self, const char *faults, const char *mode, const char *argument) {
  int status = 0;
  setenv("MANIPLE_FAULTS", faults, 1);
  /* Nor leaks: a launch that ends by a fault leaves behind what it had. */
  setenv("ASAN_OPTIONS",
         "handle_segv=0:handle_sigill=0:handle_sigbus=0:handle_sigfpe=0:detect_leaks=0", 1);
  setenv("TSAN_OPTIONS", "handle_segv=0:handle_sigill=0:handle_sigbus=0:handle_sigfpe=0", 1);
  pid_t child = fork();
  if (!child) {
    execl("/proc/self/exe", self, mode, argument, NULL);
    _exit(99);
  }
  waitpid(child, &status, 0);
  return status;
}

int main(int argc, char **argv) {
  if (argc == 3 && !strcmp(argv[1], "sent")) return be_sent(argv[2]);
  if (argc == 3) return strcmp(argv[1], "report") ? die() : report(argv[2]);
  char log[] = "/tmp/maniple-faults-XXXXXX";
  int file = mkstemp(log);
  CHECK(file >= 0);
  setenv("MANIPLE_LOG", log, 1);
  CHECK(status_of(argv[0], "report", "report", log) == 0);
  int status = status_of(argv[0], "die", "die", log);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  CHECK(status_of(argv[0], "report", "sent", "ignored") == 0);
  status = status_of(argv[0], "report", "sent", "unhandled");
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  close(file);
  unlink(log);
  return finish();
}
