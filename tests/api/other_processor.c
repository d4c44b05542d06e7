/* Programs that were compiled, and not linked, for another processor than this one: how they pass
 * vectors depends on its registers, so they are linked with what was compiled for it too, and are no
 * binaries for others.  MANIPLE_BUILD_OPTIONS names the other processor. */
#include "api.h"

#include <sys/wait.h>
#include <unistd.h>

#ifdef __x86_64__
#define OTHER "-march=x86-64-v2"
#else
#define OTHER "-mtune=generic"
#endif

static const char twice[] = "float16 twice(float16 x, double8 y) { return 2 * x + (float)y.s7; }\n",
                  caller[] =
                      "float16 twice(float16 x, double8 y);\n"
                      "kernel void k(global float *x) {\n"
                      "  size_t i = get_global_id(0);\n"
                      "  vstore16(twice(vload16(i, x), (double8)(1, 2, 3, 4, 5, 6, 7, i)), i, x);\n"
                      "}\n",
                  whole[] = "kernel void k(global float *x) { x[get_global_id(0)] *= 3; }\n";

static cl_program compiled(const char *source) {
  cl_program program = source_program(source);
  EXPECT(CL_SUCCESS, clCompileProgram(program, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
  return program;
}

static cl_program from_binary(const unsigned char *bytes, size_t size, cl_int expected) {
  cl_int error = 1, status = 1;
  cl_program program =
      clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &status, &error);
  EXPECT(expected, error);
  EXPECT(expected, status);
  return program;
}

/* Linked with what is compiled here, and run. */
static void check_linked(cl_program helper) {
  enum { ITEMS = 4, COUNT = 16 * ITEMS };
  cl_float values[COUNT];
  size_t items = ITEMS;
  cl_int error;
  cl_program both[] = {compiled(caller), helper};
  cl_program linked = clLinkProgram(context, 0, NULL, "", 2, both, NULL, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  cl_kernel kernel = clCreateKernel(linked, "k", &error);
  for (int i = 0; i < COUNT; i++) values[i] = (cl_float)i;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &error);
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL,
                                         NULL));
  int wrong = 0;
  for (int i = 0; i < COUNT; i++) wrong += values[i] != (cl_float)(2 * i + i / 16);
  CHECK(!wrong);
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(linked);
  clReleaseProgram(both[0]);
  clReleaseProgram(helper);
}

static void write_binary(FILE *file, cl_program program) {
  size_t size = 0;
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  unsigned char *bytes = malloc(size);
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
  CHECK(fwrite(&size, sizeof size, 1, file) == 1 && fwrite(bytes, 1, size, file) == size);
  clReleaseProgram(program);
  free(bytes);
}

static unsigned char *read_binary(FILE *file, size_t *size) {
  if (fread(size, sizeof *size, 1, file) != 1) *size = 0;
  unsigned char *bytes = malloc(*size);
  CHECK(*size && fread(bytes, 1, *size, file) == *size);
  return bytes;
}

/* A process for the other processor; the last one also takes what the first one has left. */
static void for_other(FILE *file, bool takes) {
  size_t size;
  pid_t child = fork();
  if (!child) {
    setenv("MANIPLE_BUILD_OPTIONS", OTHER, 1);
    open_device();
    rewind(file);
    if (takes) {
      unsigned char *bytes = read_binary(file, &size);
      check_linked(from_binary(bytes, size, CL_SUCCESS));
      free(bytes);
    } else {
      write_binary(file, compiled(twice));
      write_binary(file, build(whole, ""));
    }
    int failed = finish();
    _exit(fflush(NULL) || failed);
  }
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && !status);
}

int main(void) {
  FILE *file = tmpfile();
  size_t size;
  CHECK(file);
  fflush(stdout);
  for_other(file, false);
  for_other(file, true);
  open_device();
  rewind(file);
  unsigned char *bytes = read_binary(file, &size);
  CHECK(!from_binary(bytes, size, CL_INVALID_BINARY));
  free(bytes);
  bytes = read_binary(file, &size); /* nothing is called from outside of that one */
  cl_program program = from_binary(bytes, size, CL_SUCCESS);
  EXPECT(CL_SUCCESS, clBuildProgram(program, 0, NULL, "", NULL, NULL));
  clReleaseProgram(program);
  free(bytes);
  check_linked(compiled(twice));
  fclose(file);
  return finish();
}
