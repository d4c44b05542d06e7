/* Modules as LLVM's translator writes them from OpenCL C: strings named ".str" and the like, and
 * ids of a dimension that is known at run time only, or is not there. */
#include "assemble.h"

/* out[0] = the sum of the strings' bytes, each of which has a name that OpenCL C cannot have. */
static void test_names(void) {
  static const char text[] =
      "OpCapability Addresses\nOpCapability Kernel\nOpCapability Int8\n"
      "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\"\n"
      "OpName %dotted \".str\"\nOpName %quoted \"a\\\"b\"\nOpName %same \"_str\"\n"
      "OpName %f \".omp outlined.\"\n"
      "%void = OpTypeVoid\n%byte = OpTypeInt 8 0\n%int = OpTypeInt 32 0\n"
      "%to_int = OpTypePointer CrossWorkgroup %int\n%int_0 = OpConstant %int 0\n"
      "%size = OpConstant %int 2\n%array = OpTypeArray %byte %size\n"
      "%to_array = OpTypePointer UniformConstant %array\n"
      "%to_byte = OpTypePointer UniformConstant %byte\n"
      "%byte_3 = OpConstant %byte 3\n%byte_50 = OpConstant %byte 50\n"
      "%a = OpConstantComposite %array %byte_3 %byte_50\n"
      "%b = OpConstantComposite %array %byte_50 %byte_50\n"
      "%dotted = OpVariable %to_array UniformConstant %a\n"
      "%quoted = OpVariable %to_array UniformConstant %b\n"
      "%same = OpVariable %to_array UniformConstant %b\n"
      "%type = OpTypeFunction %void %to_int %int\n%f_type = OpTypeFunction %int %to_byte %int\n"
      "%f = OpFunction %int DontInline %f_type\n"
      "%p = OpFunctionParameter %to_byte\n%i = OpFunctionParameter %int\n%f_begin = OpLabel\n"
      "%place = OpInBoundsPtrAccessChain %to_byte %p %i\n%x = OpLoad %byte %place Aligned 1\n"
      "%wide = OpUConvert %int %x\nOpReturnValue %wide\nOpFunctionEnd\n"
      "%k = OpFunction %void None %type\n%out = OpFunctionParameter %to_int\n"
      "%at = OpFunctionParameter %int\n%begin = OpLabel\n"
      "%d = OpInBoundsAccessChain %to_byte %dotted %int_0\n"
      "%q = OpInBoundsAccessChain %to_byte %quoted %int_0\n"
      "%s = OpInBoundsAccessChain %to_byte %same %int_0\n"
      "%one = OpFunctionCall %int %f %d %at\n%two = OpFunctionCall %int %f %q %at\n"
      "%three = OpFunctionCall %int %f %s %at\n"
      "%some = OpIAdd %int %one %two\n%sum = OpIAdd %int %some %three\n"
      "OpStore %out %sum Aligned 4\nOpReturn\nOpFunctionEnd\n";
  cl_int error, at = 0, sum = 0;
  cl_program program = il_build("1.0", text);
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  EXPECT(CL_SUCCESS, error);
  cl_mem out = clCreateBuffer(context, 0, sizeof sum, NULL, &error);
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof out, &out));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof at, &at));
  EXPECT(CL_SUCCESS, clEnqueueTask(queue, kernel, 0, NULL, NULL));
  clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL);
  CHECK(sum == 103);
  clReleaseMemObject(out);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

/* Each built-in variable of three elements, and what OpenCL C's function answers (6.15.1): the ids
 * and sizes of the range below, then what it gives for a dimension that is not there. */
enum { X = 4, Y = 6 };
static const size_t global[2] = {X, Y}, local[2] = {2, 3}, offset[2] = {5, 7};
static const struct {
  const char *name;
  unsigned none;
  char kind;
} variables[] = {{"GlobalInvocationId", 0, 'i'}, {"LocalInvocationId", 0, 'l'},
                 {"WorkgroupId", 0, 'g'},        {"GlobalOffset", 0, 'o'},
                 {"GlobalSize", 1, 's'},         {"WorkgroupSize", 1, 'w'},
                 {"NumWorkgroups", 1, 'n'},      {"EnqueuedWorkgroupSize", 1, 'w'}};

static unsigned long answer(unsigned v, unsigned long dimension, const size_t id[2]) {
  if (dimension > 1) return variables[v].none;
  size_t i = id[dimension], size = local[dimension];
  switch (variables[v].kind) {
  case 'i':
    return i + offset[dimension];
  case 'l':
    return i % size;
  case 'g':
    return i / size;
  case 'o':
    return offset[dimension];
  case 's':
    return global[dimension];
  case 'w':
    return size;
  default:
    return global[dimension] / size;
  }
}

