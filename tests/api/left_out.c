/* What is said of one kernel of a program: it is left out for its sub-groups or for recursion, its
 * sub-groups are of another size than was asked for, or it seems to count on another.  Each case
 * runs in a process of its own, with its own options; what MANIPLE_DEBUG reports goes to a file. */
#include "api.h"

#include <sys/wait.h>
#include <unistd.h>

static const char source[] =
    "kernel __attribute__((intel_reqd_sub_group_size(24))) void bad(global int *p) { p[0] = 1; }\n"
    "int again(int n) { return n ? get_local_id(0) + again(n - 1) : 0; }\n"
    "kernel void deep(global int *p) { p[0] = again(p[0]); }\n"
    "kernel void deeper(global int *p) { deep(p); barrier(CLK_GLOBAL_MEM_FENCE); }\n"
    "int never(int n) { return n ? get_local_id(0) + never(n - 1) : 0; }\n"
    "kernel void good(global int *p) { p[get_global_id(0)] += 2; }\n"
    "kernel void one(global int *p) {\n"
    "  p[get_global_id(0)] = sub_group_reduce_add(p[get_global_id(0)]);\n"
    "}\n"
    "kernel void several(global int *p) {\n"
    "  int sum = sub_group_reduce_add(p[get_global_id(0)]);\n"
    "  if (!get_sub_group_local_id()) p[get_sub_group_id()] = sum;\n"
    "}\n";

static const char *self;
static char folder[] = "/tmp/maniple-left-out-XXXXXX", binary[64], report[64];

static const char *contents(const char *path) {
  static char text[65536];
  FILE *file = fopen(path, "r");
  size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file) fclose(file);
  text[size] = 0;
  return text;
}

static bool log_has(cl_program program, const char *text) {
  static char log[65536];
  EXPECT(CL_SUCCESS,
         clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
  return strstr(log, text);
}

static void launch(cl_program program, const char *name, size_t local) {
  cl_int error, values[64] = {0};
  cl_kernel kernel = clCreateKernel(program, name, &error);
  EXPECT(CL_SUCCESS, error);
  if (error) return;
  run_on(kernel, values, 64, local);
  CHECK(strcmp(name, "good") || values[63] == 2);
  EXPECT(CL_SUCCESS, clReleaseKernel(kernel));
}

/* The other kernels are there, and the sentence says why this one is not. */
static void leave_out(void) {
  cl_program program = build(source, "-cl-std=CL3.0");
  cl_uint count = 0;
  size_t size = 0;
  unsigned char *data;
  CHECK(log_has(program, "warning: kernel 'bad' is left out: it requires sub-groups of 24"));
  EXPECT_NULL(CL_INVALID_KERNEL_NAME, clCreateKernel(program, "bad", &error));
  CHECK(strstr(contents(report), "clCreateKernel: kernel 'bad' is left out: it requires"));
  CHECK(log_has(program, "warning: kernel 'deep' is left out: recursion: 'again' calls itself"));
  CHECK(log_has(program, "warning: kernel 'deeper' is left out: recursion: 'again' calls itself"));
  EXPECT_NULL(CL_INVALID_KERNEL_NAME, clCreateKernel(program, "deep", &error));
  CHECK(strstr(contents(report), "clCreateKernel: kernel 'deep' is left out: recursion"));
  EXPECT(CL_SUCCESS, clCreateKernelsInProgram(program, 0, NULL, &count));
  CHECK(count == 3);
  launch(program, "good", 8);
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  data = malloc(size + 1);
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof data, &data, NULL));
  FILE *file = fopen(binary, "w");
  CHECK(file && fwrite(data, 1, size, file) == size && !fclose(file));
  free(data);
  EXPECT(CL_SUCCESS, clReleaseProgram(program));
}

static void hint(void) {
  cl_program program = build(source, "-cl-std=CL3.0");
  launch(program, "several", 32);
  launch(program, "one", 16);
  launch(program, "good", 32);
  CHECK(!strstr(contents(report), "if it counts on one"));
  launch(program, "one", 32);
  CHECK(strstr(contents(report), "one: its work-groups of 32 are 2 sub-groups of 16"));
  launch(program, "one", 64);
  CHECK(strstr(contents(report), "MANIPLE_SUBGROUP_SIZE=64 if it counts on one"));
  EXPECT(CL_SUCCESS, clReleaseProgram(program));
}

/* Of a binary that was made with sub-groups of 16. */
static void load(bool fits) {
  static unsigned char data[1 << 20];
  const unsigned char *list[] = {data};
  FILE *file = fopen(binary, "r");
  size_t size = file ? fread(data, 1, sizeof data, file) : 0;
  cl_int error;
  if (file) fclose(file);
  cl_program program = clCreateProgramWithBinary(context, 1, &device, &size, list, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, clBuildProgram(program, 0, NULL, "", NULL, NULL));
  CHECK(fits == !log_has(program, "kernel 'one' of this binary has sub-groups of 16"));
  CHECK(fits == !strstr(contents(report), "MANIPLE_SUBGROUP_SIZE=32"));
  CHECK(!log_has(program, "kernel 'good' of this binary"));
  launch(program, "good", 8);
  EXPECT(CL_SUCCESS, clReleaseProgram(program));
}

static int act(const char *what) {
  open_device();
  if (!strcmp(what, "leave out")) leave_out();
  if (!strcmp(what, "hint")) hint();
  if (!strncmp(what, "load", 4)) load(!strcmp(what, "load"));
  return finish();
}

static void in_process(const char *what, const char *size) {
  int status = 1;
  pid_t pid = fork();
  if (!pid) {
    setenv("MANIPLE_SUBGROUP_SIZE", size, 1);
    execl(self, self, what, folder, NULL);
    _exit(99);
  }
  waitpid(pid, &status, 0);
  if (status) printf("%s: %x\n", what, (unsigned)status);
  CHECK(!status);
  unlink(report);
}

int main(int argc, char **argv) {
  self = argv[0];
  if (argc > 2) strcpy(folder, argv[2]);
  if (argc <= 2 && !mkdtemp(folder)) return 1;
  snprintf(binary, sizeof binary, "%s/binary", folder);
  snprintf(report, sizeof report, "%s/report", folder);
  setenv("MANIPLE_LOG", report, 1);
  setenv("MANIPLE_DEBUG", "error,build,launch", 1);
  if (argc > 2) return act(argv[1]);
  in_process("leave out", "16");
  in_process("hint", "16");
  in_process("load", "16");
  in_process("load another", "32");
  unlink(binary);
  rmdir(folder);
  return failures ? 1 : 0;
}
