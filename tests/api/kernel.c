/* Kernels: arguments, queries, clones. */
#include "api.h"

static const char *const source =
    "typedef struct { char c; long l; } pair;\n"
    "kernel __attribute__((reqd_work_group_size(8, 2, 1)))\n"
    "void k(global int *restrict out, constant float4 *table, local short *room, int n,\n"
    "       float3 v, pair both, const volatile global uchar *more) {\n"
    "  local int fixed[32];\n"
    "  size_t i = get_local_linear_id();\n"
    "  fixed[i] = n;\n"
    "  room[i] = (short)i;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[i] = fixed[15 - i] + room[15 - i] + (int)v.z + (int)both.l + both.c +\n"
    "           (table ? (int)table[0].w : 0) + (more ? *more : 0);\n"
    "}\n"
    "kernel void two(global int *out, local int *none, local int *some, int n) {\n"
    "  size_t i = get_local_id(0);\n"
    "  if (n) none[i] = -1;\n"
    "  some[i] = i + 1;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[i] = some[3 - i];\n"
    "}\n"
    "kernel void plain(global int *p) { p[get_global_id(0)] = 1; }\n";

struct pair {
  cl_char c;
  cl_long l __attribute__((aligned(8)));
};

static void check_text(cl_kernel kernel, cl_uint index, cl_kernel_arg_info param,
                       const char *expected) {
  char text[200] = "";
  size_t size = 0;
  EXPECT(CL_SUCCESS, clGetKernelArgInfo(kernel, index, param, sizeof text, text, &size));
  if (strcmp(text, expected) || size != strlen(expected) + 1) {
    failures++;
    printf("argument %u: '%s', not '%s'\n", index, text, expected);
  }
}

#define ARG(type, index, param)                                                                    \
  ({                                                                                               \
    type value_ = 0;                                                                               \
    EXPECT(CL_SUCCESS, clGetKernelArgInfo(kernel, index, param, sizeof value_, &value_, NULL));    \
    value_;                                                                                        \
  })

static void check_arg_info(cl_kernel kernel) {
  static const char *const names[] = {"out", "table", "room", "n", "v", "both", "more"};
  static const char *const types[] = {"int*",   "float4*", "short*", "int",
                                      "float3", "pair",    "uchar*"};
  static const cl_kernel_arg_address_qualifier spaces[] = {
      CL_KERNEL_ARG_ADDRESS_GLOBAL,  CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_ADDRESS_LOCAL,
      CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_PRIVATE,  CL_KERNEL_ARG_ADDRESS_PRIVATE,
      CL_KERNEL_ARG_ADDRESS_GLOBAL};
  static const cl_kernel_arg_type_qualifier qualifiers[] = {CL_KERNEL_ARG_TYPE_RESTRICT,
                                                            CL_KERNEL_ARG_TYPE_CONST,
                                                            0,
                                                            0,
                                                            0,
                                                            0,
                                                            CL_KERNEL_ARG_TYPE_CONST |
                                                                CL_KERNEL_ARG_TYPE_VOLATILE};
  for (cl_uint i = 0; i < 7; i++) {
    check_text(kernel, i, CL_KERNEL_ARG_NAME, names[i]);
    check_text(kernel, i, CL_KERNEL_ARG_TYPE_NAME, types[i]);
    CHECK(ARG(cl_kernel_arg_address_qualifier, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER) == spaces[i]);
    CHECK(ARG(cl_kernel_arg_type_qualifier, i, CL_KERNEL_ARG_TYPE_QUALIFIER) == qualifiers[i]);
    CHECK(ARG(cl_kernel_arg_access_qualifier, i, CL_KERNEL_ARG_ACCESS_QUALIFIER) ==
          CL_KERNEL_ARG_ACCESS_NONE);
  }
  char text[100];
  EXPECT(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(kernel, 7, CL_KERNEL_ARG_NAME, 100, text, NULL));
  EXPECT(CL_INVALID_VALUE, clGetKernelArgInfo(kernel, 0, 0x1, 100, text, NULL));
  EXPECT(CL_INVALID_VALUE, clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, 1, text, NULL));
}

