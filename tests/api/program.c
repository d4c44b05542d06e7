/* Programs: source, build, options, log, queries. */
#include "api.h"

static const char *const good =
    "#ifndef N\n#define N 1\n#endif\n"
    "kernel void second(global int *p) { p[get_global_id(0)] += N; }\n"
    "global int shared_by_all[100];\n"
    "kernel void first(global int *p) { p[get_global_id(0)] = shared_by_all[0]; }\n";

static int calls;

static void CL_CALLBACK built(cl_program program, void *data) {
  calls++;
  CHECK(data == &calls);
}

static const char *log_of(cl_program program) {
  static char log[65536];
  log[0] = 0;
  EXPECT(CL_SUCCESS,
         clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
  return log;
}

static cl_build_status status_of(cl_program program) {
  cl_build_status status = 99;
  EXPECT(CL_SUCCESS, clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status,
                                           &status, NULL));
  return status;
}

static void check_creation(void) {
  const char *strings[] = {"kernel void k", "(void) {", "}rubbish", NULL};
  const size_t lengths[] = {0, 8, 1};
  cl_int error;
  EXPECT_NULL(CL_INVALID_VALUE, clCreateProgramWithSource(context, 0, strings, NULL, &error));
  EXPECT_NULL(CL_INVALID_VALUE, clCreateProgramWithSource(context, 1, NULL, NULL, &error));
  EXPECT_NULL(CL_INVALID_VALUE, clCreateProgramWithSource(context, 4, strings, NULL, &error));
  cl_program program = clCreateProgramWithSource(context, 3, strings, lengths, &error);
  EXPECT(CL_SUCCESS, error);
  char source[100];
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof source, source, NULL));
  CHECK(!strcmp(source, "kernel void k(void) {}"));
  CHECK(status_of(program) == CL_BUILD_NONE);
  CHECK(!*log_of(program));
  size_t number;
  EXPECT(CL_INVALID_PROGRAM_EXECUTABLE,
         clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof number, &number, NULL));
  EXPECT_NULL(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(program, "k", &error));
  EXPECT(CL_INVALID_VALUE, clBuildProgram(program, 0, &device, NULL, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, clBuildProgram(program, 1, NULL, NULL, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, clBuildProgram(program, 0, NULL, NULL, NULL, &calls));
  EXPECT(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 0, NULL, "-no-such-option", NULL, NULL));
  EXPECT(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 0, NULL, "-cl-std=CL9.9", NULL, NULL));
  EXPECT(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 0, NULL, "-D", NULL, NULL));
  EXPECT(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 0, NULL, "-o x", NULL, NULL));
  EXPECT(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 0, NULL, "-Wl,-x", NULL, NULL));
  EXPECT(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 0, NULL, "-cl-nv-maxrregcount", NULL, NULL));
  EXPECT(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 0, NULL, "-cl-nv-opt-level -w", NULL, NULL));
  EXPECT(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 0, NULL, "-cl-nv-opt-level=x", NULL, NULL));
  EXPECT(CL_INVALID_COMPILER_OPTIONS,
         clCompileProgram(program, 0, NULL, "-create-library", 0, NULL, NULL, NULL, NULL));
  EXPECT(CL_SUCCESS, clBuildProgram(program, 0, NULL, "-cl-nv-verbose -cl-nv-opt-level 2 -cl-nv-maxrregcount=64 -w",
                                    NULL, NULL));
  EXPECT(CL_SUCCESS, clReleaseProgram(program));
}

static void check_success(void) {
  cl_program program = source_program(good);
  EXPECT(CL_SUCCESS, clBuildProgram(program, 1, &device, "-D N=5 -cl-std=CL3.0", built, &calls));
  CHECK(calls == 1);
  CHECK(status_of(program) == CL_BUILD_SUCCESS);
  char text[1000];
  size_t number = 0;
  cl_program_binary_type type = 0;
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof number, &number, 0));
  CHECK(number == 2);
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
  CHECK(!strcmp(text, "second;first") || !strcmp(text, "first;second"));
  EXPECT(CL_SUCCESS,
         clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, sizeof text, text, NULL));
  CHECK(!strcmp(text, "-D N=5 -cl-std=CL3.0"));
  EXPECT(CL_SUCCESS,
         clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
  CHECK(type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
  EXPECT(CL_SUCCESS,
         clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
                               sizeof number, &number, NULL));
  CHECK(number >= 400);
  EXPECT(CL_INVALID_VALUE, clGetProgramBuildInfo(program, device, 0x1, sizeof text, text, NULL));
  EXPECT(CL_INVALID_VALUE, clGetProgramInfo(program, 0x1, sizeof text, text, NULL));

  cl_int error, values[4] = {1, 2, 3, 4};
  EXPECT_NULL(CL_INVALID_KERNEL_NAME, clCreateKernel(program, "third", &error));
  EXPECT_NULL(CL_INVALID_VALUE, clCreateKernel(program, NULL, &error));
  cl_kernel kernel = clCreateKernel(program, "second", &error);
  run_on(kernel, values, 4, 0);
  CHECK(values[0] == 6 && values[3] == 9);
  EXPECT(CL_INVALID_OPERATION, clBuildProgram(program, 0, NULL, "-DN=6", NULL, NULL));
  clReleaseKernel(kernel);
  error = clBuildProgram(program, 0, NULL, "-DN=6 -cl-std=CL3.0", NULL, NULL);
  EXPECT(CL_SUCCESS, error);
  if (error) print_log(program);
  cl_kernel kernels[2] = {NULL};
  cl_uint count = 0;
  EXPECT(CL_INVALID_VALUE, clCreateKernelsInProgram(program, 1, kernels, &count));
  EXPECT(CL_SUCCESS, clCreateKernelsInProgram(program, 2, kernels, &count));
  CHECK(count == 2);
  EXPECT(CL_SUCCESS, clReleaseProgram(program)); /* the kernels keep it */
  for (int i = 0; i < 2; i++)
    if (kernels[i]) clReleaseKernel(kernels[i]);
}

