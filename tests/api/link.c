/* Compiling and linking: embedded headers, libraries, binaries of each kind. */
#include "api.h"

#include <sys/stat.h>
#include <unistd.h>

static cl_program compile(const char *source, const char *options) {
  cl_program program = source_program(source);
  cl_int error = clCompileProgram(program, 0, NULL, options, 0, NULL, NULL, NULL, NULL);
  EXPECT(CL_SUCCESS, error);
  if (error) print_log(program);
  return program;
}

static cl_program_binary_type type_of(cl_program program) {
  cl_program_binary_type type = 99;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL);
  return type;
}

static void check_runs(cl_program program, cl_int answer) {
  cl_int error, values[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  EXPECT(CL_SUCCESS, error);
  if (!kernel) return;
  run_on(kernel, values, 8, 4);
  CHECK(values[7] == answer);
  clReleaseKernel(kernel);
}

/* The program as a binary and back. */
static cl_program reborn(cl_program program, cl_int expected) {
  size_t size = 0;
  cl_int error = 1, status = 1;
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  CHECK(size > 0);
  unsigned char *data = malloc(size + 1);
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof data, &data, NULL));
  cl_program made = clCreateProgramWithBinary(context, 1, &device, &size,
                                              (const unsigned char **)&data, &status, &error);
  CHECK(error == expected && status == expected);
  CHECK(!made || type_of(made) == type_of(program));
  /* Every kind of damage is noticed. */
  for (size_t at = 0; at < size; at += size / 50 + 1) {
    data[at] ^= 0x40;
    cl_int damaged_status = 0;
    EXPECT_NULL(CL_INVALID_BINARY,
                clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&data,
                                          &damaged_status, &error));
    CHECK(damaged_status == CL_INVALID_BINARY);
    data[at] ^= 0x40;
  }
  size_t cut = size / 2;
  EXPECT_NULL(CL_INVALID_BINARY,
              clCreateProgramWithBinary(context, 1, &device, &cut, (const unsigned char **)&data,
                                        NULL, &error));
  free(data);
  return made;
}

/* The two parts of a program: compiled, the one as a library, both linked. */
static cl_program helper, main_program, library, linked;