/* Parameters are limited by their size, not by their number. */
static void check_many_args(void) {
  enum { COUNT = 300 };
  char text[8192] = "kernel void many(";
  cl_int error;
  size_t used = strlen(text);
  for (int i = 0; i < COUNT; i++) used += (size_t)sprintf(text + used, "uchar a%d, ", i);
  strcpy(text + used, "global int *out) { *out = a299; }");
  cl_program program = build(text, "-cl-std=CL3.0 -cl-kernel-arg-info");
  cl_kernel kernel = clCreateKernel(program, "many", &error);
  EXPECT(CL_SUCCESS, error);
  check_text(kernel, COUNT - 1, CL_KERNEL_ARG_NAME, "a299");
  check_text(kernel, COUNT - 1, CL_KERNEL_ARG_TYPE_NAME, "uchar");
  check_text(kernel, COUNT, CL_KERNEL_ARG_TYPE_NAME, "int*");
  EXPECT(CL_SUCCESS, clReleaseKernel(kernel));
  EXPECT(CL_SUCCESS, clReleaseProgram(program));
}

static void check_queries(cl_program program, cl_kernel kernel) {
  char text[200];
  cl_uint count = 0;
  cl_context its_context;
  cl_program its_program;
  size_t sizes[3] = {0}, size = 0;
  cl_ulong bytes = 0;
  EXPECT(CL_SUCCESS, clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof text, text, NULL));
  CHECK(!strcmp(text, "k"));
  EXPECT(CL_SUCCESS, clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
  CHECK(count == 7);
  EXPECT(CL_SUCCESS,
         clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof its_context, &its_context, 0));
  CHECK(its_context == context);
  EXPECT(CL_SUCCESS,
         clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof its_program, &its_program, 0));
  CHECK(its_program == program);
  EXPECT(CL_SUCCESS, clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL));
  CHECK(strstr(text, "reqd_work_group_size(8,2,1)"));
  EXPECT(CL_INVALID_VALUE, clGetKernelInfo(kernel, 0x1, sizeof text, text, NULL));

  EXPECT(CL_SUCCESS, clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                              sizeof sizes, sizes, NULL));
  CHECK(sizes[0] == 8 && sizes[1] == 2 && sizes[2] == 1);
  EXPECT(CL_SUCCESS, clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE,
                                              sizeof size, &size, NULL));
  CHECK(size >= 16);
  EXPECT(CL_SUCCESS,
         clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                  sizeof size, &size, NULL));
  CHECK(size >= 1);
  EXPECT(CL_SUCCESS, clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE,
                                              sizeof bytes, &bytes, NULL));
  CHECK(bytes >= 128);
  EXPECT(CL_SUCCESS, clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_PRIVATE_MEM_SIZE,
                                              sizeof bytes, &bytes, NULL));
  EXPECT(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_GLOBAL_WORK_SIZE,
                                                    sizeof sizes, sizes, NULL));
}

static void check_args(cl_kernel kernel, cl_mem out) {
  cl_int n = 100;
  cl_float3 v = {{1, 2, 3}};
  struct pair both = {5, 1000};
  cl_mem none = NULL, wrong = WRONG(cl_mem);
  size_t global[2] = {8, 2};
  EXPECT(CL_INVALID_KERNEL_ARGS,
         clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
  EXPECT(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 7, sizeof n, &n));
  EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &out));
  EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof wrong, &wrong));
  EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 2, 32, &n));
  EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 3, 8, &n));
  EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 3, 4, NULL));
  EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 4, 12, &v));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof out, &out));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof none, &none));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 2, 32, NULL));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 3, sizeof n, &n));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 4, sizeof v, &v));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 5, sizeof both, &both));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 6, sizeof(cl_mem), NULL));
  n = -1; /* values were copied */
  cl_int error, result[16] = {0};
  cl_kernel clone = clCloneKernel(kernel, &error);
  EXPECT(CL_SUCCESS, error);
  cl_int other = 500;
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 3, sizeof other, &other)); /* not of the clone */
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, clone, 2, NULL, global, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, out, 1, 0, sizeof result, result, 0, NULL, NULL));
  CHECK(result[0] == 100 + 15 + 3 + 1000 + 5 && result[15] == 100 + 0 + 3 + 1000 + 5);
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, out, 1, 0, sizeof result, result, 0, NULL, NULL));
  CHECK(result[0] == 500 + 15 + 3 + 1000 + 5);
  EXPECT(CL_SUCCESS, clReleaseKernel(clone));

  /* Local memory that the device has not got. */
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 2, (size_t)1 << 40, NULL));
  EXPECT(CL_OUT_OF_RESOURCES,
         clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
}

