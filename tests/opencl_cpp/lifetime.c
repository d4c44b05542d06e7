/* Objects of program scope: constructed once before the first kernel, in order, and destroyed once,
 * in reverse order, when nobody holds the program any more; with the ND-range (1, 1, 1).
 * Destructors leave their marks in memory that outlives the program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/host.h"

enum { MARKS = 16 };

static int num_failed;

#define CHECK(condition)                                                                           \
  if (!(condition)) num_failed++, printf("FAILED %s:%d: %s\n", __FILE__, __LINE__, #condition)

static const char library[] =
    "#include <opencl_memory>\n#include <opencl_work_item>\nusing namespace cl;\n"
    /* A trace of numbers: the first element counts them. */
    "global_ptr<int[]> trace;\n"
    "inline void leave(int mark) { if (trace) trace[++trace[0]] = mark; }\n";

static const char objects[] =
    "int made[8]; int num_made;\n"
    "struct base { int number;\n"
    "  base(int n) : number(n) { made[num_made++] = n * 10 + get_global_size(0); }\n"
    "  ~base() { leave(number * 1000 + get_global_size(2) * 100 + get_work_dim()); } };\n"
    "struct derived : base { derived(int n) : base(n) {} ~derived() { leave(number); } };\n"
    "base first(1); derived second(2); base array[2] = {3, 4};\n"
    "namespace inner { static base third(5); }\n"
    "int ordinary = 7; constant<int> unchanged{8};\n"
    "kernel void look(int *out, int *marks) {\n"
    "  if (get_global_id(0)) return;\n"
    "  trace = global_ptr<int[]>(marks);\n"
    "  for (int i = 0; i < num_made; i++) out[i] = made[i];\n"
    "  out[8] = num_made; out[9] = first.number; out[10] = array[1].number;\n"
    "  made[0] = 99;\n"
    "  static base kept(6);\n"
    "  out[11] = kept.number + ordinary + unchanged;\n"
    "}\n"
    "kernel void nothing(int *out) {}\n";

static cl_program create(const char *const *texts, cl_uint count) {
  cl_int code;
  cl_program program =
      clCreateProgramWithSource(host_open()->context, count, (const char **)texts, NULL, &code);
  CL(code);
  return program;
}

static cl_program build(const char *text) {
  const char *texts[] = {library, text};
  cl_program program = create(texts, 2);
  cl_int code = clBuildProgram(program, 1, &host_open()->device, "-cl-std=c++", NULL, NULL);
  if (code) {
    char log[4096] = "";
    clGetProgramBuildInfo(program, host_open()->device, CL_PROGRAM_BUILD_LOG, sizeof log, log,
                          NULL);
    die("a program does not build: %s", log);
  }
  return program;
}

static cl_bool has(cl_program program, cl_program_info which) {
  cl_bool answer = 2;
  CL(clGetProgramInfo(program, which, sizeof answer, &answer, NULL));
  return answer;
}

static cl_mem new_buffer(void) {
  cl_int code, zero[MARKS] = {0};
  cl_mem mem = clCreateBuffer(host_open()->context, CL_MEM_COPY_HOST_PTR, sizeof zero, zero, &code);
  CL(code);
  return mem;
}

static void read(cl_mem mem, int *to) {
  CL(clEnqueueReadBuffer(host_open()->queue, mem, CL_TRUE, 0, MARKS * sizeof *to, to, 0, NULL,
                         NULL));
}