static cl_program linked_of(const char *options, cl_uint count, const cl_program *programs) {
  cl_int error;
  cl_program made = clLinkProgram(context, 0, NULL, options, count, programs, NULL, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  if (error) print_log(made);
  return made;
}

static void make_parts(void) {
  helper = compile("int twice(int x) { return x * 2; }\n"
                   "int total(int x) { return work_group_reduce_add(x); }\n",
                   "-cl-std=CL3.0");
  main_program = compile("int twice(int);\nint total(int);\n"
                         "kernel void k(global int *p) {\n"
                         "  p[get_global_id(0)] = total(twice(p[get_global_id(0)]));\n"
                         "}\n",
                         "-cl-std=CL3.0");
  CHECK(type_of(helper) == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
  EXPECT_NULL(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(main_program, "k", &error));
  library = linked_of("-create-library", 1, &helper);
  CHECK(type_of(library) == CL_PROGRAM_BINARY_TYPE_LIBRARY);
  cl_int error;
  const cl_program both[] = {main_program, library};
  linked = clLinkProgram(context, 1, &device, NULL, 2, both, NULL, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  if (error) print_log(linked);
  CHECK(type_of(linked) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
  check_runs(linked, 8);
}

static void check_without_library(void) {
  const cl_program plain[] = {main_program, helper};
  cl_program direct = linked_of("-cl-fast-relaxed-math", 2, plain);
  check_runs(direct, 8);
  clReleaseProgram(direct);
}

/* Each kind goes out as a binary and comes in again. */
static void check_binaries(void) {
  cl_program parts[] = {reborn(main_program, CL_SUCCESS), reborn(library, CL_SUCCESS)};
  cl_program whole = reborn(linked, CL_SUCCESS);
  EXPECT_NULL(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(whole, "k", &error));
  EXPECT(CL_SUCCESS, clBuildProgram(whole, 0, NULL, NULL, NULL, NULL));
  check_runs(whole, 8);
  cl_program again = linked_of(NULL, 2, parts);
  check_runs(again, 8);
  clReleaseProgram(parts[0]);
  clReleaseProgram(parts[1]);
  clReleaseProgram(whole);
  clReleaseProgram(again);
}

static void check_wrong_links(void) {
  const cl_program both[] = {main_program, library}, twice[] = {helper, helper};
  cl_int error;
  cl_program lonely = clLinkProgram(context, 0, NULL, NULL, 1, &main_program, NULL, NULL, &error);
  CHECK(error == CL_LINK_PROGRAM_FAILURE && lonely);
  char log[4096] = "";
  clGetProgramBuildInfo(lonely, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
  CHECK(strstr(log, "twice") || strstr(log, "total"));
  cl_program source = source_program("kernel void k(void) {}");
  EXPECT_NULL(CL_INVALID_OPERATION,
              clLinkProgram(context, 0, NULL, NULL, 1, &source, NULL, NULL, &error));
  EXPECT_NULL(CL_INVALID_OPERATION,
              clLinkProgram(context, 0, NULL, NULL, 1, &linked, NULL, NULL, &error));
  EXPECT_NULL(CL_INVALID_VALUE, clLinkProgram(context, 0, NULL, NULL, 0, both, NULL, NULL, &error));
  EXPECT_NULL(CL_INVALID_LINKER_OPTIONS,
              clLinkProgram(context, 0, NULL, "-DX", 2, both, NULL, NULL, &error));
  cl_program doubled = clLinkProgram(context, 0, NULL, NULL, 2, twice, NULL, NULL, &error);
  CHECK(error == CL_LINK_PROGRAM_FAILURE);
  clReleaseProgram(lonely);
  clReleaseProgram(source);
  clReleaseProgram(doubled);
}

/* More than one clang is handed at a time. */
static void check_many(void) {
  enum { MANY = 130 };
  cl_program nothing = compile("typedef int nothing;", NULL), many[MANY];
  for (int i = 0; i < MANY; i++) many[i] = i == 3 ? helper : i == 120 ? main_program : nothing;
  cl_program large = linked_of(NULL, MANY, many);
  check_runs(large, 8);
  clReleaseProgram(nothing);
  clReleaseProgram(large);
}

static void check_libraries(void) {
  make_parts();
  check_without_library();
  check_binaries();
  check_wrong_links();
  check_many();
  clReleaseProgram(helper);
  clReleaseProgram(main_program);
  clReleaseProgram(library);
  clReleaseProgram(linked);
}

static void check_headers(void) {
  cl_program one = source_program("#define ONE 1\n#include \"deep/two.h\"\n");
  cl_program two = source_program("int two(int x);\n");
  cl_program wrong = source_program("int broken = ;\n"); /* of "int broken(" clang 21 crashes, in some runs */
  cl_program program =
      source_program("#include \"one.h\"\n#include <deep/two.h>\n"
                     "kernel void k(global int *p) { p[get_global_id(0)] += ONE; }");
  const cl_program headers[] = {one, two}, broken[] = {one, wrong};
  const char *names[] = {"one.h", "deep/two.h"}, *outside[] = {"one.h", "../two.h"};
  EXPECT(CL_INVALID_VALUE, clCompileProgram(program, 0, NULL, NULL, 2, headers, NULL, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, clCompileProgram(program, 0, NULL, NULL, 0, headers, names, NULL, NULL));
  cl_int error = clCompileProgram(program, 0, NULL, NULL, 2, headers, names, NULL, NULL);
  EXPECT(CL_SUCCESS, error);
  if (error) print_log(program);
  cl_program linked = clLinkProgram(context, 0, NULL, NULL, 1, &program, NULL, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  check_runs(linked, 2);
  EXPECT(CL_COMPILE_PROGRAM_FAILURE,
         clCompileProgram(program, 0, NULL, NULL, 2, broken, names, NULL, NULL));
  char log[4096] = "";
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
  CHECK(strstr(log, "deep/two.h:1:") && !strstr(log, "/maniple-"));
  EXPECT(CL_COMPILE_PROGRAM_FAILURE,
         clCompileProgram(program, 0, NULL, NULL, 2, headers, outside, NULL, NULL));
  EXPECT(CL_COMPILE_PROGRAM_FAILURE,
         clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
  cl_program all[] = {one, two, wrong, program, linked};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) clReleaseProgram(all[i]);
}

/* A last line without an end is given one: clang is slow on each instruction of such a line. */
static void check_line_ends(void) {
  cl_program header = source_program("#define ONE 1");
  cl_program program =
      source_program("#include \"one.h\"\nkernel void k(global int *p) { *p = ONE; }");
  cl_program joined = source_program("kernel void k(global int *p) { *p = 1; } \\");
  const char *name = "one.h", *options = "-Werror -Wnewline-eof";
  EXPECT(CL_SUCCESS, clCompileProgram(program, 0, NULL, options, 1, &header, &name, NULL, NULL));
  EXPECT(CL_COMPILE_PROGRAM_FAILURE,
         clCompileProgram(joined, 0, NULL, options, 0, NULL, NULL, NULL, NULL));
  clReleaseProgram(header);
  clReleaseProgram(program);
  clReleaseProgram(joined);
}

/* Files by -I, relative to the current folder, and beside it. */
static void check_files(void) {
  char folder[] = "/tmp/maniple-test-XXXXXX", back[4096];
  CHECK(mkdtemp(folder) && getcwd(back, sizeof back) && !chdir(folder));
  CHECK(!mkdir("with blank", 0700));
  FILE *file = fopen("with blank/a.h", "w");
  fputs("#define A 3\n", file);
  fclose(file);
  file = fopen("here.h", "w");
  fputs("#define HERE 4\n", file);
  fclose(file);
  cl_program program = build("#include <a.h>\n#include \"here.h\"\n"
                             "kernel void k(global int *p) { p[get_global_id(0)] += A + HERE; }",
                             "-I \"with blank\"");
  check_runs(program, 8);
  clReleaseProgram(program);
  unlink("here.h");
  unlink("with blank/a.h");
  rmdir("with blank");
  CHECK(!chdir(back) && !rmdir(folder));
}

int main(void) {
  open_device();
  check_libraries();
  check_headers();
  check_line_ends();
  check_files();
  const unsigned char *junk[] = {
      (const unsigned char *)"junk that is no binary of anything at all "
                             "but long enough to hold a header of one, one would think, yes"};
  size_t size = strlen((const char *)junk[0]), none = 0;
  cl_int status = 0;
  EXPECT_NULL(CL_INVALID_BINARY,
              clCreateProgramWithBinary(context, 1, &device, &size, junk, &status, &error));
  EXPECT_NULL(CL_INVALID_VALUE,
              clCreateProgramWithBinary(context, 1, &device, &none, junk, &status, &error));
  EXPECT_NULL(CL_INVALID_VALUE,
              clCreateProgramWithBinary(context, 0, &device, &size, junk, &status, &error));
  return finish();
}