static void check_failure(void) {
  cl_program program = source_program("kernel void k(global int *p) {\n"
                                      "\n"
                                      "  p[0] = undeclared;\n"
                                      "}\n");
  EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, NULL, built, &calls));
  CHECK(status_of(program) == CL_BUILD_ERROR);
  CHECK(strstr(log_of(program), "<source>:3:10: error: use of undeclared identifier"));
  EXPECT(CL_SUCCESS, clBuildProgram(program, 0, NULL, "-Dundeclared=3", NULL, NULL));
  CHECK(!*log_of(program));
  clReleaseProgram(program);

  program = build("#warning look here\nkernel void k(void) {}", "-cl-std=CL1.2");
  CHECK(strstr(log_of(program), "<source>:1:2: warning: look here"));
  clReleaseProgram(program);
  program = source_program("#warning look here\nkernel void k(void) {}");
  EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, "-Werror", NULL, NULL));
  EXPECT(CL_SUCCESS, clBuildProgram(program, 0, NULL, "-w", NULL, NULL));
  clReleaseProgram(program);

  /* A function that is only declared is an error of the build, by name. */
  program = source_program("int helper(int);\nkernel void k(global int *p) { p[0] = helper(1); }");
  EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  CHECK(strstr(log_of(program), "helper"));
  clReleaseProgram(program);
}

/* Each option of section 5.8.6. */
static void check_options(void) {
  static const char *const options[] = {"-cl-single-precision-constant",
                                        "-cl-denorms-are-zero",
                                        "-cl-fp32-correctly-rounded-divide-sqrt",
                                        "-cl-opt-disable",
                                        "-cl-strict-aliasing",
                                        "-cl-uniform-work-group-size",
                                        "-cl-no-subgroup-ifp",
                                        "-cl-mad-enable",
                                        "-cl-no-signed-zeros",
                                        "-cl-unsafe-math-optimizations",
                                        "-cl-finite-math-only",
                                        "-cl-fast-relaxed-math",
                                        "-w",
                                        "-Werror",
                                        "-cl-kernel-arg-info",
                                        "-g",
                                        "-cl-std=CL1.0",
                                        "-cl-std=CL1.1",
                                        "-cl-std=CL1.2",
                                        "-cl-std=CL2.0",
                                        "-cl-std=CL3.0",
                                        "  ",
                                        "-I /nowhere",
                                        "-I/nowhere",
                                        "-DN=3",
                                        "-D N=3 ",
                                        "\t-D N\n-D M"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    cl_program program =
        build("kernel void k(global float *p) { p[0] = p[1] / p[2]; }", options[i]);
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    CHECK(kernel);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
  }
}

static void check_quoting(void) {
  cl_program program = build(
      "kernel void k(global int *p) {\n"
      "  constant char *s = TEXT; constant char *t = OTHER; p[0] = s[0]; p[1] = sizeof TEXT;\n"
      "  p[2] = t[1]; p[3] = NUMBER;\n"
      "}\n",
      "-D TEXT=\\\"ab\\ c\\\" \"-DOTHER=\\\"x y\\\"\" -D 'NUMBER=(1 + 2)'");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  cl_int values[4] = {0};
  if (kernel) {
    cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof values, values, NULL);
    size_t one = 1;
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    void *mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, sizeof values, 0,
                                      NULL, NULL, NULL);
    CHECK(mapped == values);
    EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
    clFinish(queue);
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
  }
  CHECK(values[0] == 'a' && values[1] == 5 && values[2] == ' ' && values[3] == 3);
  clReleaseProgram(program);
}

int main(void) {
  open_device();
  check_creation();
  check_success();
  check_failure();
  check_options();
  check_quoting();
  return finish();
}