/* Local memory of no bytes, beside some that is used (OpenCL 3.1, clSetKernelArg). */
static void check_empty_local(cl_program program, cl_mem out) {
  cl_int error, n = 0, result[4];
  cl_kernel kernel = clCreateKernel(program, "two", &error);
  size_t global = 4;
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof out, &out));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, 0, NULL));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 2, sizeof result, NULL));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 3, sizeof n, &n));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &global, 0, 0, 0));
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, out, 1, 0, sizeof result, result, 0, NULL, NULL));
  for (int i = 0; i < 4; i++) CHECK(result[i] == 4 - i);
  EXPECT(CL_SUCCESS, clReleaseKernel(kernel));
}

/* Names have no longest (the suite's kernel_name_size takes 1024 letters). */
static void check_long_names(void) {
  enum { LENGTH = 3000 };
  char name[LENGTH + 1], text[4 * LENGTH], got[LENGTH + 1] = "";
  for (int i = 0; i < LENGTH; i++) name[i] = (char)('a' + i % 26);
  name[LENGTH] = 0;
  snprintf(text, sizeof text, "kernel void %s(global int *%s_) { *%s_ = 1; }", name, name, name);
  cl_program program = build(text, "-cl-kernel-arg-info");
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  EXPECT(CL_SUCCESS, error);
  if (!kernel) return;
  EXPECT(CL_SUCCESS, clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof got, got, NULL));
  CHECK(!strcmp(got, name));
  size_t size = 0;
  EXPECT(CL_SUCCESS, clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, 0, NULL, &size));
  CHECK(size == LENGTH + 2);
  EXPECT(CL_SUCCESS, clReleaseKernel(kernel));
  EXPECT(CL_SUCCESS, clReleaseProgram(program));
}

int main(void) {
  cl_int error;
  open_device();
  cl_program program = build(source, "-cl-std=CL3.0 -cl-kernel-arg-info");
  cl_kernel kernel = clCreateKernel(program, "k", &error), plain;
  EXPECT(CL_SUCCESS, error);
  if (!kernel) return finish();
  check_arg_info(kernel);
  check_many_args();
  check_queries(program, kernel);
  cl_mem out = clCreateBuffer(context, 0, 64, NULL, &error);
  check_args(kernel, out);
  check_empty_local(program, out);
  check_long_names();

  plain = clCreateKernel(program, "plain", &error);
  typedef cl_int CL_API_CALL suggest(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                     const size_t *, size_t *);
  suggest *ask = (suggest *)clGetExtensionFunctionAddressForPlatform(
      platform, "clGetKernelSuggestedLocalWorkSizeKHR");
  const size_t global = 960;
  size_t local = 0;
  EXPECT(CL_INVALID_KERNEL_ARGS, ask(queue, plain, 1, NULL, &global, &local));
  EXPECT(CL_SUCCESS, clSetKernelArg(plain, 0, sizeof out, &out));
  EXPECT(CL_SUCCESS, ask(queue, plain, 1, NULL, &global, &local));
  CHECK(local >= 1 && local <= 960);
  EXPECT(CL_SUCCESS, clRetainKernel(plain));
  EXPECT(CL_SUCCESS, clReleaseKernel(plain));
  EXPECT(CL_SUCCESS, clReleaseKernel(plain));
  EXPECT(CL_SUCCESS, clReleaseKernel(kernel));
  EXPECT(CL_SUCCESS, clReleaseMemObject(out));
  EXPECT(CL_SUCCESS, clReleaseProgram(program));
  return finish();
}