/* Runs the kernel `name` with both buffers and lets go of everything but the program. */
static void run(cl_program program, const char *name, cl_mem out, cl_mem marks) {
  cl_int code;
  size_t global = 64;
  cl_kernel kernel = clCreateKernel(program, name, &code);
  CL(code);
  CL(clSetKernelArg(kernel, 0, sizeof out, &out));
  CL(clSetKernelArg(kernel, 1, sizeof marks, &marks));
  CL(clEnqueueNDRangeKernel(host_open()->queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  CL(clReleaseKernel(kernel));
}

static void check_marks(cl_mem marks, const int *want, int count) {
  int got[MARKS];
  read(marks, got);
  bool good = got[0] == count; /* of none, want is null, which memcmp may not get */
  if (good && count) good = !memcmp(got + 1, want, (size_t)count * sizeof *want);
  CHECK(good);
  for (int i = 0; !good && i <= got[0] && i < MARKS; i++) printf("  %d\n", got[i]);
}

static void check_one(cl_program program) {
  static const int made[] = {11, 21, 31, 41, 51};
  static const int ended[] = {6103, 5103, 4103, 3103, 2, 2103, 1103};
  cl_mem out = new_buffer(), marks = new_buffer();
  int got[MARKS];
  size_t num_kernels;
  char names[64];
  CL(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof num_kernels, &num_kernels, NULL));
  CL(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
  CHECK(num_kernels == 2 && !strcmp(names, "look;nothing"));
  CHECK(has(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT) == CL_TRUE);
  CHECK(has(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT) == CL_TRUE);
  run(program, "look", out, marks);
  read(out, got);
  CHECK(!memcmp(got, made, sizeof made) && got[8] == 5);
  CHECK(got[9] == 1 && got[10] == 4 && got[11] == 21);
  run(program, "look", out, marks); /* constructed once; the static one of the kernel too */
  read(out, got);
  CHECK(got[0] == 99 && got[8] == 6);
  CL(clRetainProgram(program));
  CL(clReleaseProgram(program));
  check_marks(marks, NULL, 0);
  run(program, "look", out, marks); /* may still run when it is let go of */
  CL(clReleaseProgram(program));
  CL(clFinish(host_open()->queue));
  check_marks(marks, ended, 7);
  CL(clReleaseMemObject(out));
  CL(clReleaseMemObject(marks));
}

/* A binary is a program of its own: constructed anew. */
static void check_binary(void) {
  cl_program program = build(objects);
  size_t size;
  cl_int code, status;
  CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  unsigned char *binary = malloc(size);
  CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
  cl_program again = clCreateProgramWithBinary(host_open()->context, 1, &host_open()->device, &size,
                                               (const unsigned char **)&binary, &status, &code);
  CL(code);
  free(binary);
  CL(clBuildProgram(again, 0, NULL, NULL, NULL, NULL));
  check_one(program);
  check_one(again);
}

/* Programs that have no need of it say so. */
static void check_plain(void) {
  cl_program program = build("int x = 3; struct s { int y; } z; constant<int> w{4};\n"
                             "kernel void k(int *out) { out[0] = x + z.y + w; }\n");
  CHECK(has(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT) == CL_FALSE);
  CHECK(has(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT) == CL_FALSE);
  CL(clReleaseProgram(program));
}

/* Two sources, compiled apart, each with objects of its own. */
static void check_linked(void) {
  static const char *const parts[] = {
      "extern \"C\" int other(); extern int seen;\n"
      "struct a { int n; a(int m) : n(m + other()) {} ~a() { seen += n; } }; static a mine(1);\n"
      "kernel void look(int *out, int *marks) { out[0] = mine.n + other(); }\n",
      "int seen; struct b { int n; b(int m) : n(m) {} ~b() { seen += n; } }; static b theirs(4);\n"
      "extern \"C\" int other() { return 10 + theirs.n; }\n"};
  cl_program compiled[2];
  cl_int code;
  int got[MARKS];
  for (int i = 0; i < 2; i++) {
    const char *texts[] = {library, parts[i]};
    if (i) texts[0] = "";
    compiled[i] = create(texts, 2);
    CL(clCompileProgram(compiled[i], 1, &host_open()->device, "-cl-std=c++", 0, NULL, NULL, NULL,
                        NULL));
  }
  cl_program linked = clLinkProgram(host_open()->context, 1, &host_open()->device, "", 2, compiled,
                                    NULL, NULL, &code);
  CL(code);
  cl_mem out = new_buffer(), marks = new_buffer();
  run(linked, "look", out, marks);
  read(out, got);
  CHECK(got[0] == 1 + 10 + 10 + 4); /* `mine` comes first, when `theirs` is still zero */
  CL(clReleaseProgram(linked));
  for (int i = 0; i < 2; i++) CL(clReleaseProgram(compiled[i]));
  CL(clReleaseMemObject(out));
  CL(clReleaseMemObject(marks));
}

int main(void) {
  check_one(build(objects));
  check_binary();
  check_plain();
  check_linked();
  printf("%s\n", num_failed ? "FAILED" : "ok");
  return num_failed != 0;
}