/* out[4 * (y * X + x) + ...] = the variable's element `at`, the same by an access chain, element
 * `small`, which has 16 bits, and that of the constant 3. */
#define STORE(n, value)                                                                            \
  "%%i" n " = OpIAdd %%long %%first %%long_" n "\n"                                                \
  "%%p" n " = OpInBoundsPtrAccessChain %%to_long %%out %%i" n "\n"                                 \
  "OpStore %%p" n " %%" value " Aligned 8\n"
static const char dimensions[] =
    "OpCapability Addresses\nOpCapability Kernel\nOpCapability Int64\nOpCapability Int16\n"
    "%s" /* a capability */
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %%k \"k\" %%v %%id\n"
    "OpDecorate %%v BuiltIn %s\nOpDecorate %%v Constant\n"
    "OpDecorate %%id BuiltIn GlobalLinearId\nOpDecorate %%id Constant\n"
    "%%void = OpTypeVoid\n%%short = OpTypeInt 16 0\n%%int = OpTypeInt 32 0\n"
    "%%long = OpTypeInt 64 0\n%%vector = OpTypeVector %%long 3\n"
    "%%to_input = OpTypePointer Input %%vector\n%%to_part = OpTypePointer Input %%long\n"
    "%%to_long = OpTypePointer CrossWorkgroup %%long\n"
    "%%int_3 = OpConstant %%int 3\n%%long_0 = OpConstant %%long 0\n"
    "%%long_1 = OpConstant %%long 1\n%%long_2 = OpConstant %%long 2\n"
    "%%long_3 = OpConstant %%long 3\n%%long_4 = OpConstant %%long 4\n"
    "%%v = OpVariable %%to_input Input\n%%id = OpVariable %%to_part Input\n"
    "%%type = OpTypeFunction %%void %%to_long %%long %%short\n"
    "%%k = OpFunction %%void None %%type\n%%out = OpFunctionParameter %%to_long\n"
    "%%at = OpFunctionParameter %%long\n%%small = OpFunctionParameter %%short\n%%begin = OpLabel\n"
    "%%whole = OpLoad %%vector %%v Aligned 32\n%%own = OpLoad %%long %%id Aligned 8\n"
    "%%first = OpIMul %%long %%own %%long_4\n"
    "%%a = OpVectorExtractDynamic %%long %%whole %%at\n"
    "%%part = OpAccessChain %%to_part %%v %%at\n%%b = OpLoad %%long %%part Aligned 8\n"
    "%%c = OpVectorExtractDynamic %%long %%whole %%small\n"
    "%%d = OpVectorExtractDynamic %%long %%whole %%int_3\n" STORE("0", "a") STORE("1", "b")
        STORE("2", "c") STORE("3", "d") "OpReturn\nOpFunctionEnd\n";

static void run_dimension(cl_kernel kernel, unsigned v, cl_ulong at, cl_ushort small) {
  cl_int error;
  cl_ulong values[X * Y][4];
  cl_mem out = clCreateBuffer(context, 0, sizeof values, NULL, &error);
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof out, &out));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof at, &at));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 2, sizeof small, &small));
  EXPECT(CL_SUCCESS,
         clEnqueueNDRangeKernel(queue, kernel, 2, offset, global, local, 0, NULL, NULL));
  EXPECT(CL_SUCCESS,
         clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
  for (size_t i = 0; i < X * Y; i++) {
    const size_t id[2] = {i % X, i / X};
    unsigned long wide = answer(v, at, id), narrow = answer(v, small, id);
    CHECK(values[i][0] == wide && values[i][1] == wide && values[i][2] == narrow);
    CHECK(values[i][3] == variables[v].none);
  }
  clReleaseMemObject(out);
}

static void test_dimensions(unsigned v) {
  static const cl_ulong dimensions_of[] = {0, 1, 2, 3, 4, 1ul << 32, UINT64_MAX};
  char text[sizeof dimensions + 64];
  cl_int error;
  bool subgroup = !strcmp(variables[v].name, "EnqueuedWorkgroupSize");
  snprintf(text, sizeof text, dimensions, subgroup ? "OpCapability SubgroupDispatch\n" : "",
           variables[v].name);
  cl_program program = il_build("1.1", text);
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  EXPECT(CL_SUCCESS, error);
  for (size_t i = 0; kernel && i < sizeof dimensions_of / sizeof *dimensions_of; i++)
    run_dimension(kernel, v, dimensions_of[i], (cl_ushort)dimensions_of[i]);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

int main(void) {
  need_assembler();
  open_device();
  test_names();
  for (unsigned v = 0; v < sizeof variables / sizeof *variables; v++) test_dimensions(v);
  return finish();
}
